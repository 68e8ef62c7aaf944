/** When a rule fires and when it is over, worked out from values by the hour: the same for what happens now and for a trial of the past. */

const HOUR = 3600
const WEEK_HOURS = 7 * 24
/** The same weekday of so many weeks is what a value is compared with. */
export const WEEKS = 4
/** Good readings in a row after which an alert is over. */
export const GOOD_READINGS = 3
/** An alert that comes back within so many seconds goes on. */
export const AGAIN_WITHIN = 3600

/** How a reading is held against a limit. */
export const COMPARE = { below: 1, above: 2, dropped: 3, risen: 4 } as const

/** What of a rule decides. */
export interface Firing {
  readonly compare: number
  /** A value, or percent of the median of the same weekday; beyond it a reading is bad. */
  readonly limit_value: number
  /** From here on it is good again: not the same, so that an alert does not come and go. */
  readonly recover_value: number
  /** Hours that a reading adds up. */
  readonly window_hours: number
  /** Bad readings in a row before it fires. */
  readonly for_n: number
  /** Smaller medians say nothing. */
  readonly min_base: number
}

/** Values by the hour: the first begins at `from`, in unix seconds. */
export interface HourSeries { readonly from: number; readonly values: readonly number[] }

export interface Reading { readonly value: number; readonly expected: number | null; readonly is: 'bad' | 'good' | 'between' | 'unknown' }

/** Hours of values that a reading needs before it. */
export const lookBack = ({ window_hours, for_n }: Pick<Firing, 'window_hours' | 'for_n'>): number => WEEKS * WEEK_HOURS + window_hours + Math.max(for_n, GOOD_READINGS)

/** Median of some values; undefined of none. */
export function median(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** What the hours before a moment came to. */
export function windowSum({ from, values }: HourSeries, at: number, hours: number): number {
  const end = Math.round((at - from) / HOUR)
  let sum = 0
  for (let place = Math.max(0, end - hours); place < end && place < values.length; place++) sum += values[place] ?? 0
  return sum
}

/** Median of the same hours of the four weeks before; undefined where they are not known. */
export function expectedAt(series: HourSeries, at: number, hours: number): number | undefined {
  const weeks = Array.from({ length: WEEKS }, (_, week) => at - (week + 1) * WEEK_HOURS * HOUR).filter((end) => end - hours * HOUR >= series.from)
  return median(weeks.map((end) => windowSum(series, end, hours)))
}

/** The reading at the end of an hour. */
export function readingAt(series: HourSeries, rule: Firing, at: number): Reading {
  const value = windowSum(series, at, rule.window_hours)
  const expected = expectedAt(series, at, rule.window_hours) ?? null
  const { limit_value: limit, recover_value: recover } = rule
  if (rule.compare === COMPARE.below) return { value, expected, is: value < limit ? 'bad' : value >= recover ? 'good' : 'between' }
  if (rule.compare === COMPARE.above) return { value, expected, is: value > limit ? 'bad' : value <= recover ? 'good' : 'between' }
  if (expected === null || expected < Math.max(1, rule.min_base)) return { value, expected, is: 'unknown' }
  const percent = rule.compare === COMPARE.dropped ? ((expected - value) / expected) * 100 : ((value - expected) / expected) * 100
  return { value, expected, is: percent > limit ? 'bad' : percent <= recover ? 'good' : 'between' }
}

export interface Move { readonly kind: 'fire' | 'still' | 'recover'; /** End of the hour. */ readonly at: number; /** End of the first bad hour of the row. */ readonly began: number; readonly value: number; readonly expected: number | null }

/**
 * Goes through the hours that end after `after` and no later than `until`.
 * @param open whether an alert is open when it begins
 * @returns what happens, in order
 */
export function walk(series: HourSeries, rule: Firing, after: number, until: number, open: boolean): Move[] {
  const moves: Move[] = []
  const known = new Map<number, Reading>()
  const read = (at: number) => {
    const had = known.get(at)
    if (had) return had
    const made = readingAt(series, rule, at)
    known.set(at, made)
    return made
  }
  let isOpen = open
  for (let at = (Math.floor(after / HOUR) + 1) * HOUR; at <= until; at += HOUR) {
    const { value, expected, is } = read(at)
    if (isOpen) {
      const over = Array.from({ length: GOOD_READINGS }, (_, back) => read(at - back * HOUR).is).every((one) => one === 'good')
      if (over) moves.push({ kind: 'recover', at, began: at, value, expected })
      else if (is === 'bad') moves.push({ kind: 'still', at, began: at, value, expected })
      isOpen = !over
      continue
    }
    const row = Array.from({ length: rule.for_n }, (_, back) => read(at - back * HOUR).is)
    if (row.every((one) => one === 'bad')) {
      moves.push({ kind: 'fire', at, began: at - (rule.for_n - 1) * HOUR, value, expected })
      isOpen = true
    }
  }
  return moves
}

/** A time in which a rule would have held an alert open. */
export interface Episode { began: number; ended: number | null; worst: number; expected: number | null }

/** The alerts that a rule would have made. An alert that comes back at once goes on. */
export function episodes(series: HourSeries, rule: Firing, after: number, until: number): Episode[] {
  const found: Episode[] = []
  const worse = rule.compare === COMPARE.below || rule.compare === COMPARE.dropped ? (a: number, b: number) => a < b : (a: number, b: number) => a > b
  for (const move of walk(series, rule, after, until, false)) {
    const last = found.at(-1)
    if (move.kind === 'fire') {
      if (last && last.ended !== null && move.at - last.ended <= AGAIN_WITHIN) last.ended = null
      else found.push({ began: move.began, ended: null, worst: move.value, expected: move.expected })
    } else if (last && move.kind === 'recover') last.ended = move.at
    else if (last && worse(move.value, last.worst)) Object.assign(last, { worst: move.value, expected: move.expected })
  }
  return found
}

/** Whether notices rest at an hour of China's clock; the night may lie between two days. */
export function isQuiet(hour: number, from: number | null | undefined, to: number | null | undefined): boolean {
  if (from === null || from === undefined || to === null || to === undefined || from === to) return false
  return from < to ? hour >= from && hour < to : hour >= from || hour < to
}
