import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { TRAINING_GROUPS } from '../sets.ts'
import { HOLE_KINDS, MOST_WANTED, writingOrder } from './writing-order.ts'

const bodyId = (words: string) => z.optional(z.int(words).check(z.positive(words)))

const hole = {
  kind: z.enum(HOLE_KINDS.map(({ value }) => value), '请选择类型'),
  book_id: bodyId('请选择图书'), chapter_id: bodyId('请选择章节'),
  group_key: z.optional(z.int('请选择习题类型').check(z.refine((value) => TRAINING_GROUPS.some((one) => one.value === value), '请选择习题类型'))),
  subject_id: bodyId('请选择学科'), region_id: bodyId('请选择卷区'),
  year: z.optional(z.int('请填写年份').check(z.gte(1950, '年份有误'), z.lte(2200, '年份有误'))),
}

/** Where questions are missing: a set of a book's chapter, or a year of a region. */
const holeSchema = z.object(hole)
export type Hole = z.infer<typeof holeSchema>

/** Asks somebody to write what is missing, for no more than that. */
export const giveOrder = defineEndpoint<WireRow<typeof writingOrder>>()({
  method: 'POST', path: writingOrder.api.item, summary: '派写题任务', grant: [standardId(writingOrder.grant, 'edit')],
  input: z.object({
    ...hole, staff_id: z.int('请选择写题人').check(z.positive('请选择写题人')),
    wanted: z.int('请填写题数').check(z.gte(1, '题数至少 1'), z.lte(MOST_WANTED, `题数最多 ${MOST_WANTED}`)),
    due_at: z.int('请选择截止日期'),
    note: z.optional(z.string('要求应为文字').check(z.trim(), z.maxLength(200, '要求最多 200 个字'))),
  }),
})
