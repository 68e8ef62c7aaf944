import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { AppError, notFound } from '../error/error.ts'
import type { JobContext } from '../job/define.server.ts'
import { forgetCounts, type Row } from '../resource/list.server.ts'
import { shownName } from '../resource/names.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import type { BulkDone } from './calls.ts'
import { changeRecord, moveRecord, removeOne, restoreOne, type ActionParts } from './single.server.ts'

/** Records that are handled in one transaction. */
const BATCH = 200
/** Time after which a transaction ends, in milliseconds: on the embedded database everybody else waits for it. */
const BATCH_TIME = 120
/** Records that were left alone and are named with why. */
const NAMED = 200

/** What a bulk job is asked for. */
export interface BulkJob {
  resource: string
  action: string
  /** Which records: those of a list query, which may name ids. */
  query: Query
  values?: Readonly<Record<string, unknown>> | undefined
  reason?: string | undefined
}

/** How far a bulk job is, kept with each batch. */
export interface BulkState extends BulkDone {
  /** Records up to this id are handled. */
  last: number
  /** Records that came later are none of its business. */
  until: number
  total: number
}

type Act = (tx: Queryable, parts: ActionParts, id: number, input: BulkJob) => Promise<unknown>

/** Actions that are not transitions. */
const acts: Readonly<Record<string, Act | undefined>> = {
  remove: (tx, parts, id) => removeOne(tx, parts, id),
  restore: (tx, parts, id) => restoreOne(tx, parts, id),
  update: (tx, parts, id, { values = {} }) => changeRecord(tx, parts, id, values),
}

const move: Act = async (tx, parts, id, { action, reason }) => {
  const transition = parts.service.resource.transitions.find((known) => known.name === action)
  if (!transition) throw notFound('操作')
  await moveRecord(tx, parts, id, transition, reason)
}

/**
 * Does the same to many records, each by the rules of a single one: what refuses one record leaves it alone and goes on.
 * A batch and how far it came are one transaction, so that an interrupted job goes on behind it.
 */
export async function runBulk(context: JobContext<BulkJob, BulkState>, parts: Omit<ActionParts, 'staff'>): Promise<BulkDone> {
  const { db, input, signal, progress } = context
  const { resource } = parts.service
  const act = acts[input.action] ?? move
  const table = sql.identifier(resource.table)
  const actor = { ...context.actor, ...(acts[input.action] ? {} : { action: input.action }), ...(input.reason && { reason: input.reason }) }
  const query: Query = { ...input.query, ...(input.action === 'restore' && { deleted: '1' }) }
  const state: BulkState = context.saved ?? await begin(db, context, parts.service, query)
  const ids = [query['ids'] ?? []].flat().map(Number).sort((a, b) => a - b)

  for (;;) {
    signal.throwIfAborted()
    progress(state.done + state.skipped, state.total)
    const batch = ids.length > 0 ? ids.filter((id) => id > state.last).slice(0, BATCH) : (await db.query<{ id: number }>(
      sql`select id from ${table} where ${listCondition(resource, context.staff, query)} and id > ${state.last} and id <= ${state.until} order by id limit ${BATCH}`,
    )).map((row) => row.id)
    if (batch.length === 0) break
    const next = { ...state, reasons: [...state.reasons] }
    await db.transaction(actor, async (tx) => {
      const began = performance.now()
      for (const id of batch) {
        const problem = await attempt(tx, () => act(tx, { ...parts, staff: context.staff }, id, input))
        if (problem === null) next.done++
        else {
          next.skipped++
          if (next.reasons.length < NAMED) next.reasons.push({ id, name: await nameOf(tx, parts.service, context, id), reason: problem })
        }
        next.last = id
        if (performance.now() - began > BATCH_TIME) break
      }
      await context.save(tx, next)
    })
    Object.assign(state, next)
    forgetCounts(resource.table)
  }
  return { done: state.done, skipped: state.skipped, reasons: state.reasons }
}

/** Decides once which records are meant. */
async function begin(db: Queryable, { staff }: JobContext<BulkJob, BulkState>, { resource }: ResourceService, query: Query): Promise<BulkState> {
  const ids = [query['ids'] ?? []].flat().length
  const [found] = await db.query<{ n: number; until: number | null }>(
    sql`select count(*) as n, max(id) as until from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, query)}`,
  )
  return { last: 0, until: found?.until ?? 0, total: ids || (found?.n ?? 0), done: 0, skipped: 0, reasons: [] }
}

/** Does one record inside the batch's transaction; what it had written is undone when it is refused. */
async function attempt(tx: Queryable, work: () => Promise<unknown>): Promise<string | null> {
  await tx.query(sql`savepoint one`)
  try {
    await work()
    await tx.query(sql`release savepoint one`)
    return null
  } catch (error) {
    await tx.query(sql`rollback to savepoint one`)
    if (error instanceof AppError) return error.message
    // A deadlock or a lost connection is not the record's fault.
    if (sqlState(error)?.startsWith('23')) return '与其他记录冲突'
    throw error
  }
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
