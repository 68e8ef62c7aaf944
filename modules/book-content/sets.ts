/** The sets of questions that this module owns: those of every book by its chapters, and those for the strongest by labels. */
import { defineRights } from '../../core/grant/rights.ts'
import { addSetOwner } from '../practice/module.ts'
import { screenId } from '../screens.ts'

export const TRAINING = screenId('/practiceBook/content/training')
export const EXCELLENT = screenId('/practiceBook/content/excellentPractice')
export const EXCELLENT_RIGHTS = defineRights(EXCELLENT, { edit: [1, '新增和编辑'] })

/** What sets of a book have for a line. */
export const bookSets = (bookId: number): string => `book:${bookId}`
/** The book of a line of sets. */
export const bookOfLine = (line: string): number => Number(line.slice('book:'.length))
export const BOOK_SETS = /^book:\d{1,15}$/

/** What sets for the strongest have for a line (domain 1.10: difficulty 2 at most, where 1 is the hardest). */
export const EXCELLENT_SETS = 'practice_book'
/** The one group that they have: 培优. */
export const EXCELLENT_GROUP = 4
export const HARD: readonly number[] = [1, 2]

/** Groups of a book's chapter, in their order: 例题, 精选, 深度练 (spec 3). */
export const TRAINING_GROUPS = [{ value: 1, label: '例题' }, { value: 2, label: '精选' }, { value: 3, label: '深度练' }] as const

addSetOwner({ line: BOOK_SETS, scope: 'chapter', screen: TRAINING, name: '图书训练' })
addSetOwner({ line: /^practice_book$/, scope: 'label', screen: EXCELLENT, name: '优选题', difficulties: HARD })
