import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { roomUtility } from './utility.ts'

/** Says of readings to whose school they belong: that of their room. */
async function locate(tx: Queryable, changes: readonly { values: { room_id?: number } & Record<string, unknown> }[]): Promise<void> {
  const ids = changes.flatMap(({ values }) => values.room_id ?? [])
  if (ids.length === 0) return
  const rooms = await tx.query<{ id: number; school_id: number }>(sql`select id, school_id from study_room where id = any(${sql.param(ids)}::bigint[])`)
  const schoolOf = new Map(rooms.map(({ id, school_id }) => [id, school_id]))
  for (const { values } of changes) if (values.room_id !== undefined) values['school_id'] = schoolOf.get(values.room_id)
}

export const utilityService = serve(roomUtility)({
  beforeOnlyReads: true,
  before: (change) => locate(change.tx, [change]),
  beforeImport: ({ tx, rows }) => locate(tx, rows),
})
