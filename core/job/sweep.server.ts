import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.server.ts'

/** Something to be tidied up once an hour. */
export interface Sweep {
  readonly name: string
  run(): Promise<unknown>
}

/** Time between two sweeps of the whole installation, in seconds. */
const SWEEP_EVERY = 3600
/** A repeated request is recognised for this long, in hours. */
const ONCE_HOURS = 24
/** Finished jobs are kept for this long, in days. */
export const JOB_DAYS = 30

/** Requests that nobody repeats any more, and jobs that nobody looks at any more. */
export function ownSweeps(db: Database): Sweep[] {
  return [
    { name: 'request_once', run: () => db.query(sql`delete from request_once where at < now() - make_interval(hours => ${ONCE_HOURS})`) },
    { name: 'job', run: () => db.query(sql`delete from job where finished_at < now() - make_interval(days => ${JOB_DAYS})`) },
  ]
}

/**
 * Sweeps if nobody has for an hour. Whoever gets to write the time first does it, so that one process of many works.
 * @returns whether this process swept
 */
export async function sweepWhenDue(db: Database, sweeps: readonly Sweep[]): Promise<boolean> {
  const due = await db.query(sql`insert into installation (key, value) values ('swept', to_jsonb(extract(epoch from now())))
    on conflict (key) do update set value = excluded.value
    where (installation.value #>> '{}')::float8 <= extract(epoch from now()) - ${SWEEP_EVERY}::float8 returning key`)
  if (due.length === 0) return false
  for (const { name, run } of sweeps) {
    // One that fails must not keep the others from their turn.
    await run().catch((error: unknown) => console.error(`sweep ${name} failed:`, error))
  }
  return true
}
