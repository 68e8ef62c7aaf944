import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { screenId } from '../screens.ts'

const RECYCLE_SCREEN = screenId('/system/recycle')

/** A deleted record of whatever kind. */
export interface DeletedRecord {
  /** Name of its resource. */
  resource: string
  label: string
  id: number
  title: string | null
  deleted_at: number
  deleted_by_name: string | null
  /** Path of the call that brings it back. */
  restore: string
}

/** Deleted records that the person may bring back, the last first; `next` is the cursor of the following page. */
export const recycleBin = defineEndpoint<{ items: DeletedRecord[]; total?: number; next?: string; resources: { name: string; label: string }[] }>()({
  method: 'GET',
  path: '/daoyuan/api/end/recycle_bin',
  summary: '回收站',
  grant: [RECYCLE_SCREEN],
  input: z.object({
    resource: z.optional(z.string()),
    keyword: z.optional(z.string()),
    cursor: z.optional(z.string()),
    page_size: z.optional(z.string().check(z.regex(/^\d{1,3}$/, '分页参数有误'))),
  }),
})

/** Deletes records for good; only the highest role may, and every record is logged. */
export const purgeRecords = defineEndpoint<{ purged: number }>()({
  method: 'POST',
  path: '/daoyuan/api/end/recycle_bin/purge',
  summary: '彻底删除', back: { instead: '彻底删除不能撤销，请先核对名称' },
  grant: [RECYCLE_SCREEN],
  input: z.object({
    resource: z.string('请说明记录类型'),
    ids: z.array(z.int('编号有误'), '请选择要彻底删除的记录').check(z.minLength(1, '请选择要彻底删除的记录'), z.maxLength(200, '一次最多彻底删除 200 条')),
  }),
})
