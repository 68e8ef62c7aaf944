import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from './define.ts'
import type { Back, Done } from './operations.server.ts'

/** What was done, for the list of what can still be taken back. */
interface Act {
  readonly resource: Pick<Resource, 'name'>
  readonly staff: Pick<Staff, 'id'>
  /** As the log calls it. */
  readonly action: string
  /** The job that does it to many records: what its batches keep is one act. */
  readonly jobId?: number
}

/** What is kept of one record. */
interface Step {
  readonly record_id: number
  readonly rev: number
  readonly back: Back
}

/**
 * Keeps, in the transaction of what was done, how it is taken back.
 * @returns the number by which it is taken back; undefined where nothing of it can be
 */
export function keepUndo(tx: Queryable, act: Act, all: readonly Done[]): Promise<number | undefined> {
  return keepSteps(tx, act, all.flatMap(({ record, rev, back }) => (back ? [{ record_id: record.id, rev, back }] : [])))
}

/**
 * The same for what changed records otherwise than by an operation of one record: by a way back of the resource's own rules.
 * @param all what each way back needs to be told, by the id of its record
 */
export async function keepOwnUndo(tx: Queryable, act: Act & { readonly resource: Pick<Resource, 'table'> }, way: string, all: ReadonlyMap<number, Readonly<Record<string, unknown>>>): Promise<number | undefined> {
  const left = await tx.query<{ id: number; rev: number }>(sql`select id, rev from ${sql.identifier(act.resource.table)} where id = any(${sql.param([...all.keys()])}::bigint[]) order by id`)
  return keepSteps(tx, act, left.map(({ id, rev }) => ({ record_id: id, rev, back: { by: 'own', way, values: all.get(id) ?? {} } })))
}

async function keepSteps(tx: Queryable, { resource, staff, action, jobId }: Act, steps: readonly Step[]): Promise<number | undefined> {
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
