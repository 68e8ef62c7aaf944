import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { defineRights } from '../../../core/grant/rights.ts'
import { screenId } from '../../screens.ts'
import { bodyId, type PracticeCard } from '../bank/calls.ts'
import { writtenInput, type Written } from '../edit/calls.ts'

const BASE = '/daoyuan/api/end/practice_compares'
export const COMPARE_SCREEN = screenId('/practice/compare')
/** Beside this the rights of the banks hold that the questions lie in. */
export const COMPARE_RIGHTS = defineRights(COMPARE_SCREEN, { merge: [11, '合并和处理'] })
export const COMPARE = COMPARE_RIGHTS.id('merge')

/** What became of a pair. */
export const PAIR_STATE = { open: 0, merged: 1, distinct: 2, both: 3 } as const
const PAIR_KINDS = [{ value: 'revision', label: '修订' }, { value: 'dup', label: '重复' }] as const
export type PairKind = (typeof PAIR_KINDS)[number]['value']

/** One side of a pair: how it looks, and what a merge would write. */
export interface Side {
  practice: PracticeCard
  written: Written
}

/** Two questions to look at together. */
export interface Pair {
  id: number
  kind: PairKind
  score: number | null
  at: number
  left: Side
  right: Side
}

const text = z.optional(z.string('参数有误').check(z.regex(/^\d{1,9}$/, '参数有误')))

/** domain 1.11. Open pairs, revisions first, then the most alike; ten at a time. */
export const comparePairs = defineEndpoint<{ items: Pair[]; total: number }>()({
  method: 'GET', path: BASE, summary: '待比对的试题', grant: [COMPARE_SCREEN],
  input: z.object({ kind: z.optional(z.enum(['revision', 'dup'], '种类有误')), cat_id: text, page: text }),
})

/** What a merge did. */
export interface MergedPair {
  practice_id: number
  /** Papers, sets and lists that show the remaining question now. */
  moved: number
  /** Papers that this person may not change; they keep the other one. */
  left_alone: number
}

/** Makes one question of two: `written` is what was chosen field by field, `into` keeps its id, its uses and its place. */
export const mergePair = defineEndpoint<MergedPair>()({
  method: 'POST', path: `${BASE}/{id}/merge`, summary: '合并试题', grant: [COMPARE],
  input: z.object({ into: z.enum(['left', 'right'], '请选择保留哪一题'), ...writtenInput, left_rev: z.int('版本有误'), right_rev: z.int('版本有误') }),
})

/** Closes a pair without a merge: they are different questions, or alike and both wanted. */
export const resolvePair = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${BASE}/{id}/resolve`, summary: '标为不同题或保留两者', grant: [COMPARE], input: z.object({ verdict: z.enum(['distinct', 'both'], '请选择处理方式') }),
})

/** Looks through a whole subject for duplicates, as a job. */
export const scanDuplicates = defineEndpoint<{ job_id: number }>()({ method: 'POST', path: `${BASE}/scan`, summary: '全科查重', grant: [COMPARE], input: z.object({ cat_id: bodyId }) })

/** Where a question is used. */
export interface Use {
  kind: string
  title: string
  /** Screen that shows it. */
  path: string | null
}

/** What replacing would do; `refusal` says why it may not be done. */
export interface ReplaceImpact {
  uses: Use[]
  moved: number
  left_alone: number
  refusal: string | null
}
const replacing = z.object({ to_id: bodyId })
/** Looks at what would happen, and changes nothing. */
export const replaceImpact = defineEndpoint<ReplaceImpact>()({ method: 'POST', path: '/daoyuan/api/dou_practice/end/practice/{id}/replace_uses/impact', summary: '替换引用的影响', grant: [COMPARE], input: replacing })
/** Lets another question take the place of this one wherever it is used and may be changed. */
export const replaceUses = defineEndpoint<{ moved: number; left_alone: number }>()({ method: 'POST', path: '/daoyuan/api/dou_practice/end/practice/{id}/replace_uses', summary: '替换引用', grant: [COMPARE], input: replacing })
