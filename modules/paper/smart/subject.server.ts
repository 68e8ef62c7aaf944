import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { invalid } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'

/** The subject of a rule, within the person's reach. */
export async function subjectOf(db: Queryable, staff: Staff, id: number | undefined): Promise<{ id: number; name: string; level: number }> {
  const [row] = id === undefined ? [] : await db.query<{ id: number; name: string; level: number }>(sql`select id, name, level from subject where id = ${id} and deleted_at is null`)
  if (!row || id === undefined || !(staff.scopes.subject?.includes(id) ?? true) || !(staff.scopes.level?.includes(row.level) ?? true)) throw invalid({ subject_id: '请选择学科' })
  return row
}
