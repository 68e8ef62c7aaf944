import { sql, type SQL } from 'drizzle-orm'
import { CUSTOM_PLAN, type Queryable } from '../database/database.server.ts'
import type { Shelf } from '../field/choice.ts'
import type { FilterOperator } from '../field/field.ts'
import { foldText } from '../field/field.ts'
import { toSeconds } from '../field/time.ts'
import { badRequest, unknownFilter } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import { ANY, readAlternatives, type Alternative } from '../query/alternatives.ts'
import { askKey, asksOf, canAsk } from '../query/asks.ts'
import type { ScopeKind } from '../grant/grant.ts'
import type { AnyField } from '../field/any-field.ts'
import type { BehindPath } from '../field/behind.ts'
import { endOf } from './behind.ts'
import { askedCondition, lacksBehind } from './asked.server.ts'
import { joinParts, type Part } from './behind.server.ts'
import type { Resource } from './define.ts'
import { below } from './below.server.ts'
import { keysWith, perResource } from './memo.ts'
import { fieldOf } from './meta-fields.ts'
import { nameKeys, seesNames } from './names.ts'
import { byOwnNames, otherNames } from './rules.ts'
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
  overlap: (column, field, values) => {
    const wanted = sql.param(values.map((text) => typed(field, text)))
    return 'branches' in field && field.branches ? sql`${column} && array(${below(field.target().table, sql`any(${wanted}::bigint[])`)})` : sql`${column} && ${wanted}`
  },
  prefix: (column, field, values) =>
    sql`(${sql.join(values.map((text) => sql`${column} like ${`${likeText(field.fromFilter?.(text) ?? text)}%`}`), sql` or `)})`,
  subtree: (column, field, [text = ''], resource) => {
    const target = 'target' in field ? field.target() : undefined
    return sql`${column} in (${below(target?.table ?? resource.table, sql`${typed(field, text)}`)})`
  },
}

/** Bound of a range as it was typed: seconds for times, the number itself otherwise. */
function bound(field: AnyField, text: string): SQL {
  const number = Number(typed(field, text))
  return field.column === 'timestamptz' ? sql`to_timestamp(${toSeconds(number)})` : sql`${number}`
}

/** Keys of a query that speak of a field. */
export const ENDINGS = ['', '_start', '_end', askKey('')]

/** How a query narrows a resource by a field behind a reference: as it does where the field belongs. Over that bare table. */
function conditionBehind(resource: Resource, key: string, { path, key: theirs }: BehindPath, query: Query): SQL | undefined {
  const end = endOf(resource, path)
  const condition = ownCondition(end, theirs, Object.fromEntries(ENDINGS.map((ending) => [`${theirs}${ending}`, query[`${key}${ending}`]])))
  return condition && fieldOf(end, theirs).filter === 'equals' ? livingOrGone(end, condition) : condition
}

/**
 * The same condition, asked of living and of removed records apart: unique indexes hold the living alone.
 * @param or another condition that is enough, which has an index of its own
 */
function livingOrGone(resource: Resource, condition: SQL, or?: SQL): SQL {
  const found = sql`select id from ${sql.identifier(resource.table)} where `
  return sql`id in (${found}${condition} and deleted_at is null union all ${found}${condition} and deleted_at is not null${or ? sql` union all ${found}${or}` : sql``})`
}

/** How a query narrows a resource by one of its own columns; undefined when it does not. */
function ownCondition(resource: Resource, key: string, query: Query): SQL | undefined {
  const field = fieldOf(resource, key)
  const column = sql`${sql.identifier(key)}`
  const word = first(query, askKey(key))
  const parts = [...(word === undefined ? [] : [askedCondition(column, field, word)]), ...(valueCondition(resource, key, field, column, query) ?? [])]
  return parts.length > 0 ? sql.join(parts, sql` and `) : undefined
}

/** How a query narrows a column by values; undefined when it does not. */
function valueCondition(resource: Resource, key: string, field: AnyField, column: SQL, query: Query): SQL[] | undefined {
  if (field.filter === 'range') {
    // spec 7 names the range of a list's own time start_time and end_time; the others carry their field's key.
    const [from, to] = [first(query, `${key}_start`), first(query, `${key}_end`)]
    return [...(from ? [sql`${column} >= ${bound(field, from)}`] : []), ...(to ? [sql`${column} <= ${bound(field, to)}`] : [])]
  }
  const values = all(query, key)
  if (values.length === 0 || field.filter === null) return undefined
  // A hidden number must not be found out digit by digit: only the whole number matches.
  if (field.hidden?.whole && !field.hidden.whole.test(values[0] ?? '')) return [sql`false`]
  if ('shelf' in field && field.shelf) return [sql`(${shelfReading(field.shelf)})::int = any(${sql.param(values.map((text) => typed(field, text)))}::int[])`]
  if (field.filter === 'segment') return [segmentCondition(resource, key, values)]
  return [conditions[field.filter](column, field, values, resource)]
}

/**
 * How a query narrows a resource by one of its fields, each part where the field belongs.
 * @throws AppError when the field cannot be asked like that
 */
function filterParts(resource: Resource, key: string, query: Query): Part[] {
  const field = fieldOf(resource, key)
  const word = first(query, askKey(key))
  if (word !== undefined && !canAsk(field, word)) throw badRequest(`筛选条件「${field.label}」有误`)
  const { behind } = field
  if (!behind) {
    const condition = ownCondition(resource, key, query)
    return condition ? [{ path: [], condition }] : []
  }
  // What refers to nothing has no value either.
  const lacks = word === 'empty'
  const condition = conditionBehind(resource, key, behind, lacks ? { ...query, [askKey(key)]: undefined } : query)
  return [...(lacks ? [{ path: [], condition: lacksBehind(resource, behind) }] : []), ...(condition ? [{ path: behind.path, condition }] : [])]
}

/** How a query narrows a resource by one of its fields; undefined when it does not. */
export function keptCondition(resource: Resource, key: string, query: Query): SQL | undefined {
  const parts = filterParts(resource, key, query)
  return parts.length > 0 ? joinParts(resource, parts) : undefined
}

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

/** Records whose own searched fields hold a text; a name that the person sees masked matches only as a whole. */
function ownWords(resource: Resource, text: string, staff: Staff): SQL | undefined {
  const searched = seesNames(resource, staff) ? resource : withoutNames(resource)
  const search = searchText(searched)
  const exact = [
    ...(search ? [holds(sql.raw(`(${search})`), text)] : []),
    ...(searched === resource ? [] : nameKeys(resource).filter((key) => resource.fields[key]?.search && !resource.fields[key].behind).map((key) => sql`${sql.identifier(key)} = ${text}`)),
  ]
  if (exact.length === 0) return undefined
  const either = sql`(${sql.join(exact, sql` or `)})`
  return text.length > 1 ? sql`(${hasPieces(resource, text)} and ${either})` : either
}

/** Whether a field behind a reference holds what is searched for, over the bare table that it belongs to. */
function wordsBehind(end: Resource, key: string, text: string, staff: Staff): SQL {
  const field = fieldOf(end, key)
  const column = sql`${sql.identifier(key)}`
  const whole = sql`${column} = ${text}`
  if (field.hidden?.from !== 'strangers' || seesNames(end, staff)) return fieldHolds(column, field, text, end)
  return field.search && text.length > 1 ? sql`(${hasPieces(end, text)} and ${whole})` : whole
}

/** Fields whose hidden values the keyword finds by the whole of them. */
const wholes = keysWith(({ hidden }) => hidden?.whole)

/** Fields behind references that the keyword looks through, by their path; of hidden numbers the whole alone is found. */
const searchedBehind = perResource((resource) => Map.groupBy(Object.values(resource.fields).flatMap(({ search, behind, hidden }) =>
  (behind && (search || hidden?.whole) ? [{ path: behind.path, key: behind.key, whole: hidden?.whole }] : [])), ({ path }) => path.join('.')))

const anyOf = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` or `)})`

/** Keyword over the searched fields; a mobile number matches only as a whole, and so does a name that the person sees masked. */
function keywordPart(resource: Resource, keyword: string, staff: Staff): Part {
  const text = foldText(keyword)
  const words = ownWords(resource, text, staff)
  const own: SQL[] = words ? [words] : []
  for (const key of wholes(resource)) {
    const { behind, hidden } = fieldOf(resource, key)
    if (!behind && hidden?.whole?.test(text)) own.push(sql`${sql.identifier(key)} = ${text}`)
  }
  const behind = [...searchedBehind(resource)].flatMap(([, group]): Part[] => {
    const [{ path } = { path: [] }] = group
    const end = endOf(resource, path)
    const texts = group.filter(({ whole }) => !whole).map(({ key }) => wordsBehind(end, key, text, staff))
    const numbers = group.filter(({ whole }) => whole?.test(text)).map(({ key }) => sql`${sql.identifier(key)} = ${text}`)
    const either = texts.length > 0 ? anyOf(texts) : undefined
    const condition = numbers.length > 0 ? livingOrGone(end, anyOf(numbers), either) : either
    return condition ? [{ path, condition }] : []
  })
  const [only] = behind
  if (own.length === 0 && only && behind.length === 1) return only
  if (behind.length === 0) return { path: [], condition: own.length > 0 ? anyOf(own) : sql`false` }
  // Each has an index of its own, on another table; joined by OR none of them would be used.
  const all = [...(own.length > 0 ? [anyOf(own)] : []), ...behind.map((part) => joinParts(resource, [part]))]
  return { path: [], condition: sql`id in (${sql.join(all.map((part) => sql`select id from ${sql.identifier(resource.table)} where ${part}`), sql` union all `)})` }
}

/** What the person may see at all: what stands at the end of a path of references, `school_id.partner_id`, is one of their ids. */
function scopeParts(resource: Resource, staff: Staff): Part[] {
  return (Object.entries(resource.scope) as [ScopeKind, string][]).flatMap(([kind, path]) => {
    const ids = staff.scopes[kind]
    const steps = path.split('.')
    return ids ? [{ path: steps.slice(0, -1), condition: sql`${sql.identifier(steps.at(-1) ?? '')} = any(${sql.param([...ids])}::bigint[])` }] : []
  })
}

/** Narrows to what the person may see at all; undefined when nothing limits them. */
export function scopeCondition(resource: Resource, staff: Staff): SQL | undefined {
  const parts = scopeParts(resource, staff)
  return parts.length > 0 ? joinParts(resource, parts) : undefined
}

/** What every list understands beside its filters; `_` is what old clients add so that nothing answers from a cache. */
const OF_LISTS: ReadonlySet<string> = new Set(['page', 'page_size', 'sort', 'cursor', 'keyword', 'ids', 'deleted', '_'])

/** spec 7 and domain 0.1: names of the range of a list's own time. */
const OWN_TIME: Readonly<Record<string, string>> = { start_time: 'created_at_start', end_time: 'created_at_end' }

/** A query by the names of the fields. */
export function ownQuery(resource: Resource, query: Query): Query {
  const own = byOwnNames(resource, query)
  const renamed = Object.entries(OWN_TIME).filter(([name]) => name in own)
  return renamed.length === 0 ? own : { ...own, ...Object.fromEntries(renamed.map(([name, key]) => [key, own[name]])) }
}

/** Keys by which a list can be narrowed, with further names of its fields. */
const filterNames = perResource((resource) => {
  const known = new Set(resource.list.filters.flatMap((key) => {
    const field = fieldOf(resource, key)
    return [...(field.filter === 'range' ? [`${key}_start`, `${key}_end`] : [key]), ...(asksOf(field).length > 0 ? [askKey(key)] : [])]
  }))
  for (const [name, key] of Object.entries(OWN_TIME)) if (known.has(key)) known.add(name)
  for (const [key, field] of Object.entries(resource.fields)) if (known.has(key)) for (const name of otherNames(field)) known.add(name)
  return known
})

/** The alternatives of a query. @throws AppError when they are none */
export function alternativesOf(query: Query): Alternative[] {
  const text = first(query, ANY)
  const asked = text === undefined ? [] : readAlternatives(text)
  if (!asked) throw badRequest('「满足任一」的条件有误，请重新选择')
  return asked
}

/**
 * Refuses a filter that the list does not have: it would be left out, and all records would pass for those that fit.
 * @throws AppError that names it
 */
export function checkQuery(resource: Resource, query: Query): void {
  const known = filterNames(resource)
  const unknown = [
    ...Object.keys(query).filter((key) => key !== ANY && !OF_LISTS.has(key) && query[key] !== undefined && query[key] !== ''),
    ...alternativesOf(query).flatMap((asked) => Object.keys(asked)),
  ].find((key) => !known.has(key))
  if (unknown !== undefined) throw unknownFilter(unknown)
}

/** What the filters of a query ask. */
const filtersOf = (resource: Resource, query: Query): Part[] => resource.list.filters.flatMap((key) => filterParts(resource, key, query))

/** Records that fulfil one of a query's alternatives. */
function alternativesPart(resource: Resource, query: Query): Part[] {
  const asked = alternativesOf(query).map((one) => filtersOf(resource, ownQuery(resource, one)))
  if (asked.length === 0) return []
  const either = asked.map((parts) => (parts.length > 0 ? joinParts(resource, parts) : sql`true`))
  // Joined by OR, what lies behind references would be looked up for every record.
  return [{ path: [], condition: asked.flat().some(({ path }) => path.length > 0)
    ? sql`id in (${sql.join(either.map((condition) => sql`select id from ${sql.identifier(resource.table)} where ${condition}`), sql` union all `)})`
    : sql`(${sql.join(either.map((condition) => sql`(${condition})`), sql` or `)})` }]
}

/** Conditions by which a resource's records are told from others of the same table. */
export function ownConditions(resource: Resource): SQL[] {
  return Object.entries(resource.where).map(([key, value]) => sql`${sql.identifier(key)} = ${value}`)
}

/** Which records others may refer to: the resource's own, living, and within what the person may see. Over the bare table. */
export function pickableCondition(resource: Resource, staff: Staff): SQL {
  const scope = scopeCondition(resource, staff)
  return sql.join([sql`deleted_at is null`, ...ownConditions(resource), ...(scope ? [scope] : [])], sql` and `)
}

/** Whether somebody may see a record: its screen, and the record within their scopes. Nobody sees nothing. */
export async function seesRecord(db: Queryable, resource: Resource, staff: Staff | undefined, id: number): Promise<boolean> {
  if (!staff?.modules.has(resource.grant)) return false
  const found = await db.query(sql`select 1 from ${sql.identifier(resource.table)} where id = ${id} and ${pickableCondition(resource, staff)}`)
  return found.length > 0
}

/** Everything that decides whether a record belongs to a list. */
export function listParts(resource: Resource, staff: Staff, asked: Query): Part[] {
  const query = ownQuery(resource, asked)
  const ids = idsCondition(query)
  const keyword = keywordText(query)
  const own = [first(query, 'deleted') === '1' ? sql`deleted_at is not null` : sql`deleted_at is null`, ...ownConditions(resource), ...(ids ? [ids] : [])]
  return [
    ...own.map((condition) => ({ path: [], condition })),
    ...scopeParts(resource, staff),
    ...filtersOf(resource, query),
    ...alternativesPart(resource, query),
    ...(keyword ? [keywordPart(resource, keyword, staff)] : []),
  ]
}

/** The same as one condition over the bare table. */
export const listCondition = (resource: Resource, staff: Staff, asked: Query): SQL => joinParts(resource, listParts(resource, staff, asked))
