/** How a room works through a plan: which day is today, which version holds on a day, who is behind. Pure. */
import { startOfDay } from '../../core/field/time.ts'
import { inOrder, type PlanTask } from './tasks.ts'

const DAY = 86_400

/** When a room goes through a plan. */
export interface Calendar {
  /** Unix seconds of the first day. */
  readonly start_on: number
  /** Days of the week without the plan, 1 Monday to 7 Sunday. */
  readonly rest_days: readonly number[]
}

/** Day of the week of a moment in Shanghai, 1 Monday to 7 Sunday. 1970-01-01 was a Thursday. */
const weekday = (at: number) => ((Math.floor((at + 8 * 3600) / DAY) + 3) % 7) + 1

/** A week of nothing but rest would never come to its second day. */
const rests = ({ rest_days }: Calendar) => new Set(new Set(rest_days).size >= 7 ? [] : rest_days)

/** Days of the plan that have begun by a moment; 0 before it begins. */
export function dayNo(calendar: Calendar, now: number): number {
  const rest = rests(calendar)
  const days = Math.floor((startOfDay(now) - startOfDay(calendar.start_on)) / DAY) + 1
  if (days <= 0) return 0
  const whole = Math.floor(days / 7)
  const from = weekday(calendar.start_on)
  const left = Array.from({ length: days % 7 }, (_, at) => ((from - 1 + at) % 7) + 1).filter((day) => !rest.has(day)).length
  return whole * (7 - rest.size) + left
}

/** The date of a day of the plan, counted from 1: its beginning in unix seconds. */
export function dateOf(calendar: Calendar, day: number): number {
  const rest = rests(calendar)
  const start = startOfDay(calendar.start_on)
  const whole = Math.max(0, Math.floor((day - 1) / (7 - rest.size)))
  let [at, left] = [start + whole * 7 * DAY, day - whole * (7 - rest.size)]
  for (; ; at += DAY) {
    if (!rest.has(weekday(at))) left--
    if (left <= 0) return at
  }
}

/** From which day on a version holds. */
export interface Turn { readonly no: number; readonly from_day: number }

/** The tasks of a room: those of each day by the version that held on it. */
export function scheduleOf(turns: readonly Turn[], versions: ReadonlyMap<number, readonly PlanTask[]>): PlanTask[] {
  const sorted = turns.toSorted((a, b) => a.no - b.no)
  return inOrder(sorted.flatMap(({ no, from_day }, at) => {
    // What is published twice on one day holds as it was published last.
    const until = Math.min(Infinity, ...sorted.slice(at + 1).map((turn) => turn.from_day))
    return (versions.get(no) ?? []).filter(({ day }) => day >= from_day && day < until)
  }))
}

/** How far somebody is: what they had to do until today, and what of it they did. */
export function standing(tasks: readonly PlanTask[], today: number, done: ReadonlySet<string>): { due: number; done: number; behind: number } {
  const due = tasks.filter(({ day, required }) => required && day <= today)
  const finished = due.filter(({ key }) => done.has(key)).length
  // What stands on today may still be done today.
  const late = due.filter(({ key, day }) => day < today && !done.has(key)).length
  return { due: due.length, done: finished, behind: late }
}

