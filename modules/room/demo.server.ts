import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { makeMembers, type DemoMember } from './demo-members.server.ts'
import { insertRoomOrders, saleNo, type DemoSale } from './demo-orders.server.ts'
import { insertCards, insertRooms, type DemoRoom } from './demo-rooms.server.ts'
import { insertUtilities } from './demo-utilities.server.ts'
import { connectionOf, insertCommands, insertPolicies } from './demo-devices.server.ts'
import { pad, PAD_STATUS } from './pad.ts'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'

const DAY = 86_400
/** Members of partners' rooms, and of our own. */
const MEMBERS = { 0: 4000, 1: 2000 } as const
const PADS = 2600
/** Pads that lie in the store. */
const STORED = 120

/** Splits a number over shares in whole numbers that add up to it. */
function split(total: number, shares: readonly number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0)
  let [given, passed] = [0, 0]
  return shares.map((share) => {
    passed += share
    const part = Math.round((total * passed) / sum) - given
    given += part
    return part
  })
}

/** Stores people, what they hold, what happened to it, and when they came. @returns how often they came, and the cards that orders sold */
async function store(tx: Queryable, rooms: Rooms, members: readonly DemoMember[], now: number): Promise<{ visits: number; sales: DemoSale[] }> {
  const { self_run } = rooms.side
  const common = { self_run }
  const memberIds = await insertMany(tx, rooms.member, members.map(({ row }) => row))
  const held = members.flatMap((member, index) => member.held.map((card) => ({ member, memberId: memberIds[index] ?? 0, card })))
    .map((one, index) => ({ ...one, order_no: saleNo(self_run, now, one.card.created_at, index) }))
  const cardIds = await insertMany(tx, rooms.userCard, held.map(({ member, memberId, order_no, card: { card, log: _log, ...kept } }, index) => ({
    ...common, ...kept, order_no, card_no: `K26${String(rooms.side.self_run)}${String(index + 1).padStart(7, '0')}`, member_id: memberId, card_id: card.id, school_id: member.row.school_id, kind: card.kind,
    valid_days: card.valid_days, freeze_times: card.freeze_times, freeze_days: card.freeze_days, transferable: card.transferable, room_ids: [], seat_kinds: [], updated_at: kept.created_at,
  })))
  const idOf = new Map(held.map(({ card }, index) => [card, cardIds[index] ?? 0]))
  const stays = members.flatMap((member, index) => member.stays.map((stay, nth) => ({ member, nth, stay, row: {
    ...common, member_id: memberIds[index] ?? 0, room_id: stay.room, seat_id: stay.seat.id, user_card_id: idOf.get(member.held[stay.held] as DemoMember['held'][number]) ?? 0, school_id: member.row.school_id,
    in_at: stay.in_at, out_at: stay.out_at, minutes: stay.minutes, kind: member.held[stay.held]?.card.kind ?? 1, used: stay.used, short: stay.out_at === null ? null : 0, created_at: stay.in_at,
  } }))).sort((a, b) => a.stay.in_at - b.stay.in_at)
  const stayIds = await insertMany(tx, rooms.visit, stays.map(({ row }) => row))
  const visitOf = new Map<DemoMember, Map<number, number>>()
  for (const [index, { member, nth }] of stays.entries()) visitOf.set(member, (visitOf.get(member) ?? new Map<number, number>()).set(nth, stayIds[index] ?? 0))
  const entries = held.flatMap(({ member, memberId, order_no, card }) => card.log.map(({ at, visit, ...entry }) => ({
    ...common, ...entry, order_no: entry.paid === 0 ? null : order_no, user_card_id: idOf.get(card) ?? 0, member_id: memberId, school_id: member.row.school_id, kind: card.card.kind, visit_id: visit === null ? null : visitOf.get(member)?.get(visit) ?? null, created_at: at,
  }))).sort((a, b) => a.created_at - b.created_at)
  await insertMany(tx, rooms.cardLog, entries)
  const sales = held.flatMap(({ member, memberId, card, order_no }) => (order_no === null ? [] : [{ no: order_no, id: idOf.get(card) ?? 0, name: card.card.name, memberId, member, held: card }]))
  return { visits: stayIds.length, sales }
}

const MODELS = [['DY-T10', 64], ['DY-T10 Pro', 128], ['DY-T11', 128]] as const

/** Pads of all rooms: most lie on seats or with students and members, some are in the store, broken or lost. */
async function insertPads(tx: Queryable, random: Random, rooms: readonly DemoRoom[], now: number): Promise<void> {
  const people = await tx.query<{ school_id: number; own: number; ids: number[] }>(sql`select school_id, 0 as own, array_agg(id order by id) as ids from school_student where status = 1 and deleted_at is null group by 1
    union all select school_id, 1, array_agg(id order by id) from room_member where self_run = 1 and status = 1 group by 1`)
  const peopleOf = new Map(people.map(({ school_id, own, ids }) => [`${own} ${school_id}`, ids.slice()]))
  const counts = [STORED, ...split(PADS - STORED, rooms.map((room) => room.seats.length * (0.6 + random.next() * 0.8)))]
  // Those in the store come first: the newest, which a list begins with, are in use.
  const places: (DemoRoom | undefined)[] = [undefined, ...rooms]
  const policies = await insertPolicies(tx, now)
  let number = 0
  await insertMany(tx, pad, places.flatMap((room, at) => {
    const seats = room ? [...room.seats] : []
    return Array.from({ length: counts[at] ?? 0 }, () => {
      number++
      const [model, storage_gb] = random.pick(MODELS)
      const status = room ? random.weighted([[PAD_STATUS.in_use, 86], [PAD_STATUS.stock, 8], [PAD_STATUS.repair, 3], [PAD_STATUS.lost, 1], [PAD_STATUS.retired, 2]]) : PAD_STATUS.stock
      const used = status === PAD_STATUS.in_use
      const seat = used && random.chance(0.62) ? seats.pop() : undefined
      const person = used && !seat && room ? peopleOf.get(`${room.school.self_run} ${room.school.id}`)?.shift() : undefined
      const created_at = now - random.int(30, 600) * DAY
      const online = used && random.chance(0.9) ? now - Math.floor(random.next() ** 4 * 20 * DAY) : null
      const hex = (value: number) => value.toString(16).toUpperCase().padStart(2, '0')
      return {
        sn: `DYPAD${model.endsWith('Pro') ? 'P' : 'A'}${String(20_260_000 + number).padStart(9, '0')}`, model, storage_gb, mac: `3C:5A:B4:${hex(number >> 16)}:${hex((number >> 8) & 255)}:${hex(number & 255)}`,
        imei: String(860_000_000_000_000 + number * 7), os_version: random.pick(['Android 12', 'Android 13', 'Android 13']), app_version: random.weighted([['5.2.1', 6], ['5.2.0', 3], ['5.1.8', 1]]),
        room_id: room?.id ?? null, school_id: room?.school.id ?? null, seat_id: seat?.id ?? null,
        student_id: room?.school.self_run === 0 ? person ?? null : null, member_id: room?.school.self_run === 1 ? person ?? null : null,
        lease: room?.school.self_run === 1 || !room ? 3 as const : random.weighted([[1, 3], [2, 1]] as const), deposit: room?.school.self_run === 0 ? 500_00 : null,
        warranty_at: created_at + 730 * DAY, activated_at: used ? created_at + 5 * DAY : null, last_online_at: online, battery: online ? random.int(12, 100) : null,
        ...connectionOf(random, policies, created_at, online),
        // Without anybody to have it, a pad lies in the room.
        status: used && !seat && !person ? PAD_STATUS.stock : status, locked: status === PAD_STATUS.lost || random.chance(0.02) ? 1 : 0, created_at,
      }
    })
  }))
}

/** Rooms, cards, members and their last three months, pads; all follow from what the schools are. */
export async function insertRoomDemo(db: Database, report: (text: string) => void): Promise<void> {
  const random = seededRandom(11)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const rooms = await insertRooms(tx, random, now)
    const cards = await insertCards(tx, random, rooms, now)
    report(`已生成 ${rooms.length} 间自习室`)
    let [people, visits] = [0, 0]
    const sold: DemoSale[] = []
    for (const [own, set] of [[0, PARTNER_ROOMS], [1, OWN_ROOMS]] as const) {
      const running = rooms.filter(({ school }) => school.self_run === own && school.status === 1)
      const counts = split(MEMBERS[own], running.map((room) => room.seats.length * (0.7 + random.next() * 0.6)))
      const members = running.flatMap((room, at) => {
        const count = counts[at] ?? 0
        const first = people
        people += count
        return makeMembers(random, now, room, count, first, cards.get(room.school.id) ?? [], random.chance(own === 1 ? 0.25 : 0.02) ? 0.45 + random.next() * 0.5 : 0.01 + random.next() * 0.03)
      })
      const stored = await store(tx, set, members, now)
      visits += stored.visits
      sold.push(...stored.sales)
    }
    await tx.query(sql`insert into seated (seat_id, member_id, user_card_id, visit_id, room_id, in_at) select seat_id, member_id, user_card_id, id, room_id, in_at from visit where out_at is null`)
    await tx.query(sql`update member_card c set sold = u.n from (select card_id, count(*) as n from user_card where status <> 5 group by 1) u where u.card_id = c.id`)
    report(`已生成 ${people} 位会员、${visits} 次到店`)
    await insertPads(tx, random, rooms, now)
    await insertUtilities(tx, seededRandom(13), rooms, now)
    report(`已生成 ${PADS} 台平板、${await insertCommands(tx, now)} 条远程指令`)
    report(`已生成 ${await insertRoomOrders(tx, seededRandom(12), now, rooms, sold)} 个自习室和会员订单`)
  })
}
