import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { DailyFigure } from '../../core/kernel/figure.server.ts'
import { COMPARE, type Firing, type HourSeries } from './firing.ts'
import type { Hours } from './stretch.ts'

const DAY = 86_400
const HOUR = 3600

/** Which rows of the daily counts a rule looks at. */
export interface Watched { readonly figure: string; readonly line?: string | null | undefined; readonly group_by?: string | null | undefined }

/** Days of a figure as hours, for all, or for each value of what the rule tells apart. */
export async function hourSeries(db: Queryable, { figure, line, group_by }: Watched, from: number, until: number, only?: string): Promise<Map<string, HourSeries>> {
  const start = startOfDay(from)
  const length = Math.round((until - start) / HOUR)
  const one = only === undefined ? sql`` : sql` and key = ${only}`
  const rows = await db.query<{ key: string; day: number; hours: Hours | null }>(sql`select key, day::float8 as day, hours from stat_daily
    where figure = ${figure} and grain = 1 and line = ${group_by === 'line' ? '' : line ?? ''} and dim = ${group_by ?? ''} and day >= ${start} and day < ${until}${one}`)
  const found = new Map<string, number[]>()
  // A figure that is told apart by nothing has its row of hours even when nothing happened.
  if (!group_by) found.set('', Array.from({ length }, () => 0))
  for (const { key, day, hours } of rows) {
    const values = found.get(key) ?? Array.from({ length }, () => 0)
    found.set(key, values)
    const at = Math.round((day - start) / DAY) * 24
    for (const [hour, value] of Object.entries(hours ?? {})) if (at + Number(hour) < length) values[at + Number(hour)] = value
  }
  return new Map([...found].map(([key, values]) => [key, { from: start, values }]))
}

interface RuleNumbers { compare: number; limit_value: number; recover_value: number; window_hours: number; for_n: number; min_base?: number | null | undefined }

/** What of a rule decides, in the units of the counts: people give yuan, and fen are counted. */
export function firingOf(rule: RuleNumbers, figure: Pick<DailyFigure, 'as'>): Firing {
  const unit = figure.as === 'money' ? 100 : 1
  const absolute = rule.compare === COMPARE.below || rule.compare === COMPARE.above ? unit : 1
  return { compare: rule.compare, limit_value: rule.limit_value * absolute, recover_value: rule.recover_value * absolute, window_hours: rule.window_hours, for_n: rule.for_n, min_base: (rule.min_base ?? 0) * unit }
}
