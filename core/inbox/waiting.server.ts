import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { notFound } from '../error/error.ts'
import { valueLabel } from '../field/choice.ts'
import { displayKey } from '../field/reference.ts'
import { startOfDay } from '../field/time.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Registry } from '../resource/uses.server.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { COUNT_CAP, NOTHING_COMPUTED, readPage } from '../resource/list.server.ts'
import { showRow } from '../resource/regions.server.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import { byUrgency, inInbox, MOST_ITEMS, waitingItems, type WaitingGroup, type WaitingItem, type WaitingSum } from './waiting.ts'

const DAY = 86_400

/** Whose work is asked for, and when; `now` is in unix seconds. */
export interface WaitingContext {
  readonly db: Queryable
  readonly staff: Staff
  readonly registry: Registry
  readonly now: number
}

/** How much waits: see WaitingSum. */
export type WaitingCount = Pick<WaitingSum, 'count' | 'late' | 'today'>

/** Something that waits for people, as a module hands it over. */
export interface WaitingKind {
  readonly name: string
  readonly title: string
  readonly group: WaitingGroup
  readonly verb: string
  /** Ids of which a person holds one, or nothing of it is asked for; none where it is everybody's. */
  readonly grants?: readonly number[]
  to(context: WaitingContext): string
  count(context: WaitingContext): Promise<WaitingCount>
  /** The first ones, what is due first, first. */
  items(context: WaitingContext, limit: number): Promise<Omit<WaitingItem, 'kind'>[]>
}

/** Until when something is to be done: so many whole days after it came, or the moment in one of its columns. */
export type Due = { readonly days: number } | { readonly at: string }

/** End of the day that comes so many days after a moment. */
export const endAfter = (since: number, days: number) => startOfDay(since) + (days + 1) * DAY

/**
 * Counts moments by urgency.
 * @param moment when it came where `days` are given, else until when it is to be done; a column or expression of `from`
 */
export function urgencyOf(moment: SQL, from: SQL, now: number, days?: number): SQL {
  const today = startOfDay(now)
  // Due at the end of a day: what came before the day that now counts as the limit is late.
  const late = days === undefined ? now : today - days * DAY
  const next = days === undefined ? today + DAY : late + DAY
  return sql`select count(*)::int as count, count(*) filter (where at < to_timestamp(${late}))::int as late, count(*) filter (where at >= to_timestamp(${late}) and at < to_timestamp(${next}))::int as today
    from (select ${moment} as at from ${from} limit ${sql.raw(String(COUNT_CAP))}) x`
}

/** What a value of a record is called. */
function wordOf({ fields }: Resource, row: WireRow, key: string): string | undefined {
  const value = row[displayKey(key)] ?? row[key]
  if (value === null || value === undefined || value === '') return undefined
  return valueLabel(fields[key], value)
}

interface ListWaiting extends Pick<WaitingKind, 'name' | 'title' | 'group' | 'verb'> {
  /** Screen of the list. */
  readonly path: string
  /** The list's filters, as they stand in its address. */
  readonly query: (context: Pick<WaitingContext, 'now' | 'staff'>) => Query
  /** Id of the right that it takes to do something about it; that of the screen by default. */
  readonly grant?: number
  readonly due: Due
  /** Since when it waits, as an expression of the table's columns; since it was made by default. */
  readonly since?: SQL
  /** Field that says what it is about, the first that is filled; what names the record by default. */
  readonly heads?: readonly string[]
  /** Fields that tell it from others. */
  readonly notes?: readonly string[]
  /** Field with the money that it is about, in fen. */
  readonly amount?: string
  /** Actions that agree and refuse. */
  readonly pass?: string
  readonly refuse?: string
}

const address = (path: string, query: Query) => `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(Object.entries(query).flatMap(([key, value]) => [value ?? []].flat().map((one) => [key, one]))).toString()}`

/** What waits because a list shows it: the number and the list agree, because one condition makes both. */
export function listWaiting(resource: Resource, { name, title, group, verb, path, query, grant = resource.grant, due, since = sql`created_at`, heads = [resource.title], notes = [], amount, pass, refuse }: ListWaiting): WaitingKind {
  const table = sql.identifier(resource.table)
  const moment = 'at' in due ? sql.identifier(due.at) : since
  const where = ({ staff, now }: WaitingContext) => listCondition(resource, staff, query({ staff, now }))
  return {
    name, title, group, verb,
    grants: [grant],
    to: (context) => address(path, query(context)),
    async count(context) {
      const from = sql`${table} where ${where(context)}`
      const [row] = await context.db.query<WaitingCount>(urgencyOf(sql`${moment}`, from, context.now, 'days' in due ? due.days : undefined))
      return row ?? { count: 0, late: 0, today: 0 }
    },
    async items(context, limit) {
      const { db, staff, registry } = context
      const found = await db.query<{ id: number; at: number; since: number }>(sql`select id, extract(epoch from ${moment})::float8 as at, extract(epoch from ${since})::float8 as since
        from ${table} where ${where(context)} order by ${moment}, id limit ${limit}`)
      if (found.length === 0) return []
      const { rows } = await readPage(db, resource, staff, { ids: found.map(({ id }) => String(id)), page_size: String(limit) }, registry.get(resource.name)?.rules.computed ?? NOTHING_COMPUTED)
      const shown = new Map(rows.map((row) => [row.id, showRow(resource, staff, row)]))
      return found.flatMap(({ id, at, since: came }) => {
        const row = shown.get(id)
        if (!row) return []
        const words = (keys: readonly string[]) => keys.flatMap((key) => wordOf(resource, row, key) ?? [])
        return [{
          id, title: words(heads)[0] ?? String(id), note: words(notes).join(' · ') || null, amount: amount === undefined ? null : Number(row[amount] ?? 0),
          since: Math.floor(came), due: 'days' in due ? endAfter(came, due.days) : Math.floor(at), to: address(path, { open: String(id) }), resource: resource.name, record: id, done: null, pass: pass ?? null, refuse: refuse ?? null,
        }]
      })
    },
  }
}

/** Kinds of which this person may do something. */
const heldKinds = (kinds: readonly WaitingKind[], { modules }: Staff) => kinds.filter(({ grants }) => grants === undefined || grants.some((id) => modules.has(id)))

const named = (kind: WaitingKind, items: readonly Omit<WaitingItem, 'kind'>[]): WaitingItem[] => items.map((item) => ({ ...item, kind: kind.name }))

/** How much of each kind waits for this person, what has to be done first, first; nothing of which there is none. */
export async function waitingSums(kinds: readonly WaitingKind[], context: WaitingContext): Promise<WaitingSum[]> {
  const sums = await Promise.all(heldKinds(kinds, context.staff).map(async (kind): Promise<WaitingSum[]> => {
    const counted = await kind.count(context)
    if (counted.count === 0) return []
    const [first = null] = named(kind, await kind.items(context, 1))
    return [{ name: kind.name, title: kind.title, group: kind.group, verb: kind.verb, to: kind.to(context), ...counted, first }]
  }))
  return sums.flat().sort((a, b) => (a.first && b.first ? byUrgency(a.first, b.first) : 0))
}

/** The call for what waits, one by one. */
export function waitingCalls(kinds: readonly WaitingKind[], { registry }: Pick<WaitingContext, 'registry'>): Served[] {
  return [
    handle(waitingItems, async ({ db, staff, input: { group, kind } }) => {
      const context: WaitingContext = { db, staff, registry, now: Math.floor(Date.now() / 1000) }
      const held = heldKinds(kinds, staff).filter((one) => (kind === undefined ? inInbox(one) && (group === undefined || one.group === group) : one.name === kind))
      if (kind !== undefined && held.length === 0) throw notFound('待办类别')
      const items = await Promise.all(held.map(async (one) => named(one, await one.items(context, MOST_ITEMS))))
      return { items: items.flat().sort(byUrgency).slice(0, MOST_ITEMS) }
    }),
  ]
}
