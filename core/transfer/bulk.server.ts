import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { notFound } from '../error/error.ts'
import type { JobContext } from '../job/define.server.ts'
import type { Row } from '../resource/list.server.ts'
import { shownName } from '../resource/names.ts'
import { change, remove, restore, transition, type Pipeline } from '../resource/operations.server.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import { attempt, overRecords, type RecordsState } from './over-records.server.ts'
import type { BulkDone } from './calls.ts'

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

type Act = (tx: Queryable, pipeline: Pipeline, id: number, input: BulkJob) => Promise<unknown>

/** Actions that are not transitions. */
const acts: Readonly<Record<string, Act | undefined>> = {
  remove: (tx, pipeline, id) => remove(tx, pipeline, id),
  restore: (tx, pipeline, id) => restore(tx, pipeline, id),
  update: (tx, pipeline, id, { values = {} }) => change(tx, pipeline, id, values),
}

const move: Act = async (tx, pipeline, id, { action, reason }) => {
  const edge = pipeline.service.resource.transitions.find((known) => known.name === action)
  if (!edge) throw notFound('操作')
  await transition(tx, pipeline, id, edge, { reason })
}

/** Does the same to many records, each by the rules of a single one: what refuses one record leaves it alone and goes on. */
export function runBulk(context: JobContext<BulkJob, RecordsState>, parts: Omit<Pipeline, 'staff'>): Promise<BulkDone> {
  const { input } = context
  const { resource } = parts.service
  const act = acts[input.action] ?? move
  const action = acts[input.action] ? undefined : input.action
  const query: Query = { ...input.query, ...(input.action === 'restore' && { deleted: '1' }) }
  return overRecords(context, { resource, query, size: BATCH, action, reason: input.reason }, async (tx, ids, tally) => {
    const began = performance.now()
    for (const id of ids) {
      const problem = await attempt(tx, () => act(tx, { ...parts, staff: context.staff }, id, input))
      if (problem === undefined) tally.done()
      else await tally.refuse(id, problem, () => nameOf(tx, parts.service, context, id))
      if (performance.now() - began > BATCH_TIME) return id
    }
    return undefined
  })
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
