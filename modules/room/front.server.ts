import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { seesNames, shownName } from '../../core/resource/names.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { addOrderWatcher } from '../order/door.server.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { canAct, IN_FORCE } from './card-state.ts'
import { roomMoved } from './live.ts'
import { ownFront, partnerFront, type FoundMember, type FrontDay, type FrontMember, type HeldCard } from './front-calls.ts'
import { MEMBER_STATUS } from './member.ts'
import { selfUserOrder, userOrder } from './orders.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'
import { read } from './row.server.ts'

/** People who are offered for what was typed. */
const SHOWN = 8
/** Visits of today that are told one by one. */
const TOLD = 40
/** Shortest end of a card's number that finds it. */
const CARD_END = 4

type Room = NonNullable<Rooms['room']['types']>['row']

/** Tells the counters of a room that something happened there. */
export const tellRoom = (tx: Queryable, roomId: number): Promise<void> => publishRecords(tx, 'all', roomMoved, [roomId])

/** Money of a room moves wherever its orders do: at the counter, in the list of orders, by a second person. @returns stops it */
export const watchMoney = (): (() => void) => addOrderWatcher({
  moved: async (tx, _before, { place_kind, place_ref_id }) => {
    if (place_kind === 'room' && place_ref_id !== null) await tellRoom(tx, place_ref_id)
  },
})

/** A code that was scanned may be an address that ends with the number. */
const numberIn = (words: string) => words.split(/[/=?&#]/).findLast((part) => part !== '') ?? ''

function callsOf(rooms: Rooms, calls: typeof partnerFront, orders: Resource): Served[] {
  // A person who works in the room works with those who come to it.
  const nameFor = (staff: Staff) => (name: string) => (seesNames(rooms.room, staff) ? name : shownName(rooms.member, staff, name))

  const findMembers = async (db: Queryable, staff: Staff, room: Room, words: string): Promise<{ members: FoundMember[]; exact: boolean }> => {
    const nameOf = nameFor(staff)
    const number = numberIn(words)
    const ours = listCondition(rooms.member, staff, { school_id: String(room.school_id) })
    const found = (those: ReturnType<typeof sql>, card: ReturnType<typeof sql>) => db.query<FoundMember & Record<string, unknown>>(sql`select id, name, mobile, ${card} as card_no,
        (select r.name || ' ' || s.label from seated n join seat s on s.id = n.seat_id join study_room r on r.id = n.room_id where n.member_id = room_member.id) as seat
      from room_member where ${those} order by last_in_at desc nulls last, id desc limit ${sql.raw(String(SHOWN))}`)
    const held = number.length < CARD_END || !/^[0-9A-Za-z]+$/.test(number) ? [] : await db.query<{ member_id: number; card_no: string }>(sql`select member_id, card_no from user_card
      where school_id = ${room.school_id} and self_run = ${rooms.side.self_run} and deleted_at is null and card_no like ${`%${number.toUpperCase()}`} order by id desc limit ${sql.raw(String(SHOWN))}`)
    const cardOf = new Map(held.toReversed().map(({ member_id, card_no }) => [member_id, card_no]))
    const byCard = held.length === 0 ? [] : await found(sql`${ours} and id = any(${sql.param([...cardOf.keys()])}::bigint[])`, sql`null::text`)
    const byWords = await found(listCondition(rooms.member, staff, { school_id: String(room.school_id), keyword: words }), sql`null::text`)
    const members = [...new Map([...byCard, ...byWords].map((one) => [one.id, one])).values()].slice(0, SHOWN)
    const whole = byCard.filter(({ id }) => cardOf.get(id) === number.toUpperCase())
    const exact = whole.length === 1 ? whole : members.length === 1 ? members : []
    return { members: (exact.length === 1 ? exact : members).map((one) => ({ ...one, name: nameOf(one.name), mobile: maskMobile(one.mobile), card_no: cardOf.get(one.id) ?? null })), exact: exact.length === 1 }
  }

  const member = async (db: Queryable, staff: Staff, room: Room, id: number): Promise<FrontMember> => {
    const one = await read(db, rooms.member, staff, id)
    // Somebody of another school buys and sits there.
    if (one.school_id !== room.school_id) throw notFound(rooms.member.label)
    const [cards, sold, [visit], [last], [unpaid]] = await Promise.all([
      db.query<Omit<HeldCard, 'here'> & { room_ids: number[] | null }>(sql`select u.id, u.card_no, c.name, u.kind, u.remaining::float8 as remaining, u.quota::float8 as quota, u.expire_at, u.status, u.seat_kinds, u.room_ids,
          exists (select 1 from seated n where n.user_card_id = u.id) as in_use, case when c.status = 1 and c.deleted_at is null then c.price::float8 end as price,
          coalesce((select sum(least(x.paid, o.paid - o.refunded)) from (select l.order_no, sum(l.paid) as paid from card_log l where l.user_card_id = u.id group by l.order_no having sum(l.paid) > 0) x
            join orders o on o.order_no = x.order_no and o.deleted_at is null), 0)::float8 as left_paid
        from user_card u join member_card c on c.id = u.card_id where u.member_id = ${id} and u.deleted_at is null order by u.status = any(${sql.param(IN_FORCE)}::int[]) desc, u.expire_at nulls last, u.id`),
      db.query<FrontMember['sold'][number]>(sql`select id, name, price::float8 as price, kind, quota, valid_days from member_card
        where school_id = ${room.school_id} and self_run = ${rooms.side.self_run} and status = 1 and deleted_at is null and (stock is null or stock > coalesce(sold, 0)) order by price, id`),
      db.query<NonNullable<FrontMember['visit']>>(sql`select n.visit_id as id, n.room_id, r.name as room_name, n.seat_id, s.label as seat, n.user_card_id as card_id, n.in_at
        from seated n join seat s on s.id = n.seat_id join study_room r on r.id = n.room_id where n.member_id = ${id}`),
      db.query<{ seat_id: number }>(sql`select seat_id from visit where member_id = ${id} and room_id = ${room.id} and deleted_at is null order by in_at desc, id desc limit 1`),
      staff.modules.has(orders.grant) ? db.query<{ orders: number; amount: number }>(sql`select count(*)::int as orders, coalesce(sum(amount - paid), 0)::float8 as amount from orders
        where ${listCondition(orders, staff, { member_id: String(id), status: String(ORDER_STATUS.unpaid) })}`) : [],
    ])
    return {
      id, name: nameFor(staff)(one.name), mobile: maskMobile(one.mobile), photo: one.photo ?? null, normal: one.status === MEMBER_STATUS.normal, remark: one.remark ?? null,
      visit: visit ?? null, sold, last_seat_id: last?.seat_id ?? null, unpaid: unpaid ?? null,
      // What nothing can be done with is history, and stands in the member's record.
      cards: cards.filter(({ status }) => canAct('renew', status) || IN_FORCE.includes(status))
        .map(({ room_ids, ...card }) => ({ ...card, here: !room_ids?.length || room_ids.includes(room.id) })),
    }
  }

  const day = async (db: Queryable, staff: Staff, room: Room): Promise<FrontDay> => {
    const since = startOfDay(Math.floor(Date.now() / 1000))
    const nameOf = nameFor(staff)
    const today = listCondition(rooms.visit, staff, { room_id: String(room.id), in_at_start: String(since) })
    const paidToday = () => listCondition(orders, staff, { room_id: String(room.id), paid_at_start: String(since) })
    const [[count], visits, channels] = await Promise.all([
      db.query<{ n: number }>(sql`select count(*)::int as n from visit where ${today}`),
      db.query<FrontDay['visits'][number]>(sql`select v.id, v.member_id, m.name, s.label as seat, v.in_at, v.out_at, v.minutes from (select * from visit where ${today} order by in_at desc, id desc limit ${sql.raw(String(TOLD))}) v
        join room_member m on m.id = v.member_id join seat s on s.id = v.seat_id order by v.in_at desc, v.id desc`),
      staff.modules.has(orders.grant) ? db.query<{ channel: string | null; orders: number; paid: number; refunded: number }>(sql`select pay_channel as channel, count(*)::int as orders, sum(paid)::float8 as paid, sum(refunded)::float8 as refunded
        from orders where ${paidToday()} group by pay_channel order by 3 desc`) : null,
    ])
    return {
      since, arrivals: count?.n ?? 0, visits: visits.map((one) => ({ ...one, name: nameOf(one.name) })),
      takings: channels && {
        paid: channels.reduce((sum, { paid }) => sum + paid, 0), refunded: channels.reduce((sum, { refunded }) => sum + refunded, 0),
        channels: channels.map(({ channel, orders: count, paid }) => ({ channel: channel ?? '', orders: count, paid })),
      },
    }
  }

  return [
    handle(calls.day, async (call) => day(call.db, call.staff, await read(call.db, rooms.room, call.staff, idParam(call)))),
    handle(calls.find, async (call) => findMembers(call.db, call.staff, await read(call.db, rooms.room, call.staff, idParam(call)), call.input.words)),
    handle(calls.member, async (call) => member(call.db, call.staff, await read(call.db, rooms.room, call.staff, idParam(call)), idParam(call, 'member_id'))),
  ]
}

/** What the counters ask, on both sides. */
export const frontCalls: readonly Served[] = [...callsOf(PARTNER_ROOMS, partnerFront, userOrder), ...callsOf(OWN_ROOMS, ownFront, selfUserOrder)]
