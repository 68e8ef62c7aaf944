import { sql } from 'drizzle-orm'
import {
  bigint, boolean, index, integer, jsonb, numeric, pgTable, text, timestamp, uniqueIndex,
  type AnyPgColumn, type PgColumnBuilderBase, type PgTable,
} from 'drizzle-orm/pg-core'
import type { ColumnType } from '../field/field.ts'
import type { Resource } from './define.ts'

const builders: Record<ColumnType, (name: string) => PgColumnBuilderBase> = {
  text: (name) => text(name),
  integer: (name) => integer(name),
  bigint: (name) => bigint(name, { mode: 'number' }),
  numeric: (name) => numeric(name),
  boolean: (name) => boolean(name),
  // Whole seconds, as on the wire: a page's cursor then names a row exactly.
  timestamptz: (name) => timestamp(name, { withTimezone: true, precision: 0 }),
  jsonb: (name) => jsonb(name),
  'bigint[]': (name) => bigint(name, { mode: 'number' }).array(),
  'text[]': (name) => text(name).array(),
}

/** Columns that every table of a resource has (domain 0.3). */
const metaColumns = () => ({
  id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  rev: integer('rev').notNull().default(1),
  created_by: bigint('created_by', { mode: 'number' }),
  created_at: timestamp('created_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  updated_by: bigint('updated_by', { mode: 'number' }),
  updated_at: timestamp('updated_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  deleted_at: timestamp('deleted_at', { withTimezone: true, precision: 0 }),
})

/** SQL text that joins the searched fields of a row; index and query must use the same. */
export function searchText(resource: Pick<Resource, 'fields'>, alias = ''): string {
  const keys = Object.keys(resource.fields).filter((key) => resource.fields[key]?.search && resource.fields[key]?.kind !== 'mobile')
  return keys.map((key) => `coalesce(${alias}"${key}", '')`).join(" || ' ' || ")
}

/**
 * SQL text of what the index of words holds of a row: pieces of its searched text, and as one more the values within which
 * words are looked for. A list of one subject then reads its own records alone, not those of all subjects that hold the words.
 */
export function searchPieces(resource: Pick<Resource, 'fields' | 'searchedWithin'>, alias = ''): string {
  const pieces = `grams(${searchText(resource, alias)})`
  const within = resource.searchedWithin.map((key) => `${alias}"${key}"::text`)
  return within.length > 0 ? `(${pieces} || (${within.join(" || ' ' || ")}))` : pieces
}

/** The one piece by which records with these values of `searchedWithin` are found. No text has it: its own are cut at spaces. */
export const withinPiece = (values: readonly (string | number)[]): string => values.join(' ')

/** What only some of the resources of a table say of it holds for their own records alone. */
function ownRecords(all: readonly Resource[], saying: readonly Resource[]): string {
  if (saying.length === all.length) return ''
  const conditions = saying.map(({ where }) => Object.entries(where).map(([key, value]) => `"${key}" = ${typeof value === 'number' ? value : `'${value}'`}`).join(' and ') || 'true')
  return ` and (${conditions.join(' or ')})`
}

/**
 * The table that keeps a resource, or several that share it, for the migrations.
 * Names stay short: PostgreSQL cuts them at 63 characters.
 */
export function tableOf(resource: Resource, ...sharing: readonly Resource[]): PgTable {
  const all = [resource, ...sharing]
  const short = resource.table
  const columns: Record<string, PgColumnBuilderBase> = metaColumns()
  const fields = new Map(all.flatMap((one) => Object.entries(one.fields)))
  for (const [key, field] of fields) {
    if (!field.column) continue
    const column = builders[field.column](key) as PgColumnBuilderBase & { notNull(): PgColumnBuilderBase; default(value: unknown): typeof column }
    // Rows from before the table was shared are those of the resource that it is named after.
    const fixed = all.find(({ name }) => name === short)?.where[key]
    const filled = fixed === undefined ? column : column.default(fixed)
    // Who does not know a field says nothing about it.
    columns[key] = all.every((one) => !(key in one.fields) || one.fields[key]?.required || key in one.where) ? filled.notNull() : filled
  }
  /** Each group of fields once, with the resources that name it. */
  const gather = (groupsOf: (one: Resource) => readonly (readonly string[])[]) =>
    [...Map.groupBy(all.flatMap((one) => groupsOf(one).map((keys) => ({ keys, one }))), ({ keys }) => keys.filter((key) => key !== 'id').join('_'))]
      .map(([name, found]) => ({ name, keys: found[0]?.keys ?? [], saying: found.map(({ one }) => one) }))
  const unique = gather((one) => [...Object.keys(one.fields).filter((key) => one.fields[key]?.unique).map((key) => [key]), ...one.unique])
  const plain = gather((one) => [
    ...Object.keys(one.fields).filter((key) => ['reference', 'tree_reference', 'mobile'].includes(one.fields[key]?.kind ?? '') && !one.fields[key]?.unique
      && !one.indexes.some(([leading, next]) => leading === key && next === 'id')).map((key) => [key, 'id']),
    ...one.indexes,
  ])
  const living = all.every(({ indexesLiving }) => indexesLiving)
  /** Nobody looks for records whose reference is empty, and a list is not sorted by it. */
  const isGiven = (key: string) => (fields.get(key)?.sortable || columns[key] === undefined || fields.get(key)?.required ? '' : ` and "${key}" is not null`)
  const searches = [...new Set(all.filter((one) => searchText(one) !== '').map((one) => searchPieces(one)))]
  return pgTable(short, columns, (table) => {
    const of = (key: string): AnyPgColumn => {
      const column = table[key]
      if (!column) throw new Error(`${short} has no column ${key}`)
      return column
    }
    const on = (keys: readonly string[]) => keys.map(of) as [AnyPgColumn, ...AnyPgColumn[]]
    return [
      ...unique.map(({ name, keys, saying }) => uniqueIndex(`${short}_${name}_u`).on(...on(keys)).where(sql.raw(`deleted_at is null${ownRecords(all, saying)}`))),
      ...plain.map(({ name, keys }) => {
        const one = index(`${short}_${name}_i`).on(...on(keys))
        return living ? one.where(sql.raw(`deleted_at is null${isGiven(keys[0] ?? '')}`)) : one
      }),
      // The recycle bin looks at all tables at once.
      index(`${short}_deleted_i`).on(of('deleted_at'), of('id')).where(sql`deleted_at is not null`),
      ...searches.map((search, place) => index(`${short}_search${place || ''}_i`).using('gin', sql.raw(search))),
    ]
  })
}
