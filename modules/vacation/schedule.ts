import { formatDate, formatTime, readTime, startOfDay } from '../../core/field/time.ts'

const DAY = 86_400

/** Public holidays by the notices of the State Council on 2025 and 2026, first and last day; those of later years are added when they are announced. */
export const HOLIDAYS: readonly { readonly name: string; readonly from: string; readonly to: string }[] = [
  { name: '元旦', from: '2025-01-01', to: '2025-01-01' }, { name: '春节', from: '2025-01-28', to: '2025-02-04' }, { name: '清明节', from: '2025-04-04', to: '2025-04-06' }, { name: '劳动节', from: '2025-05-01', to: '2025-05-05' },
  { name: '端午节', from: '2025-05-31', to: '2025-06-02' }, { name: '国庆节、中秋节', from: '2025-10-01', to: '2025-10-08' },
  { name: '元旦', from: '2026-01-01', to: '2026-01-03' }, { name: '春节', from: '2026-02-15', to: '2026-02-23' }, { name: '清明节', from: '2026-04-04', to: '2026-04-06' }, { name: '劳动节', from: '2026-05-01', to: '2026-05-05' },
  { name: '端午节', from: '2026-06-19', to: '2026-06-21' }, { name: '中秋节', from: '2026-09-25', to: '2026-09-27' }, { name: '国庆节', from: '2026-10-01', to: '2026-10-07' },
]

/** When a class meets in a week: 1 is Monday, 7 is Sunday; hours as `08:30-10:30`. */
export interface WeekTime {
  readonly weekday: number
  readonly hours: string
}

/** A stretch of time, in unix seconds. */
export interface Span {
  readonly start_at: number
  readonly end_at: number
}

/** Day of the week in Shanghai: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (seconds: number): number => ((Math.floor((seconds + 8 * 3600) / DAY) + 3) % 7) + 1

/** Seconds after midnight of `08:30`. */
function clock(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return hour * 3600 + minute * 60
}

/** Days of holidays that fall into a stretch of time, as `2026-10-01`. */
export function holidaysWithin(from: number, to: number): { name: string; days: string[] }[] {
  return HOLIDAYS.flatMap((holiday) => {
    const days: string[] = []
    for (let day = Number(readTime(holiday.from)); day <= Number(readTime(holiday.to)); day += DAY) if (day >= startOfDay(from) && day <= to) days.push(formatDate(day))
    return days.length > 0 ? [{ name: holiday.name, days }] : []
  })
}

/**
 * The meetings of a class: from its first day on, at its times, but not on days that are left out.
 * @param skip days as `2026-10-01`
 * @returns as many as wanted, in their order; fewer when no day is left within two years
 */
export function planMeetings({ from, times, count, skip }: { from: number; times: readonly WeekTime[]; count: number; skip: readonly string[] }): Span[] {
  const left = new Set(skip)
  const found: Span[] = []
  for (let day = startOfDay(from); found.length < count && day < from + 730 * DAY; day += DAY) {
    if (left.has(formatDate(day))) continue
    for (const { hours } of times.filter(({ weekday }) => weekday === weekdayOf(day)).toSorted((a, b) => a.hours.localeCompare(b.hours))) {
      const [start = '', end = ''] = hours.split('-')
      if (found.length < count) found.push({ start_at: day + clock(start), end_at: day + clock(end) })
    }
  }
  return found
}

/** A stretch of time on another day, at the same hours. */
export const onDay = ({ start_at, end_at }: Span, day: number): Span => {
  const by = startOfDay(day) - startOfDay(start_at)
  return { start_at: start_at + by, end_at: end_at + by }
}

/** A stretch of time in words: 2026-07-01 周三 08:30–10:30. */
export function spanWords({ start_at, end_at }: Span): string {
  return `${formatDate(start_at)} 周${'一二三四五六日'[weekdayOf(start_at) - 1]} ${formatTime(start_at).slice(11, 16)}–${formatTime(end_at).slice(11, 16)}`
}
