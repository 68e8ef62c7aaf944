import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import type { ColumnType } from '../field/field.ts'
import type { Resource } from '../resource/define.ts'
import { recordsWritten, type Row } from '../resource/list.server.ts'
import { startValues } from '../resource/write.server.ts'

/** Rows that travel in one statement. */
const BATCH = 2000

/** Type by which a value of each column leaves its JSON, and what turns it into the column's own. */
const jsonTypes: Record<ColumnType, { type: string; read?: (value: SQL) => SQL }> = {
  text: { type: 'text' },
  ordered_text: { type: 'text' },
  integer: { type: 'integer' },
  bigint: { type: 'bigint' },
  numeric: { type: 'numeric' },
  boolean: { type: 'boolean' },
  timestamptz: { type: 'float8', read: (value) => sql`to_timestamp(${value})` },
  jsonb: { type: 'jsonb' },
  'bigint[]': { type: 'bigint[]' },
  'text[]': { type: 'text[]' },
}

const metaTypes: Readonly<Record<string, ColumnType>> = {
  id: 'bigint', created_at: 'timestamptz', created_by: 'bigint', updated_at: 'timestamptz', updated_by: 'bigint', deleted_at: 'timestamptz',
}

/** Runs `work` in one transaction that leaves no trace in the log: for data that the product itself sets up. */
export function seedTransaction<Result>(db: Database, work: (tx: Queryable) => Promise<Result>): Promise<Result> {
  return db.transaction({ staff_id: null, silent: true }, work)
}

/** Takes the next `count` ids of a resource, in ascending order. */
async function reserveIds(tx: Queryable, resource: Pick<Resource, 'table'>, count: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence(${resource.table}, 'id')) as id from generate_series(1, ${sql.raw(String(count))})`,
  )
  return rows.map((row) => row.id)
}

/**
 * Inserts many records at once, for base and demo data: no rules run and nothing is checked but the table's constraints.
 * @param rows fields in wire form; what is absent gets the field's initial value. Ids are taken in the rows' order unless given.
 * @returns the ids, in the order of the rows
 */
export async function insertMany<Found extends Row, Input extends Record<string, unknown>>(
  tx: Queryable, resource: Resource<Found, Input>, rows: readonly Partial<Found>[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const initial: Record<string, unknown> = startValues(resource)
  for (const [key, field] of Object.entries(resource.fields)) if (field.column && field.initial !== undefined) initial[key] ??= field.initial
  const reserved = rows[0]?.id === undefined ? await reserveIds(tx, resource, rows.length) : undefined
  const complete: Record<string, unknown>[] = rows.map((row, index) => {
    const created = row.created_at === undefined ? {} : { updated_at: row.created_at }
    return { ...initial, ...created, ...(reserved && { id: reserved[index] }), ...row }
  })
  const keys = [...new Set(complete.flatMap((row) => Object.keys(row)))]
  const columns = keys.map((key) => {
    const column = metaTypes[key] ?? resource.fields[key]?.column
    if (!column) throw new Error(`${resource.name} keeps no ${key}`)
    return { name: sql.identifier(key), ...jsonTypes[column] }
  })
  const names = sql.join(columns.map(({ name }) => sql`${name}`), sql`, `)
  const values = sql.join(columns.map(({ name, read }) => read?.(sql`r.${name}`) ?? sql`r.${name}`), sql`, `)
  const types = sql.join(columns.map(({ name, type }) => sql`${name} ${sql.raw(type)}`), sql`, `)
  for (let start = 0; start < complete.length; start += BATCH) {
    await tx.query(sql`insert into ${sql.identifier(resource.table)} (${names})
      select ${values} from jsonb_to_recordset(${JSON.stringify(complete.slice(start, start + BATCH))}::jsonb) as r (${types})`)
  }
  recordsWritten(tx, resource.table)
  return complete.map((row) => Number(row['id']))
}

/**
 * Fills a table by the ten thousand: its indexes are taken away and built once at the end, which is several times faster
 * than keeping them up row by row. Only while nobody else uses the table; in the caller's transaction.
 */
export async function withoutIndexes<Result>(tx: Queryable, tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const indexes = await tx.query<{ name: string; definition: string }>(sql`select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = any(${sql.param([...tables])}::text[]) and indexname not in (select conname from pg_constraint)`)
  for (const { name } of indexes) await tx.query(sql`drop index ${sql.identifier(name)}`)
  const result = await work()
  for (const { definition } of indexes) await tx.query(sql.raw(definition))
  return result
}
