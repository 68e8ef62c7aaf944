import { sql, SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { AnyField } from '../field/any-field.ts'
import type { RecordMeta } from '../field/field.ts'
import type { Resource } from './define.ts'
import { recordsWritten, type Row } from './list.server.ts'
import { isEmpty } from '../field/check.ts'

/** A wire value as a parameter of its column's type. */
export function toColumn(field: AnyField, value: unknown): SQL {
  if (isEmpty(value) && field.column !== 'bigint[]' && field.column !== 'text[]') return sql`null`
  if (field.column === 'timestamptz') return sql`to_timestamp(${value})`
  if (field.column === 'jsonb') return sql`${JSON.stringify(value)}::jsonb`
  if (field.column === 'bigint[]') return sql`${sql.param(value ?? [])}::bigint[]`
  if (field.column === 'text[]') return sql`${sql.param(value ?? [])}::text[]`
  return sql`${value}`
}

/** The field that a column keeps. @throws Error when the resource keeps none of this key */
export function columnField(resource: Pick<Resource, 'name' | 'fields'>, key: string): AnyField {
  const field = resource.fields[key]
  if (!field?.column) throw new Error(`${resource.name} keeps no ${key}`)
  return field
}

/** What a change sets: values as they travel, or SQL in which `t` is the record as it was. */
export type Sets<Row> = { readonly [K in Exclude<keyof Row, keyof RecordMeta>]?: Row[K] | SQL | null | undefined } & { readonly deleted_at?: SQL }

/** Which records: one id, several, or a condition on `t`. */
type Where = number | readonly number[] | SQL

interface Options<Key> {
  /** Further tables of the statement, joined by the condition: `jsonb_to_recordset(…) as r (id bigint, sort integer)`. */
  readonly from?: SQL
  /** Columns of the records as they are now. */
  readonly returning?: readonly Key[]
}

/** Staff id of the transaction's actor; null where nobody acts. */
const ACTOR = sql`(select (nullif(current_setting('app.actor', true), '')::jsonb ->> 'staff_id')::bigint)`

/** What every change of a record writes: a new revision, when, and who. `t` is the record. */
export const STAMP = sql`rev = t.rev + 1, updated_at = now(), updated_by = ${ACTOR}`

/** SQL that sets columns of a resource. A value that is undefined is left out. */
export function setClause(resource: Pick<Resource, 'name' | 'fields'>, sets: Readonly<Record<string, unknown>>): SQL[] {
  return Object.entries(sets).filter(([, value]) => value !== undefined).map(([key, value]) =>
    sql`${sql.identifier(key)} = ${value instanceof SQL ? value : toColumn(columnField(resource, key), value)}`)
}

async function write<Changed extends Record<string, unknown>>(tx: Queryable, resource: Resource, columns: readonly SQL[], where: Where, { from, returning = [] }: Options<string>): Promise<Changed[]> {
  const those = typeof where === 'number' ? sql`t.id = ${where}` : where instanceof SQL ? where : sql`t.id = any(${sql.param([...where])}::bigint[])`
  const back = ['id', 'rev', ...returning].map((key) => sql`t.${sql.identifier(key)}`)
  const rows = await tx.query<Changed>(sql`update ${sql.identifier(resource.table)} t set ${sql.join([...columns], sql`, `)}${from ? sql` from ${from}` : sql``}
    where ${those} returning ${sql.join(back, sql`, `)}`)
  if (rows.length > 0) recordsWritten(tx, resource.table)
  return rows
}

/**
 * Changes records by one statement, for code that has checked what it writes: no rule runs. Each gets a new revision, the time
 * and the transaction's actor; the log and the counts of lists follow. What people send goes through `operations.server.ts`.
 * @param tx a transaction: its actor is the one who changes
 * @param where an id, ids, or a condition in which `t` is the record; whether it lives is the caller's to say
 * @returns the records that were changed, with their new revision
 * @example await touch(tx, pad, { status: PAD_STATUS.stock, seat_id: null }, row.id)
 */
export function touch<Found extends Row, Input extends Record<string, unknown>, Key extends keyof Found & string = never>(
  tx: Queryable, resource: Resource<Found, Input>, sets: Sets<Found>, where: Where, options: Options<Key> = {},
): Promise<Pick<Found, Key | 'id' | 'rev'>[]> {
  return write<Pick<Found, Key | 'id' | 'rev'>>(tx, resource, [...setClause(resource, sets), STAMP], where, options)
}

/**
 * Keeps figures of records that follow from other records: sums, last seen, a copy of what a parent says. Nobody changed the
 * record, so its revision stays, and a form that is open on it can still be saved.
 * @param where as in {@link touch}
 * @returns the records that were written
 */
export function setDerived<Found extends Row, Input extends Record<string, unknown>, Key extends keyof Found & string = never>(
  tx: Queryable, resource: Resource<Found, Input>, sets: Sets<Found>, where: Where, options: Options<Key> = {},
): Promise<Pick<Found, Key | 'id' | 'rev'>[]> {
  return write<Pick<Found, Key | 'id' | 'rev'>>(tx, resource, setClause(resource, sets), where, options)
}
