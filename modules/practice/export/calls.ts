import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { bodyId, searchSchema } from '../bank/calls.ts'
import { bankGrants, POOLS } from '../bank/practice.ts'
import { EXPORT_FORMATS, MAX_EXPORT } from './formats.ts'

const input = z.object({
  pool: z.enum(POOLS.map(({ value }) => value), '题库有误'),
  level: z.int('学段有误').check(z.gte(0, '学段有误'), z.lte(2, '学段有误')),
  format: z.enum(EXPORT_FORMATS.map(({ value }) => value), '请选择格式'),
  /** Questions in this order; absent: all that the filters leave. */
  ids: z.optional(z.array(bodyId, '请先选择试题').check(z.minLength(1, '请先选择试题'), z.maxLength(MAX_EXPORT, `一次最多导出 ${MAX_EXPORT} 道题`))),
  search: z.optional(searchSchema),
})
export type ExportInput = z.output<typeof input>

/** Writes questions of a bank into a file, as a job (domain 3.9). */
export const exportPractices = defineEndpoint<{ job_id: number }>()({
  method: 'POST', path: '/daoyuan/api/end/practice_exports', summary: '导出试题', back: 'reads', grant: [...bankGrants('back', 'export'), ...bankGrants('official', 'export')], input,
})
