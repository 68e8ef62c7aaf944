import { startOfDay } from '../field/time.ts'
import { WEEKDAYS } from './calls.ts'

const HOUR = 3600
const DAY = 86_400

/** Day of the week in Shanghai, Monday as 1. 1 January 1970 was a Thursday. */
export const weekdayOf = (seconds: number): number => ((Math.floor((seconds + 8 * HOUR) / DAY) + 3) % 7) + 1

/** The next moment after `now` at this hour on one of these days; times are Shanghai's. */
export function nextTime(now: number, hour: number, weekdays: readonly number[]): number {
  const today = startOfDay(now)
  for (let day = 0; day <= 7; day++) {
    const at = today + day * DAY + hour * HOUR
    if (at > now && weekdays.includes(weekdayOf(at))) return at
  }
  throw new Error('a subscription without days')
}

/** When quiet hours are over; `now` itself where it is not quiet. Hours may go over midnight. */
export function afterQuiet(now: number, from: number | null, to: number | null): number {
  if (from === null || to === null || from === to) return now
  const today = startOfDay(now)
  const hour = Math.floor((now - today) / HOUR)
  const quiet = from < to ? hour >= from && hour < to : hour >= from || hour < to
  if (!quiet) return now
  const end = today + to * HOUR
  return end > now ? end : end + DAY
}

/** When something comes, in words: 每天 09:00, 工作日 18:00. */
export function whenWords(hour: number, weekdays: readonly number[]): string {
  const days = weekdays.length === 7 ? '每天' : weekdays.join() === '1,2,3,4,5' ? '工作日（周一至周五）' : `每周${weekdays.map((day) => WEEKDAYS[day - 1]).join('、')}`
  return `${days} ${String(hour).padStart(2, '0')}:00`
}
