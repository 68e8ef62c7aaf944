import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, defineError } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import type { EffectChange, ItemRow } from '../order/door.server.ts'
import { netOf } from '../order/module.ts'
import { DAY, checkAction, enter, settle, stateOf, type UserCard } from './card-ledger.server.ts'
import { canAct, CARD_STATUS } from './card-state.ts'
import { insertCard, quotaOf, type Card } from './card.server.ts'
import { memberCard } from './card.ts'
import { sayAmount } from './card-kind.ts'
import { MEMBER_GOODS } from './orders.ts'
import type { Rooms } from './ownerships.ts'

const soldOut = defineError('card_sold_out', 409, (name: string) => `「${name}」已售完`)

/** What an item of an order did: cards that it opened, or what it added to one. */
type SaleEffect = { cards?: number[]; quota?: number; days?: number } | null

/** Cards that an item has opened. */
export const cardsOf = (effect: unknown): readonly number[] => (effect as SaleEffect)?.cards ?? []

/** What an order has paid into a card and not got back. Fen. */
async function paidUnder(tx: Queryable, cardId: number, orderNo: string): Promise<number> {
  const [row] = await tx.query<{ paid: number }>(sql`select coalesce(sum(paid), 0)::float8 as paid from card_log where user_card_id = ${cardId} and order_no = ${orderNo}`)
  return row?.paid ?? 0
}

/** Locks the kinds of card that items are of, or renew. */
export async function lockCardKinds(tx: Queryable, items: readonly Pick<ItemRow, 'kind' | 'ref_id'>[]): Promise<void> {
  const of = (kind: string) => sql.param(items.flatMap((item) => (item.kind === kind ? item.ref_id ?? [] : [])))
  await tx.query(sql`select 1 from member_card where id = any(${of(MEMBER_GOODS.card)}::bigint[])
    or id in (select card_id from user_card where id = any(${of(MEMBER_GOODS.renewal)}::bigint[])) order by id for no key update`)
}

/** Takes cards of a kind out of stock; the second caller waits here. @throws soldOut */
async function takeStock(tx: Queryable, id: number | null, qty: number): Promise<Card> {
  const [card] = await tx.query<Card>(sql`select * from member_card where id = ${id} and deleted_at is null for no key update`)
  if (!card) throw badRequest('会员卡已被删除，不能销售')
  const [left] = await setDerived(tx, memberCard, { sold: sql`coalesce(t.sold, 0) + ${qty}` }, sql`t.id = ${card.id} and (t.stock is null or coalesce(t.sold, 0) + ${qty} <= t.stock)`)
  if (!left) throw soldOut(card.name)
  return card
}

const putBack = (tx: Queryable, id: number | null, qty: number) => setDerived(tx, memberCard, { sold: sql`greatest(coalesce(t.sold, 0) - ${qty}, 0)` }, sql`t.id = ${id}`)

/** Opens the cards that were bought; each begins with the first visit. */
export async function openCards(rooms: Rooms, change: EffectChange): Promise<SaleEffect> {
  const { tx, staffId, order, item, qty } = change
  const [member] = await tx.query<{ id: number; school_id: number }>(sql`select id, school_id from room_member where id = ${order.buyer_ref_id} and deleted_at is null for no key update`)
  if (!member) throw badRequest('会员已被删除，不能开卡')
  const card = await takeStock(tx, item.ref_id, qty)
  const cards: number[] = []
  for (let n = 0; n < qty; n++) {
    const each = netOf(item, item.refunded_qty + item.granted_qty + n, 1)
    const opened = await insertCard(tx, rooms, staffId, member, card)
    await enter(tx, staffId, opened, { action: 'open', delta: quotaOf(card), paid: each, order_no: order.order_no, set: { quota: quotaOf(card), paid: each, order_no: order.order_no } })
    cards.push(opened.id)
  }
  return { cards: [...cardsOf(item.effect), ...cards] }
}

/** Takes cards back until as many are left as are paid for, those that were opened last first. */
export async function takeCards({ tx, staffId, order, item, left, qty }: EffectChange): Promise<void> {
  const cards = await tx.query<UserCard & { seated: boolean }>(sql`select u.*, exists (select 1 from seated n where n.user_card_id = u.id) as seated from user_card u
    where id = any(${sql.param([...cardsOf(item.effect)])}::bigint[]) and deleted_at is null order by id desc for no key update of u`)
  const living = cards.filter((card) => canAct('refund', card.status))
  // One that was given back at the desk is gone already.
  for (const { seated, ...card } of living.slice(0, Math.max(0, living.length - left))) {
    if (seated) throw badRequest('会员卡正在使用，请先签退再退款')
    const paid = await paidUnder(tx, card.id, order.order_no)
    await enter(tx, staffId, card, {
      action: 'refund', delta: -card.remaining, paid: -paid, order_no: order.order_no, reason: '订单退款', set: { status: CARD_STATUS.refunded, refunded: card.refunded + paid, frozen_at: null, frozen_until: null },
    })
  }
  await putBack(tx, item.ref_id, qty)
}

async function lockUserCard(tx: Queryable, id: number | null): Promise<UserCard> {
  const [card] = await tx.query<UserCard>(sql`select * from user_card where id = ${id} and deleted_at is null for no key update`)
  if (!card) throw badRequest('会员的卡已被删除')
  return card
}

/** Adds what a kind of card brings to a card that is held, as often as it was bought. */
export async function renewCard(change: EffectChange): Promise<SaleEffect> {
  const { tx, staffId, order, item, qty } = change
  const now = Math.floor(Date.now() / 1000)
  const card = await settle(tx, await lockUserCard(tx, item.ref_id), now)
  checkAction(card, 'renew')
  const kind = await takeStock(tx, card.card_id, qty)
  const [quota, days, paid] = [quotaOf(kind) * qty, kind.valid_days * qty, netOf(item, item.refunded_qty + item.granted_qty, qty)]
  // A card that has run out begins again today; one that runs is prolonged; one that waits is promised more days.
  const gap = card.status === CARD_STATUS.expired && card.expire_at !== null ? Math.round((startOfDay(now) - (card.expire_at + 1)) / DAY) : 0
  const waits = card.status === CARD_STATUS.unused
  await enter(tx, staffId, card, {
    action: 'renew', delta: quota, days: waits ? 0 : gap + days, paid, order_no: order.order_no,
    set: { quota: card.quota + quota, paid: card.paid + paid, ...(waits ? { valid_days: card.valid_days + days } : { status: CARD_STATUS.active }) },
  })
  const before = item.effect as SaleEffect
  return { quota: (before?.quota ?? 0) + quota, days: (before?.days ?? 0) + days }
}

/** Takes off a card what a renewal had added. @throws AppError when it has been used already */
export async function undoRenewal({ tx, staffId, order, item, qty }: EffectChange): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const card = await lockUserCard(tx, item.ref_id)
  await putBack(tx, card.card_id, qty)
  // Given back at the desk: nothing is left on it to take.
  if (card.status === CARD_STATUS.refunded) return
  const [seated] = await tx.query(sql`select 1 from seated where user_card_id = ${card.id}`)
  if (seated) throw badRequest('会员卡正在使用，请先签退再退款')
  const effect = item.effect as SaleEffect
  const share = (whole: number | undefined) => Math.round(((whole ?? 0) * qty) / item.granted_qty)
  const [quota, days] = [share(effect?.quota), share(effect?.days)]
  if (card.remaining < quota) throw badRequest(`续卡的额度已使用，卡内剩余 ${sayAmount(card.kind, card.remaining)}，不能退款`)
  const paid = Math.round((await paidUnder(tx, card.id, order.order_no) * qty) / item.granted_qty)
  const waits = card.status === CARD_STATUS.unused
  const after = { ...card, remaining: card.remaining - quota, expire_at: card.expire_at === null ? null : card.expire_at - days * DAY }
  await enter(tx, staffId, card, {
    action: 'undo_renew', delta: -quota, days: waits ? 0 : -days, paid: -paid, order_no: order.order_no, reason: '订单退款',
    set: { quota: card.quota - quota, refunded: card.refunded + paid, ...(waits ? { valid_days: card.valid_days - days } : card.status === CARD_STATUS.frozen ? {} : { status: stateOf(after, now) }) },
  })
}
