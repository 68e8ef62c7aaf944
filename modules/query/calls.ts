import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { OrderDetail } from '../order/module.ts'
import { screenId } from '../screens.ts'
import { MOST_LINES } from './typed.ts'

/** A record that a line names, with what is known of it at a glance. */
export interface FoundThing { kind: string; title: string; state: string | null; facts: { label: string; value: string }[]; to: string }

/** What became of a line. Not found is something else than ambiguous. */
export interface FoundLine { row: number; typed: string; state: 'found' | 'many' | 'none' | 'bad' | 'same'; note: string | null; items: FoundThing[] }

export const findLines = defineEndpoint<{ items: FoundLine[]; counts: Record<FoundLine['state'], number> }>()({
  method: 'POST', path: '/daoyuan/api/end/operate/sn', summary: 'SN、激活码、手机号和订单号查询', back: 'reads', grant: [screenId('/operate/query/sn')],
  input: z.object({ lines: z.array(z.string('内容有误').check(z.maxLength(100, '每行最多 100 个字')), '请输入查询内容').check(z.minLength(1, '请输入查询内容'), z.maxLength(MOST_LINES, `一次最多 ${MOST_LINES} 行`)) }),
})

/** A step of where an order's money went; in fen, what leaves is negative. */
export interface MoneyStep { label: string; amount: number; note: string | null; sum?: true }

export interface AnyOrderDetail {
  order: { id: number; order_no: string; line: string; buyer: string | null; goods: string | null; amount: number; paid: number; refunded: number; status_name: string; at: number; paid_at: number | null; agent: string | null; to: string; screen: string }
  detail: Pick<OrderDetail, 'items' | 'payments' | 'refunds' | 'shipments' | 'receiver' | 'log'>
  steps: MoneyStep[]
  /** What it opened, for whom and until when. */
  opened: { id: number; product: string; start_at: number; expire_at: number; state: string }[]
}

export const anyOrderDetail = defineEndpoint<AnyOrderDetail>()({ method: 'GET', path: '/daoyuan/api/end/orders/{order_no}', summary: '任意业务线的订单详情', grant: [screenId('/operate/orderDetail')] })
/** Orders of every line that this person may open, the newest first: where somebody begins who has no number. */
export const recentOrders = defineEndpoint<{ items: { id: number; order_no: string; goods: string | null; amount: number; status_name: string; at: number }[]; total: number }>()({
  method: 'GET', path: '/daoyuan/api/end/operate/orders', summary: '最近的订单', grant: [screenId('/operate/orderDetail')], input: z.object({ mobile: z.optional(z.string('手机号有误').check(z.regex(/^1[3-9]\d{9}$/, '请输入正确的手机号'))) }),
})
