import { sql, type SQL } from 'drizzle-orm'
import { CUSTOM_PLAN } from '../database/database.server.ts'
import type { Shelf } from '../field/choice.ts'
import type { FilterOperator } from '../field/field.ts'
import { MOBILE } from '../field/mobile.ts'
import { foldText } from '../field/field.ts'
import { shortRegion } from '../field/region.ts'
import { toSeconds } from '../field/time.ts'
import { badRequest, unknownFilter } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { ScopeKind } from '../grant/grant.ts'
import type { Target } from '../field/reference.ts'
import type { AnyField } from '../field/any-field.ts'
import type { Resource } from './define.ts'
import { perResource } from './memo.ts'
import { fieldOf } from './meta-fields.ts'
import { nameKeys, seesNames } from './names.ts'
import { byOwnNames } from './rules.ts'
import { searchPieces, searchText, withinPiece } from './table.server.ts'

/** A query string as parsed: one text, or several when the key repeats (spec 7). */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** The first text of a key. */
export function first(query: Query, key: string): string | undefined {
  const value = query[key]
  const text = typeof value === 'string' ? value : value?.[0]
  return text === '' ? undefined : text
}

function all(query: Query, key: string): string[] {
  const value = query[key]
  return (value === undefined ? [] : typeof value === 'string' ? [value] : [...value]).filter((text) => text !== '')
}

const isNumeric = (field: AnyField) => field.column !== 'text' && field.column !== 'text[]'

function typed(field: AnyField, text: string): string | number {
  if (!isNumeric(field)) return foldText(text)
  const number = Number(text)
  if (!Number.isFinite(number)) throw badRequest(`筛选条件「${field.label}」有误`)
  return number
}

/** Text for a LIKE pattern in which the person's % and _ mean themselves. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (char) => `\\${char}`)
}

/**
 * Whether a text holds another, whatever the case. Where the other has no letters with two cases, as most Chinese words and
 * numbers, the plain comparison says the same: it takes a third of the time, because it does not fold every text it sees.
 */
export function holds(column: SQL, text: string): SQL {
  const pattern = `%${likeText(text)}%`
  return text.toLowerCase() === text.toUpperCase() ? sql`${column} like ${pattern}` : sql`${column} ilike ${pattern}`
}

/**
 * Narrows by the index of what the keyword searches, which holds pieces of it; something exact has to decide. The database goes
 * through all that is known of each piece that it is asked for, so that of a number three digits at a time are enough.
 * @param within values of the resource's `searchedWithin`, all of them, where the list is of those alone
 */
export function hasPieces(resource: Resource, text: string, alias = '', within: readonly (string | number)[] = []): SQL {
  const pieces = /^\d{3,}$/.test(text) ? sql`${sql.param([...text.match(/\d{3}/g) ?? [], text.slice(-3)])}::text[]` : sql`grams(${text})`
  return sql`${CUSTOM_PLAN}${sql.raw(searchPieces(resource, alias))} @> ${within.length > 0 ? sql`(${pieces} || ${withinPiece(within)}::text)` : pieces}`
}

/** A text within one field; the index of the searched fields knows where it may be, if the field is one of them. */
function fieldHolds(column: SQL, field: AnyField, text: string, resource: Resource): SQL {
  const exact = holds(column, text)
  return field.search && text.length > 1 ? sql`(${exact} and ${hasPieces(resource, text)})` : exact
}

/**
 * A value of a filter. One that the definition itself lists is written into the statement: there are few of them, and the
 * planner then knows how rare this one is. As a parameter it would be planned like the most frequent.
 */
function given(field: AnyField, text: string): SQL {
  const value = typed(field, text)
  const known = 'choices' in field && field.choices.some((choice) => choice.value === value)
  if (!known) return sql`${value}`
  return sql.raw(typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`)
}

/** Whether a thing with states is on the shelf, as SQL; states are numbers that the definition itself lists. */
export function shelfReading({ state, on }: Shelf, alias = ''): SQL {
  return sql`coalesce(${sql.raw(alias)}${sql.identifier(state)} in (${sql.raw(on.map(Number).join(', '))}), false)`
}

/** What each group of a segment means: a condition over the bare table, by the field's key and the group's value. */
export type Segments = Readonly<Record<string, Readonly<Record<string, SQL>>>>

const segments = new WeakMap<object, Segments>()

/** Keeps what the segments of a resource mean; its server half says it once, when it is declared. */
export function declareSegments(resource: object, meant: Segments): void {
  segments.set(resource, meant)
}

/** Records that belong to any of the chosen groups. */
function segmentCondition(resource: Resource, key: string, values: readonly string[]): SQL {
  const meant = segments.get(resource)?.[key] ?? {}
  // A name that every object inherits is no group.
  const chosen = values.map((value) => Object.hasOwn(meant, value) ? meant[value] : undefined)
  if (chosen.some((condition) => condition === undefined)) throw badRequest(`筛选条件「${fieldOf(resource, key).label}」有误`)
  return sql`(${sql.join(chosen.flatMap((condition) => condition ?? []), sql` or `)})`
}

type Condition = (column: SQL, field: AnyField, values: string[], resource: Resource) => SQL

/** How each operator narrows a column. Ranges come as two keys and are handled below. */
const conditions: Record<Exclude<FilterOperator, 'range' | 'segment'>, Condition> = {
  contains: (column, field, [text = ''], resource) => fieldHolds(column, field, foldText(text), resource),
  equals: (column, field, [text = '']) => sql`${column} = ${given(field, text)}`,
  in: (column, field, values) => {
    const [only] = values
    return values.length === 1 && only !== undefined ? sql`${column} = ${given(field, only)}` : sql`${column} = any(${sql.param(values.map((text) => typed(field, text)))})`
  },
  overlap: (column, field, values) => sql`${column} && ${sql.param(values.map((text) => typed(field, text)))}`,
  prefix: (column, field, values) =>
    sql`(${sql.join(values.map((text) => sql`${column} like ${`${likeText(field.kind === 'region' ? shortRegion(text) : text)}%`}`), sql` or `)})`,
  subtree: (column, field, [text = ''], resource) => {
    const target = field.kind === 'tree_reference' ? field.target() : undefined
    const table = sql.identifier(target?.table ?? resource.table)
    return sql`${column} in (
      with recursive below as (
        select id from ${table} where id = ${typed(field, text)}
        union select child.id from ${table} child join below on child.parent_id = below.id
      ) select id from below)`
  },
}

/** Bound of a range as it was typed: seconds for times, the number itself otherwise. */
function bound(field: AnyField, text: string): SQL {
  const number = Number(typed(field, text))
  return field.column === 'timestamptz' ? sql`to_timestamp(${toSeconds(number)})` : sql`${number}`
}

/** How a query narrows a resource by one of its fields; undefined when it does not. */
export function keptCondition(resource: Resource, key: string, query: Query): SQL | undefined {
  const field = fieldOf(resource, key)
  const column = sql.identifier(key) as unknown as SQL
  if (field.filter === 'range') {
    // spec 7 names the range of a list's own time start_time and end_time; the others carry their field's key.
    const [from, to] = [first(query, `${key}_start`), first(query, `${key}_end`)]
    const parts = [from && sql`${column} >= ${bound(field, from)}`, to && sql`${column} <= ${bound(field, to)}`].filter((part) => part !== undefined && part !== '')
    return parts.length > 0 ? sql.join(parts as SQL[], sql` and `) : undefined
  }
  const values = all(query, key)
  if (values.length === 0 || field.filter === null) return undefined
  if (field.kind === 'mobile' && !MOBILE.test(values[0] ?? '')) {
    // A hidden number must not be found out digit by digit: only the whole number matches.
    return sql`false`
  }
  if (field.kind === 'toggle' && field.shelf) return sql`(${shelfReading(field.shelf)})::int = any(${sql.param(values.map((text) => typed(field, text)))}::int[])`
  if (field.filter === 'segment') return segmentCondition(resource, key, values)
  return conditions[field.filter](column, field, values, resource)
}

type ScopedTable = Pick<Resource, 'fields' | 'table'>

/** Longest keyword, in characters: cutting it into pairs takes time that grows with its square. */
const LONGEST_KEYWORD = 100

/** What is searched for; undefined when nothing is. */
export function keywordText(query: Query): string | undefined {
  const keyword = first(query, 'keyword')?.trim()
  if (keyword && keyword.length > LONGEST_KEYWORD) throw badRequest(`搜索内容最多 ${LONGEST_KEYWORD} 个字`)
  return keyword || undefined
}

/** The records that a query names one by one; undefined when it names none. */
export function idsCondition(query: Query): SQL | undefined {
  const ids = all(query, 'ids').map(Number)
  if (ids.some((id) => !Number.isSafeInteger(id))) throw badRequest('编号有误')
  if (ids.length === 0) return undefined
  return ids.length === 1 ? sql`id = ${ids[0]}` : sql`id = any(${sql.param(ids)}::bigint[])`
}

/** Fields of a resource without the names of those who learn. */
const withoutNames = perResource((resource) => {
  const names = new Set(nameKeys(resource))
  return { ...resource, fields: Object.fromEntries(Object.entries(resource.fields).filter(([key]) => !names.has(key))) }
})

/** Keyword over the searched fields; a mobile number matches only as a whole, and so does a name that the person sees masked. */
function keywordCondition(resource: Resource, keyword: string, staff: Staff): SQL {
  const text = foldText(keyword)
  const parts: SQL[] = []
  const searched = seesNames(resource, staff) ? resource : withoutNames(resource)
  const search = searchText(searched)
  const exact = [
    ...(search ? [holds(sql.raw(`(${search})`), text)] : []),
    ...(searched === resource ? [] : nameKeys(resource).filter((key) => resource.fields[key]?.search).map((key) => sql`${sql.identifier(key)} = ${text}`)),
  ]
  if (exact.length > 0) {
    const either = sql`(${sql.join(exact, sql` or `)})`
    parts.push(text.length > 1 ? sql`(${hasPieces(resource, text)} and ${either})` : either)
  }
  if (MOBILE.test(text)) {
    for (const [key, field] of Object.entries(resource.fields)) {
      if (field.kind === 'mobile') parts.push(sql`${sql.identifier(key)} = ${text}`)
    }
  }
  return parts.length > 0 ? sql`(${sql.join(parts, sql` or `)})` : sql`false`
}

/** Whether what stands at the end of a path of references, `school_id.partner_id`, is one of `ids`. */
function behindReferences(resource: ScopedTable, path: string, ids: readonly number[]): SQL {
  const [key = '', ...behind] = path.split('.')
  const column = sql.identifier(key)
  if (behind.length === 0) return sql`${column} = any(${sql.param([...ids])}::bigint[])`
  const field = fieldOf(resource, key)
  if (field.kind !== 'reference') throw new Error(`${resource.table}: scope ${path} does not lead through a reference`)
  // What a field refers to is always a resource; the field itself says less of it.
  const target = field.target() as Target & Pick<Resource, 'fields'>
  return sql`${column} in (select id from ${sql.identifier(target.table)} where ${behindReferences(target, behind.join('.'), ids)})`
}

/** Narrows to what the person may see at all; undefined when nothing limits them. */
export function scopeCondition(resource: Resource, staff: Staff): SQL | undefined {
  const parts: SQL[] = []
  for (const [kind, path] of Object.entries(resource.scope) as [ScopeKind, string][]) {
    const ids = staff.scopes[kind]
    if (!ids) continue
    parts.push(behindReferences(resource, path, ids))
  }
  return parts.length > 0 ? sql.join(parts, sql` and `) : undefined
}

/** What every list understands beside its filters; `_` is what old clients add so that nothing answers from a cache. */
const OF_LISTS: ReadonlySet<string> = new Set(['page', 'page_size', 'sort', 'cursor', 'keyword', 'ids', 'deleted', '_'])

/** spec 7 and domain 0.1: names of the range of a list's own time. */
const OWN_TIME: Readonly<Record<string, string>> = { start_time: 'created_at_start', end_time: 'created_at_end' }

/** A query by the names of the fields. */
function ownQuery(resource: Resource, query: Query): Query {
  const own = byOwnNames(resource, query)
  const renamed = Object.entries(OWN_TIME).filter(([name]) => name in own)
  return renamed.length === 0 ? own : { ...own, ...Object.fromEntries(renamed.map(([name, key]) => [key, own[name]])) }
}

/**
 * Refuses a filter that the list does not have: it would be left out, and all records would pass for those that fit.
 * @throws AppError that names it
 */
export function checkQuery(resource: Resource, query: Query): void {
  const known = new Set(resource.list.filters.flatMap((key) => (fieldOf(resource, key).filter === 'range' ? [`${key}_start`, `${key}_end`] : [key])))
  for (const [name, key] of Object.entries(OWN_TIME)) if (known.has(key)) known.add(name)
  for (const [key, { alias }] of Object.entries(resource.fields)) if (alias !== undefined && known.has(key)) known.add(alias)
  const unknown = Object.keys(query).find((key) => query[key] !== undefined && query[key] !== '' && !known.has(key) && !OF_LISTS.has(key))
  if (unknown !== undefined) throw unknownFilter(unknown)
}

/** Conditions by which a resource's records are told from others of the same table. */
function ownConditions(resource: Resource): SQL[] {
  return Object.entries(resource.where).map(([key, value]) => sql`${sql.identifier(key)} = ${value}`)
}

/** Which records others may refer to: the resource's own, living, and within what the person may see. Over the bare table. */
export function pickableCondition(resource: Resource, staff: Staff): SQL {
  const scope = scopeCondition(resource, staff)
  return sql.join([sql`deleted_at is null`, ...ownConditions(resource), ...(scope ? [scope] : [])], sql` and `)
}

/** Everything that decides whether a record belongs to a list, as one condition over the bare table. */
export function listCondition(resource: Resource, staff: Staff, asked: Query): SQL {
  const query = ownQuery(resource, asked)
  const parts: SQL[] = [first(query, 'deleted') === '1' ? sql`deleted_at is not null` : sql`deleted_at is null`, ...ownConditions(resource)]
  const scope = scopeCondition(resource, staff)
  if (scope) parts.push(scope)
  const ids = idsCondition(query)
  if (ids) parts.push(ids)
  for (const key of resource.list.filters) {
    const condition = keptCondition(resource, key, query)
    if (condition) parts.push(condition)
  }
  const keyword = keywordText(query)
  if (keyword) parts.push(keywordCondition(resource, keyword, staff))
  return sql.join(parts, sql` and `)
}
