import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import type { Resource } from '../../core/resource/define.ts'
import { orderParts, serveOrders, type EffectChange, type OrderEffects } from '../order/door.server.ts'
import type { OrderLine } from '../order/module.ts'
import { describeUnit, partnerEffect, regardPartner } from '../study-room/door.server.ts'
import { PARTNER_GOODS } from '../study-room/module.ts'
import { lockCardKinds, openCards, renewCard, takeCards, undoRenewal } from './card-sale.server.ts'
import { sayKind, type CardKind } from './card-kind.ts'
import { MEMBER_STATUS } from './member.ts'
import {
  MEMBER_GOODS, roomOrder, roomOrderLine, roomShipment, selfRoomOrder, selfRoomOrderLine, selfRoomShipment, selfUserOrder, selfUserOrderLine, userOrder, userOrderLine,
} from './orders.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

interface SellingSchool {
  school_id: number
  partner_id: number | null
  manager: string
  mobile: string
}

/** Finds out where an order belongs: the school of its room, and the school's partner. */
async function locate(tx: Queryable, values: Readonly<Record<string, unknown>>): Promise<SellingSchool> {
  const [place] = await tx.query<SellingSchool>(sql`select r.school_id, s.partner_id, s.manager, s.mobile from study_room r join app_school s on s.id = r.school_id where r.id = ${values['place_ref_id']}`)
  if (!place) throw invalid({ 'user_info.room_id': '自习室不存在或已被删除，请重新选择' })
  return place
}

/** Kinds that come into force with the partner whose room it is; the others are delivered and done. */
const OF_PARTNER: ReadonlySet<string> = new Set([PARTNER_GOODS.code, PARTNER_GOODS.pad])
const concerns = ({ item, order }: EffectChange) => OF_PARTNER.has(item.kind) && order.buyer_ref_id !== null

const roomEffects: OrderEffects = {
  async check({ tx, values }) {
    const { manager, mobile, school_id, partner_id } = await locate(tx, values)
    Object.assign(values, { school_id, partner_id, buyer_ref_id: partner_id })
    values['buyer_name'] ??= manager
    values['buyer_mobile'] ??= mobile
  },
  describe: describeUnit,
  async regard(db, { id }) {
    const [row] = await db.query<{ school: string; partner_id: number | null; status: number }>(sql`select s.name as school, s.partner_id, r.status from study_room r join app_school s on s.id = r.school_id where r.id = ${id}`)
    const owner = row?.partner_id ? await regardPartner(db, row.partner_id) : { facts: [], warnings: [] }
    return { facts: [...(row ? [{ label: '学校', text: row.school }] : []), ...owner.facts], warnings: [...(row?.status === 0 ? ['自习室已停业'] : []), ...owner.warnings] }
  },
  fulfil: async (change) => (concerns(change) ? partnerEffect.fulfil(change) : undefined),
  revoke: async (change) => { if (concerns(change)) await partnerEffect.revoke(change) },
}

const userEffects = (rooms: Rooms): OrderEffects => ({
  async check({ tx, values, items }) {
    const place = await locate(tx, values)
    Object.assign(values, { school_id: place.school_id, partner_id: place.partner_id })
    const [member] = await tx.query<{ school_id: number; status: number; name: string; mobile: string }>(sql`select school_id, status, name, mobile from room_member where id = ${values['buyer_ref_id']}`)
    if (!member || member.school_id !== place.school_id) throw invalid({ 'user_info.member_id': '会员不属于该自习室所在的学校' })
    if (member.status !== MEMBER_STATUS.normal) throw invalid({ 'user_info.member_id': '该会员已停用' })
    const of = (kind: string) => items.flatMap((item) => (item.kind === kind ? item.ref_id ?? [] : []))
    const [other] = await tx.query<{ card_no: string }>(sql`select card_no from user_card where id = any(${sql.param(of(MEMBER_GOODS.renewal))}::bigint[]) and member_id <> ${values['buyer_ref_id']} limit 1`)
    if (other) throw invalid({ 'order_info.items': `卡 ${other.card_no} 不是这位会员的` })
    const ids = of(MEMBER_GOODS.card)
    const [foreign] = await tx.query<{ name: string }>(sql`select name from member_card where id = any(${sql.param(ids)}::bigint[]) and school_id <> ${place.school_id} limit 1`)
    if (foreign) throw invalid({ 'order_info.items': `「${foreign.name}」不属于该自习室所在的学校` })
    values['buyer_name'] ??= member.name
    values['buyer_mobile'] ??= member.mobile
  },
  async describe(tx, kind, id) {
    const onSale = sql`c.status = 1 and c.self_run = ${rooms.side.self_run} and c.deleted_at is null`
    const [row] = await tx.query<{ name: string; price: number; kind: CardKind; quota: number; valid_days: number }>(kind === MEMBER_GOODS.renewal
      ? sql`select c.name || ' ' || u.card_no as name, c.price, c.kind, c.quota, c.valid_days from user_card u join member_card c on c.id = u.card_id where u.id = ${id} and u.deleted_at is null and ${onSale}`
      : sql`select c.name, c.price, c.kind, c.quota, c.valid_days from member_card c where c.id = ${id} and ${onSale}`)
    return row && { name: row.name, price: row.price, note: sayKind(row) }
  },
  lockStock: lockCardKinds,
  fulfil: (change) => (change.item.kind === MEMBER_GOODS.renewal ? renewCard(change) : openCards(rooms, change)),
  revoke: (change) => (change.item.kind === MEMBER_GOODS.renewal ? undoRenewal(change) : takeCards(change)),
})

const serveRooms = (line: OrderLine, orders: Resource, shipments: Resource, path: string) => serveOrders(line, orders, { path, shipments, effects: roomEffects })
const serveUsers = (line: OrderLine, orders: Resource, rooms: Rooms, path: string) => serveOrders(line, orders, { path, effects: userEffects(rooms) })

export const partnerUserOrders = serveUsers(userOrderLine, userOrder, PARTNER_ROOMS, '/new-study-room/self-study-room/user-order')
export const ownUserOrders = serveUsers(selfUserOrderLine, selfUserOrder, OWN_ROOMS, '/study-room/user-order')

/** Every line of orders of the rooms. */
export const orders = orderParts([
  serveRooms(roomOrderLine, roomOrder, roomShipment, '/new-study-room/self-study-room/order'),
  serveRooms(selfRoomOrderLine, selfRoomOrder, selfRoomShipment, '/study-room/order'),
  partnerUserOrders,
  ownUserOrders,
], [partnerUserOrders, ownUserOrders])
