import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.server.ts'

/** Tables that name files without keeping them: what was once, and what has an end of its own. */
const PASSING = ['audit_log', 'job', 'request_once', 'import_row', 'client_error']

/**
 * Files that a row names and that will be gone in a day, because the person who wrote the row did not claim them.
 * @returns table, column and id of each
 */
export async function unclaimedFiles(db: Database): Promise<string[]> {
  const columns = await db.query<{ table: string; column: string }>(sql`select c.table_name::text as table, c.column_name::text as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'ARRAY') and c.table_name <> all(${sql.param(PASSING)}::text[])`)
  const found: string[] = []
  for (const { table, column } of columns) {
    const name = sql.identifier(column)
    const rows = await db.query<{ id: string }>(sql`select distinct f.id::text as id from ${sql.identifier(table)} t
      cross join lateral regexp_matches(t.${name}::text, '/daoyuan/api/end/files/([0-9a-f-]{36})', 'g') as m join file f on f.id = m[1]::uuid
      where t.${name}::text like '%/daoyuan/api/end/files/%' and f.expires_at is not null`)
    found.push(...rows.map(({ id }) => `${table}.${column} ${id}`))
  }
  return found
}
