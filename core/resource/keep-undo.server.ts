import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from './define.ts'
import type { Done } from './operations.server.ts'

/** What was done, for the list of what can still be taken back. */
interface Act {
  readonly resource: Pick<Resource, 'name'>
  readonly staff: Pick<Staff, 'id'>
  /** As the log calls it. */
  readonly action: string
  /** The job that does it to many records: what its batches keep is one act. */
  readonly jobId?: number
}

/**
 * Keeps, in the transaction of what was done, how it is taken back.
 * @returns the number by which it is taken back; undefined where nothing of it can be
 */
export async function keepUndo(tx: Queryable, { resource, staff, action, jobId }: Act, all: readonly Done[]): Promise<number | undefined> {
  const steps = all.flatMap(({ record, rev, back }) => (back ? [{ record_id: record.id, rev, back }] : []))
  if (steps.length === 0) return undefined
  const [act] = await tx.query<{ id: number }>(sql`with act as (
      insert into undo_act (staff_id, resource, action, count, job_id) values (${staff.id}, ${resource.name}, ${action}, ${steps.length}, ${jobId ?? null})
      on conflict (job_id) do update set count = undo_act.count + excluded.count returning id
    ), step as (
      insert into undo_step (act_id, record_id, rev, back) select act.id, s.record_id, s.rev, s.back
      from act, jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s (record_id bigint, rev integer, back jsonb)
    ) select id from act`)
  return act?.id
}

/** The act of a job; undefined where nothing of it can be taken back. */
export async function undoOfJob(db: Queryable, jobId: number): Promise<number | undefined> {
  const [act] = await db.query<{ id: number }>(sql`select id from undo_act where job_id = ${jobId}`)
  return act?.id
}
