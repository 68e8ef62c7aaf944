import { formatDate, readTime, startOfDay } from '../../core/field/time.ts'

const DAY = 86_400

/** Hours in which somebody answers, in minutes of the day; between them is lunch. */
const SHIFTS: readonly (readonly [from: number, to: number])[] = [[9 * 60, 12 * 60], [13 * 60 + 30, 18 * 60]]

/** Days off on weekdays and days at work on weekends (调休), by the notices of the State Council on 2026; later ones are added when they are announced. */
const OFF: readonly (readonly [from: string, to: string])[] = [
  ['2025-10-01', '2025-10-08'], ['2026-01-01', '2026-01-03'], ['2026-02-15', '2026-02-23'], ['2026-04-04', '2026-04-06'], ['2026-05-01', '2026-05-05'], ['2026-06-19', '2026-06-21'], ['2026-09-25', '2026-09-27'], ['2026-10-01', '2026-10-07'],
]
const AT_WORK: ReadonlySet<string> = new Set(['2025-09-28', '2025-10-11', '2026-01-04', '2026-02-14', '2026-02-28', '2026-05-09', '2026-09-20', '2026-10-10'])

/** Days that a clock looks ahead; nothing takes longer. */
const FARTHEST = 400

/** Whether somebody works on the Shanghai day that begins at a moment. */
export function isWorkDay(day: number): boolean {
  const name = formatDate(day)
  if (AT_WORK.has(name)) return true
  if (OFF.some(([from, to]) => name >= from && name <= to)) return false
  // 1970-01-01 was a Thursday.
  const weekday = (Math.floor((Number(readTime(name)) + 8 * 3600) / DAY) + 4) % 7
  return weekday >= 1 && weekday <= 5
}

/** The shifts of the day that holds a moment, in unix seconds; none on a day off. */
const shiftsOf = (day: number) => (isWorkDay(day) ? SHIFTS.map(([from, to]) => ({ from: day + from * 60, to: day + to * 60 })) : [])

/** The moment so many working minutes after another. A moment out of hours counts from the next shift on. */
export function addWorking(from: number, minutes: number): number {
  let left = minutes * 60
  let day = startOfDay(from)
  for (let looked = 0; looked < FARTHEST; looked++, day += DAY) {
    for (const shift of shiftsOf(day)) {
      const begin = Math.max(from, shift.from)
      if (begin >= shift.to) continue
      if (begin + left <= shift.to) return begin + left
      left -= shift.to - begin
    }
  }
  return day
}

/** Working minutes from one moment to another, whole ones. */
export function workingBetween(from: number, to: number): number {
  let sum = 0
  for (let day = startOfDay(from), looked = 0; day < to && looked < FARTHEST; day += DAY, looked++) {
    for (const shift of shiftsOf(day)) sum += Math.max(0, Math.min(to, shift.to) - Math.max(from, shift.from))
  }
  return Math.floor(sum / 60)
}

/** Whether somebody is at work at a moment: nobody is told of anything out of hours. */
export const isWorking = (at: number): boolean => shiftsOf(startOfDay(at)).some(({ from, to }) => at >= from && at < to)

/** A stretch of working minutes in words: 35 分钟, 2 小时 10 分, 3 个工作日. */
export function sayMinutes(minutes: number): string {
  const day = SHIFTS.reduce((sum, [from, to]) => sum + to - from, 0)
  if (minutes >= 2 * day) return `${Math.floor(minutes / day)} 个工作日`
  if (minutes < 60) return `${minutes} 分钟`
  return minutes % 60 === 0 ? `${minutes / 60} 小时` : `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分`
}
