import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { screenId } from '../screens.ts'
import { BASE } from './book.ts'
import { bookLine } from './line.ts'

/** Orders of a page. */
export const DELETED_SIZE = 20

/** Orders of the line that were deleted, the last first, within the person's scope. */
export const deletedOrders = defineEndpoint<{ items: WireRow<typeof bookLine.orders>[]; total: number; can_restore: boolean }>()({
  method: 'GET', path: `${BASE}/deleted_orders`, summary: '已删除的图书订单', grant: [screenId('/practiceBook/deleteOrders')],
  input: z.object({ keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))), page: z.optional(z.string('分页参数有误').check(z.regex(/^\d{1,5}$/, '分页参数有误'))) }),
})
