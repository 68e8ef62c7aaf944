import type { Actor, Database, Queryable } from '../database/database.server.ts'
import type { Staff } from '../grant/staff.server.ts'

/** What a job is given. */
export interface JobContext<Input = unknown, Saved = unknown> {
  readonly id: number
  readonly input: Input
  /** Who asked for it, with the rights of this moment. */
  readonly staff: Staff
  readonly db: Database
  /** Names the person and the job in the log of what is written. */
  readonly actor: Actor
  /** Aborted when the job is cancelled, when rights are withdrawn, and when the process stops. */
  readonly signal: AbortSignal
  /** What an earlier, interrupted run saved; undefined on the first. */
  readonly saved: Saved | undefined
  /** Shows how far it is; may be called as often as one likes. */
  progress(done: number, total?: number): void
  /**
   * Keeps, in the transaction of a finished part, what is needed to go on after it.
   * @throws when the job is no longer this run's to do, so that the part is rolled back
   */
  save(tx: Queryable, saved: Saved): Promise<void>
  /**
   * Ends the job in the same transaction as its work: both happen, or neither. A cancelled job cannot end.
   * @throws when the job was cancelled or is no longer this run's, so that the work is rolled back
   */
  finish(tx: Queryable, result: unknown): Promise<void>
}

/**
 * A kind of long work. It may be run more than once: a process can die at any moment, and another run begins again.
 * What a run writes therefore goes with `finish` or `save` into one transaction, or does no harm twice.
 */
export interface JobDefinition<Input = unknown, Saved = unknown> {
  /** Stays the same over releases: waiting jobs are found by it. */
  readonly kind: string
  /** Ids all of which the person must hold, at the start and while it runs. */
  grants(input: Input): readonly number[]
  /** @returns what came of it, unless `finish` was told */
  run(context: JobContext<Input, Saved>): Promise<unknown>
}

/**
 * Declares a kind of job.
 * @example defineJob<{ month: string }>({ kind: 'settle', grants: () => [130311], run: async ({ db, input }) => … })
 */
export function defineJob<Input, Saved = undefined>(definition: JobDefinition<Input, Saved>): JobDefinition {
  // The queue stores input and state as JSON; each kind only ever sees its own.
  return definition
}
