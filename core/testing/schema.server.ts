import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import type { Database } from '../database/database.server.ts'
import { findTables } from '../module/schema.server.ts'

interface Schema {
  /** `table.column`, with ! where it is required. */
  columns: string[]
  indexes: string[]
}

/** Months of a table are parts of it, and no definition names them. */
const MONTHS = sql`(select inhrelid::regclass::text from pg_inherits)`

const SNAPSHOT = join(import.meta.dirname, '../../migrations/snapshot.json')

/** Tables and columns that no definition names any more, and that stay for one release: the release before still writes to them. */
async function retiredNames(): Promise<ReadonlySet<string>> {
  const { retired = {} } = JSON.parse(await readFile(SNAPSHOT, 'utf8')) as { retired?: Record<string, string> }
  return new Set(Object.keys(retired))
}

/** What the definitions name, and what a database has of it beside what is on its way out. */
export async function schemaOf(db: Database): Promise<{ defined: Schema; stored: Schema }> {
  const columns = await db.query<{ name: string }>(sql`select table_name || '.' || column_name || case is_nullable when 'NO' then '!' else '' end as name
    from information_schema.columns where table_schema = 'public' and table_name <> 'migration' and table_name not in ${MONTHS}`)
  const indexes = await db.query<{ of: string; name: string }>(sql`select tablename as of, indexname as name from pg_indexes where schemaname = 'public' and tablename <> 'migration' and tablename not in ${MONTHS} and indexname not like '%_pkey' and indexname not like '%_pk'`)
  const retired = await retiredNames()
  const tables = Object.values(await findTables()).map(getTableConfig)
  const named = tables.flatMap((table) => [...table.indexes.map((index) => index.config.name ?? ''), ...table.uniqueConstraints.map((one) => one.name ?? '')])
  return {
    defined: { columns: tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}${column.notNull ? '!' : ''}`)).sort(), indexes: named.sort() },
    stored: { columns: columns.map((row) => row.name).filter((name) => !retired.has(name.replace('!', '')) && !retired.has(name.split('.')[0] ?? '')).sort(), indexes: indexes.filter((row) => !retired.has(row.of)).map((row) => row.name).sort() },
  }
}
