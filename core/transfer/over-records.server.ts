import { sql } from 'drizzle-orm'
import { sqlState, type Queryable } from '../database/database.server.ts'
import { AppError } from '../error/error.ts'
import { inBatches } from '../job/batches.server.ts'
import type { JobContext } from '../job/define.server.ts'
import type { Resource } from '../resource/define.ts'
import { listCondition, type Query } from '../resource/where.server.ts'
import type { BulkDone } from './calls.ts'

/** Records that were left alone and are named with why. */
const NAMED = 200

/** How far a job over many records is, kept with each batch. */
export interface RecordsState extends BulkDone {
  /** Records up to this id are handled. */
  last: number
  /** Records that came later are none of its business. */
  until: number
  total: number
}

interface Records {
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
 * Does something to many records, by their ids, so that those which leave the query by what is done to them do no harm.
 * @param work handles a batch, ids ascending; returns the id up to which it came when it stopped before the last
 * @throws what `work` throws: the batch is rolled back, the ones before stay
 */
export async function overRecords(
  context: JobContext<unknown, RecordsState>, { resource, query, size, action, reason }: Records, work: (tx: Queryable, ids: readonly number[], tally: Tally) => Promise<number | undefined>,
): Promise<BulkDone> {
  const { db, staff } = context
  const named = [query['ids'] ?? []].flat().map(Number).sort((a, b) => a - b)
  const start = context.saved ?? await begin(context, resource, query, named.length)
  const { done, skipped, reasons } = await inBatches(context, start, async (state) => {
    const ids = named.length > 0 ? named.filter((id) => id > state.last).slice(0, size) : (await db.query<{ id: number }>(
      sql`select id from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, query)} and id > ${state.last} and id <= ${state.until} order by id limit ${size}`,
    )).map(({ id }) => id)
    const last = ids.at(-1)
    return last === undefined ? undefined : async (tx) => {
      const next = { ...state, reasons: [...state.reasons] }
      next.last = await work(tx, ids, {
        done(count = 1) {
          next.done += count
        },
        async refuse(id, why, name) {
          if (next.reasons.length < NAMED) next.reasons.push({ id, name: await name(), reason: why })
        },
      }) ?? last
      // Those of which nothing was said went away or out of the person's reach meanwhile.
      next.skipped = state.skipped + ids.filter((id) => id <= next.last).length - (next.done - state.done)
      return next
    }
  }, (state) => [state.done + state.skipped, state.total], { ...(action && { action }), ...(reason && { reason }) })
  return { done, skipped, reasons }
}

/** Decides once which records are meant. */
async function begin({ db, staff }: JobContext<unknown, RecordsState>, resource: Resource, query: Query, named: number): Promise<RecordsState> {
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
