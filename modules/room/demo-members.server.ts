import { startOfDay } from '../../core/field/time.ts'
import { PEOPLE, person } from '../../core/setup/people.ts'
import type { Random } from '../../core/setup/random.ts'
import { isCounted, useOf } from './card-kind.ts'
import { CARD_STATUS, type CardAction, type CardStatus } from './card-state.ts'
import type { DemoCard, DemoRoom, DemoSeat } from './demo-rooms.server.ts'

const DAY = 86_400
const HOUR = 3600
/** Days over which people came. */
export const HISTORY = 90
/** Where the numbers of members begin among the people who do not exist. */
const FIRST = PEOPLE.student + 40_000

interface Entry {
  action: CardAction
  delta: number
  remaining: number
  days: number
  paid: number
  at: number
  reason: string | null
  /** Which of the member's visits it was, from 0. */
  visit: number | null
}

interface Held {
  card: DemoCard
  status: CardStatus
  quota: number
  remaining: number
  paid: number
  refunded: number
  created_at: number
  activated_at: number | null
  expire_at: number | null
  frozen_at: number | null
  frozen_until: number | null
  freeze_cnt: number
  frozen_days: number
  log: Entry[]
}

interface Stay {
  held: number
  room: number
  seat: DemoSeat
  in_at: number
  out_at: number | null
  minutes: number | null
  used: number | null
}

/** A member with what they hold and when they came. */
export interface DemoMember {
  room: DemoRoom
  row: { name: string; mobile: string; gender: 1 | 2; grade: number; school_id: number; created_at: number; visit_cnt: number; total_minutes: number; last_in_at: number | null; status: 0 | 1 }
  held: Held[]
  stays: Stay[]
}

const lastSecond = (from: number, days: number) => startOfDay(from) + days * DAY - 1

function note(held: Held, entry: Partial<Entry> & Pick<Entry, 'action' | 'at'>): void {
  const delta = entry.delta ?? 0
  held.remaining += delta
  held.log.push({ days: 0, paid: 0, reason: null, visit: null, ...entry, delta, remaining: held.remaining })
}

function open(card: DemoCard, at: number): Held {
  const quota = isCounted(card.kind) ? card.quota : 0
  const held: Held = {
    card, status: CARD_STATUS.unused, quota, remaining: 0, paid: card.price, refunded: 0, created_at: at, activated_at: null, expire_at: null, frozen_at: null, frozen_until: null, freeze_cnt: 0, frozen_days: 0, log: [],
  }
  note(held, { action: 'open', delta: quota, paid: card.price, at })
  return held
}

function activate(held: Held, at: number): void {
  held.status = CARD_STATUS.active
  held.activated_at = at
  held.expire_at = lastSecond(at, held.card.valid_days)
  note(held, { action: 'activate', days: held.card.valid_days, at })
}

/** The card that a member would use at a moment; a new one is bought when the last has run out. */
function cardAt(random: Random, member: DemoMember, cards: readonly [DemoCard, number][], at: number, buys: boolean): number | undefined {
  for (const [index, held] of member.held.entries()) {
    if (held.status === CARD_STATUS.active && held.expire_at !== null && held.expire_at < at) {
      held.status = CARD_STATUS.expired
      note(held, { action: 'expire', at: held.expire_at + HOUR })
    }
    if (held.status === CARD_STATUS.unused) activate(held, at)
    if (held.status === CARD_STATUS.active) return index
  }
  if (!buys) return undefined
  const held = open(random.weighted(cards), at - 300)
  activate(held, at)
  member.held.push(held)
  return member.held.length - 1
}

/** Times of day at which people come: when, for how long, and how full the room then is on school days and at weekends. */
const SLOTS = [
  { from: 8.5, length: 3.2, workday: 0.04, weekend: 0.3 },
  { from: 13, length: 4.2, workday: 0.12, weekend: 0.42 },
  { from: 18, length: 3.3, workday: 0.4, weekend: 0.28 },
] as const

function leave(member: DemoMember, room: DemoRoom, stay: Stay): void {
  const held = member.held[stay.held]
  if (!held || stay.out_at === null) return
  const minutes = Math.max(1, Math.ceil((stay.out_at - stay.in_at) / 60))
  const rule = room.rules.find(({ kind }) => kind === stay.seat.kind) ?? { kind: stay.seat.kind, hour: 0 }
  const used = Math.min(useOf(held.card.kind, rule, minutes), held.remaining)
  Object.assign(stay, { minutes, used })
  member.row.total_minutes += minutes
  if (used === 0) return
  note(held, { action: 'use', delta: -used, at: stay.out_at, visit: member.stays.length })
  if (isCounted(held.card.kind) && held.remaining <= 0) held.status = CARD_STATUS.used_up
}

function come(random: Random, member: DemoMember, room: DemoRoom, seat: DemoSeat, cards: readonly [DemoCard, number][], in_at: number, out_at: number | null): boolean {
  const held = cardAt(random, member, cards, in_at, random.chance(0.85))
  if (held === undefined) return false
  const stay: Stay = { held, room: room.id, seat, in_at, out_at, minutes: null, used: null }
  leave(member, room, stay)
  member.stays.push(stay)
  member.row.visit_cnt++
  member.row.last_in_at = in_at
  return true
}

function shuffled<Item>(random: Random, list: readonly Item[]): Item[] {
  return list.map((item) => ({ item, place: random.next() })).sort((a, b) => a.place - b.place).map(({ item }) => item)
}

/** People of a room over the last months, up to those who sit there now. @param busy how full the room is compared with a full one */
export function makeMembers(random: Random, now: number, room: DemoRoom, count: number, first: number, cards: readonly [DemoCard, number][], busy: number): DemoMember[] {
  const today = startOfDay(now)
  const members = Array.from({ length: count }, (_unused, index): DemoMember => {
    const { name, gender, mobile } = person(FIRST + first + index, 'child')
    const created_at = now - random.int(5, 400) * DAY - random.int(0, 8 * HOUR)
    const member: DemoMember = {
      room, held: [], stays: [],
      row: { name, mobile, gender, grade: random.weighted([[7, 2], [8, 3], [9, 5], [10, 4], [11, 5], [12, 7]]), school_id: room.school.id, created_at, visit_cnt: 0, total_minutes: 0, last_in_at: null, status: random.chance(0.985) ? 1 : 0 },
    }
    const card = random.weighted(cards)
    // Who joined long ago bought a card before the time that is looked at.
    const bought = Math.max(created_at, now - random.int(20, 120) * DAY)
    if (random.chance(0.93)) member.held.push(open(card, bought))
    return member
  })
  for (let day = HISTORY; day >= 1; day--) {
    const begin = today - day * DAY
    const weekday = new Date((begin + 12 * HOUR) * 1000).getUTCDay()
    const weekend = weekday === 0 || weekday === 6
    for (const slot of SLOTS) {
      const wanted = Math.min(room.seats.length, Math.floor(room.seats.length * (weekend ? slot.weekend : slot.workday) * busy * (0.7 + random.next() * 0.6) + random.next()))
      const seats = shuffled(random, room.seats)
      const present = members.filter((member) => member.row.status === 1 && member.row.created_at < begin && (member.held[0]?.created_at ?? 0) < begin)
      for (const member of shuffled(random, present).slice(0, wanted)) {
        const seat = seats.pop()
        if (!seat) break
        const in_at = begin + Math.round((slot.from + (random.next() - 0.3) * 0.8) * HOUR)
        come(random, member, room, seat, cards, in_at, in_at + Math.round(slot.length * (0.45 + random.next() * 0.5) * HOUR))
      }
    }
  }
  // Who is here now: many by day, hardly anybody at night.
  const hour = Math.floor((now - today) / HOUR)
  const share = hour >= 8 && hour < 22 ? Math.min(0.75, 0.5 * busy + 0.1) : 0.04
  const seats = shuffled(random, room.seats)
  const here = shuffled(random, members.filter((member) => member.row.status === 1)).slice(0, room.school.status === 1 ? Math.round(Math.min(room.seats.length, count) * share) : 0)
  for (const member of here) {
    const seat = seats.pop()
    if (seat) come(random, member, room, seat, cards, now - random.int(5, 170) * 60, null)
  }
  for (const member of members) finish(random, now, member)
  return members
}

/** What happened to cards beside their use: frozen, given back, run out. */
function finish(random: Random, now: number, member: DemoMember): void {
  const sits = member.stays.at(-1)?.out_at === null ? member.stays.at(-1)?.held : undefined
  for (const [index, held] of member.held.entries()) {
    if (index === sits) continue
    if (held.status === CARD_STATUS.active && held.expire_at !== null && held.expire_at < now) {
      held.status = CARD_STATUS.expired
      note(held, { action: 'expire', at: held.expire_at + HOUR })
    } else if (held.status === CARD_STATUS.active && held.card.freeze_times > 0 && random.chance(0.03)) {
      const days = random.int(3, Math.min(14, held.card.freeze_days))
      const at = now - random.int(0, 2) * DAY - random.int(1, 6) * HOUR
      if (at <= (member.row.last_in_at ?? 0) + 6 * HOUR || at <= (held.activated_at ?? 0)) continue
      Object.assign(held, { status: CARD_STATUS.frozen, frozen_at: at, frozen_until: at + days * DAY, freeze_cnt: 1, frozen_days: days, expire_at: (held.expire_at ?? at) + days * DAY })
      note(held, { action: 'freeze', days, at, reason: random.pick(['期末考试，回学校住', '外出集训', '身体不适', '家里有事']) })
    } else if (held.status === CARD_STATUS.unused && random.chance(0.05)) {
      held.status = CARD_STATUS.refunded
      held.refunded = held.paid
      note(held, { action: 'refund', delta: -held.remaining, paid: -held.paid, at: held.created_at + 2 * DAY, reason: '搬家，不再来店' })
    }
  }
}
