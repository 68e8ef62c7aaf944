import { sql } from 'drizzle-orm'
import type { Actor, Database, Queryable } from '../database/database.server.ts'
import { notFound } from '../error/error.ts'
import type { JobContext } from '../job/define.server.ts'
import { displayKey } from '../field/reference.ts'
import { NOTHING_COMPUTED, readOne, readTotal, type Row } from '../resource/list.server.ts'
import { shownName } from '../resource/names.ts'
import { change, remove, restore, transition, type Done, type Pipeline } from '../resource/operations.server.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import { keepUndo, undoOfJob } from '../resource/keep-undo.server.ts'
import { attempt, overRecords, type RecordsState } from './over-records.server.ts'
import type { BulkDone, BulkPreview } from './calls.ts'

/** Records that are handled in one transaction. */
const BATCH = 200
/** Time after which a transaction ends, in milliseconds: on the embedded database everybody else waits for it. */
const BATCH_TIME = 120

/** What a bulk job is asked for. */
export interface BulkJob {
  resource: string
  action: string
  /** Which records: those of a list query, which may name ids. */
  query: Query
  values?: Readonly<Record<string, unknown>> | undefined
  reason?: string | undefined
}

type Act = (tx: Queryable, pipeline: Pipeline, id: number, input: BulkJob) => Promise<Done>

/** Actions that are not transitions. */
const acts: Readonly<Record<string, Act | undefined>> = {
  remove: (tx, pipeline, id) => remove(tx, pipeline, id),
  restore: (tx, pipeline, id) => restore(tx, pipeline, id),
  update: (tx, pipeline, id, { values = {} }) => change(tx, pipeline, id, values),
}

const move: Act = async (tx, pipeline, id, { action, reason }) => {
  const edge = pipeline.service.resource.transitions.find((known) => known.name === action)
  if (!edge) throw notFound('操作')
  return transition(tx, pipeline, id, edge, { reason })
}

/** Does the same to many records, each by the rules of a single one: what refuses one record leaves it alone and goes on. */
export async function runBulk(context: JobContext<BulkJob, RecordsState>, parts: Omit<Pipeline, 'staff'>): Promise<BulkDone> {
  const { input } = context
  const { resource } = parts.service
  const act = acts[input.action] ?? move
  const action = acts[input.action] ? undefined : input.action
  const query: Query = { ...input.query, ...(input.action === 'restore' && { deleted: '1' }) }
  const outcome = await overRecords(context, { resource, query, size: BATCH, action, reason: input.reason }, async (tx, ids, tally) => {
    const began = performance.now()
    const all: Done[] = []
    let reached: number | undefined
    for (const id of ids) {
      const problem = await attempt(tx, async () => {
        all.push(await act(tx, { ...parts, staff: context.staff }, id, input))
      })
      if (problem === undefined) tally.done()
      else await tally.refuse(id, problem, () => nameOf(tx, parts.service, context, id))
      if (performance.now() - began > BATCH_TIME) {
        reached = id
        break
      }
    }
    await keepUndo(tx, { resource, staff: context.staff, action: input.action, jobId: context.id }, all)
    return reached
  })
  const undo = await undoOfJob(context.db, context.id)
  return { ...outcome, ...(undo !== undefined && { undo }) }
}

/** Records on which a bulk action is tried before it is asked for. */
const TRIED = 5

/** Ends a transaction whose work was only tried. */
class OnlyTried extends Error {}

/**
 * What a bulk action would do to the first records: it is done to each, by all its rules, and nothing of it is kept.
 * @param show values as they go over the wire
 */
export async function previewBulk(db: Database, actor: Actor, pipeline: Pipeline, input: BulkJob, show: (row: Row) => Row): Promise<BulkPreview> {
  const { service: { resource, rules }, staff } = pipeline
  const act = acts[input.action] ?? move
  const query: Query = { ...input.query, ...(input.action === 'restore' && { deleted: '1' }) }
  const keys = input.action === 'update' ? Object.keys(input.values ?? {}) : resource.transitions.flatMap(({ name, field }) => (name === input.action ? [field] : []))
  const some = (row: Row) => {
    const shown = show({ ...row })
    return Object.fromEntries(keys.flatMap((key) => [key, displayKey(key)]).filter((key) => key in shown).map((key) => [key, shown[key] ?? null]))
  }
  const count = await readTotal(db, resource, staff, query)
  const found = await db.query<{ id: number }>(sql`select id from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, query)} order by id limit ${TRIED}`)
  const rows: BulkPreview['rows'] = []
  await db.transaction(actor, async (tx) => {
    for (const { id } of found) {
      const row = await readOne(tx, resource, staff, id, rules.computed ?? NOTHING_COMPUTED, input.action === 'restore')
      if (!row) continue
      let after: Record<string, unknown> | null = null
      const problem = await attempt(tx, async () => {
        after = some((await act(tx, pipeline, id, input)).record)
      })
      rows.push({ id, name: shownName(resource, staff, String(row[resource.title] ?? '')), before: some(row), after: problem === undefined ? after : null, why: problem ?? null })
    }
    throw new OnlyTried()
  }).catch((error: unknown) => {
    if (!(error instanceof OnlyTried)) throw error
  })
  return { count, rows }
}

/** Name of a record, as far as the person may know of it. */
async function nameOf(tx: Queryable, { resource }: ResourceService, { staff }: JobContext, id: number): Promise<string> {
  for (const deleted of [undefined, '1']) {
    const [row] = await tx.query<Pick<Row, 'id'> & { name: string }>(sql`select id, ${sql.identifier(resource.title)}::text as name from ${sql.identifier(resource.table)}
      where ${listCondition(resource, staff, { ids: String(id), deleted })}`)
    if (row) return shownName(resource, staff, row.name)
  }
  return ''
}
