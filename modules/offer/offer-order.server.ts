import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { formatDate } from '../../core/field/time.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { serveOrders, type EffectChange, type OrderEffects } from '../order/door.server.ts'
import type { OrderLine, OrderResource } from '../order/module.ts'
import { openInTurn, runningUntil, shortenInTurn, userOfMobile, type OriginReader } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE } from '../user/module.ts'
import { OFFER_GOODS } from './offer-order.ts'
import { OFFER_STATE, type OfferResource } from './offer.ts'
import { opensOf } from './open.server.ts'

/** Kept with an item that is fulfilled: what it opened, and for how long each piece. */
interface Effect {
  readonly opened: readonly { readonly offer_id: number; readonly days: number | null }[]
}

const refOf = ({ item }: Pick<EffectChange, 'item'>) => `order_item ${item.id}`
const sourceOf = ({ order }: Pick<EffectChange, 'order'>) => (order.virtual === 1 ? ENTITLEMENT_SOURCE.virtual : ENTITLEMENT_SOURCE.paid)

/** The account that an order's courses are opened for. */
async function learnerOf({ tx, staffId, order }: EffectChange): Promise<number> {
  if (order.user_id !== null) return order.user_id
  if (order.buyer_mobile === null) throw badRequest('请填写用户的手机号，课程开通到该手机号的账号')
  return userOfMobile(tx, staffId, { mobile: order.buyer_mobile, name: order.buyer_name ?? '学员', agent_id: order.agent_id })
}

/** Moves the stock of an offer that has one. @throws AppError when there is not enough */
async function moveStock({ tx, item, qty }: EffectChange, offers: OfferResource, by: 1 | -1): Promise<void> {
  const moved = await touch(tx, offers, { stock: sql`t.stock + ${by * qty}` }, sql`t.id = ${item.ref_id} and t.stock is not null and t.stock + ${by * qty} >= 0`)
  if (moved.length > 0 || by === 1) return
  const [left] = await tx.query<{ stock: number }>(sql`select stock from offer where id = ${item.ref_id} and stock is not null`)
  if (left) throw badRequest(`「${item.name}」库存不足，还剩 ${left.stock} 份`)
}

/** Opens what an item bought; a further piece makes the time longer. */
async function fulfil(change: EffectChange, line: string, offers: OfferResource): Promise<Effect> {
  const { tx, staffId, item, left } = change
  if (item.ref_id === null) throw new Error(`item ${item.id} names no offer`)
  await moveStock(change, offers, -1)
  const user_id = await learnerOf(change)
  const opens = await opensOf(tx, line, item.ref_id)
  if (opens.length === 0) throw badRequest(`「${item.name}」已被删除，不能开通`)
  await openInTurn(tx, staffId, { line, source: sourceOf(change), opens, rows: [{ user_id, ref: refOf(change), pieces: left }] })
  return { opened: opens.map(({ offer_id, days }) => ({ offer_id, days })) }
}

/** Takes back what an item had opened, or as much of it as was returned. */
async function revoke(change: EffectChange, offers: OfferResource): Promise<void> {
  const { tx, item, left } = change
  for (const { offer_id, days } of (item.effect as Effect | null)?.opened ?? []) {
    await shortenInTurn(tx, sourceOf(change), [`${refOf(change)}:${offer_id}`], { left: { pieces: left, days } })
  }
  await moveStock(change, offers, 1)
}

interface Known {
  id: number
  title: string
  price: number
  buy_limit: number | null
  stock: number | null
  valid_days: number | null
  valid_until: number | null
}

/** Offers that can be bought now. */
const sellable = (tx: Queryable, line: string, ids: readonly number[]) => tx.query<Known & Record<string, unknown>>(sql`select id, title, price, buy_limit, stock, valid_days, valid_until from offer
  where id = any(${sql.param([...ids])}::bigint[]) and line = ${line} and state = ${OFFER_STATE.selling} and deleted_at is null
    and (sale_start is null or sale_start <= now()) and (sale_end is null or sale_end > now()) and stock is distinct from 0`)

/** How many of an offer somebody has bought or is about to. */
async function boughtBefore(tx: Queryable, offerId: number, mobile: unknown): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`select coalesce(sum(case when o.status = 1 then i.qty else i.granted_qty end), 0)::int as n from order_item i join orders o on o.id = i.order_id
    where i.kind = ${OFFER_GOODS} and i.ref_id = ${offerId} and o.buyer_mobile = ${mobile} and o.deleted_at is null`)
  return row?.n ?? 0
}

/** What somebody who may use an offer already gets by another piece of it, in words; undefined where they may not. */
async function goesOn(tx: Queryable, line: string, { id, valid_days }: Known, mobile: string): Promise<string | undefined> {
  const [user] = await tx.query<{ id: number }>(sql`select id from app_user where mobile = ${mobile} and deleted_at is null`)
  const until = user && (await runningUntil(tx, { line, offers: [id], users: [user.id], except: [] }))(user.id, id)
  if (until === undefined) return undefined
  return `该用户已开通至 ${formatDate(until)}${valid_days === null ? '，有效期不延长' : `，再购 1 份顺延至 ${formatDate(until + valid_days * 86_400)}`}`
}

/** How many of each offer an order wants. */
function wanted(items: readonly { ref_id?: number | null; qty: number }[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { ref_id, qty } of items) if (ref_id) sums.set(ref_id, (sums.get(ref_id) ?? 0) + qty)
  return sums
}

/** What every line of courses does when its orders move. @param line its code */
export const courseEffects = (line: string, offers: OfferResource): OrderEffects => ({
  async check({ tx, values, items }) {
    const mobile = values['buyer_mobile']
    if (!mobile) throw invalid({ 'user_info.mobile': '请填写用户的手机号，课程开通到该手机号的账号' })
    const sums = wanted(items)
    for (const { id, title, buy_limit, stock } of await sellable(tx, line, [...sums.keys()])) {
      const qty = sums.get(id) ?? 0
      if (stock !== null && stock < qty) throw invalid({ 'order_info.items': `「${title}」库存不足，还剩 ${stock} 份` })
      if (buy_limit === null) continue
      const before = await boughtBefore(tx, id, mobile)
      if (before + qty > buy_limit) throw invalid({ 'order_info.items': `「${title}」每人限购 ${buy_limit} 份，该用户已购 ${before} 份` })
    }
  },
  async describe(tx, _kind, id, mobile) {
    const [offer] = await sellable(tx, line, [id])
    return offer && { name: offer.title, price: offer.price, note: [mobile !== undefined && await goesOn(tx, line, offer, mobile), offer.valid_days ? `有效 ${offer.valid_days} 天` : offer.valid_until && `有效至 ${formatDate(offer.valid_until)}`, offer.stock !== null && `还剩 ${offer.stock} 份`].filter(Boolean).join(' · ') }
  },
  async floors(tx, _kind, ids) {
    const rows = await tx.query<{ id: number; floor_price: number }>(sql`select id, floor_price::float8 as floor_price from offer where id = any(${sql.param([...ids])}::bigint[]) and floor_price is not null`)
    return new Map(rows.map(({ id, floor_price }) => [id, floor_price]))
  },
  async lockStock(tx, items) {
    await tx.query(sql`select id from offer where id = any(${sql.param(items.flatMap(({ ref_id }) => ref_id ?? []))}::bigint[]) and stock is not null order by id for no key update`)
  },
  fulfil: (change) => fulfil(change, line, offers),
  revoke: (change) => revoke(change, offers),
})

/**
 * Serves the orders of a line of courses.
 * @param path of their screen
 * @param around what the line's module makes of the effects
 */
export function serveOfferOrders(line: OrderLine, orders: OrderResource, offers: OfferResource, path: string, around: (own: OrderEffects) => OrderEffects = (own) => own) {
  return serveOrders(line, orders, { path, effects: around(courseEffects(line.code, offers)) })
}

/** The order whose item opened something, for whoever asks why somebody is entitled. @param path of the line's orders */
export const orderOrigin = (path: string): OriginReader => async (db, itemId) => {
  const [row] = await db.query<{ id: number; order_no: string; at: number; staff_name: string | null }>(sql`select o.id, o.order_no, coalesce(o.paid_at, o.created_at) as at, s.name as staff_name
    from order_item i join orders o on o.id = i.order_id left join staff s on s.id = o.created_by where i.id = ${itemId}`)
  return row && { title: `订单 ${row.order_no}`, path: `${path}?open=${row.id}`, at: row.at, staff_name: row.staff_name }
}
