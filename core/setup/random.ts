import { startOfDay } from '../field/time.ts'

/** Chance that repeats itself: the same seed gives the same demo data on every run. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  /** True in `share` of the cases, 0 to 1. */
  chance(share: number): boolean
  pick<Item>(list: readonly Item[]): Item
  /** One of the keys, each as often as its weight says. */
  weighted<const Item>(weights: readonly (readonly [Item, number])[]): Item
}

/** Starts a sequence (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const at = <Item>(list: readonly Item[], index: number): Item => {
    if (index < 0 || index >= list.length) throw new Error('nothing to pick from')
    return list[index] as Item
  }
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: (list) => at(list, int(0, list.length - 1)),
    weighted(weights) {
      let rest = next() * weights.reduce((sum, [, weight]) => sum + weight, 0)
      const found = weights.findIndex(([, weight]) => (rest -= weight) < 0)
      return at(weights, found < 0 ? weights.length - 1 : found)[0]
    },
  }
}

/** How busy each month of the school year is, January first: terms begin in February and September, holidays in July. */
const SEASON = [0.9, 2.2, 1, 0.7, 0.6, 1.1, 2.4, 1.5, 3, 0.9, 0.7, 0.6]
const BUSIEST = Math.max(...SEASON)
/** Share of the day's business in each hour from 8 to 21 o'clock. */
const HOURS = [2, 5, 7, 7, 3, 4, 6, 7, 7, 6, 5, 6, 5, 3].map((weight, hour) => [hour + 8, weight] as const)

/**
 * A moment between two others, as business has them: by day, and more often when terms and holidays begin.
 * @param from unix seconds
 * @param to unix seconds, not before `from`
 */
export function seasonalMoment(random: Random, from: number, to: number): number {
  for (let tries = 0; tries < 50; tries++) {
    const day = startOfDay(from + random.next() * (to - from))
    const month = new Date((day + 12 * 3600) * 1000).getUTCMonth()
    const moment = day + random.weighted(HOURS) * 3600 + random.int(0, 3599)
    if (random.chance((SEASON[month] ?? 1) / BUSIEST) && moment >= from && moment <= to) return moment
  }
  // The span is too short to hold a business hour.
  return from + Math.floor(random.next() * (to - from))
}
