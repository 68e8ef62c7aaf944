/** Days of outflow that a forecast looks back on. */
export const LOOK_BACK = 56

/** Days that are looked at in any case: what went out on the first day of a matter says nothing about the next. */
export const LEAST_DAYS = 14

/** Days after which a day counts half as much: what goes out this month says more than what went out last month. */
const HALF_LIFE = 14

/** Of a hundred deliveries ninety-five find the shelf not empty yet: deviations that lie above the mean (normal distribution). */
const SERVICE = 1.645

/** Days for which an order should last beside the time until it comes. */
const COVER = 30

/** Furthest day that a forecast names; what lasts longer does not run out in any sense that somebody plans with. */
const FURTHEST = 730

/** What is known of a matter. */
export interface Flow {
  /** Pieces that went out, day by day, the oldest first, as far back as the matter is known; between `LEAST_DAYS` and `LOOK_BACK` of them. */
  readonly out: readonly number[]
  readonly stock: number
  readonly transit: number
  /** Days between an order and its delivery. */
  readonly lead: number
  /** Least that somebody wants to have in any case. */
  readonly floor: number
}

/** What follows. */
export interface Forecast {
  /** Pieces a day. */
  readonly daily: number
  /** Stock at which more is to be ordered. */
  readonly reorderAt: number
  /** Whole days until nothing is left; null where nothing goes out, or not within two years. */
  readonly lasts: number | null
  /** How many to order now; 0 while it is not time yet. */
  readonly suggest: number
}

const round = (value: number) => Math.round(value * 100) / 100

/**
 * Judges when a matter runs out: the mean of the last weeks, younger days weighing more, and the scatter of days around it.
 * It is ordered again while what is left still lasts until the delivery, with a reserve for days above the mean.
 */
export function forecast({ out, stock, transit, lead, floor }: Flow): Forecast {
  const weights = out.map((_, day) => 0.5 ** ((out.length - 1 - day) / HALF_LIFE))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = total === 0 ? 0 : out.reduce((sum, qty, day) => sum + qty * (weights[day] ?? 0), 0) / total
  const scatter = total === 0 ? 0 : out.reduce((sum, qty, day) => sum + (qty - mean) ** 2 * (weights[day] ?? 0), 0) / total
  const daily = Math.max(0, mean)
  const reorderAt = Math.max(floor, Math.ceil(daily * lead + SERVICE * Math.sqrt(scatter * lead)))
  const days = daily === 0 ? Infinity : Math.floor(stock / daily)
  const due = stock + transit <= reorderAt && reorderAt > 0
  return { daily: round(daily), reorderAt, lasts: days > FURTHEST ? null : days, suggest: due ? Math.max(1, reorderAt + Math.ceil(daily * COVER) - stock - transit) : 0 }
}
