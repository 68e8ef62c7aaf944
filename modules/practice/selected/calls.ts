import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { PRODUCT_LINES } from '../../reference/module.ts'
import { screenId, screenPath } from '../../screens.ts'
import { bodyId, type PracticeCard } from '../bank/calls.ts'
import { EXERCISE_TYPES } from '../content/question.ts'

const PATH = '/daoyuan/api/end/selected_practices'

/** Places that questions are chosen for, and the screen of each (domain 3.6). */
export const SET_SCOPES = { chapter: screenId('/practice/ebook-catalogue-label'), label: screenId('/practice/knowledge-label') } as const
export type SetScope = keyof typeof SET_SCOPES
export const SET_EDIT: Readonly<Record<SetScope, number>> = { chapter: standardId(SET_SCOPES.chapter, 'edit'), label: standardId(SET_SCOPES.label, 'edit') }

/** Lines whose lessons are sets chosen for chapters, by code: the screen on which each chooses its own (teaching.md 1.2). */
export const SET_LINES: ReadonlyMap<string, number> = new Map(PRODUCT_LINES.flatMap(({ code, path, screens }): [string, number][] => (screens.content === undefined ? [] : [[code, screenId(screenPath(`${path}/${screens.content}`))]])))

/** Whose sets these are beside the product lines: each book's, or those of one screen. A module that has sets of its own hands over such a row. */
export interface SetOwner {
  /** What its sets have for a line: books have `book:` and their number. */
  readonly line: RegExp
  readonly scope: SetScope
  /** Id of the screen on which they are chosen. */
  readonly screen: number
  /** What its sets are called where questions are used; those of one record are told apart by their place. */
  readonly name: string
  /** Difficulties that its sets take; all of them where nothing is said. */
  readonly difficulties?: readonly number[]
}

const owners: SetOwner[] = []

/** The owner of the sets of a line; undefined for product lines. */
export const setOwner = (line: string): SetOwner | undefined => owners.find((owner) => owner.line.test(line))

/** Whether there are sets of a line. */
export const isSetLine = (line: string): boolean => line === EVERY_LINE || PRODUCT_LINES.some(({ code }) => code === line) || setOwner(line) !== undefined

/** Id of the screen on which the sets of a line are chosen. */
export const screenOfLine = (scope: SetScope, line: string): number | undefined => {
  const owner = setOwner(line)
  if (owner) return owner.scope === scope ? owner.screen : undefined
  return scope === 'chapter' ? SET_LINES.get(line) : undefined
}

/** Whether somebody works on the sets of a line through the line's own screen. */
export const holdsLine = (staff: Pick<Staff, 'modules'>, scope: SetScope, line: string, action?: 'edit'): boolean => {
  const screen = screenOfLine(scope, line)
  return screen !== undefined && staff.modules.has(action ? standardId(screen, action) : screen)
}

/** Kinds of sets: those of exercises, and one for the strongest learners (domain 2.3). */
export const SET_GROUPS = [...EXERCISE_TYPES, { value: 4, label: '培优' }] as const

/** A set for every line that has none of its own. */
export const EVERY_LINE = ''

/** Questions of one set. */
export const MOST_SELECTED = 200

/** A chosen question. */
export interface Selected {
  practice: PracticeCard
  /** Version that was chosen. */
  version_no: number
  /** Other sets of the same book, or of the same subject's labels, that hold it, by place and group. */
  elsewhere: string[]
  /** Numbers of questions of the same set that ask the same. */
  twins: string[]
}

/** A chapter of a book with what was chosen for it. */
export interface SetChapter {
  id: number
  name: string
  /** 0 for those at the top. */
  depth: number
  /** Nothing is below it. */
  leaf: boolean
  /** Official questions that belong to it or to what is below it. */
  offered: number
  groups: { group_key: number; n: number; target_n: number | null }[]
}

/** The questions that were chosen for a place, of one kind of exercise. */
export interface SelectedSet {
  group_key: number
  target_n: number | null
  /** 0 when it was never built. */
  version_no: number
  staff_name: string | null
  at: number | null
  items: Selected[]
}

const scope = z.enum(['chapter', 'label'], '请选择章节或知识点')
const line = z.optional(z.string('产品线有误').check(z.maxLength(40, '产品线有误'), z.refine(isSetLine, '产品线有误')))

// The calls hold these lists themselves, so that owners of other modules open them too.
const VIEW: number[] = [...Object.values(SET_SCOPES), ...SET_LINES.values()]
const EDIT: number[] = [...Object.values(SET_EDIT), ...[...SET_LINES.values()].map((screen) => standardId(screen, 'edit'))]

/** Makes the sets of an owner known to the calls of selected sets. */
export function addSetOwner(owner: SetOwner): void {
  owners.push(owner)
  VIEW.push(owner.screen)
  EDIT.push(standardId(owner.screen, 'edit'))
}
const group = z.int('请选择习题类型').check(z.refine((value) => SET_GROUPS.some((one) => one.value === value), '请选择习题类型'))

/** spec 3: selected practices per chapter and group. Every group is answered, built or not. */
export const selectedSets = defineEndpoint<{ sets: SelectedSet[] }>()({
  method: 'GET', path: PATH, summary: '精选题', grant: VIEW,
  input: z.object({ scope, ref_id: z.string('请选择章节或知识点').check(z.regex(/^\d{1,15}$/, '编号有误')), product_line: line }),
})

/** spec 4: the set is rebuilt as a whole. `version_no` is the one that the person began with. */
export const rebuildSelected = defineEndpoint<{ sets: SelectedSet[] }>()({
  method: 'PUT', path: PATH, summary: '重建精选题', grant: EDIT,
  input: z.object({
    scope, ref_id: bodyId, product_line: line, group_key: group,
    version_no: z.int('版本有误').check(z.gte(0, '版本有误')),
    target_n: z.optional(z.nullable(z.int('目标题数应为整数').check(z.gte(1, '目标题数至少 1'), z.lte(MOST_SELECTED, `目标题数最多 ${MOST_SELECTED}`)))),
    practice_ids: z.array(bodyId, '请选择试题').check(z.maxLength(MOST_SELECTED, `最多 ${MOST_SELECTED} 道题`)),
  }),
})

/** The chapters of a book with how far their sets are: where questions are missing. */
export const setProgress = defineEndpoint<{ chapters: SetChapter[] }>()({
  method: 'GET', path: `${PATH}/progress`, summary: '各章精选题的进度', grant: VIEW,
  input: z.object({ partwork_id: z.string('请选择教材').check(z.regex(/^\d{1,15}$/, '编号有误')), product_line: line }),
})

/**
 * Proposes questions for what a set lacks: of the chapter or label, in no other set of the book or subject, of the kind of exercise first, and
 * nearest to the difficulty of that kind. Nothing is written.
 */
export const proposeSelected = defineEndpoint<{ items: Selected[] }>()({
  method: 'POST', path: `${PATH}/propose`, summary: '补齐精选题', grant: EDIT,
  input: z.object({
    scope: z._default(scope, 'chapter'), ref_id: bodyId, product_line: line, group_key: group, n: z.int('题数应为整数').check(z.gte(1, '至少补 1 道'), z.lte(MOST_SELECTED, `最多 ${MOST_SELECTED} 道题`)),
    taken: z._default(z.array(bodyId, '试题有误').check(z.maxLength(MOST_SELECTED, `最多 ${MOST_SELECTED} 道题`)), []),
  }),
})
