import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { formatDate } from '../../core/field/time.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, type Random } from '../../core/setup/random.ts'
import { insertOrderRows, type DemoOrder, type NumberedOrder } from '../order/door.server.ts'
import { MONEY_CHANNELS, ORDER_STATUS as S } from '../order/module.ts'
import { PARTNER_GOODS } from '../study-room/module.ts'
import { CARD_STATUS } from './card-state.ts'
import type { DemoMember } from './demo-members.server.ts'
import type { DemoRoom } from './demo-rooms.server.ts'
import { MEMBER_GOODS, roomOrder, roomOrderLine, selfRoomOrder, selfRoomOrderLine, selfUserOrder, selfUserOrderLine, userOrder, userOrderLine } from './orders.ts'

const DAY = 86_400
const HOUR = 3600
/** Days for which the desks have written orders down; cards sold before came from the old system without one. */
export const SALES = 90
/** Where the numbers of the rooms' orders and of each side's sales begin, beside those of partners and schools. */
const FIRST_NO = { rooms: 100_000, sales: [200_000, 300_000] } as const

const orderNo = (at: number, n: number) => `${formatDate(at).replaceAll('-', '')}${String(n).padStart(8, '0')}`

/** Number of the order by which a card was sold; null when it was sold before there were any. */
export function saleNo(selfRun: 0 | 1, now: number, soldAt: number, index: number): string | null {
  return soldAt < now - SALES * DAY ? null : orderNo(soldAt, FIRST_NO.sales[selfRun] + index)
}

/** A card that was sold at a desk. */
export interface DemoSale {
  readonly no: string
  readonly id: number
  readonly name: string
  readonly memberId: number
  readonly member: DemoMember
  readonly held: DemoMember['held'][number]
}

function saleOf(random: Random, now: number, { no, id, name, memberId, member: { room, row }, held }: DemoSale): NumberedOrder {
  const at = held.created_at
  const gone = held.status === CARD_STATUS.refunded
  const own = room.school.self_run === 1
  return {
    line: own ? selfUserOrderLine : userOrderLine,
    resource: own ? selfUserOrder : userOrder,
    order: {
      no, at, paid_at: at, decided_at: gone ? at + 2 * DAY : Math.min(now, at + DAY), status: gone ? S.refunded : at < now - DAY ? S.done : S.paid, ships: false,
      channel: random.weighted([['wechat', 58], ['alipay', 26], ['cash', 12], ['transfer', 4]]),
      items: [{ kind: MEMBER_GOODS.card, ref_id: held.card.id, name, price: held.paid, qty: 1, effect: { cards: [id] } }],
      buyer: { place_ref_id: room.id, school_id: room.school.id, partner_id: room.school.partner_id, buyer_ref_id: memberId, buyer_name: row.name, buyer_mobile: row.mobile },
    },
  }
}

const STATES = [[S.done, 62], [S.shipped, 8], [S.unshipped, 8], [S.cancelled, 8], [S.closed, 4], [S.refunded, 4], [S.unpaid, 6]] as const

/** What a room buys of us beside its codes: printed goods, pads for our own rooms, the yearly fee. */
function roomBuys(random: Random, now: number, { id, school }: DemoRoom): DemoOrder {
  const [kind, name, price, most] = random.pick([
    [PARTNER_GOODS.material, '物料', random.pick([128_00, 258_00, 498_00]), 12], [PARTNER_GOODS.material, '物料', 198_00, 6], [PARTNER_GOODS.service, '服务费', 3_800_00, 1],
    ...(school.self_run ? [[PARTNER_GOODS.pad, '平板', 899_00, 20] as const] : []),
  ] as const)
  const drawn = random.weighted(STATES)
  const ships = kind !== PARTNER_GOODS.service
  // What needs no parcel waits for none.
  const status = !ships && (drawn === S.shipped || drawn === S.unshipped) ? S.done : drawn
  const open = status === S.unpaid || status === S.unshipped
  const at = seasonalMoment(random, Math.max(school.created_at, now - (open ? 8 : 540) * DAY), now - DAY)
  const paid_at = at + random.int(1, 20) * HOUR
  return {
    at, paid_at: Math.min(now, paid_at), decided_at: Math.min(now, paid_at + random.int(1, 5) * DAY), status, ships, channel: random.weighted([['transfer', 5], ['wechat', 4], ['alipay', 1]]),
    items: [{ kind, name, price, qty: random.int(1, most) }],
    buyer: { place_ref_id: id, school_id: school.id, partner_id: school.partner_id, buyer_ref_id: school.partner_id, buyer_name: school.manager, buyer_mobile: school.mobile },
  }
}

function ordersOfRooms(random: Random, now: number, rooms: readonly DemoRoom[]): NumberedOrder[] {
  const orders = rooms.flatMap((room) => Array.from({ length: random.int(1, 5) }, () => ({ room, order: roomBuys(random, now, room) })))
  return orders.map(({ room: { school }, order }, index) => ({
    line: school.self_run ? selfRoomOrderLine : roomOrderLine, resource: school.self_run ? selfRoomOrder : roomOrder, order: { ...order, no: orderNo(order.at, FIRST_NO.rooms + index) },
  }))
}

/** Every evening of our own rooms until yesterday: what the books expected was counted, but for a few yuan now and then. */
async function closeDays(tx: Queryable, staffId: number): Promise<void> {
  const channels = sql.param([...MONEY_CHANNELS])
  await tx.query(sql`
    insert into day_closing (room_id, school_id, day, shift, expected, counted, difference, lines, last_entry, created_at, updated_at, created_by, updated_by)
    select room_id, school_id, day, 4, sum(expected), sum(expected - short), -sum(short),
      jsonb_agg(jsonb_build_object('channel', channel, 'expected', expected, 'counted', expected - short) || case when short = 0 then '{}'::jsonb else '{"reason": "找零有误"}'::jsonb end order by nr),
      last_entry, day + interval '22 hours 30 minutes', day + interval '22 hours 30 minutes', ${staffId}, ${staffId}
    from (
      select d.room_id, d.school_id, d.day, d.last_entry, c.channel, c.nr, coalesce(l.expected, 0) as expected, case when c.channel = 'cash' and l.expected > 0 and d.last_entry % 7 = 0 then 500 else 0 end as short
      from (
        select r.id as room_id, r.school_id, date_trunc('day', l.at at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' as day, max(l.id) as last_entry
        from ledger l join study_room r on r.id = l.account_id and r.self_run = 1 where l.account_kind = 'room' and l.at < date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' group by 1, 2, 3
      ) d cross join unnest(${channels}::text[]) with ordinality as c (channel, nr)
      left join lateral (select sum(amount) as expected from ledger l where l.account_kind = 'room' and l.account_id = d.room_id and l.channel = c.channel and l.at >= d.day and l.at < d.day + interval '1 day') l on true
    ) x group by room_id, school_id, day, last_entry order by day, room_id`)
}

/** Orders of rooms and of their members with their books, and the days that were closed over them. @returns how many orders */
export async function insertRoomOrders(tx: Queryable, random: Random, now: number, rooms: readonly DemoRoom[], sales: readonly DemoSale[]): Promise<number> {
  const staff = (await tx.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const orders = [...ordersOfRooms(random, now, rooms), ...sales.map((sale) => saleOf(random, now, sale))].sort((a, b) => a.order.at - b.order.at)
  await insertOrderRows(tx, insertMany, orders, staff)
  await closeDays(tx, staff[0] ?? 0)
  return orders.length
}
