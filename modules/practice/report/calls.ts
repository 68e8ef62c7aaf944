import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { bodyId } from '../bank/calls.ts'
import { BANK_SCREENS, type Pool } from '../bank/practice.ts'
import { REPORT_KINDS, type ReportKind } from './report.ts'

const PRACTICE = '/daoyuan/api/dou_practice/end/practice/{id}/reports'

/** What somebody said of a question, as its page shows it. */
export interface Report {
  id: number
  kind: ReportKind
  content: string | null
  /** Who works here and said it; null for a learner. */
  staff_name: string | null
  status: number
  at: number
  handler_name: string | null
  handled_at: number | null
  fixed_at: number | null
}

/** Reports of a question and of the other side of its revision, newest first. */
export const practiceReports = defineEndpoint<{ items: Report[]; total: number }>()({ method: 'GET', path: PRACTICE, summary: '试题的报错', grant: BANK_SCREENS })

/**
 * Says that something is wrong with a question. With `user_id` it is a learner's word, which only a person who may also send
 * answers of learners can pass on. Saying the same again while it is undecided adds nothing.
 */
export const reportPractice = defineEndpoint<{ id: number }>()({
  method: 'POST', path: PRACTICE, summary: '试题报错', grant: BANK_SCREENS,
  input: z.object({
    kind: z.enum(REPORT_KINDS.map(({ value }) => value), '请选择错误类型'),
    content: z.optional(z.string('说明有误').check(z.trim(), z.maxLength(500, '说明最多 500 个字'))),
    user_id: z.optional(bodyId),
  }),
})

/** A report that the person who wrote the question should know of. */
export interface OwnReport {
  id: number
  practice_id: number
  practice_no: string
  pool: Pool
  level: number
  kind: ReportKind
  content: string | null
  status: number
  at: number
}

/** Reports of questions that this person wrote, until they are refused or mended. */
export const ownReports = defineEndpoint<{ items: OwnReport[]; total: number }>()({ method: 'GET', path: '/daoyuan/api/end/own_practice_reports', summary: '我录入的试题的报错', grant: BANK_SCREENS })
