import * as z from 'zod/mini'
import { shortRegion } from '../../core/field/region.ts'
import { file } from '../../core/field/file.ts'
import { MOBILE } from '../../core/field/mobile.ts'
import { BIZ_TYPES, PAY_CHANNELS } from './flow.ts'
import { lineShips, MAX_SUM, type OrderLine } from './line.ts'

/** A sum that somebody gives, in fen. */
export const fen = (label: string) => z.int(`${label}最多两位小数`).check(z.gte(0, `${label}不能小于 0`), z.lte(MAX_SUM, `${label}过大`))
const words = (label: string, max: number) => z.string(`请填写${label}`).check(z.trim(), z.maxLength(max, `${label}最多 ${max} 个字`))
const mobileNumber = (label: string) => z.string(`请填写${label}`).check(z.trim(), z.regex(MOBILE, `请输入正确的${label}`))
const id = (label: string) => z.int(`请选择${label}`).check(z.positive(`请选择${label}`))
const values = <Value extends string | number>(list: readonly { value: Value }[]) => new Set<unknown>(list.map(({ value }) => value))
const oneOf = <Value extends string | number>(list: readonly { value: Value }[], sentence: string) => {
  const known = values(list)
  return z.custom<Value>((value) => known.has(value), sentence)
}

/** The receipt of a payment. */
export const voucherField = file('付款凭证')

export const channelSchema = oneOf(PAY_CHANNELS, '请选择支付方式')

/** What is ordered (domain A, order_info). */
const itemSchema = z.object({
  kind: z.string('请选择商品').check(z.minLength(1, '请选择商品')),
  ref_id: z.optional(z.nullable(id('商品'))),
  name: z.optional(words('商品名称', 60)),
  /** The list price by default. */
  price: z.optional(fen('单价')),
  qty: z.int('数量应为整数').check(z.gte(1, '数量至少为 1'), z.lte(100_000, '数量不能大于 100,000')),
  months: z.optional(z.nullable(z.int('月数应为整数').check(z.gte(1, '月数至少为 1'), z.lte(120, '月数不能大于 120')))),
})

export const orderInfoSchema = z.object({
  items: z.array(itemSchema, '请添加商品').check(z.minLength(1, '请添加商品'), z.maxLength(50, '一个订单最多 50 种商品')),
  biz_type: z._default(oneOf(BIZ_TYPES, '请选择订单类型'), 1),
  virtual: z._default(z.boolean('请选择是否虚拟单'), false),
  remark: z.optional(words('备注', 200)),
})

export const receivingInfoSchema = z.object({
  name: words('收货人', 20).check(z.minLength(1, '请填写收货人')),
  mobile: mobileNumber('收货人手机号'),
  region_code: z.string('请选择收货地区').check(z.overwrite(shortRegion), z.regex(/^\d{2}(\d{2}(\d{2})?)?$/, '请选择收货地区')),
  address: words('详细地址', 100).check(z.minLength(1, '请填写详细地址')),
})

export const paymentSchema = z.object({
  amount: fen('到账金额'),
  channel: channelSchema,
  at: z.optional(z.int('支付时间有误').check(z.gte(0, '支付时间有误'), z.lte(7_258_118_400, '支付时间过晚'))),
  trade_no: z.optional(words('交易单号', 64)),
  voucher: z.optional(voucherField.schema),
})

/** What it costs and what was paid at once; a person who records an order before it is paid leaves the channel out. */
export const packagePriceSchema = z.object({
  discount: z._default(fen('优惠'), 0),
  paid: z._default(fen('到账金额'), 0),
  pay_channel: z.optional(channelSchema),
  paid_at: paymentSchema.shape.at,
  trade_no: paymentSchema.shape.trade_no,
  voucher: paymentSchema.shape.voucher,
})

export const referrerInfoSchema = z.object({
  mobile: z.optional(mobileNumber('推荐人手机号')),
  agent_id: z.optional(id('代理')),
  channel_id: z.optional(id('渠道')),
})

/** Who buys; the buyer's own fields of the line stand beside these. */
export const userInfoSchema = z.looseObject({
  mobile: z.optional(mobileNumber('手机号')),
  name: z.optional(words('姓名', 40)),
})

/** An order in the five parts in which it is written down (spec 3, order drafts). */
export const newOrderSchema = z.object({
  order_info: orderInfoSchema,
  receiving_info: z.optional(receivingInfoSchema),
  package_price: z._default(packagePriceSchema, { discount: 0, paid: 0 }),
  referrer_info: z._default(referrerInfoSchema, {}),
  user_info: userInfoSchema,
})

export type NewOrder = z.infer<typeof newOrderSchema>
/** A part of an order that is being written down. */
export type OrderPart = keyof NewOrder

/** The five parts of an order (domain 0.4) as the page of writing one down asks them: who buys first. */
export const ORDER_PARTS = [
  { key: 'user_info', title: '买家', schema: userInfoSchema },
  { key: 'order_info', title: '商品', schema: orderInfoSchema },
  { key: 'receiving_info', title: '收货', schema: receivingInfoSchema },
  { key: 'package_price', title: '收款与备注', schema: packagePriceSchema },
  { key: 'referrer_info', title: '推荐', schema: referrerInfoSchema },
] as const satisfies readonly { key: OrderPart; title: string; schema: z.ZodMiniType }[]

/** The parts of an order of a line: what the line does not ask is left out. */
export function partsOf(line: OrderLine): readonly (typeof ORDER_PARTS)[number][] {
  const asked: Readonly<Partial<Record<OrderPart, boolean>>> = { receiving_info: lineShips(line), referrer_info: line.referred !== false }
  return ORDER_PARTS.filter(({ key }) => asked[key] ?? true)
}
