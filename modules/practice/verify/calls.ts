import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { reasonSchema } from '../../../core/resource/endpoints.ts'
import type { PracticeCard, PracticeDetail } from '../bank/calls.ts'
import { bankGrants } from '../bank/practice.ts'
import type { Finding } from '../content/machine-check.ts'
import { CHECKLIST, ERROR_TYPES, VERIFY_GRANTS, VERIFY_SCREEN } from './state.ts'

const BASE = '/daoyuan/api/end/practice_verifies'
const text = z.optional(z.string('参数有误').check(z.regex(/^\d{1,15}$/, '参数有误')))
const decision = { rev: z.optional(z.int('版本有误')), seconds: z.optional(z.int('用时有误').check(z.gte(0, '用时有误'), z.lte(86_400, '用时有误'))) }

/** A question that waits, and who is looking at it. */
export interface Waiting {
  practice: PracticeCard
  round: number
  claimed_by: string | null
  claimed_by_me: boolean
  until: number | null
  /** Who wrote it and who read it first is told after the second reading. */
  blind: boolean
  /** Why this person may not decide on it. */
  refusal: string | null
}

/** domain 1.11. `mine`: assigned to the person or claimed by them; `rejected`: sent back by them. Urgent ones first, then the oldest. */
export const verifyQueue = defineEndpoint<{ items: Waiting[]; total: number }>()({
  method: 'GET', path: BASE, summary: '待校试题', grant: [VERIFY_SCREEN],
  input: z.object({ queue: z.optional(z.enum(['mine', 'all', 'rejected'], '队列有误')), round: z.optional(z.enum(['1', '2', '3'], '轮次有误')), cat_id: text, level: text }),
})

export const claimPractice = defineEndpoint<{ until: number }>()({ method: 'POST', path: `${BASE}/{id}/claim`, summary: '领取校对', grant: [...VERIFY_GRANTS] })
export const releasePractice = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${BASE}/{id}/release`, summary: '释放校对', grant: [...VERIFY_GRANTS] })

/** Passes a question on to the next round; the last one publishes it. A person who passes it has claimed it and looked at everything that `CHECKLIST` names. */
export const passPractice = defineEndpoint<{ status: number; official_id: number | null }>()({
  method: 'POST', path: `${BASE}/{id}/pass`, summary: '校对通过', grant: [...VERIFY_GRANTS], input: z.object({ ...decision, checked: z.optional(z.array(z.enum(CHECKLIST, '核对项目有误'), '核对项目有误')), note: z.optional(z.string('备注有误').check(z.trim(), z.maxLength(200, '备注最多 200 个字'))) }),
})
export const rejectPractice = defineEndpoint<{ status: number }>()({
  method: 'POST', path: `${BASE}/{id}/reject`, summary: '校对退回', grant: [...VERIFY_GRANTS],
  input: z.object({ ...decision, reason: reasonSchema, errors: z.array(z.enum(ERROR_TYPES, '错误类型有误'), '请选择错误类型').check(z.minLength(1, '请选择错误类型'), z.maxLength(11, '错误类型有误')) }),
})

/** What each round found. */
export interface VerifyEntry {
  id: number
  round: number
  staff_name: string | null
  passed: number
  errors: string[]
  note: string | null
  seconds: number | null
  at: number
}
export const verifyHistory = defineEndpoint<{ items: VerifyEntry[]; total: number }>()({ method: 'GET', path: `${BASE}/{id}/history`, summary: '校对记录', grant: [VERIFY_SCREEN, ...bankGrants('back'), ...bankGrants('official')] })

/** How well a person writes (domain 3.5). */
export interface ScoreCard {
  owner_id: number
  name: string
  /** Questions that were decided on for the first time. */
  checked: number
  /** Share of them that passed at once. */
  first_pass: number
  /** Errors for each hundred of them. */
  errors_per_100: number
  by_error: Record<string, number>
  /** Mean time that a first reading took, in seconds; null when nobody measured it. */
  seconds: number | null
  /** Of a hundred of their questions so many get a second reading now. */
  sample_percent: number
}
export const scoreCards = defineEndpoint<{ items: ScoreCard[]; total: number }>()({ method: 'GET', path: `${BASE}/score_cards`, summary: '录入质量', grant: [VERIFY_SCREEN] })

/** What a machine finds wrong with a stored question: what stops it from being submitted, and hints. */
export const checkPractice = defineEndpoint<{ items: Finding[]; total: number }>()({
  method: 'GET', path: '/daoyuan/api/dou_practice/end/practice/{id}/check', summary: '机检', grant: [VERIFY_SCREEN, ...bankGrants('back'), ...bankGrants('official')],
})

/** Opens an official question again: a draft in the back bank that is linked to it; while there is one, that one. */
export const revisePractice = defineEndpoint<PracticeDetail>()({ method: 'POST', path: '/daoyuan/api/dou_practice/end/practice/{id}/revise', summary: '修订正式试题', grant: bankGrants('official', 'revise') })
