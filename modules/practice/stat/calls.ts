import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { bodyId } from '../bank/calls.ts'
import { BANK_SCREENS, bankGrants } from '../bank/practice.ts'
import type { Figures } from './figures.ts'

const points = (label: string) => z.number(`${label}应为数字`).check(z.gte(0, `${label}不能为负`), z.lte(300, `${label}最多 300`))

const answer = z.object({
  practice_id: bodyId,
  sitting: bodyId,
  score: points('得分'),
  max: points('满分').check(z.gt(0, '满分应大于 0')),
  picked: z.optional(z.array(z.string('选项有误').check(z.regex(/^[\w-]{1,24}$/, '选项有误')), '选项有误').check(z.maxLength(16, '选项最多 16 个'))),
  seconds: z.optional(z.int('用时应为整数').check(z.gte(0, '用时不能为负'), z.lte(86_400, '用时最多 24 小时'))),
  at: z.optional(z.int('时间应为秒').check(z.gte(0, '时间有误'), z.lte(4_102_444_800, '时间有误'))),
})

/** What became of the records that were sent. */
export interface Received {
  received: number
  /** Sent before: kept as they were. */
  repeated: number
  /** Of questions that are not in the official bank. */
  unknown: number
  /** Job that computes the figures again; null when nothing is new. */
  job_id: number | null
}

/** domain 3.8. Takes what learners answered; sending something again does nothing. */
export const sendAnswers = defineEndpoint<Received>()({
  method: 'POST', path: '/daoyuan/api/end/practice_answers', summary: '接收作答记录', grant: bankGrants('official', 'answers'),
  input: z.object({ answers: z.array(answer, '请提供作答记录').check(z.minLength(1, '请提供作答记录'), z.maxLength(2000, '一次最多 2000 条作答记录')) }),
})

/** What answers say about a question. */
export interface Statistics extends Figures {
  /** Difficulty that the share of points stands for; null while there are too few attempts. */
  difficulty_est: number | null
  at: number
}
export const practiceStatistics = defineEndpoint<{ statistics: Statistics | null }>()({
  method: 'GET', path: '/daoyuan/api/dou_practice/end/practice/{id}/statistics', summary: '试题的作答统计', grant: BANK_SCREENS,
})
