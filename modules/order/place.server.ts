import { sql } from 'drizzle-orm'
import { AppError, invalid } from '../../core/error/error.ts'
import type { Queryable } from '../../core/database/database.server.ts'
import { isRegion } from '../../core/field/region.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { checkReferences, checkScope, insertRow } from '../../core/resource/write.server.ts'
import { insertDiscounts, type Discount } from './discount.server.ts'
import { lockAnyOrder, nextOrderNumbers, writeLog, type NewItem, type OrderRow, type OrderContext, type ServedLine } from './engine.server.ts'
import { checkFloors, floorsOf } from './floor.server.ts'
import { ORDER_STATUS, SHIP_STATUS } from './flow.ts'
import { checkFields, inputFields, wireName, type Good, type OrderLine } from './line.ts'
import { checkChannel, checkPlan, listPrice, spread, totalOf, type Priced } from './money-rules.ts'
import { advance, pay } from './money.server.ts'
import type { NewOrder } from './new-order.ts'
import { readSetting } from './setting.server.ts'
import { addSides } from './side.server.ts'

/** Characters of the summary of items that lists show. */
const GOODS_LENGTH = 200

export function goodOf(line: OrderLine, kind: string): Good {
  const good = line.goods.find((known) => known.kind === kind)
  if (!good) throw invalid({ 'order_info.items': '没有这种商品' })
  return good
}

/** An item with its name, what it costs, and what it should. */
type PlannedItem = NewItem & Priced

/** Checks the items and gives each its name and price. */
async function planItems(work: Pick<OrderContext, 'tx' | 'line' | 'resource' | 'effects'>, items: readonly NewItem[]): Promise<PlannedItem[]> {
  const { prices } = await readSetting(work.tx, work.resource.name)
  const planned: PlannedItem[] = []
  for (const [index, item] of items.entries()) {
    const good = goodOf(work.line, item.kind)
    if (good.record && !item.ref_id) throw invalid({ 'order_info.items': `请选择${good.record.label}` })
    if (good.months && !item.months) throw invalid({ 'order_info.items': `请填写${good.label}的月数` })
    const known = item.ref_id ? await work.effects.describe?.(work.tx, item.kind, item.ref_id) : undefined
    if (good.record && !known) throw invalid({ 'order_info.items': `${good.record.label}不存在或已停用，请重新选择` })
    const name = item.name?.trim() || (known ? `${good.label}·${known.name}` : good.label)
    const months = item.months ?? known?.months ?? null
    const list = known?.price ?? listPrice(work.line, prices, { ...item, months })
    const price = item.price ?? list
    if (price === null) throw invalid({ [`order_info.items.${index}.price`]: `请填写${good.label}的单价` })
    planned.push({ ...item, name, months, list, price })
  }
  return planned
}

/** What goods are called, cost, and must not fall below, before anybody orders them. Fen for a piece. */
export interface Quote {
  readonly name: string
  readonly price: number
  readonly floor: number
}

/** Asks what goods cost now. @throws AppError with the sentence that an order of them would be refused with */
export async function quoteGoods(served: ServedLine, tx: Queryable, items: readonly NewItem[]): Promise<Quote[]> {
  const planned = await planItems({ ...served, tx }, items.map(({ price: _price, ...item }) => item))
  const floors = await floorsOf(served, tx, planned)
  return planned.map(({ name, price }, index) => ({ name, price, floor: floors[index] ?? 0 }))
}

/** What an order consists of, in one line: 授权码×100、平板×20. */
export function goodsText(items: readonly { name: string; qty: number }[]): string {
  const text = items.map(({ name, qty }) => (qty === 1 ? name : `${name}×${qty}`)).join('、')
  return text.length > GOODS_LENGTH ? `${text.slice(0, GOODS_LENGTH - 1)}…` : text
}

/** The line's fields as given, checked; what the person may not see does not exist for them. */
async function lineValues(work: OrderContext, staff: Staff, given: Readonly<Record<string, unknown>>, targets: ReadonlyMap<string, Resource>): Promise<Record<string, unknown>> {
  const own = inputFields(work.line)
  const { values, errors } = checkFields(own, given)
  if (Object.keys(errors).length > 0) throw invalid(Object.fromEntries(Object.entries(errors).map(([name, sentence]) => [`user_info.${name}`, sentence])))
  await checkReferences(work.tx, { ...work.resource, fields: own }, targets, staff, values).catch((error: unknown) => {
    if (!(error instanceof AppError) || !error.fields) throw error
    throw invalid(Object.fromEntries(Object.entries(error.fields).map(([key, sentence]) => [own[key] ? wireName(key, own[key]) : key, sentence])))
  })
  return values
}

/** The account of a buyer who is known by their number. */
async function userOf(work: Pick<OrderContext, 'tx'>, mobile: unknown): Promise<number | null> {
  if (typeof mobile !== 'string') return null
  const [user] = await work.tx.query<{ id: number }>(sql`select id from app_user where mobile = ${mobile} and deleted_at is null`)
  return user?.id ?? null
}

/** What another module places an order with, beside what is written down of every order. */
export interface Beside {
  /** What it takes off the price, beside what somebody grants by hand. */
  readonly discounts?: readonly Discount[]
  /** Where the order came from, one of each kind. */
  readonly origins?: readonly { readonly kind: string; readonly ref_id: number }[]
  /** Number of what is placed together, or of the deal that it is a part of. */
  readonly checkout_no?: string
  readonly deal_no?: string
  /** Unpaid by then it is closed. Unix seconds. */
  readonly close_at?: number
  /** What each item costs where that does not follow from the list prices: together what the order costs. Fen. */
  readonly nets?: readonly number[]
}

/**
 * Writes a new order down, in the caller's transaction: items, receiver, and the money that came with it.
 * @param targets all resources by name, for the scopes of what is referred to
 * @param beside what the module that places it adds
 * @returns the order as it stands afterwards: paid orders have gone on already
 * @throws AppError with one sentence for each wrong field, keyed by part and field
 */
export async function placeOrder(work: OrderContext, staff: Staff, input: NewOrder, targets: ReadonlyMap<string, Resource>, beside: Beside = {}): Promise<OrderRow> {
  const { tx, line, resource } = work
  const { order_info: info, receiving_info: receiver, package_price: price, referrer_info: referrer, user_info: user } = input
  const items = await planItems(work, info.items as readonly NewItem[])
  const ships = items.some((item) => goodOf(line, item.kind).ships)
  if (receiver && !isRegion(receiver.region_code)) throw invalid({ 'receiving_info.region_code': '收货地区不存在，请重新选择' })
  if (ships && !receiver) throw invalid({ 'receiving_info.name': '请填写收货信息' })
  const total = totalOf(items)
  const given = beside.discounts ?? []
  const off = given.reduce((sum, { amount }) => sum + amount, 0)
  const manual = info.virtual ? total - off : price.discount
  const discount = off + manual
  if (discount > total) throw invalid({ 'package_price.discount': '优惠不能超过原价' })
  if (info.virtual && price.paid > 0) throw invalid({ 'package_price.paid': '虚拟单没有实际收款' })
  if (price.paid > 0 && !price.pay_channel) throw invalid({ 'package_price.pay_channel': '请选择支付方式' })
  if (price.paid > 0 && price.pay_channel) checkChannel(line, price.pay_channel, 'package_price.pay_channel')
  checkPlan(work.rights, { items, discount: manual, virtual: info.virtual, paid: price.paid })
  const values: Record<string, unknown> = { ...await lineValues(work, staff, user, targets), buyer_name: user.name ?? null, buyer_mobile: user.mobile ?? null }
  await work.effects.check?.({ tx, staff, values, items })
  const references = { agent_id: referrer.agent_id ?? null, channel_id: referrer.channel_id ?? null }
  await checkReferences(tx, resource, targets, staff, references)
  const [order_no] = await nextOrderNumbers(tx, 1)
  await addSides(work, [values])
  const [only] = items.length === 1 ? items : []
  const saved = await insertRow(tx, { ...resource, fields: withoutComputed(resource) }, work.staffId, {
    ...(only?.ref_id && 'goods_ref_id' in resource.fields && { goods_ref_id: only.ref_id }), ...values, ...references, order_no, goods: goodsText(items), user_id: values['user_id'] ?? await userOf(work, user.mobile),
    biz_type: info.biz_type, virtual: Number(info.virtual), referrer_mobile: referrer.mobile ?? null, remark: info.remark ?? null,
    total, discount, amount: total - discount, status: ORDER_STATUS.unpaid, ...('ship_status' in resource.fields && { ship_status: ships ? SHIP_STATUS.waiting : SHIP_STATUS.none }),
    ...(total === discount && { pay_channel: 'free' }),
  }, {})
  await checkScope(tx, resource, staff, saved.id)
  const nets = netsOf(total - discount, items, beside.nets)
  if (!info.virtual) await checkFloors(work, items.map((item, index) => ({ ...item, net: nets[index] ?? 0 })), 'package_price.discount')
  await insertItems(work, saved.id, items.map((item, index) => ({ ...item, net: nets[index] ?? 0 })))
  await insertDiscounts(tx, saved.id, [...given, { kind: 'manual', ref_id: null, amount: manual }])
  await addBeside(tx, saved.id, beside)
  if (ships && receiver) {
    await tx.query(sql`insert into order_receiver (order_id, name, mobile, region_code, address)
      values (${saved.id}, ${receiver.name}, ${receiver.mobile}, ${receiver.region_code}, ${receiver.address})`)
  }
  await writeLog(work, saved.id, { action: 'create', from: null, to: ORDER_STATUS.unpaid, amount: total - discount })
  const order = await lockAnyOrder(tx, saved.id)
  if (price.paid === 0 || !price.pay_channel) return advance(work, order)
  return pay(work, order, { amount: price.paid, channel: price.pay_channel, at: price.paid_at, trade_no: price.trade_no, voucher: price.voucher })
}

/** What each item is paid with: as the module that places the order says, else by the list prices. */
function netsOf(amount: number, items: readonly Priced[], given: readonly number[] | undefined): readonly number[] {
  if (!given) return spread(amount, items.map(({ price, qty }) => price * qty))
  if (given.length !== items.length || given.reduce((sum, net) => sum + net, 0) !== amount) throw new Error('the parts of an order are not what it costs')
  return given
}

/** Writes what another module has placed an order with: where it came from, and to which checkout or deal it belongs. */
async function addBeside(tx: Queryable, orderId: number, { origins = [], checkout_no, deal_no, close_at }: Beside): Promise<void> {
  if (origins.length > 0) {
    await tx.query(sql`insert into order_origin (order_id, kind, ref_id)
      select ${orderId}::bigint, r.kind, r.ref_id from jsonb_to_recordset(${JSON.stringify(origins)}::jsonb) as r (kind text, ref_id bigint)`)
  }
  if (checkout_no !== undefined || deal_no !== undefined || close_at !== undefined) {
    await tx.query(sql`update orders set checkout_no = ${checkout_no ?? null}, deal_no = ${deal_no ?? null}, close_at = to_timestamp(${close_at ?? null}::float8) where id = ${orderId}`)
  }
}

/** Writes the items of an order. */
export async function insertItems(work: Pick<OrderContext, 'tx'>, orderId: number, items: readonly (NewItem & { name: string; price: number; net: number })[]): Promise<void> {
  await work.tx.query(sql`insert into order_item (order_id, kind, ref_id, name, price, qty, months, net)
    select ${orderId}, r.kind, r.ref_id, r.name, r.price, r.qty, r.months, r.net
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as r (kind text, ref_id bigint, name text, price bigint, qty bigint, months integer, net bigint)`)
}

/** What is worked out on reading is not there while it is written. */
function withoutComputed(resource: Resource): Resource['fields'] {
  return Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => field.kind !== 'computed'))
}
