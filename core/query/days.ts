import { startOfDay, readTime } from '../field/time.ts'

const DAY = 86_400
/** The longest stretch that is asked for, in days: ten years. */
const LONGEST = 3650

/** Stretches of days that are offered, in their words; `past_` and `next_` take any number of days. */
export const DAYS: Readonly<Record<string, string>> = {
  today: '今天', yesterday: '昨天', this_week: '本周', last_week: '上周', this_month: '本月', last_month: '上月',
  past_7: '近 7 天', past_30: '近 30 天', past_90: '近 90 天', next_7: '7 天内', next_30: '30 天内', next_90: '90 天内', before_today: '今天以前',
}

/** A stretch of time, in unix seconds, both ends within it; an end that is absent is open. */
export interface Stretch {
  readonly from?: number
  readonly to?: number
}

const count = (word: string): readonly [way: string, days: number] | undefined => {
  const [, way = '', digits = ''] = /^(past|next)_(\d{1,4})$/.exec(word) ?? []
  const days = Number(digits)
  return days >= 1 && days <= LONGEST ? [way, days] : undefined
}

/** First second of a month in Shanghai. @param by months after that of `now` */
function startOfMonth(now: number, by: number): number {
  const shanghai = new Date((now + 8 * 3600) * 1000)
  const month = new Date(Date.UTC(shanghai.getUTCFullYear(), shanghai.getUTCMonth() + by, 1))
  return Number(readTime(month.toISOString().slice(0, 10)))
}

const whole = (from: number, days: number): Stretch => ({ from, to: from + days * DAY - 1 })
const month = (now: number, by: number): Stretch => ({ from: startOfMonth(now, by), to: startOfMonth(now, by + 1) - 1 })
/** Monday of the week; 1970-01-01 was a Thursday. */
const monday = (now: number) => startOfDay(now) - ((Math.floor((startOfDay(now) + 8 * 3600) / DAY) + 3) % 7) * DAY

const NAMED: Readonly<Record<string, (now: number) => Stretch>> = {
  today: (now) => whole(startOfDay(now), 1),
  yesterday: (now) => whole(startOfDay(now) - DAY, 1),
  this_week: (now) => whole(monday(now), 7),
  last_week: (now) => whole(monday(now) - 7 * DAY, 7),
  this_month: (now) => month(now, 0),
  last_month: (now) => month(now, -1),
  before_today: (now) => ({ to: startOfDay(now) - 1 }),
}

/**
 * The time that a word means, by Shanghai's days: `today`, `this_week` (from Monday), `past_30` (today and the 29 days before),
 * `next_30` (today and the 30 days after).
 * @param now unix seconds
 * @returns undefined when it is no such word
 */
export function stretchOf(word: string, now: number): Stretch | undefined {
  const counted = count(word)
  if (!counted) return Object.hasOwn(NAMED, word) ? NAMED[word]?.(now) : undefined
  const [way, days] = counted
  const today = startOfDay(now)
  return way === 'past' ? { from: today - (days - 1) * DAY, to: today + DAY - 1 } : { from: today, to: today + (days + 1) * DAY - 1 }
}

/** A stretch of days as one says it: 近 30 天; undefined when it is no such word. */
export function stretchWords(word: string): string | undefined {
  const [way, days] = count(word) ?? []
  if (days !== undefined) return way === 'past' ? `近 ${days} 天` : `${days} 天内`
  return Object.hasOwn(DAYS, word) ? DAYS[word] : undefined
}
