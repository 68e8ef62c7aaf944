/** Which questions the heading of a section speaks of. */
import { kindOf } from '../../practice/module.ts'
import { groupOf, groupRank } from '../order-groups.ts'
import type { PaperBody, PaperSection } from './body.ts'
import { numbered } from './heading.ts'

/** What a heading may say of a question. */
export interface Kinded {
  readonly type: number
  readonly category_name: string | null
}

const TRUE_FALSE = '判断题'
/** Names that take in several types; every other name stands for the type that its words mean. */
const WIDE: readonly (readonly [RegExp, readonly number[]])[] = [[/非选择|主观/, [3, 4, 5, 6]], [/综合/, [4, 5, 6]], [/^选择题$|客观/, [1, 2]], [/语法|完形|完型|阅读|七选五/, [5, 6]]]

/** Types that a name of a section stands for; null when it names none: 试题, 第一部分. */
function typesOf(name: string): readonly number[] | null {
  const kind = kindOf(name)
  return WIDE.find(([pattern]) => pattern.test(name))?.[1] ?? (kind ? [kind.type] : null)
}

/** What a section of such a question is called: its own kind, or what its type is called in a paper. */
export const sectionNameOf = ({ type, category_name }: Kinded): string => category_name ?? groupOf({ name: '', type })

/** Whether a heading is true of a question. One that names no kind is true of every question. */
function fits(name: string, question: Kinded): boolean {
  if (name === question.category_name) return true
  // 单选题 and 判断题 are both of one right option, and are asked in other words.
  if ((name === TRUE_FALSE) !== (question.category_name === TRUE_FALSE) && (name === TRUE_FALSE || /单选|单项/.test(name))) return false
  if (name === groupOf({ name: question.category_name ?? '', type: question.type })) return true
  return typesOf(name)?.includes(question.type) ?? true
}

/** What the heading of a section says; a heading that was written counts before the name. */
const nameOf = ({ name, title }: Pick<PaperSection, 'name' | 'title'>) => (title && typesOf(title) ? title : name)

/**
 * The section of a question's kind.
 * @returns the one of its own name before the one of its group; undefined when there is none, or only ones that name no kind
 */
export function homeOf(body: PaperBody, question: Kinded): PaperSection | undefined {
  const group = groupOf({ name: question.category_name ?? '', type: question.type })
  return body.sections.find(({ name }) => name === question.category_name)
    ?? body.sections.find(({ name }) => name === group && fits(name, question))
    ?? body.sections.find((section) => typesOf(nameOf(section)) !== null && groupRank(section.name, typesOf(nameOf(section))?.[0]) === groupRank(group, question.type) && fits(nameOf(section), question))
}

/** Where a section of this kind stands: before the first one that comes later in a paper (spec 9). */
export function placeOf(body: PaperBody, question: Kinded): number {
  const rank = groupRank(sectionNameOf(question), question.type)
  const later = body.sections.findIndex((section) => {
    const types = typesOf(nameOf(section))
    return types !== null && groupRank(section.name, types[0]) > rank
  })
  return later < 0 ? body.sections.length : later
}

/** A section under whose heading questions stand that it is not true of. */
export interface Misfit {
  readonly key: string
  readonly practice_ids: readonly number[]
  /** 「单选题」中有 2 题题型不符：第 3、5 题 */
  readonly text: string
}

/** What of a question a heading speaks of, and how many sub-questions take numbers of their own. */
type Card = Kinded & { readonly content: { readonly children: readonly unknown[] } }

/**
 * Sections whose heading says something else than their questions are.
 * @param cards questions of the paper; one that is unknown is passed over
 */
export function misfits(body: PaperBody, cards: ReadonlyMap<number, Card>): Misfit[] {
  return numbered(body, ({ practice_id }) => cards.get(practice_id)?.content.children.length || 1).flatMap(({ section, items }) => {
    const name = nameOf(section)
    const wrong = items.filter(({ item }) => {
      const card = cards.get(item.practice_id)
      return card && !fits(name, card)
    })
    return wrong.length > 0 ? [{ key: section.key, practice_ids: wrong.map(({ item }) => item.practice_id), text: `「${name}」中有 ${wrong.length} 题题型不符：第 ${wrong.map(({ from }) => from).join('、')} 题` }] : []
  })
}
