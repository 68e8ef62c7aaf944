import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { compile, hasCustomPlan } from '../database/database.server.ts'
import { badRequest } from '../error/error.ts'
import type { BehindPath } from '../field/behind.ts'
import type { RecordMeta } from '../field/field.ts'
import { displayKey } from '../field/reference.ts'
import type { Staff } from '../grant/staff.server.ts'
import { askKey } from '../query/asks.ts'
import { stretchOf } from '../query/days.ts'
import { MOST_SORT_KEYS, parseSort, type SortKey } from '../query/sort.ts'
import { aliasOf, columnOf, idsInOrder, joinParts, joinsBehind, type BehindCursor } from './behind.server.ts'
import { transitionGrant, type Resource } from './define.ts'
import { keysWith, perResource } from './memo.ts'
import { STATE_CAP, type StateCounts, type WireRow } from './endpoints.ts'
import { listStates } from './status.ts'
import { fieldOf } from './meta-fields.ts'
import { hiddenFromAll, hideNames, responsibleKey } from './names.ts'
import { first, listCondition, listParts, shelfReading, type Query } from './where.server.ts'

/** spec and domain 0.1: pages are zero-based, 20 rows by default, 200 at most. */
export const PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 200
const MAX_PAGE = 1_000_000
/** Counting stops here: one more than what the console shows as 10,000+. */
export const COUNT_CAP = 10_001
/** How long a count may be repeated, in milliseconds. */
const COUNT_TTL = 5000

/** A record as read from its table, of whatever resource. */
export type Row = RecordMeta & Record<string, unknown>

/** SQL that works out each computed field from the table's columns; `t` is the row. */
export type ComputedSql = Readonly<Record<string, SQL>>

/** What a resource without computed fields has of them; always the same, so that what follows from it is known. */
export const NOTHING_COMPUTED: ComputedSql = {}

/** An order of records; what its keys leave equal the id decides. */
interface Order {
  /** Columns, the first before the others; none where the id alone decides. */
  keys: readonly SortKey[]
  descendingIds: boolean
  /** Where the value stands, when the only key belongs to a record that is referred to. */
  behind: BehindPath | undefined
}

/** Whether a query narrows a list by moments. */
const asksMoment = (query: Query, key: string) => first(query, `${key}_start`) ?? first(query, `${key}_end`) ?? (stretchOf(first(query, askKey(key)) ?? '', 0) && key)

/**
 * The moment that a list is narrowed by, where it has an index: nobody having chosen an order, the list goes by it, latest
 * first. In the order of ids the database would walk from the newest record all the way down to that time, because it
 * cannot know that ids and moments grow together.
 */
function momentOf(resource: Resource, query: Query): string | undefined {
  return resource.list.filters.find((key) => fieldOf(resource, key).column === 'timestamptz' && asksMoment(query, key) !== undefined && resource.indexes.some(([leading]) => leading === key))
}

function orderOf(resource: Resource, query: Query): Order {
  const moment = resource.list.sort === '-id' ? momentOf(resource, query) : undefined
  const asked = parseSort(first(query, 'sort') ?? (moment ? `-${moment}` : resource.list.sort))
  if (asked.length > MOST_SORT_KEYS) throw badRequest(`最多按 ${MOST_SORT_KEYS} 列排序`)
  if (new Set(asked.map(({ key }) => key)).size < asked.length) throw badRequest('同一列只能排序一次')
  for (const { key } of asked) {
    const known = resource.fields[key] ?? (key === 'id' || key === 'created_at' || key === 'updated_at' ? fieldOf(resource, key) : undefined)
    if (!known?.sortable && key !== 'id') throw badRequest('不能按该列排序')
    if (known?.behind && asked.length > 1) throw badRequest(`「${known.label}」不能和其他列一起排序`)
  }
  // After the id nothing is left to decide.
  const ids = asked.findIndex(({ key }) => key === 'id')
  return { keys: ids === -1 ? asked : asked.slice(0, ids), descendingIds: asked.at(ids)?.descending ?? true, behind: resource.fields[asked[0]?.key ?? '']?.behind }
}

/** What a column holds, as a cursor tells it. */
type CursorValue = string | number | null

/** The place of a row in an order, opaque to the caller: its values, its id, and of a field behind a reference who holds the value. */
function encodeCursor({ keys, behind }: Order, row: Row): string {
  const values = keys.map(({ key }) => row[key] ?? null)
  return Buffer.from(JSON.stringify([keys.length > 1 ? values : values[0] ?? null, row.id, ...(behind ? [row[behind.path[0] ?? ''] ?? null] : [])])).toString('base64url')
}

// An object cannot be what a column holds; null can.
const isCursorValue = (value: unknown): value is CursorValue => value === null || typeof value !== 'object'

function decodeCursor(text: string, { keys }: Order): { values: readonly CursorValue[]; id: number; reference: number | null } {
  try {
    const [value, id, reference = null] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const values = keys.length > 1 ? value : [value]
    if (Array.isArray(values) && values.length === Math.max(keys.length, 1) && values.every(isCursorValue) && Number.isSafeInteger(id) && (reference === null || Number.isSafeInteger(reference))) return { values, id: id as number, reference: reference as number | null }
  } catch {
    // Falls through: whatever it was, it is not ours.
  }
  throw badRequest('翻页位置有误，请回到第一页')
}

/** Rows after the cursor. Empty values come last going up and first going down, as PostgreSQL sorts them. */
function afterCursor(resource: Resource, order: Order, cursor: string): SQL {
  const { values, id } = decodeCursor(cursor, order)
  const laterId = sql`id ${sql.raw(order.descendingIds ? '<' : '>')} ${id}`
  const [only] = order.keys
  const bound = (key: string, value: CursorValue) => (fieldOf(resource, key).column === 'timestamptz' ? sql`to_timestamp(${value}::float8)` : sql`${value}`)
  // Of one key the database compares value and id at once: its index begins there.
  if (only && order.keys.length === 1 && only.descending === order.descendingIds && values[0] !== null) {
    const column = sql.identifier(only.key)
    const later = sql`(${column}, id) ${sql.raw(only.descending ? '<' : '>')} (${bound(only.key, values[0] ?? null)}, ${id})`
    return only.descending ? later : sql`(${later} or ${column} is null)`
  }
  return order.keys.reduceRight((after, { key, descending }, place) => {
    const column = sql.identifier(key)
    const value = values[place] ?? null
    if (value === null) return descending ? sql`(${column} is not null or (${column} is null and ${after}))` : sql`(${column} is null and ${after})`
    const same = sql`(${column} = ${bound(key, value)} and ${after})`
    return descending ? sql`(${column} < ${bound(key, value)} or ${same})` : sql`(${column} > ${bound(key, value)} or ${column} is null or ${same})`
  }, laterId)
}

const behindCursor = ({ values: [value = null], id, reference }: ReturnType<typeof decodeCursor>): BehindCursor => [value, id, reference]

/** Order with the id as the last word, so that paging never repeats or skips a row. */
function orderBy({ keys, descendingIds, behind }: Order, alias = ''): SQL {
  const way = (descending: boolean) => (descending ? 'desc' : 'asc')
  const ids = way(descendingIds)
  if (behind) return sql`${aliasOf(behind.path)}.${sql.identifier(behind.key)} ${sql.raw(ids)}, t.${sql.identifier(behind.path[0] ?? '')} ${sql.raw(ids)}, t.id ${sql.raw(ids)}`
  return sql.raw([...keys.map(({ key, descending }) => `${alias}"${key}" ${way(descending)}`), `${alias}id ${ids}`].join(', '))
}

/** The order of a list by its own columns; by what lies behind references there is none, but that of ids. */
export function ownOrder(resource: Resource, query: Query): SQL {
  const order = orderOf(resource, query)
  return orderBy({ ...order, keys: order.behind ? [] : order.keys, behind: undefined })
}

/** Columns that every record has. */
const META_COLUMNS = ['id', 'rev', 'created_by', 'created_at', 'updated_by', 'updated_at', 'deleted_at']

/** Columns of the table that belong to the resource. */
function ownColumns(resource: Resource): string[] {
  return [...META_COLUMNS, ...Object.keys(resource.fields).filter((key) => resource.fields[key]?.column)]
}

interface Projection {
  columns: SQL
  joins: SQL
}
const outers = new WeakMap<Resource, Projection & { computed: ComputedSql }>()

/** Columns of the table, names behind references and computed values, for rows `t` of an inner query. */
function projection(resource: Resource, computed: ComputedSql): Projection {
  const known = outers.get(resource)
  if (known?.computed === computed) return known
  const { columns, joins } = buildProjection(resource, computed)
  const outer = { columns: inlineSql(columns), joins: inlineSql(joins), computed }
  outers.set(resource, outer)
  return outer
}

/** A piece of SQL as one text, when it holds no values: put together once instead of for each request. */
function inlineSql(piece: SQL): SQL {
  const { text, values } = compile(piece)
  return values.length > 0 ? piece : sql.raw(text)
}

function buildProjection(resource: Resource, computed: ComputedSql): Projection {
  // By name: a table that resources share has columns that are none of this one's business.
  const columns: SQL[] = ownColumns(resource).map((key) => sql`t.${sql.identifier(key)}`)
  const joins: SQL[] = []
  const named: SQL[] = []
  for (const [key, field] of Object.entries(resource.fields)) {
    const twin = sql.identifier(displayKey(key))
    const column = columnOf(resource, key)
    if (field.behind) columns.push(sql`${column} as ${sql.identifier(key)}`)
    if ('target' in field && field.refers === 'one') {
      const target = field.target()
      const alias = aliasOf([key])
      const join = sql`left join ${sql.identifier(target.table)} ${alias} on ${alias}.id = ${column}`
      if (field.behind) named.push(join)
      else joins.push(join)
      columns.push(sql`${alias}.${sql.identifier(target.title)} as ${twin}`)
    } else if ('target' in field) {
      const target = field.target()
      columns.push(sql`array(select n.${sql.identifier(target.title)} from unnest(${column}) with ordinality u(id, place)
        join ${sql.identifier(target.table)} n on n.id = u.id order by u.place) as ${twin}`)
    } else if (field.computed) {
      const expression = computed[key]
      if (!expression) throw new Error(`${resource.name}.${key} is computed, but its server half does not say how`)
      columns.push(sql`(${expression}) as ${sql.identifier(key)}`)
    } else if ('shelf' in field && field.shelf) {
      columns.push(sql`(${shelfReading(field.shelf, 't.')})::int as ${sql.identifier(key)}`)
    }
  }
  // What a join needs stands before it: own references, what lies behind them, and the names of that.
  joins.push(...joinsBehind(resource), ...named)
  for (const [n, path] of resource.responsible.entries()) {
    const [key = '', behind = ''] = path.split('.')
    columns.push(sql`${aliasOf([key])}.${sql.identifier(behind)} as ${sql.identifier(responsibleKey(n))}`)
  }
  columns.push(sql`by_create.name as created_by_name`, sql`by_update.name as updated_by_name`)
  joins.push(sql`left join staff by_create on by_create.id = t.created_by`, sql`left join staff by_update on by_update.id = t.updated_by`)
  return { columns: sql.join(columns, sql`, `), joins: sql.join(joins, sql` `) }
}

/** What the person may do with a row, so that the console never repeats a rule. */
function abilities(resource: Resource, staff: Staff, row: Row): string[] {
  const may = (id: number | undefined) => id !== undefined && staff.modules.has(id)
  if (row['deleted_at'] !== null) return may(resource.actions.remove) ? ['restore'] : []
  const can: string[] = []
  if (may(resource.actions.update)) can.push('edit')
  if (may(resource.actions.remove)) can.push('remove')
  if (may(resource.actions.reveal)) can.push('reveal')
  for (const transition of resource.transitions) {
    if (transition.from.includes(row[transition.field] as string | number) && may(transitionGrant(resource, transition))) can.push(transition.name)
  }
  return can
}

const hiddenKeys = keysWith(({ hidden }) => hidden?.from === 'everybody')

/** Keys of a row with the further names under which they go over the wire; of references their twins too. */
const wireNames = perResource((resource) => Object.entries(resource.fields).flatMap(([key, { refers, wire }]): [string, string][] =>
  (wire === undefined ? [] : [[key, wire], ...(refers === 'one' ? [[displayKey(key), displayKey(wire)] as [string, string]] : [])])))

/** Turns a database row into what goes over the wire: hidden values masked, abilities added. */
export function present<R extends Resource>(resource: R, staff: Staff, row: Row, decorate?: (row: Row) => void): WireRow<R> {
  for (const key of hiddenKeys(resource)) {
    const value = row[key]
    if (typeof value === 'string') row[key] = hiddenFromAll(resource.fields[key], value)
  }
  hideNames(resource, staff, row)
  for (const [key, wire] of wireNames(resource)) row[wire] = row[key]
  decorate?.(row)
  return Object.assign(row, { can: abilities(resource, staff, row) }) as WireRow<R>
}

/**
 * Statement for full rows, with names and computed values, of the records that an inner query gives; it may be a write.
 * @param also further parts of the statement: what a write stands on, and what stands on it
 */
export function withNames(resource: Resource, computed: ComputedSql, inner: SQL, also: { before?: SQL; after?: SQL } = {}): SQL {
  const { columns, joins } = projection(resource, computed)
  const before = also.before ? sql`${also.before}, ` : undefined
  const after = also.after ? sql`, ${also.after}` : undefined
  return sql`with ${before}t as (${inner})${after} select ${columns} from t ${joins}`
}

/** The same in an order; of a query only, which is planned better where it stands than in a WITH. */
function withNamesInOrder(resource: Resource, computed: ComputedSql, inner: SQL, order: SQL): SQL {
  const { columns, joins } = projection(resource, computed)
  return sql`select ${columns} from (${inner}) t ${joins} order by ${order}`
}

/** Reads one record inside the person's scope; deleted ones too when asked. Undefined when there is none. */
export async function readOne<Found extends Row, Input extends Record<string, unknown>>(
  db: Queryable, resource: Resource<Found, Input>, staff: Staff, id: number, computed: ComputedSql, deleted = false,
): Promise<(Found & Row) | undefined> {
  const condition = listCondition(resource, staff, { ids: String(id), ...(deleted && { deleted: '1' }) })
  const [row] = await db.query<Found & Row>(withNames(resource, computed, sql`select * from ${sql.identifier(resource.table)} where ${condition}`))
  return row
}

export interface Page {
  rows: Row[]
  /** Place after the last row; undefined at the end. */
  next: string | undefined
}

/** Records that one answer holds where a list is asked for whole (domain 0.1, 5): as many as are counted. */
export const MAX_WHOLE = COUNT_CAP - 1

/**
 * Which part of a list is asked for: `page` counts from zero, `page_size` 0 means all of it.
 * @throws AppError when it is no number of that kind
 */
export function pageOf(query: Query, maxSize = MAX_PAGE_SIZE): { page: number; size: number; all: boolean } {
  const asked = whole(query, 'page_size', PAGE_SIZE, 0, maxSize)
  return asked === 0 ? { page: 0, size: MAX_WHOLE, all: true } : { page: whole(query, 'page', 0, 0, MAX_PAGE), size: asked, all: false }
}

/** Refuses a whole list that is longer than one answer: a part of it would pass for all. */
export const tooManyForOne = () => badRequest(`记录超过 ${MAX_WHOLE.toLocaleString('en')} 条，请分页读取`)

/** Reads one page of records, by page number or after a cursor. */
export async function readPage(
  db: Queryable, resource: Resource, staff: Staff, query: Query, computed: ComputedSql, maxSize = MAX_PAGE_SIZE,
): Promise<Page> {
  const { page, size, all } = pageOf(query, maxSize)
  const order = orderOf(resource, query)
  const cursor = first(query, 'cursor')
  const parts = listParts(resource, staff, query)
  const condition = joinParts(resource, parts)
  const where = cursor && !order.behind ? sql`${condition} and ${afterCursor(resource, order, cursor)}` : condition
  const offset = cursor || page === 0 ? sql`` : sql` offset ${sql.raw(String(page * size))}`
  const table = sql.identifier(resource.table)
  // One row more than asked tells whether there is a next page, without counting.
  const narrowed = (columns: string) => order.behind ? idsInOrder(resource, {
    parts, behind: order.behind, descending: order.descendingIds, limit: size + 1, offset: cursor ? 0 : page * size, after: cursor ? behindCursor(decodeCursor(cursor, order)) : undefined,
  }) : sql`select ${sql.raw(columns)} from ${table} where ${where} order by ${orderBy(order)} limit ${sql.raw(String(size + 1))}${offset}`
  // Which records they are is found in the index of a filter, where it holds all that is asked. Told to read them at once, the
  // database would rather walk the newest records one by one, as if those of every filter were spread evenly among them.
  const wholeOf = (found: SQL) => sql`select whole.* from ${found} found (id) join ${table} whole on whole.id = found.id`
  const read = (inner: SQL) => db.query<Row>(withNamesInOrder(resource, computed, inner, orderBy(order, 't.')))
  let rows: Row[]
  let more: boolean
  if (hasCustomPlan(condition)) {
    // Planned each time, and by itself in half a millisecond; with the joins for the names of an order it would take five.
    const ids = (await db.query<{ id: number }>(narrowed('id'))).map(({ id }) => id)
    rows = ids.length > 0 ? await read(wholeOf(sql`unnest(${sql.param(ids)}::bigint[])`)) : []
    more = ids.length > size
  } else {
    rows = await read(resource.indexesLiving || order.behind ? wholeOf(sql`(${narrowed('id')})`) : narrowed('*'))
    more = rows.length > size
  }
  if (all && more) throw tooManyForOne()
  if (rows.length > size) rows.pop()
  const last = rows.at(-1)
  return { rows, next: more && last ? encodeCursor(order, last) : undefined }
}

function whole(query: Query, key: string, fallback: number, low: number, high: number): number {
  const text = first(query, key)
  if (text === undefined) return fallback
  const number = Number(text)
  if (!Number.isInteger(number) || number < low) throw badRequest('分页参数有误')
  return Math.min(number, high)
}

interface Counted {
  at: number
  total: Promise<number>
}
/** Counts of each table, by statement and values. */
const counts = new Map<string, Map<string, Counted>>()
/** Counts of one table that are remembered. */
const MAX_COUNTED = 500

/** Forgets the counts of a table, as after a write of this process; other processes see it within seconds. */
export function forgetCounts(table: string): void {
  counts.delete(table)
}

/** Everything that writes records says so: once the transaction counts, the table is counted again. */
export function recordsWritten(tx: Queryable, ...tables: readonly string[]): void {
  tx.onCommit(() => tables.forEach(forgetCounts))
}

/**
 * Reads one page by its number, and how many records there are up to the cap. The page that is not full says it by itself:
 * a person who looks for something rare is not made to wait for a second search.
 */
export async function readCountedPage(db: Queryable, resource: Resource, staff: Staff, query: Query, computed: ComputedSql): Promise<Page & { total: number }> {
  const page = await readPage(db, resource, staff, query, computed)
  const place = pageOf(query)
  const before = place.page * place.size
  const last = page.next === undefined && (page.rows.length > 0 || before === 0)
  return { ...page, total: last ? Math.min(before + page.rows.length, COUNT_CAP) : await readTotal(db, resource, staff, query) }
}

/** Number of records, up to the cap; repeated for seconds, because counting is what costs (see ADR 0005). */
export async function readTotal(db: Queryable, resource: Resource, staff: Staff, query: Query): Promise<number> {
  const inner = sql`select 1 from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, query)} limit ${sql.raw(String(COUNT_CAP))}`
  const { text, values } = compile(inner)
  const key = `${text} ${JSON.stringify(values)}`
  const known = counts.get(resource.table)?.get(key)
  const now = Date.now()
  if (known && now - known.at < COUNT_TTL) return known.total
  const ofTable = counts.get(resource.table) ?? new Map<string, Counted>()
  if (ofTable.size > MAX_COUNTED) ofTable.clear()
  const total = db.query<{ n: number }>(sql`select count(*) as n from (${inner}) x`).then(([row]) => row?.n ?? 0)
  total.catch(() => ofTable.delete(key))
  counts.set(resource.table, ofTable.set(key, { at: now, total }))
  return total
}

/** Counts the records in each state that the other filters leave, up to the cap. */
export async function readStates(db: Queryable, resource: Resource, staff: Staff, query: Query): Promise<StateCounts> {
  const states = listStates(resource)
  if (!states) return { all: 0, states: [] }
  const { [states.key]: _chosen, ...others } = query
  const table = sql.identifier(resource.table)
  const count = (narrowed: Query) => sql`(select count(*)::int from (select 1 from ${table} where ${listCondition(resource, staff, narrowed)} limit ${sql.raw(String(STATE_CAP))}) x)`
  const [row] = await db.query<{ counts: number[] }>(sql`select array[${sql.join([others, ...states.choices.map(({ value }) => ({ ...others, [states.key]: String(value) }))].map(count), sql`, `)}] as counts`)
  const [all = 0, ...counts] = row?.counts ?? []
  return { all, states: states.choices.map(({ value }, place) => ({ value, count: counts[place] ?? 0 })) }
}

/** Sums of the summary fields over everything that the filters leave. */
export async function readSummary(db: Queryable, resource: Resource, staff: Staff, query: Query, computed: ComputedSql): Promise<Record<string, number>> {
  if (resource.list.summary.length === 0) return {}
  const sums = resource.list.summary.map((key) => sql`coalesce(sum(${computed[key] ? sql`(${computed[key]})` : sql.identifier(key)}), 0)::float8 as ${sql.identifier(key)}`)
  const table = sql.identifier(resource.table)
  const those = listCondition(resource, staff, query)
  // What is computed is written for a row `t`; conditions are written for the bare table.
  const from = resource.list.summary.some((key) => computed[key]) ? sql`(select * from ${table} where ${those}) t` : sql`${table} where ${those}`
  const [row] = await db.query<Record<string, number>>(sql`select ${sql.join(sums, sql`, `)} from ${from}`)
  return row ?? {}
}
