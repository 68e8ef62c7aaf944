import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../../core/endpoint/define.ts'
import { MOBILE } from '../../core/field/mobile.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Resource } from '../../core/resource/define.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { REFUND_WAYS, type DiscountKind, type RefundWay, type OrderRight, orderRight } from './flow.ts'
import type { RefundPart, Source } from './money-rules.ts'
import { channelSchema, fen, newOrderSchema, ORDER_PARTS, paymentSchema, type NewOrder } from './new-order.ts'
import { settingSchema, type OrderSetting } from './setting.ts'
import { carrierField, trackingField } from './shipment.ts'

/** An order with everything that hangs on it. */
export interface OrderDetail {
  items: { id: number; kind: string; name: string; price: number; qty: number; months: number | null; net: number; refunded_qty: number; granted_qty: number }[]
  payments: { id: number; at: number; amount: number; channel: string; trade_no: string | null; voucher: string | null; staff_name: string | null }[]
  refunds: {
    id: number; amount: number; way: string; reason: string; status: number; asked_by: number | null; asked_by_name: string | null; asked_at: number
    parts: RefundPart[]; decided_by_name: string | null; decided_at: number | null; answer: string | null
  }[]
  shipments: { id: number; company: string; no: string; created_at: number; staff_name: string | null }[]
  receiver: { name: string; mobile: string; region_code: string; region_name: string; address: string } | null
  log: { id: number; at: number; staff_name: string | null; action: string; from_status: number | null; to_status: number; amount: number | null; reason: string | null }[]
  setting: OrderSetting
  /** What the order's discount consists of; in fen. */
  discounts: { kind: DiscountKind; ref_id: number | null; amount: number }[]
  /** What came in by each channel and what of it can go back, the last first. */
  sources: Source[]
}

/** How whom an order names stands, in the words of the module that knows them. */
export interface Regard {
  facts: { label: string; text: string }[]
  /** What speaks against an order, though it may be placed. */
  warnings: string[]
}

/** An order that somebody is still writing down. */
export interface OrderDraft {
  id: number
  step: number
  body: Partial<Record<keyof NewOrder, Record<string, unknown>>>
  rev: number
  created_at: number
  updated_at: number
}

const ways = new Set<unknown>(REFUND_WAYS.map(({ value }) => value))

export const refundSchema = z.object({
  /** What the items that go back were paid with, where it is not said. */
  amount: z.optional(fen('退款金额')),
  items: z.optional(z.array(z.object({ id: z.int(), qty: z.int('数量应为整数').check(z.gte(0, '数量不能小于 0')) })).check(z.maxLength(50, '商品过多'))),
  way: z.custom<RefundWay>((value) => ways.has(value), '请选择退款方式'),
  parts: z.optional(z.array(z.object({ channel: channelSchema, amount: fen('退款金额') })).check(z.maxLength(20, '退款渠道过多'))),
  reason: reasonSchema,
})

const partSchema = z.record(z.string(), z.unknown())
const draftSchema = z.object({
  step: z.int().check(z.gte(0), z.lte(ORDER_PARTS.length)),
  body: z.object(Object.fromEntries(ORDER_PARTS.map(({ key }) => [key, z.optional(partSchema)]))),
  /** Revision that was read; another window may have gone on meanwhile. */
  rev: z.optional(z.int()),
})

export const parcelSchema = z.object({ company: carrierField.schema, no: trackingField.schema })

export const repriceSchema = z.object({ discount: fen('优惠'), reason: reasonSchema })

/** Biggest draft, in characters of its JSON. */
export const DRAFT_LENGTH = 50_000

/** The calls of a line's orders beside those of every resource. */
export function orderEndpoints(resource: Resource): {
  create: Endpoint<NewOrder, WireRow>
  detail: Endpoint<undefined, OrderDetail>
  revealReceiver: Endpoint<undefined, { value: string }>
  describe: Endpoint<{ kind: string; ref_id?: string | undefined; mobile?: string | undefined }, { name: string; price: number | null; months: number | null; note: string | null }>
  regard: Endpoint<{ kind: string; ref_id: string }, Regard & { orders: number; unpaid: number }>
  pay: Endpoint<z.infer<typeof paymentSchema>, WireRow>
  reprice: Endpoint<{ discount: number; reason: string }, WireRow>
  approve: Endpoint<{ rev?: number | undefined }, WireRow>
  resubmit: Endpoint<undefined, WireRow>
  ship: Endpoint<{ company: string; no: string }, WireRow>
  refund: Endpoint<z.infer<typeof refundSchema>, WireRow>
  approveRefund: Endpoint<undefined, WireRow>
  refuseRefund: Endpoint<{ reason: string }, WireRow>
  getSetting: Endpoint<undefined, OrderSetting>
  putSetting: Endpoint<OrderSetting, OrderSetting>
  drafts: Endpoint<undefined, { items: OrderDraft[] }>
  addDraft: Endpoint<z.infer<typeof draftSchema>, OrderDraft>
  saveDraft: Endpoint<z.infer<typeof draftSchema>, OrderDraft>
  dropDraft: Endpoint<undefined, Record<string, never>>
  placeDraft: Endpoint<undefined, WireRow>
} {
  const { api: { list, item }, grant, label } = resource
  const of = (name: OrderRight) => [orderRight(resource, name)]
  const edit = [standardId(grant, 'edit')]
  const one = `${item}/{id}`
  const drafts = `${list}/drafts`
  return {
    create: defineEndpoint<WireRow>()({ method: 'POST', path: item, summary: `录入${label}`, grant: edit, input: newOrderSchema }),
    detail: defineEndpoint<OrderDetail>()({ method: 'GET', path: `${one}/detail`, summary: `${label}明细`, grant: [grant] }),
    revealReceiver: defineEndpoint<{ value: string }>()({
      method: 'POST', path: `${one}/receiver/reveal`, summary: `查看${label}收货人的完整手机号`, grant: [standardId(grant, 'reveal')],
    }),
    describe: defineEndpoint<{ name: string; price: number | null; months: number | null; note: string | null }>()({
      method: 'GET', path: `${list}/goods`, summary: `${label}商品价格`, grant: edit, input: z.object({ kind: z.string(), ref_id: z.optional(z.string().check(z.regex(/^\d{1,15}$/, '商品编号有误'))), mobile: z.optional(z.string('手机号有误').check(z.regex(MOBILE, '手机号有误'))) }),
    }),
    regard: defineEndpoint<Regard & { orders: number; unpaid: number }>()({
      method: 'GET', path: `${list}/party`, summary: `${label}买家情况`, grant: edit, input: z.object({ kind: z.string(), ref_id: z.string('请选择买家').check(z.regex(/^\d{1,15}$/, '买家编号有误')) }),
    }),
    pay: defineEndpoint<WireRow>()({ method: 'POST', path: `${one}/pay`, summary: `${label}确认到账`, grant: of('pay'), input: paymentSchema }),
    reprice: defineEndpoint<WireRow>()({
      method: 'POST', path: `${one}/reprice`, summary: `${label}改价`, grant: of('reprice'),
      input: repriceSchema,
    }),
    approve: defineEndpoint<WireRow>()({ method: 'POST', path: `${one}/approve`, summary: `审核通过${label}`, grant: of('audit'), input: z.object({ rev: z.optional(z.int()) }) }),
    resubmit: defineEndpoint<WireRow>()({ method: 'POST', path: `${one}/resubmit`, summary: `重新提交${label}`, grant: edit }),
    ship: defineEndpoint<WireRow>()({ method: 'POST', path: `${one}/ship`, summary: `${label}发货`, grant: of('ship'), input: parcelSchema }),
    refund: defineEndpoint<WireRow>()({ method: 'POST', path: `${one}/refund`, summary: `${label}申请退款`, grant: of('refund'), input: refundSchema }),
    approveRefund: defineEndpoint<WireRow>()({ method: 'POST', path: `${one}/refund/{refund_id}/approve`, summary: `${label}同意退款`, grant: of('decide'), fresh: true }),
    refuseRefund: defineEndpoint<WireRow>()({
      method: 'POST', path: `${one}/refund/{refund_id}/refuse`, summary: `${label}拒绝退款`, grant: of('decide'), input: z.object({ reason: reasonSchema }),
    }),
    getSetting: defineEndpoint<OrderSetting>()({ method: 'GET', path: `${list}/setting`, summary: `${label}设置`, grant: [grant] }),
    putSetting: defineEndpoint<OrderSetting>()({ method: 'PUT', path: `${list}/setting`, summary: `修改${label}设置`, grant: of('setting'), input: settingSchema }),
    drafts: defineEndpoint<{ items: OrderDraft[] }>()({ method: 'GET', path: drafts, summary: `我的${label}草稿`, grant: edit }),
    addDraft: defineEndpoint<OrderDraft>()({ method: 'POST', path: drafts, summary: `新建${label}草稿`, grant: edit, input: draftSchema }),
    saveDraft: defineEndpoint<OrderDraft>()({ method: 'PUT', path: `${drafts}/{draft_id}`, summary: `保存${label}草稿`, grant: edit, input: draftSchema }),
    dropDraft: defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${drafts}/{draft_id}`, summary: `丢弃${label}草稿`, grant: edit }),
    placeDraft: defineEndpoint<WireRow>()({ method: 'POST', path: `${drafts}/{draft_id}/place`, summary: `提交${label}草稿`, grant: edit }),
  }
}
