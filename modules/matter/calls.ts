import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { MOBILE } from '../../core/field/mobile.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { matterCheck } from './check.ts'
import type { Forecast } from './forecast.ts'
import { matter, MOST } from './matter.ts'
import { matterMove, PURPOSES } from './move.ts'
import { MATTER_RIGHTS } from './rights.ts'

/** Lines of one document. */
export const MOST_LINES = 200

/** A matter as a scanner finds it. */
export interface Scanned {
  id: number
  name: string
  sku: string
  /** Bar code, where it has one of its own. */
  barcode: string | null
  isbn: string | null
  unit: string
  status: number
  /** What lies of it where; warehouses without it are absent. */
  places: { warehouse_id: number; name: string; qty: number }[]
  /** Prints of its book of which not everything came yet. */
  prints: { no: number; left: number }[]
}

/** What is known of a matter beside its record. */
export interface MatterStory {
  places: { warehouse_id: number; name: string; qty: number }[]
  prints: { no: number; copies: number; received: number; at: number }[]
  /** Start of each day looked at, what went out on it, and what was left in its evening. */
  days: { day: number; out: number; left: number }[]
  forecast: Forecast
  /** Who got most of it in these weeks. */
  receivers: { name: string; qty: number; times: number }[]
}

/** A line of a count. */
export interface CheckLine { matter_id: number; name: string; sku: string; unit: string; expected: number; counted: number; cost: number | null; note: string | null; staff_name: string | null; at: number }

/** What a count has, and what lies in its warehouse and nobody counted. */
export interface CheckContent { lines: CheckLine[]; left: { matter_id: number; name: string; sku: string; unit: string; qty: number }[] }

const id = (words: string) => z.int(words).check(z.positive(words))
const qty = z.int('数量应为整数').check(z.gte(1, '数量至少为 1'), z.lte(MOST, '数量过大'))
const note = z.optional(z.string('说明应为文字').check(z.trim(), z.maxLength(200, '说明最多 200 个字')))
const { item, list } = matter.api

export const findScanned = defineEndpoint<{ items: Scanned[] }>()({
  method: 'GET', path: `${list}/scan`, summary: '按编码、条码或书号找物料', grant: [matter.grant],
  input: z.object({
    codes: z.optional(z.union([z.string('请扫码或输入编码'), z.array(z.string('请扫码或输入编码')).check(z.maxLength(MOST_LINES, `一次最多 ${MOST_LINES} 个`))], '请扫码或输入编码')),
    /** One that was picked by its name. */
    id: z.optional(z.coerce.number('请选择物料').check(z.int('请选择物料'), z.positive('请选择物料'))),
  }),
})
export const readStory = defineEndpoint<MatterStory>()({ method: 'GET', path: `${item}/{id}/story`, summary: '物料的分布、在途和预测', grant: [matter.grant] })

export const moveMatters = defineEndpoint<{ doc: string; lines: number }>()({
  method: 'POST', path: `${list}/moves`, summary: '物料出入库', back: { instead: '记错了，冲销这条流水' }, grant: [MATTER_RIGHTS.id('move')],
  input: z.object({
    kind: z.enum(['in', 'out', 'transfer', 'back'], '请选择类型'),
    warehouse_id: id('请选择仓库'),
    peer_id: z.optional(id('请选择调入仓库')),
    lines: z.array(z.object({ matter_id: id('请选择物料'), qty, print_no: z.optional(z.int('印次有误').check(z.gte(1, '印次有误'))) }), '请添加物料').check(z.minLength(1, '请添加物料'), z.maxLength(MOST_LINES, `一次最多 ${MOST_LINES} 种物料`)),
    purpose: z.optional(z.enum(PURPOSES.filter(({ value }) => value !== 'order').map(({ value }) => value), '请选择用途')),
    receiver: z.optional(z.string('请填写领用人').check(z.trim(), z.maxLength(20, '领用人最多 20 个字'))),
    mobile: z.optional(z.string('请输入正确的手机号').check(z.regex(MOBILE, '请输入正确的手机号'))),
    order_no: z.optional(z.string('订单号有误').check(z.trim(), z.maxLength(24, '订单号最多 24 位'))),
    note,
  }),
})

export const reverseMove = defineEndpoint<{ doc: string }>()({ method: 'POST', path: `${matterMove.api.item}/{id}/reverse`, summary: '冲销出入库流水', grant: [MATTER_RIGHTS.id('move')], input: z.object({ reason: reasonSchema }) })

const checkPath = `${matterCheck.api.item}/{id}/lines`
export const readLines = defineEndpoint<CheckContent>()({ method: 'GET', path: checkPath, summary: '盘点单的清点结果', grant: [matterCheck.grant] })
export const countLines = defineEndpoint<{ lines: number }>()({
  method: 'POST', path: checkPath, summary: '登记清点结果', grant: [MATTER_RIGHTS.id('count')],
  input: z.object({
    lines: z.array(z.object({
      matter_id: id('请选择物料'),
      // Nothing takes the line off the sheet.
      counted: z.nullable(z.int('数量应为整数').check(z.gte(0, '数量不能小于 0'), z.lte(MOST, '数量过大'))),
      /** What stood there when it was counted; nothing where there was no line yet. */
      seen: z.nullable(z.int('数量应为整数')),
      note,
    }), '请添加物料').check(z.minLength(1, '请添加物料'), z.maxLength(MOST_LINES, `一次最多 ${MOST_LINES} 种物料`)),
  }),
})
