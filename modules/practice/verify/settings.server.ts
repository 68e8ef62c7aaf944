import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { isDrawn, readVerifySettings, samplePercent, saveVerifySettings, START_SETTINGS, type VerifySettings, type WriterRecord } from './settings.ts'

/** The settings of checking, one row for everybody. */
export async function verifySettings(db: Queryable): Promise<VerifySettings> {
  const [row] = await db.query<{ body: Partial<VerifySettings> }>(sql`select body from verify_setting where id = 1`)
  return { ...START_SETTINGS, ...row?.body }
}

/** Whether a question that passed the first reading needs the second one, by how well its writer has written so far (domain 3.5). */
export async function needsSecond(db: Queryable, row: { id: number; version_no: number; owner_id: number | null }): Promise<boolean> {
  const { tiers } = await verifySettings(db)
  if (tiers.length === 0 || row.owner_id === null) return true
  const [record] = await db.query<WriterRecord>(sql`select count(*)::int as checked, coalesce(sum(passed), 0)::int as passed
    from (select distinct on (practice_id) passed from practice_verify where owner_id = ${row.owner_id} and practice_id <> ${row.id} order by practice_id, id) f`)
  return isDrawn(row.id, row.version_no, samplePercent(tiers, record ?? { checked: 0, passed: 0 }))
}

export function verifySettingsCalls(): Served[] {
  return [
    handle(readVerifySettings, ({ db }) => verifySettings(db)),
    handle(saveVerifySettings, (call) => call.transaction(async (tx) => {
      const before = await verifySettings(tx)
      const body = { ...call.input, banned: [...new Set(call.input.banned)] }
      await tx.query(sql`insert into verify_setting (id, body) values (1, ${JSON.stringify(body)}::jsonb) on conflict (id) do update set body = excluded.body`)
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
        values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'verify_settings', 'verify_setting', 1, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(body)}::jsonb)`)
      return body
    })),
  ]
}
