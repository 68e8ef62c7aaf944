import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { bodyId, type PracticeCard } from '../bank/calls.ts'
import { ERROR_TYPES, VERIFY_RIGHTS } from './state.ts'

const BASE = '/daoyuan/api/end/verify_batches'
export const TRUSTED_GRANT = VERIFY_RIGHTS.id('trusted')

/** Where questions come from that somebody else has checked before they were printed. */
export const TRUSTED_SOURCES: readonly string[] = ['college_entrance_exam_paper']
/** Of all questions so many are read, at least and at most. */
export const SAMPLE = { share: 0.05, least: 20, most: 100 } as const
/** With more errors among those that were read, the others are read one by one. */
export const MOST_ERRORS = 0.02
/** How long a signature may be taken back, in seconds. */
export const UNDO_SECONDS = 86_400

export interface VerifyBatch {
  id: number
  round: number
  subject_id: number
  subject_name: string
  state: 'reading' | 'signed' | 'undone' | 'dropped'
  counts: { all: number; sampled: number; read: number; failed: number; passed: number }
  at: number
  signed_at: number | null
}

/** A question that was drawn, with what the person found. */
export interface SampledQuestion {
  practice: PracticeCard
  passed: boolean | null
  errors: string[]
}

const choice = z.object({ round: z.enum(['1', '2', '3'], '轮次有误'), cat_id: z.string('请选择学科').check(z.regex(/^\d{1,9}$/, '请选择学科')) })
/** Questions that may be passed so, and how many of them would be read. */
export const countTrusted = defineEndpoint<{ all: number; sample: number; uncertain: number }>()({ method: 'GET', path: `${BASE}/count`, summary: '可信来源的待校试题数', grant: [TRUSTED_GRANT], input: choice })
export const listBatches = defineEndpoint<{ items: VerifyBatch[] }>()({ method: 'GET', path: BASE, summary: '批量通过记录', grant: [TRUSTED_GRANT] })
/** Draws the sample. */
export const drawBatch = defineEndpoint<VerifyBatch>()({ method: 'POST', path: BASE, summary: '抽取可信来源的样本', grant: [TRUSTED_GRANT], input: z.object({ round: z.union([z.literal(1), z.literal(2), z.literal(3)], '轮次有误'), cat_id: bodyId }) })
export const readSample = defineEndpoint<{ batch: VerifyBatch; items: SampledQuestion[] }>()({ method: 'GET', path: `${BASE}/{id}`, summary: '样本', grant: [TRUSTED_GRANT] })
export const judgeSample = defineEndpoint<VerifyBatch>()({
  method: 'PUT', path: `${BASE}/{id}/items/{practice_id}`, summary: '登记样本的校对结果', grant: [TRUSTED_GRANT], input: z.object({ passed: z.boolean('请选择是否通过'), errors: z.array(z.enum(ERROR_TYPES, '错误类型有误')).check(z.maxLength(11, '错误类型有误')) }),
})
/** Passes the whole batch, without those that the sample found wrong: they are sent back. */
export const signBatch = defineEndpoint<VerifyBatch>()({ method: 'POST', path: `${BASE}/{id}/sign`, summary: '签署并批量通过', grant: [TRUSTED_GRANT] })
export const undoBatch = defineEndpoint<{ undone: number; kept: number }>()({ method: 'POST', path: `${BASE}/{id}/undo`, summary: '撤销批量通过', grant: [TRUSTED_GRANT] })
/** Gives a batch up that was not signed. */
export const dropBatch = defineEndpoint<VerifyBatch>()({ method: 'POST', path: `${BASE}/{id}/drop`, summary: '放弃样本', grant: [TRUSTED_GRANT] })
