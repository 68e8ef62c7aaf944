import type { Actor, Queryable } from '../database/database.server.ts'
import type { JobContext } from './define.server.ts'

/** One batch: writes in the transaction that it is given, and says how far the job is then; undefined when nothing was left to do. */
type Batch<State> = (tx: Queryable) => Promise<State | undefined>

/**
 * The loop of long work. A batch and how far it came are one transaction, so that an interrupted job goes on behind it, and a
 * cancelled one stops between two of them.
 * @param start how far a job is that begins
 * @param next reads what the next batch is about, outside of its transaction; undefined when nothing is left
 * @param shown how much is done, and of how much
 * @param actor adds to who writes: the action, the reason
 * @returns how far it came
 * @throws what a batch throws: it is rolled back, the ones before stay
 */
export async function inBatches<State>(
  context: JobContext<unknown, State>, start: State, next: (state: State) => Promise<Batch<State> | undefined>, shown: (state: State) => readonly [done: number, total: number], actor: Partial<Actor> = {},
): Promise<State> {
  let state = context.saved ?? start
  for (;;) {
    context.signal.throwIfAborted()
    context.progress(...shown(state))
    const batch = await next(state)
    if (!batch) return state
    const after = await context.db.transaction({ ...context.actor, ...actor }, async (tx) => {
      const reached = await batch(tx)
      if (reached !== undefined) await context.save(tx, reached)
      return reached
    })
    if (after === undefined) return state
    state = after
  }
}
