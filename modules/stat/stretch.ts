import { startOfDay } from '../../core/field/time.ts'

const DAY = 86_400
const HOUR = 3600
const SHANGHAI = 8 * HOUR

/** Days of China's clock that are looked at together, and as many before them. Moments are in unix seconds; ends do not belong. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly before: { readonly from: number; readonly to: number }
  /** Number of days, the last of which may not be over. */
  readonly days: number
}

export const RANGES = { today: '今天', week: '近 7 天', month: '近 30 天', term: '本学期', custom: '自选' } as const
export type RangeName = keyof typeof RANGES

/** Days that a person may look at together. */
export const MOST_DAYS = 200

/** First day of the term that a moment belongs to: terms begin in February and in September. */
export function termStart(at: number): number {
  const day = new Date((at + SHANGHAI) * 1000)
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + 1]
  const [of, first] = month >= 9 ? [year, 9] : month >= 2 ? [year, 2] : [year - 1, 9]
  return Date.UTC(of, first - 1, 1) / 1000 - SHANGHAI
}

/** The hour that began last. */
export const startOfHour = (at: number): number => Math.floor(at / HOUR) * HOUR

/**
 * The stretch of a name, until a moment, beside one before it that is exactly as long and ends at the same hour.
 * @param until last moment that is counted
 * @param custom first and last day of a stretch of one's own
 */
export function stretchOf(range: RangeName, until: number, custom?: { from: number; to: number }): Stretch {
  const today = startOfDay(until)
  const lengths = { today: 1, week: 7, month: 30, term: Math.round((today - termStart(until)) / DAY) + 1 }
  if (range !== 'custom' || !custom) {
    const days = range === 'custom' ? lengths.month : Math.min(MOST_DAYS, lengths[range])
    return around(today - (days - 1) * DAY, until, days)
  }
  const from = startOfDay(Math.min(custom.from, custom.to))
  const to = Math.max(from, Math.min(startOfDay(Math.max(custom.from, custom.to)) + DAY, until))
  return around(from, to, Math.max(1, Math.ceil((to - from) / DAY)))
}

const around = (from: number, to: number, days: number): Stretch => ({ from, to, days, before: { from: from - days * DAY, to: to - days * DAY } })

/** The days of a stretch. */
export const daysOf = ({ from, days }: Pick<Stretch, 'from' | 'days'>): number[] => Array.from({ length: days }, (_, day) => from + day * DAY)

/** Values by the hours of a day. */
export type Hours = Readonly<Record<string, number>>

/** What of a day had happened before an hour. */
export const untilHour = (hours: Hours | null, hour: number): number => Object.entries(hours ?? {}).reduce((sum, [at, value]) => sum + (Number(at) < hour ? value : 0), 0)

/** Hours of its last day that a stretch holds; 24 where that day is over. */
export function hoursOfLast({ to }: Pick<Stretch, 'to'>): number {
  const hours = (to - startOfDay(to)) / HOUR
  return hours === 0 ? 24 : hours
}

/** How a value stands to one before, in percent; undefined where there was none. */
export const changeOf = (now: number, before: number): number | undefined => (before === 0 ? undefined : ((now - before) / Math.abs(before)) * 100)
