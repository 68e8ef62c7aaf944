import { formatTime, startOfDay } from '../field/time.ts'
import type { WaitingItem } from './waiting.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** How long something takes, in the largest unit that says it: 5 分钟, 3 小时, 2 天. @param seconds not negative */
function span(seconds: number): string {
  return seconds < HOUR ? `${Math.max(1, Math.floor(seconds / MINUTE))} 分钟` : seconds < DAY ? `${Math.floor(seconds / HOUR)} 小时` : `${Math.floor(seconds / DAY)} 天`
}

/** How long something has waited. Moments are in unix seconds. */
export const waitedWords = (since: number, now: number): string => span(Math.max(0, now - since))

/** How near something is to being late. */
export type Urgency = 'late' | 'today' | 'later'

export const URGENCIES: Readonly<Record<Urgency, string>> = { late: '已超时', today: '今天到期', later: '以后' }

/** Where something stands among what waits. @param due unix seconds; null where nobody said */
export function urgency({ due }: Pick<WaitingItem, 'due'>, now: number): Urgency {
  if (due === null) return 'later'
  return due <= now ? 'late' : due <= startOfDay(now) + DAY ? 'today' : 'later'
}

/** Until when something is to be done, as one says it: 超时 2 天, 今天 24:00, 明天, 12-04. Nothing where nobody said. */
export function dueWords(due: number | null, now: number): string {
  if (due === null) return ''
  if (due <= now) return `超时 ${span(now - due)}`
  const today = startOfDay(now)
  // Midnight belongs to the day that ends.
  const day = startOfDay(due - 1)
  const clock = due === day + DAY ? '24:00' : formatTime(due).slice(11, 16)
  return day === today ? `今天 ${clock}` : day === today + DAY ? '明天' : formatTime(due - 1).slice(5, 10)
}
