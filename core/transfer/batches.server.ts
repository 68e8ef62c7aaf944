import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { AppError } from '../error/error.ts'
import type { JobContext } from '../job/define.server.ts'
import type { Resource } from '../resource/define.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import type { BulkDone } from './calls.ts'

/** Records that were left alone and are named with why. */
const NAMED = 200

/** How far a job over many records is, kept with each batch. */
export interface BatchState extends BulkDone {
  /** Records up to this id are handled. */
  last: number
  /** Records that came later are none of its business. */
  until: number
  total: number
}

interface Batches {
  readonly resource: Resource
  /** Which records: those of a list query, which may name ids. */
  readonly query: Query
  /** Records of one transaction. */
  readonly size: number
  /** What the log calls it, where insert, update and delete do not say it. */
  readonly action?: string | undefined
  readonly reason?: string | undefined
}

/** What came of a batch. */
export interface Tally {
  done(count?: number): void
  /** @param name what the record is called; asked only for those that are named */
  refuse(id: number, reason: string, name: () => Promise<string> | string): Promise<void>
}

/**
 * Does something to many records, batch by batch. A batch and how far it came are one transaction, so that an interrupted job
 * goes on behind it. Records that leave the query by what is done to them do no harm: it goes by ids.
 * @param work handles a batch, ids ascending; returns the id up to which it came when it stopped before the last
 * @throws what `work` throws: the batch is rolled back, the ones before stay
 */
export async function inBatches(
  context: JobContext<unknown, BatchState>, { resource, query, size, action, reason }: Batches, work: (tx: Queryable, ids: readonly number[], tally: Tally) => Promise<number | undefined>,
): Promise<BulkDone> {
  const { db, staff, signal, progress } = context
  const table = sql.identifier(resource.table)
  const named = [query['ids'] ?? []].flat().map(Number).sort((a, b) => a - b)
  const state = context.saved ?? await begin(context, resource, query, named.length)
  for (;;) {
    signal.throwIfAborted()
    progress(state.done + state.skipped, state.total)
    const ids = named.length > 0 ? named.filter((id) => id > state.last).slice(0, size) : (await db.query<{ id: number }>(
      sql`select id from ${table} where ${listCondition(resource, staff, query)} and id > ${state.last} and id <= ${state.until} order by id limit ${size}`,
    )).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return { done: state.done, skipped: state.skipped, reasons: state.reasons }
    const next = { ...state, reasons: [...state.reasons] }
    const tally: Tally = {
      done(count = 1) {
        next.done += count
      },
      async refuse(id, why, name) {
        if (next.reasons.length < NAMED) next.reasons.push({ id, name: await name(), reason: why })
      },
    }
    await db.transaction({ ...context.actor, ...(action && { action }), ...(reason && { reason }) }, async (tx) => {
      next.last = await work(tx, ids, tally) ?? last
      // Those of which nothing was said went away or out of the person's reach meanwhile.
      next.skipped = state.skipped + ids.filter((id) => id <= next.last).length - (next.done - state.done)
      await context.save(tx, next)
    })
    Object.assign(state, next)
  }
}

/** Decides once which records are meant. */
async function begin({ db, staff }: JobContext<unknown, BatchState>, resource: Resource, query: Query, named: number): Promise<BatchState> {
  const [found] = await db.query<{ n: number; until: number | null }>(
    sql`select count(*) as n, max(id) as until from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, query)}`,
  )
  return { last: 0, until: found?.until ?? 0, total: named || (found?.n ?? 0), done: 0, skipped: 0, reasons: [] }
}

/**
 * Does one record inside a batch's transaction; what it had written is undone when it is refused.
 * @returns why it was refused, in one sentence
 * @throws what is not the record's fault: a deadlock, a lost connection
 */
export async function attempt(tx: Queryable, work: () => Promise<unknown>): Promise<string | undefined> {
  await tx.query(sql`savepoint one`)
  try {
    await work()
    await tx.query(sql`release savepoint one`)
    return undefined
  } catch (error) {
    await tx.query(sql`rollback to savepoint one`)
    if (error instanceof AppError) return error.message
    if (sqlState(error)?.startsWith('23')) return '与其他记录冲突'
    throw error
  }
}
