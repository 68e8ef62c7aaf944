import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'

/** Something to be tidied up from time to time. */
export interface Sweep {
  readonly name: string
  /** Seconds between two runs in the whole installation, {@link SWEEP_EVERY} by default; 60 for what people wait for. Nothing may depend on it. */
  readonly every?: number
  /** It tidies up on the process's own disk, so each process runs it each hour; otherwise whichever comes first. */
  readonly everywhere?: true
  run(): Promise<unknown>
}

/** Seconds between two runs of a sweep that says nothing else. */
export const SWEEP_EVERY = 3600
/** Share of an interval after which a sweep is due: timers are not exact, and one that looked a moment early would miss a turn. */
const DUE_AFTER = 0.9
/** A repeated request is recognised for this long, in hours. */
const ONCE_HOURS = 24
/** Finished jobs are kept for this long, in days. */
export const JOB_DAYS = 30
/** The same in seconds: what a job reads is kept as long as it may be run again. */
export const JOB_SECONDS = JOB_DAYS * 86_400

/** Counts again what tables hold, one after the other, so that requests get their turns in between. */
async function analyze(db: Database): Promise<void> {
  for (const { name } of await db.query<{ name: string }>(sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`)) await db.script(`analyze ${name}`)
}

/** Makes the months to come of tables that are kept by month, so that a month is there before its first record. */
export const makeMonths = (db: Queryable): Promise<unknown> => db.query(sql`select make_months()`)

/** Requests that nobody repeats any more, and jobs that nobody looks at any more. */
export function ownSweeps(db: Database): Sweep[] {
  return [
    { name: 'request_once', run: () => db.query(sql`delete from request_once where at < now() - make_interval(hours => ${ONCE_HOURS})`) },
    { name: 'job', run: () => db.query(sql`delete from job where finished_at < now() - make_interval(days => ${JOB_DAYS})`) },
    { name: 'months', run: () => makeMonths(db) },
    // A server does so by itself.
    ...(db.kind === 'embedded' ? [{ name: 'statistics', run: () => analyze(db) }] : []),
  ]
}

/** The intervals of sweeps, in seconds, each once. */
export function intervalsOf(sweeps: readonly Sweep[]): number[] {
  return [...new Set(sweeps.filter(({ everywhere }) => !everywhere).map(({ every }) => every ?? SWEEP_EVERY))]
}

/**
 * Runs the sweeps of an interval if no process has for so long. The process that writes the time first runs them.
 * @param every seconds
 * @returns whether this process swept
 */
export async function sweepWhenDue(db: Database, sweeps: readonly Sweep[], every: number = SWEEP_EVERY): Promise<boolean> {
  const key = every === SWEEP_EVERY ? 'swept' : `swept_${every}`
  const due = await db.query(sql`insert into installation (key, value) values (${key}, to_jsonb(extract(epoch from now())))
    on conflict (key) do update set value = excluded.value
    where (installation.value #>> '{}')::float8 <= extract(epoch from now()) - ${every * DUE_AFTER}::float8 returning key`)
  if (due.length === 0) return false
  await runSweeps(sweeps.filter((sweep) => !sweep.everywhere && (sweep.every ?? SWEEP_EVERY) === every))
  return true
}

/** Runs sweeps one after the other. */
export async function runSweeps(sweeps: readonly Sweep[]): Promise<void> {
  for (const { name, run } of sweeps) {
    // One that fails must not keep the others from their turn.
    await run().catch((error: unknown) => console.error(`sweep ${name} failed:`, error))
  }
}
