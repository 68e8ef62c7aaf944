import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, type Random } from '../../core/setup/random.ts'
import { CARD_KIND, type CardKind } from './card-kind.ts'
import { memberCard, selfMemberCard } from './card.ts'
import { SEAT_KIND, type PriceRule, type SeatKind } from './price-rule.ts'
import { selfRoom, studyRoom, type Device } from './room.ts'
import { seatLabel } from './seat-layout.ts'
import { seat } from './seat.ts'

/** Rooms of partners, and of our own. */
const ROOMS = { 0: 112, 1: 18 } as const
const DAY = 86_400
const OPEN = 1
const PREPARING = 0

export interface DemoSchool {
  id: number
  name: string
  self_run: 0 | 1
  partner_id: number | null
  manager: string
  mobile: string
  seat_cnt: number
  type_id: number
  status: number
  created_at: number
}

export interface DemoSeat {
  id: number
  kind: SeatKind
}

export interface DemoRoom {
  id: number
  school: DemoSchool
  seats: DemoSeat[]
  rules: PriceRule[]
}

export interface DemoCard {
  id: number
  name: string
  kind: CardKind
  quota: number
  valid_days: number
  price: number
  freeze_times: number
  freeze_days: number
  transferable: number
}

const yuan = (value: number) => value * 100

function rulesOf(random: Random, own: boolean): PriceRule[] {
  const hour = own ? random.pick([8, 10, 12]) : random.pick([5, 6, 8, 10])
  return [
    { kind: SEAT_KIND.plain, hour: yuan(hour), day: yuan(hour * 4), week: yuan(hour * 20), month: yuan(hour * 60), rate: 1 },
    { kind: SEAT_KIND.vip, hour: yuan(hour + 4), day: yuan((hour + 4) * 4), week: yuan((hour + 4) * 20), month: yuan((hour + 4) * 60), rate: 1.5 },
    { kind: SEAT_KIND.booth, hour: yuan(hour * 3), day: yuan(hour * 12), rate: 3 },
  ]
}

function devicesOf(random: Random): Device[] {
  return [
    { kind: 'door', name: '前门门禁', sn: `MJ${random.int(100_000, 999_999)}` },
    { kind: 'light', name: '主灯' },
    ...(random.chance(0.7) ? [{ kind: 'camera' as const, name: '前台摄像头', sn: `SX${random.int(100_000, 999_999)}` }] : []),
    ...(random.chance(0.5) ? [{ kind: 'air' as const, name: '空调' }] : []),
  ]
}

const NOTICES = ['请保持安静，接听电话到走廊。', '离座超过 30 分钟请签退，让座位给其他同学。', '饮水机在前台右侧，食物请到休息区。', '周末 8:00 开门，晚到的同学请从侧门进入。']

/** Seats as real rooms have them: blocks of two columns with aisles, a row of VIP seats by the window, booths at the back. */
function seatsOf(random: Random, count: number) {
  const seats: { area: string; row: number; no: number; kind: SeatKind; x: number; y: number }[] = []
  const booths = count >= 40 ? random.int(2, 4) : 0
  const vip = count >= 30 ? random.int(4, 8) : 0
  const across = count > 70 ? 10 : 8
  const plain = count - booths - vip
  for (let index = 0; index < plain; index++) {
    const [row, column] = [Math.floor(index / across), index % across]
    // An aisle after every second column, and one between blocks of four rows.
    seats.push({ area: 'A', row: row + 1, no: column + 1, kind: SEAT_KIND.plain, x: 1 + column + Math.floor(column / 2), y: 1 + row + Math.floor(row / 4) })
  }
  const right = 1 + across + Math.floor(across / 2) + 1
  for (let index = 0; index < vip; index++) seats.push({ area: 'V', row: 1, no: index + 1, kind: SEAT_KIND.vip, x: right, y: 1 + index })
  for (let index = 0; index < booths; index++) seats.push({ area: 'B', row: 1, no: index + 1, kind: SEAT_KIND.booth, x: right + 2, y: 1 + index * 2 })
  return seats.map((one) => ({ ...one, label: seatLabel(one), status: random.chance(0.985) ? 1 : 0 }))
}

/** Places with their rooms: each has one, large ones a second. */
function plan(schools: readonly DemoSchool[], count: number): { school: DemoSchool; nth: number }[] {
  const running = schools.filter((school) => school.status !== PREPARING)
  const second = running.toSorted((a, b) => b.seat_cnt - a.seat_cnt).slice(0, Math.max(0, count - running.length))
  return [...running.map((school) => ({ school, nth: 0 })), ...second.map((school) => ({ school, nth: 1 }))].slice(0, count)
}

/** Rooms with their seats. */
export async function insertRooms(tx: Queryable, random: Random, now: number): Promise<DemoRoom[]> {
  const schools = await tx.query<DemoSchool>(sql`select id, name, self_run, partner_id, manager, mobile, coalesce(seat_cnt, 0) as seat_cnt, type_id, status, created_at from app_school where deleted_at is null order by id`)
  const made: DemoRoom[] = []
  for (const [own, resource] of [[0, studyRoom], [1, selfRoom]] as const) {
    const planned = plan(schools.filter((school) => school.self_run === own), ROOMS[own])
    const shared = new Set(planned.filter(({ nth }) => nth === 1).map(({ school }) => school.id))
    const rows = planned.map(({ school, nth }) => {
      const seats = seatsOf(random, Math.max(18, Math.min(96, Math.round(school.seat_cnt * (shared.has(school.id) ? 0.45 : 0.6)))))
      const rules = rulesOf(random, own === 1)
      return {
        school, seats, rules,
        row: {
          name: shared.has(school.id) ? ['一号自习室', '二号自习室'][nth] ?? '' : random.pick(['静学自习室', '一号自习室', '主自习室']),
          school_id: school.id, type_id: school.type_id, area_m2: Math.round(seats.length * (2.4 + random.next() * 1.2)), seat_cnt: seats.length, price_rules: rules, devices: devicesOf(random),
          notice: random.chance(0.7) ? random.pick(NOTICES) : null, status: school.status === OPEN ? 1 : 0, created_at: Math.min(now - 100 * DAY, school.created_at + random.int(1, 20) * DAY),
        },
      }
    })
    const ids = await insertMany(tx, resource, rows.map(({ row }) => row))
    made.push(...rows.map(({ school, rules }, index) => ({ id: ids[index] ?? 0, school, rules, seats: [] })))
    const seats = rows.flatMap((room, index) => room.seats.map((one) => ({ ...one, room_id: ids[index] ?? 0, school_id: room.row.school_id, created_at: room.row.created_at })))
    const seatIds = await insertMany(tx, seat, seats)
    const roomOf = new Map(made.map((room) => [room.id, room]))
    for (const [index, one] of seats.entries()) if (one.status === 1) roomOf.get(one.room_id)?.seats.push({ id: seatIds[index] ?? 0, kind: one.kind })
  }
  return made
}

type Sold = readonly [name: string, kind: CardKind, quota: number, days: number, price: number, share: number]

const SOLD: readonly Sold[] = [
  ['50 小时时长卡', CARD_KIND.minutes, 3000, 90, yuan(299), 3],
  ['100 小时时长卡', CARD_KIND.minutes, 6000, 180, yuan(499), 3],
  ['20 次卡', CARD_KIND.visits, 20, 90, yuan(360), 2],
  ['周末日卡', CARD_KIND.day, 0, 1, yuan(39), 0.5],
  ['体验周卡', CARD_KIND.week, 0, 7, yuan(99), 1],
  ['月卡', CARD_KIND.month, 0, 30, yuan(399), 4],
  ['季卡', CARD_KIND.quarter, 0, 90, yuan(999), 3],
  ['冲刺年卡', CARD_KIND.year, 0, 365, yuan(2999), 0.7],
  ['500 元储值卡', CARD_KIND.value, yuan(500), 365, yuan(500), 1.5],
]

/** Kinds of card that each school sells, with how often each is bought. */
export async function insertCards(tx: Queryable, random: Random, rooms: readonly DemoRoom[], now: number): Promise<Map<number, [DemoCard, number][]>> {
  const result = new Map<number, [DemoCard, number][]>()
  for (const [own, resource] of [[0, memberCard], [1, selfMemberCard]] as const) {
    const schools = [...new Map(rooms.filter(({ school }) => school.self_run === own).map(({ school }) => [school.id, school])).values()]
    const rows = schools.flatMap((school) => SOLD.filter(([, kind]) => own === 1 || kind === CARD_KIND.month || kind === CARD_KIND.minutes || random.chance(0.6)).map(([name, kind, quota, valid_days, price, share], index) => ({
      share,
      row: {
        name, school_id: school.id, kind, quota, valid_days, price: Math.round((price * (own === 1 ? 1 : random.pick([0.7, 0.8, 0.9, 1]))) / 100) * 100,
        seat_kinds: kind === CARD_KIND.day || kind === CARD_KIND.week ? [SEAT_KIND.plain] : [], subjects: [], pad: kind === CARD_KIND.year || kind === CARD_KIND.quarter ? 1 : 0,
        freeze_times: valid_days >= 30 ? (valid_days >= 180 ? 3 : 1) : 0, freeze_days: valid_days >= 30 ? (valid_days >= 180 ? 60 : 15) : 0, transferable: valid_days >= 90 ? 1 : 0,
        stock: kind === CARD_KIND.year ? 200 : null, sort: index + 1, status: random.chance(0.95) ? 1 : 0, created_at: seasonalMoment(random, now - 400 * DAY, now - 130 * DAY),
      },
    })))
    const ids = await insertMany(tx, resource, rows.map(({ row }) => row))
    for (const [index, { row, share }] of rows.entries()) {
      const list = result.get(row.school_id) ?? []
      list.push([{ id: ids[index] ?? 0, name: row.name, kind: row.kind, quota: row.quota, valid_days: row.valid_days, price: row.price, freeze_times: row.freeze_times, freeze_days: row.freeze_days, transferable: row.transferable }, share])
      result.set(row.school_id, list)
    }
  }
  return result
}
