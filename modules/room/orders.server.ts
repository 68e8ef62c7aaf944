import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import type { Resource } from '../../core/resource/define.ts'
import { serveOrders, type EffectChange, type OrderEffects } from '../order/door.server.ts'
import type { OrderLine } from '../order/module.ts'
import { partnerEffect } from '../study-room/door.server.ts'
import { PARTNER_GOODS } from '../study-room/module.ts'
import { enter, type UserCard } from './card-ledger.server.ts'
import { canAct, CARD_STATUS } from './card-state.ts'
import { insertCard, quotaOf, type Card } from './card.server.ts'
import { MEMBER_STATUS } from './member.ts'
import {
  roomOrder, roomOrderLine, roomShipment, selfRoomOrder, selfRoomOrderLine, selfRoomShipment, selfUserOrder, selfUserOrderLine, userOrder, userOrderLine,
} from './orders.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './sides.ts'

interface Place {
  school_id: number
  partner_id: number | null
  manager: string
  mobile: string
}

/** Says of an order where it belongs: the school of its room, and the school's partner. */
async function locate(tx: Queryable, values: Record<string, unknown>): Promise<Place> {
  const [place] = await tx.query<Place>(sql`select r.school_id, s.partner_id, s.manager, s.mobile from study_room r join app_school s on s.id = r.school_id where r.id = ${values['room_id']}`)
  if (!place) throw invalid({ 'user_info.room_id': '自习室不存在或已被删除，请重新选择' })
  Object.assign(values, { school_id: place.school_id, partner_id: place.partner_id })
  return place
}

/** Kinds that come into force with the partner whose room it is; the others are delivered and done. */
const OF_PARTNER: ReadonlySet<string> = new Set([PARTNER_GOODS.code, PARTNER_GOODS.pad])
const concerns = ({ item, order }: EffectChange) => OF_PARTNER.has(item.kind) && order.partner_id !== null

const roomEffects: OrderEffects = {
  async check({ tx, values }) {
    const { manager, mobile } = await locate(tx, values)
    values['buyer_name'] ??= manager
    values['buyer_mobile'] ??= mobile
  },
  async describe(tx, _kind, id) {
    const [row] = await tx.query<{ name: string }>(sql`select name from unit where id = ${id} and deleted_at is null`)
    return row && { name: row.name, price: null }
  },
  grant: async (change) => (concerns(change) ? partnerEffect.grant(change) : undefined),
  revoke: async (change) => { if (concerns(change)) await partnerEffect.revoke(change) },
}

/** Cards that an item has opened. */
const cardsOf = (effect: unknown) => (effect as { cards?: number[] } | null)?.cards ?? []

/** Opens the cards that were bought; each begins with the first visit. */
async function openCards(rooms: Rooms, { tx, staffId, order, item, qty }: EffectChange): Promise<unknown> {
  const [member] = await tx.query<{ id: number; school_id: number }>(sql`select id, school_id from room_member where id = ${order.member_id} and deleted_at is null for update`)
  const [card] = await tx.query<Card>(sql`select * from member_card where id = ${item.ref_id} for update`)
  if (!member || !card) throw badRequest('会员或会员卡已被删除，不能开卡')
  const [left] = await tx.query(sql`update member_card set sold = coalesce(sold, 0) + ${qty} where id = ${card.id} and (stock is null or coalesce(sold, 0) + ${qty} <= stock) returning id`)
  if (!left) throw badRequest(`「${card.name}」库存不足`)
  const cards: number[] = []
  // What was given as discount is shared by all items alike.
  const each = order.total === 0 ? 0 : Math.round((item.price * order.amount) / order.total)
  for (let n = 0; n < qty; n++) {
    const opened = await insertCard(tx, rooms, staffId, member, card)
    await enter(tx, staffId, opened, { action: 'open', delta: quotaOf(card), paid: each, order_no: order.order_no, set: { quota: quotaOf(card), paid: each, order_no: order.order_no } })
    cards.push(opened.id)
  }
  return { cards: [...cardsOf(item.effect), ...cards] }
}

/** Takes cards back, those that were opened last first; one that was given back at the desk already is gone. */
async function takeCards({ tx, staffId, order, item, qty }: EffectChange): Promise<void> {
  const ids = cardsOf(item.effect)
  const cards = await tx.query<UserCard & { seated: boolean }>(sql`select u.*, exists (select 1 from seated n where n.user_card_id = u.id) as seated from user_card u
    where id = any(${sql.param(ids)}::bigint[]) and deleted_at is null order by id desc for update of u`)
  const living = cards.filter((card) => canAct('refund', card.status)).slice(0, qty)
  for (const { seated, ...card } of living) {
    if (seated) throw badRequest('会员卡正在使用，请先签退再退款')
    await enter(tx, staffId, card, {
      action: 'refund', delta: -card.remaining, order_no: order.order_no, reason: '订单退款', set: { status: CARD_STATUS.refunded, refunded: card.paid, frozen_at: null, frozen_until: null },
    })
  }
  await tx.query(sql`update member_card set sold = greatest(coalesce(sold, 0) - ${living.length}, 0) where id = ${item.ref_id}`)
}

const userEffects = (rooms: Rooms): OrderEffects => ({
  async check({ tx, values, items }) {
    const place = await locate(tx, values)
    const [member] = await tx.query<{ school_id: number; status: number; name: string; mobile: string }>(sql`select school_id, status, name, mobile from room_member where id = ${values['member_id']}`)
    if (!member || member.school_id !== place.school_id) throw invalid({ 'user_info.member_id': '会员不属于该自习室所在的学校' })
    if (member.status !== MEMBER_STATUS.normal) throw invalid({ 'user_info.member_id': '该会员已停用' })
    const ids = items.flatMap(({ ref_id }) => ref_id ?? [])
    const [foreign] = await tx.query<{ name: string }>(sql`select name from member_card where id = any(${sql.param(ids)}::bigint[]) and school_id <> ${place.school_id} limit 1`)
    if (foreign) throw invalid({ 'order_info.items': `「${foreign.name}」不属于该自习室所在的学校` })
    values['buyer_name'] ??= member.name
    values['buyer_mobile'] ??= member.mobile
  },
  async describe(tx, _kind, id) {
    const [row] = await tx.query<{ name: string; price: number }>(sql`select name, price from member_card where id = ${id} and status = 1 and self_run = ${rooms.side.self_run} and deleted_at is null`)
    return row
  },
  grant: (change) => openCards(rooms, change),
  revoke: takeCards,
})

const serveRooms = (line: OrderLine, orders: Resource, shipments: Resource, path: string) => serveOrders(line, orders, { path, shipments, effects: roomEffects })
const serveUsers = (line: OrderLine, orders: Resource, rooms: Rooms, path: string) => serveOrders(line, orders, { path, effects: userEffects(rooms) })

/** Every line of orders of the rooms. */
export const orderLines = [
  serveRooms(roomOrderLine, roomOrder, roomShipment, '/new-study-room/self-study-room/order'),
  serveRooms(selfRoomOrderLine, selfRoomOrder, selfRoomShipment, '/study-room/order'),
  serveUsers(userOrderLine, userOrder, PARTNER_ROOMS, '/new-study-room/self-study-room/user-order'),
  serveUsers(selfUserOrderLine, selfUserOrder, OWN_ROOMS, '/study-room/user-order'),
]
