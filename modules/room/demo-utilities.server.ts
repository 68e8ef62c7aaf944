import type { Queryable } from '../../core/database/database.server.ts'
import { formatDate, readTime } from '../../core/field/time.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import type { Random } from '../../core/setup/random.ts'
import type { DemoRoom } from './demo-rooms.server.ts'
import { roomUtility } from './utility.ts'

/** Months that are known. */
const MONTHS = 12
/** Fen for a unit: electricity of a business, water. */
const METERS = [{ kind: 1, price: 85, perSeat: 14 }, { kind: 2, price: 460, perSeat: 0.35 }] as const

/** First days of the last months, the latest last. */
function firstDays(now: number): number[] {
  const [year = 0, month = 0] = formatDate(now).split('-').map(Number)
  return Array.from({ length: MONTHS }, (_unused, n) => {
    const at = year * 12 + month - MONTHS + n
    return Number(readTime(`${Math.floor(at / 12)}-${(at % 12) + 1}-1`))
  })
}

/** What the meters of our own rooms said on the first of each month; summers and winters take more. */
export async function insertUtilities(tx: Queryable, random: Random, rooms: readonly DemoRoom[], now: number): Promise<void> {
  const days = firstDays(now)
  await insertMany(tx, roomUtility, rooms.filter(({ school }) => school.self_run === 1).flatMap((room) => METERS.flatMap(({ kind, price, perSeat }) => {
    let reading = random.int(1000, 9000)
    return days.map((read_at) => {
      const month = Number(formatDate(read_at).slice(5, 7))
      const season = kind === 1 && [1, 2, 7, 8, 9, 12].includes(month) ? 1.5 : 1
      const used = Math.round(room.seats.length * perSeat * season * (0.8 + random.next() * 0.4) * 100) / 100
      reading = Math.round((reading + used) * 100) / 100
      return { room_id: room.id, school_id: room.school.id, kind, read_at, reading, used, amount: Math.round(used * price), created_at: Math.min(now, read_at + 36_000) }
    })
  })))
}
