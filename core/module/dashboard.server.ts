import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/database.server.ts'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { startOfDay } from '../field/time.ts'
import type { Staff } from '../grant/staff.server.ts'
import { waitingSums, type WaitingContext, type WaitingKind } from '../inbox/waiting.server.ts'
import { addressOf, rangeQuery, type DailyFigure } from '../kernel/figure.server.ts'
import type { Resource } from '../resource/define.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import { cardKey, dashboard, MOST_CARDS, readCardKey, trendOffers, trends, USUAL_DAYS, type CardDays, type TrendCard } from './dashboard.ts'
import type { ServerModule } from './serve.server.ts'

const HOUR = 3600
const DAY = 86_400
/** Cards that somebody begins with, and how many of them may be of one figure, so that the first page says several things. */
const FIRST_CARDS = 6
const FIRST_OF_FIGURE = 2

/** How something went, on the home page: records of a list by one of their moments, or what they add up to. */
export interface Trend {
  readonly name: string
  readonly title: string
  readonly as: TrendCard['as']
  /** List behind it: whoever may look at it sees the trend, within their scope. */
  readonly resource: Resource
  readonly list: string
  readonly path: string
  /** Field with the moment that counts; the list has it among its filters. */
  readonly at: string
  /** What a record adds; 1 by default. SQL speaks of the record as `t`. */
  readonly value?: SQL
  /** What else the list is narrowed by. */
  readonly query?: Query
  /** The less, the better. */
  readonly less?: true
  /** What it is one of several of, such as what was paid, of which there is one for each line. */
  readonly figure?: string
}

/** A trend of what a list shows. */
export const listTrend = (resource: Resource, trend: Pick<Trend, 'name' | 'title' | 'as' | 'path' | 'at' | 'query' | 'less'>): Trend => ({ ...trend, resource, list: resource.label })

/** What is counted by days for the data center is offered on home too, list by list. People who count once lead to no list of as many records. */
function trendsOf({ name, title, as, at, value, less, person, step, behind, lists }: DailyFigure): Trend[] {
  if (person || step !== undefined || behind) return []
  return lists().map(({ line, title: list, resource, path }) => ({
    name: line === '' ? name : `${name}.${line}`, title: line === '' ? title : `${title} · ${list}`, as, resource, list, path, at, figure: name, ...(value && { value }), ...(less && { less }),
  }))
}

/** Every trend that there is, those of the figures first. */
export const allTrends = (modules: readonly ServerModule[]): Trend[] => modules.flatMap((module) => [...(module.figures ?? []).flatMap(trendsOf), ...module.trends ?? []])

/** The call for the numbers of the home page. */
export function dashboardCall(kinds: readonly WaitingKind[], all: readonly Trend[], { registry }: Pick<WaitingContext, 'registry'>): Served {
  return handle(dashboard, async ({ db, staff }) => ({
    has_trends: all.some((trend) => sees(staff, trend)),
    waiting: await waitingSums(kinds, { db, staff, registry, now: Math.floor(Date.now() / 1000) }),
  }))
}

const sees = (staff: Staff, { resource }: Trend) => staff.modules.has(resource.grant)

/**
 * Counts by exactly the condition of the list, so that the list which the card leads to has as many.
 * @param now end of the stretch, which does not belong to it
 */
async function readCard(db: Database, staff: Staff, { name, title, as, less, resource, list, path, at, value = sql`1`, query = {} }: Trend, days: CardDays, now: number): Promise<TrendCard> {
  const from = startOfDay(now) - (days - 1) * DAY
  const [span, step] = [days * DAY, days === 1 ? HOUR : DAY]
  const [places, moment] = [span / step, sql`t.${sql.identifier(at)}`]
  const rows = await db.query<{ place: number; value: number }>(sql`select floor((extract(epoch from ${moment}) - ${from - span}) / ${step})::int as place, sum(${value})::float8 as value
    from (select * from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, query)}) t
    where ${moment} >= to_timestamp(${from - span}) and ${moment} < to_timestamp(${now}) and not (${moment} >= to_timestamp(${now - span}) and ${moment} < to_timestamp(${from})) group by 1`)
  const byPlace = new Map(rows.map((row) => [row.place, row.value]))
  const [before_values, values] = [0, places].map((first) => Array.from({ length: places }, (_, place) => byPlace.get(first + place) ?? 0)) as [number[], number[]]
  const sum = (all: readonly number[]) => all.reduce((whole, one) => whole + one, 0)
  return { name, title, list, as, ...(less && { less }), days, to: addressOf(path, { ...query, ...rangeQuery(at, { from, to: now }) }), value: sum(values), before: sum(before_values), values, before_values }
}

/** Cards of a person who has chosen none: the first trends of their lists in which something happened. */
async function firstCards(db: Database, staff: Staff, all: readonly Trend[], now: number): Promise<TrendCard[]> {
  const cards: TrendCard[] = []
  const taken = new Map<string, number>()
  for (const trend of all) {
    const figure = trend.figure ?? trend.name
    if (cards.length === FIRST_CARDS) break
    if ((taken.get(figure) ?? 0) === FIRST_OF_FIGURE) continue
    const card = await readCard(db, staff, trend, USUAL_DAYS, now)
    if (card.value === 0 && card.before === 0) continue
    cards.push(card)
    taken.set(figure, (taken.get(figure) ?? 0) + 1)
  }
  return cards
}

/** The calls for the cards of the home page. */
export function trendCalls(all: readonly Trend[]): Served[] {
  const byName = new Map(all.map((trend) => [trend.name, trend]))
  return [
    handle(trendOffers, ({ staff }) => {
      const items = all.filter((trend) => sees(staff, trend)).map(({ name, title, list }) => ({ name, title, list }))
      return Promise.resolve({ items, total: items.length })
    }),
    handle(trends, async ({ db, staff, input }) => {
      // A card ends with the last second that is over, so that what happens from now on is in neither the card nor its list.
      const now = Math.floor(Date.now() / 1000)
      if (input.card === undefined) return { trends: await firstCards(db, staff, all.filter((trend) => sees(staff, trend)), now) }
      // What is no longer offered, or not to this person any more, is left out.
      const chosen = new Map([input.card].flat().slice(0, MOST_CARDS).flatMap((key) => {
        const card = readCardKey(key)
        const trend = card && byName.get(card.name)
        return card && trend && sees(staff, trend) ? [[cardKey(card), { trend, days: card.days }] as const] : []
      }))
      return { trends: await Promise.all([...chosen.values()].map(({ trend, days }) => readCard(db, staff, trend, days, now))) }
    }),
  ]
}
