import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { notFound } from '../../core/error/error.ts'
import type { RecordMeta } from '../../core/field/field.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'

/** The same data whatever the record's type. */
const plain = <Row extends RecordMeta, Input>(resource: Resource<Row, Input>) => resource as unknown as Resource

/** Locks a living record inside the person's scope, with its own type. */
export async function lock<Row extends RecordMeta, Input>(tx: Queryable, resource: Resource<Row, Input>, staff: Staff, id: number): Promise<Row> {
  return (await lockRow(tx, plain(resource), staff, id)) as unknown as Row
}

/**
 * Reads a living record inside the person's scope, with its own type and without names.
 * @throws notFound
 */
export async function read<Row extends RecordMeta, Input>(db: Queryable, resource: Resource<Row, Input>, staff: Staff, id: number): Promise<Row> {
  const [row] = await db.query<Record<string, unknown>>(sql`select * from ${sql.identifier(resource.table)} where ${listCondition(plain(resource), staff, { ids: String(id) })}`)
  if (!row) throw notFound(resource.label)
  return row as unknown as Row
}
