import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { badRequest, defineError } from '../error/error.ts'
import { sqlState, type Actor, type Database, type Queryable } from './database.server.ts'

/** Names a request so that its repetition changes nothing. */
export interface IdempotencyKey {
  /** The caller's key, made unique by who calls. */
  key: string
  /** Hash of call, body and the caller's rights: nothing is repeated to whom it might not be said any more. */
  fingerprint: string
  /** The answer is kept nowhere: a repetition is told that it was done. */
  secret?: true
}

/** The answer held something that is shown once, a password or a token. */
const shownOnce = defineError('shown_once', 409, () => '这个操作已经完成，结果只显示一次；没有看到的话，请重新操作')
/** Stands for an answer that is not kept. */
const SECRET = { secret: true } as const

/**
 * Hash of what a request asks for, and of what its caller may do.
 * @param key of the installation: a body may hold a password, which nobody shall guess from what is kept
 */
export function fingerprintOf(key: Buffer, path: string, body: unknown, rights = ''): string {
  return createHmac('sha256', key).update(path).update(rights).update(JSON.stringify(body ?? null)).digest('base64url')
}

/** States of transactions that got in each other's way (serialization failure, deadlock): the next attempt finds the way clear. */
const COLLIDED = new Set(['40001', '40P01'])
const ATTEMPTS = 3

/** Begins work again that collided with another's: all of it, because nothing of it was done. */
export async function untilClear<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !COLLIDED.has(sqlState(error) ?? '')) throw error
    }
  }
}

/**
 * Runs `work` in one transaction, once for each key: a repetition gets the first answer and changes nothing.
 * The key is stored with the commit, so that neither can exist without the other. It costs nothing but that: whether a
 * request is a repetition is only asked when it fails, as every repetition does, at the latest on its own key.
 * @param work may run several times: a transaction that collided with another begins again
 */
export async function transactionOnce<Result>(
  db: Database, actor: Actor, once: IdempotencyKey | undefined, work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  if (!once) return untilClear(() => db.transaction(actor, work))
  try {
    return await untilClear(() => db.transaction(actor, work, (result, quote) =>
      `insert into request_once (key, fingerprint, result) values (${quote(once.key)}, ${quote(once.fingerprint)}, ${quote(JSON.stringify(once.secret ? SECRET : result ?? null))})`))
  } catch (error) {
    const known = await findAnswer(db, once)
    if (!known) throw error
    // The stored answer has the type that `work` returned the first time.
    return (known.recordId === null ? known.result : { id: known.recordId }) as Result
  }
}

/**
 * What a request was answered with when it came before; undefined when it is new.
 * @throws AppError when it asked for something else then, under other rights, or was answered with something that is shown once
 */
export async function findAnswer(db: Queryable, once: IdempotencyKey): Promise<{ result: unknown; recordId: number | null } | undefined> {
  const [known] = await db.query<{ fingerprint: string; result: unknown; record_id: number | null }>(
    sql`select fingerprint, result, record_id from request_once where key = ${once.key}`,
  )
  if (!known) return undefined
  if (known.fingerprint !== once.fingerprint) throw badRequest('请求编号重复，请刷新页面后重试')
  if (once.secret) throw shownOnce()
  return { result: known.result, recordId: known.record_id }
}
