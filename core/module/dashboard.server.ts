import { sql } from 'drizzle-orm'
import { handle, type Served } from '../endpoint/serve.server.ts'
import type { Resource } from '../resource/define.ts'
import { startOfDay } from '../field/time.ts'
import { listCondition } from '../resource/where.server.ts'
import { dashboard, TREND_DAYS, trends } from './dashboard.ts'
import { waitingSums, type WaitingContext, type WaitingKind } from '../inbox/waiting.server.ts'
import type { Trend } from './serve.server.ts'

const DAY = 86_400

/** The call for the numbers of the home page. */
export function dashboardCall(kinds: readonly WaitingKind[], all: readonly Trend[], { registry }: Pick<WaitingContext, 'registry'>): Served {
  return handle(dashboard, async ({ db, staff }) => ({
    has_trends: all.some(({ grant }) => staff.modules.has(grant)),
    waiting: await waitingSums(kinds, { db, staff, registry, now: Math.floor(Date.now() / 1000) }),
  }))
}

/**
 * A trend of what a list shows: records a day, or the sum of one of their fields.
 * @param trend.at field with the moment that counts
 * @param trend.sum field that is added up; without it records are counted
 */
export function listTrend(resource: Resource, { at, sum, ...trend }: Pick<Trend, 'name' | 'title' | 'as' | 'path'> & { at: string; sum?: string }): Trend {
  const moment = sql.identifier(at)
  const value = sum === undefined ? sql`count(*)` : sql`coalesce(sum(${sql.identifier(sum)}), 0)`
  return {
    ...trend,
    grant: resource.grant,
    async read(db, staff, from, to) {
      const rows = await db.query<{ day: number; value: number }>(sql`select floor((extract(epoch from ${moment}) - ${from}) / ${DAY})::int as day, ${value}::float8 as value
        from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, {})} and ${moment} >= to_timestamp(${from}) and ${moment} < to_timestamp(${to}) group by 1`)
      return new Map(rows.map((row) => [row.day, row.value]))
    },
  }
}

/** The call for the trends of the home page. */
export function trendsCall(all: readonly Trend[]): Served {
  return handle(trends, async ({ db, staff }) => {
    const today = startOfDay(Math.floor(Date.now() / 1000))
    const first = today - (TREND_DAYS - 1) * DAY
    const held = all.filter(({ grant }) => staff.modules.has(grant))
    return {
      days: Array.from({ length: TREND_DAYS }, (_, day) => first + day * DAY),
      trends: await Promise.all(held.map(async ({ name, title, as, path, read }) => {
        const byDay = await read(db, staff, first - TREND_DAYS * DAY, today + DAY)
        const [before, values] = [0, TREND_DAYS].map((from) => Array.from({ length: TREND_DAYS }, (_, day) => byDay.get(from + day) ?? 0)) as [number[], number[]]
        return { name, title, as, to: path, values, before }
      })),
    }
  })
}
