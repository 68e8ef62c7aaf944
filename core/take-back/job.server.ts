import { sql } from 'drizzle-orm'
import { inBatches } from '../job/batches.server.ts'
import { defineJob, type JobContext, type JobDefinition } from '../job/define.server.ts'
import type { Sweep } from '../job/sweep.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { shownName } from '../resource/names.ts'
import type { Pipeline } from '../resource/operations.server.ts'
import type { BulkDone } from '../transfer/calls.ts'
import { attempt } from '../transfer/over-records.server.ts'
import { UNDO_HOURS } from '../undo/calls.ts'
import { takeStep, type Step } from './take.server.ts'

/** Records of one transaction. */
const BATCH = 200
/** Time after which a transaction ends, in milliseconds: on the embedded database everybody else waits for it. */
const BATCH_TIME = 120
/** Records that stay as they are and are named with why. */
const NAMED = 200

/** What a job that takes something back is asked for. */
export interface UndoJob {
  act: number
  resource: string
  /** The job whose work it takes back. */
  undoes: number
  reason: string
}

interface UndoState extends BulkDone {
  /** Records from this id on are handled: the last first, because what hangs below another came after it. */
  below: number
  total: number
}

/** Takes back what was done to many records, each by its own operation; what somebody has changed since stays and is named. */
async function run(context: JobContext<UndoJob, UndoState>, parts: Omit<Pipeline, 'staff'>): Promise<void> {
  const { db, input, staff } = context
  const { resource } = parts.service
  const [act] = await db.query<{ count: number }>(sql`select count from undo_act where id = ${input.act}`)
  const pipeline: Pipeline = { ...parts, staff }
  const start: UndoState = { below: Number.MAX_SAFE_INTEGER, total: act?.count ?? 0, done: 0, skipped: 0, reasons: [] }
  const { done, skipped, reasons } = await inBatches(context, start, async (state) => {
    const steps = await db.query<Step>(sql`select record_id, rev, back from undo_step where act_id = ${input.act} and record_id < ${state.below} order by record_id desc limit ${BATCH}`)
    if (steps.length === 0) return undefined
    return async (tx) => {
      const next = { ...state, reasons: [...state.reasons] }
      const began = performance.now()
      for (const step of steps) {
        const problem = await attempt(tx, () => takeStep(tx, pipeline, step, input.reason))
        if (problem === undefined) next.done++
        else {
          next.skipped++
          if (next.reasons.length < NAMED) {
            const [row] = await tx.query<{ name: string | null }>(sql`select ${sql.identifier(resource.title)}::text as name from ${sql.identifier(resource.table)} where id = ${step.record_id}`)
            next.reasons.push({ id: step.record_id, name: row?.name ? shownName(resource, staff, row.name) : '', reason: problem })
          }
        }
        next.below = step.record_id
        if (performance.now() - began > BATCH_TIME) break
      }
      return next
    }
  }, (state) => [state.done + state.skipped, state.total], { action: 'undo' })
  await db.transaction(context.actor, async (tx) => {
    await tx.query(sql`update job set status = 'undone' where id = ${input.undoes} and status = 'done'`)
    const result: BulkDone = { done, skipped, reasons }
    await context.finish(tx, result)
  })
}

/** The job that takes back what was done to many records. */
export function undoJobs({ registry }: Pick<Kernel, 'registry'>): JobDefinition[] {
  const targets = new Map([...registry].map(([name, { resource }]) => [name, resource]))
  return [
    defineJob<UndoJob, UndoState>({
      kind: 'undo',
      // Each record asks for the right of its own way back.
      grants: () => [],
      run(context) {
        const service = registry.get(context.input.resource)
        if (!service) throw new Error(`no resource ${context.input.resource}`)
        return run(context, { service, targets, registry })
      },
    }),
  ]
}

/** What nobody can take back any more; a job that is under way keeps what it reads. */
export function undoSweep({ db }: Pick<Kernel, 'db'>): Sweep {
  return {
    name: 'undo',
    async run() {
      await db.query(sql`delete from undo_act a where at < now() - make_interval(hours => ${UNDO_HOURS})
        and not exists (select 1 from job where kind = 'undo' and status in ('waiting', 'running') and (input->>'act')::bigint = a.id)`)
      await db.query(sql`delete from undo_step s where not exists (select 1 from undo_act where id = s.act_id)`)
    },
  }
}
