import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import { AppError, badRequest } from '../error/error.ts'
import { isSameJson } from '../field/same-json.ts'
import type { Staff } from '../grant/staff.server.ts'
import { momentOf, rebuild, showPast, type PastOf } from './as-of.server.ts'
import type { Logged } from './as-of.ts'
import type { PastList } from './endpoints.ts'
import { ownOrder, pageOf, type Row } from './list.server.ts'
import { seesNames } from './names.ts'
import type { ResourceService } from './serve.server.ts'
import { fieldOf } from './meta-fields.ts'
import { alternativesOf, ENDINGS, first, keywordText, listCondition, ownConditions, ownQuery, scopeCondition, type Query } from './where.server.ts'

type Values = Record<string, unknown>

/** Records that a list of the past holds at most (operations, section 5). */
const MOST_ROWS = 5000
/** Records that were changed since, which are all looked at: any of them may have belonged to the list then. */
const MOST_CHANGED = 10_000
/** Changes of one record that are read; what was changed more often is told apart as uncertain. */
const MOST_CHANGES = 1000
/** Records that are worked out at a time. */
const PART = 500

interface Stored {
  readonly now: Values
  readonly changes: readonly Logged[]
}

/** A record as it was, with the row as the table would have held it. */
interface PastRow {
  readonly id: number
  readonly raw: Values
  readonly rebuilt: ReturnType<typeof rebuild>
}

/** Keys of the fields that a query asks, those that its words look through among them. */
function askedKeys({ resource }: PastOf, query: Query): string[] {
  const speaksOf = (one: Query) => resource.list.filters.filter((key) => ENDINGS.some((ending) => first(one, `${key}${ending}`) !== undefined))
  const searched = keywordText(query) === undefined ? [] : Object.keys(resource.fields).filter((key) => resource.fields[key]?.search)
  return [...new Set([...[query, ...alternativesOf(query)].flatMap((one) => speaksOf(ownQuery(resource, one))), ...searched])]
}

/**
 * Records that may have belonged to the list then: those that belong to it now, and all that were changed since. Who may see
 * them is asked of today's rows.
 */
async function candidates(db: Queryable, { resource }: PastOf, staff: Staff, query: Query, at: number): Promise<number[]> {
  const table = sql.identifier(resource.table)
  const [changed] = await db.query<{ ids: number[] | null }>(sql`select array_agg(id) as ids from (select distinct entity_id as id from audit_log where entity = ${resource.table} and at > to_timestamp(${at}::float8) limit ${sql.raw(String(MOST_CHANGED + 1))}) x`)
  const ids = changed?.ids ?? []
  const scope = scopeCondition(resource, staff)
  const within = sql.join([sql`true`, ...ownConditions(resource), ...(scope ? [scope] : [])], sql` and `)
  if (ids.length > MOST_CHANGED) throw badRequest(`这之后改动过的${resource.label}超过 ${MOST_CHANGED.toLocaleString('zh-CN')} 条，请选更近的时间`)
  // A record's own time is cut to the second in the log.
  const there = sql`created_at <= to_timestamp(${at + 1}::float8)`
  const [now, since] = await Promise.all([
    db.query<{ id: number }>(sql`select id from ${table} where ${listCondition(resource, staff, query)} and ${there} limit ${sql.raw(String(MOST_ROWS + 1))}`),
    ids.length > 0 ? db.query<{ id: number }>(sql`select id from ${table} where ${within} and ${there} and id = any(${sql.param(ids)}::bigint[])`) : [],
  ])
  if (now.length > MOST_ROWS) throw badRequest(`一次最多还原 ${MOST_ROWS.toLocaleString('zh-CN')} 条，请先缩小范围`)
  return [...new Set([...now, ...since].map(({ id }) => id))]
}

/** A row as the table would have held it: today's, with what was different then. */
function rawRow({ resource }: PastOf, stored: Values, { old, now, past }: PastRow['rebuilt']): Values {
  const raw: Values = { ...stored }
  for (const key of past.unknown) raw[key] = null
  for (const [key, value] of Object.entries(old)) {
    if (!(key in stored) || isSameJson(value, now[key])) continue
    raw[key] = typeof value === 'number' && (key === 'deleted_at' || fieldOf(resource, key).column === 'timestamptz') ? new Date(value * 1000).toISOString() : value
  }
  return raw
}

/** Rows of the past under the name of their table, so that the list's own conditions are asked of them. */
const pastTable = ({ resource }: PastOf, rows: readonly PastRow[]) =>
  sql`with ${sql.identifier(resource.table)} as (select * from jsonb_populate_recordset(null::${sql.identifier(resource.table)}, ${JSON.stringify(rows.map(({ raw }) => raw))}::jsonb))`

/** Whom the guard of a record's history lets look at its past. */
async function guarded(db: Database, { rules }: ResourceService, staff: Staff, found: readonly Stored[]): Promise<Stored[]> {
  const { guard } = rules
  if (!rules.guardsHistory || !guard) return [...found]
  const seen: Stored[] = []
  await db.transaction({ staff_id: staff.id }, async (tx) => {
    for (const one of found) {
      const refused = await guard({ tx, staff, row: one.now as Row }).then(() => false, (error: unknown) => {
        if (error instanceof AppError) return true
        throw error
      })
      if (!refused) seen.push(one)
    }
  })
  return seen
}

/**
 * A list as it was at a moment (ADR 85): each record as its log tells, narrowed by the list's own conditions over what the
 * records were then. Names and what lies behind references are those of today.
 * @throws AppError when the list would be longer than 5,000, or is narrowed by what only today knows
 */
export async function readListAsOf(db: Database, of: PastOf & { readonly service: ResourceService }, staff: Staff, asked: Query): Promise<PastList> {
  const { past: moment, ...query } = asked
  const { resource, service } = of
  const at = momentOf({ at: typeof moment === 'string' ? moment : undefined })
  const keys = askedKeys(of, query)
  const todays = keys.find((key) => !fieldOf(resource, key).column && !fieldOf(resource, key).behind && !('shelf' in fieldOf(resource, key)))
  if (todays !== undefined) throw badRequest(`「${fieldOf(resource, todays).label}」按今天的数据计算，不能用来筛选当时的列表`)
  // Who may look is asked of today's rows; what is asked of the past is whether it belongs to the list.
  const anybody: Staff = { ...staff, scopes: {} }
  const table = sql.identifier(resource.table)
  const matched: PastRow[] = []
  let unsure = 0
  let kept = 0
  const ids = await candidates(db, of, staff, query, at)
  for (let from = 0; from < ids.length; from += PART) {
    const found = await db.query<Stored & { n: number } & Values>(sql`select to_jsonb(t) as now, c.n, coalesce(c.changes, '[]') as changes from ${table} t cross join lateral (
        select count(*)::int as n, jsonb_agg(jsonb_build_object('before', a.before, 'after', a.after, 'later', a.at > to_timestamp(${at}::float8)) order by a.id desc) as changes
        from (select id, at, before, after from audit_log where entity = ${resource.table} and entity_id = t.id order by id desc limit ${sql.raw(String(MOST_CHANGES + 1))}) a) c
      where t.id = any(${sql.param(ids.slice(from, from + PART))}::bigint[])`)
    const seen = await guarded(db, service, staff, found.filter(({ n }) => n <= MOST_CHANGES))
    kept += found.filter(({ n }) => n <= MOST_CHANGES).length - seen.length
    unsure += found.filter(({ n }) => n > MOST_CHANGES).length
    const rows = seen.map(({ now, changes }): PastRow => {
      const rebuilt = rebuild(of, now, changes, at)
      return { id: Number(now['id']), rebuilt, raw: rawRow(of, now, rebuilt) }
    }).filter(({ rebuilt }) => rebuilt.past.state !== 'absent')
    // What is not known of a record cannot be asked of it.
    const known = rows.filter(({ rebuilt }) => !keys.some((key) => rebuilt.unknown.includes(fieldOf(resource, key).behind?.path[0] ?? key)))
    unsure += rows.length - known.length
    if (known.length === 0) continue
    const those = new Set((await db.query<{ id: number }>(sql`${pastTable(of, known)} select id from ${table} where ${listCondition(resource, anybody, query)}`)).map(({ id }) => id))
    matched.push(...known.filter(({ id }) => those.has(id)))
    if (matched.length > MOST_ROWS) throw badRequest(`一次最多还原 ${MOST_ROWS.toLocaleString('zh-CN')} 条，请先缩小范围`)
  }
  const { page, size } = pageOf(query)
  const order = matched.length === 0 ? [] : await db.query<{ id: number }>(sql`${pastTable(of, matched)} select id from ${table} order by ${ownOrder(resource, query)} limit ${sql.raw(String(size))} offset ${sql.raw(String(page * size))}`)
  const byId = new Map(matched.map((row) => [row.id, row]))
  const shown = order.flatMap(({ id }) => byId.get(id) ?? [])
  const names = seesNames(resource, staff)
  const records = await showPast(db, resource, at, shown.map(({ rebuilt }) => ({ ...rebuilt, names })))
  return {
    at: Math.floor(at), total: matched.length, unsure, kept, purged: await purgedSince(db, of, staff, at),
    items: records.map((record, place) => ({ ...record, id: shown[place]?.id ?? 0 })),
  }
}

/** How many records are gone for good since; only to whoever sees all, because nobody knows any more whose they were. */
async function purgedSince(db: Queryable, { resource }: PastOf, staff: Staff, at: number): Promise<number> {
  if (Object.keys(resource.scope).some((kind) => staff.scopes[kind as keyof Staff['scopes']])) return 0
  const [found] = await db.query<{ n: number }>(sql`select count(distinct entity_id)::int as n from audit_log where entity = ${resource.table} and action = 'purge' and at > to_timestamp(${at}::float8)`)
  return found?.n ?? 0
}
