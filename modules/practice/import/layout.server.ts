/** Which field is what, remembered for files of the same layout: those whose own fields have the same names. */
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { mappingSchema, type FieldSample, type JsonMapping } from '../formats/json-mapping.ts'

const layoutOf = (fields: readonly FieldSample[]) => createHash('sha256').update(fields.map(({ path }) => path).sort().join('\n')).digest('hex')

/** What a person has chosen for a layout; null when nothing, or something that is no mapping any more. */
export async function recallLayout(db: Queryable, staffId: number, fields: readonly FieldSample[]): Promise<JsonMapping | null> {
  const [row] = await db.query<{ mapping: unknown }>(sql`select mapping from practice_import_layout where staff_id = ${staffId} and layout = ${layoutOf(fields)}`)
  const read = mappingSchema.safeParse(row?.mapping)
  return read.success ? read.data : null
}

/** Remembers it for the person. */
export async function rememberLayout(tx: Queryable, staffId: number, fields: readonly FieldSample[], mapping: JsonMapping): Promise<void> {
  await tx.query(sql`insert into practice_import_layout (staff_id, layout, mapping) values (${staffId}, ${layoutOf(fields)}, ${JSON.stringify(mapping)}::jsonb)
    on conflict (staff_id, layout) do update set mapping = excluded.mapping, updated_at = now()`)
}
