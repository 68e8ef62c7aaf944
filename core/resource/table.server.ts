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
export function searchText(resource: Resource, alias = ''): string {
  const keys = Object.keys(resource.fields).filter((key) => resource.fields[key]?.search && resource.fields[key]?.kind !== 'mobile')
  return keys.map((key) => `coalesce(${alias}"${key}", '')`).join(" || ' ' || ")
}

/**
 * The table that keeps a resource, for the migrations.
 * Names stay short: PostgreSQL cuts them at 63 characters.
 */
export function tableOf(resource: Resource): PgTable {
  const columns: Record<string, PgColumnBuilderBase> = metaColumns()
  for (const [key, field] of Object.entries(resource.fields)) {
    if (!field.column) continue
    const column = builders[field.column](key) as PgColumnBuilderBase & { notNull(): PgColumnBuilderBase }
    columns[key] = field.required ? column.notNull() : column
  }
  const short = resource.table
  return pgTable(short, columns, (table) => {
    const of = (key: string): AnyPgColumn => {
      const column = table[key]
      if (!column) throw new Error(`${resource.name} has no column ${key}`)
      return column
    }
    const living = sql`deleted_at is null`
    const search = searchText(resource)
    const [first, ...rest] = ['id']
    return [
      ...Object.keys(resource.fields)
        .filter((key) => resource.fields[key]?.unique)
        .map((key) => uniqueIndex(`${short}_${key}_u`).on(of(key)).where(living)),
      ...resource.unique.map((keys) => uniqueIndex(`${short}_${keys.join('_')}_u`).on(of(keys[0] ?? first ?? ''), ...keys.slice(1).map(of)).where(living)),
      ...Object.keys(resource.fields)
        .filter((key) => ['reference', 'tree_reference', 'mobile'].includes(resource.fields[key]?.kind ?? '') && !resource.fields[key]?.unique)
        .map((key) => index(`${short}_${key}_i`).on(of(key), of('id'))),
      ...resource.indexes.map((keys) => index(`${short}_${keys.join('_')}_i`).on(of(keys[0] ?? ''), ...keys.slice(1).map(of), ...rest.map(of))),
      // The recycle bin looks at all tables at once.
      index(`${short}_deleted_i`).on(of('deleted_at'), of('id')).where(sql`deleted_at is not null`),
      ...(search ? [index(`${short}_search_i`).using('gin', sql.raw(`grams(${search})`))] : []),
    ]
  })
}
