import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { Row } from '../../core/resource/list.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'

/**
 * Reads a living record inside the person's scope, without names.
 * @throws notFound
 */
export async function read<Found extends Row, Input extends Record<string, unknown>>(db: Queryable, resource: Resource<Found, Input>, staff: Staff, id: number): Promise<Found> {
  const [row] = await db.query<Found>(sql`select * from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, { ids: String(id) })}`)
  if (!row) throw notFound(resource.label)
  return row
}
