import type { FastifyRequest, FastifyReply } from 'fastify'
import type { AppClient } from './app-scope.ts'
import type { Actor, Database, Queryable } from '../database/database.server.ts'
import type { IdempotencyKey } from '../database/idempotency.server.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Endpoint } from './define.ts'

/** What a handler is given. `Who` is undefined only where anyone may call. */
export interface Call<Input = unknown> {
  readonly input: Input
  readonly params: Readonly<Record<string, string>>
  readonly staff: Staff
  /** The learners' app that calls; undefined everywhere but in calls that say `app`. */
  readonly app: AppClient | undefined
  readonly db: Database
  readonly ip: string
  readonly userAgent: string
  readonly requestId: string
  /** The bare exchange, for uploads, streams and cookies. */
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Who the log will name. */
  readonly actor: Actor
  /** The request's idempotency key, for those who do not use `transaction`. */
  readonly once: IdempotencyKey | undefined
  /**
   * Refuses what weighs most to somebody who has not proved for a while who they are; the console then asks and makes the
   * call again. For what a definition cannot know beforehand.
   * @param tx the transaction in which it turns out, which the refusal undoes
   * @throws AppError verify_first, 403, with `verify: true` in the answer
   */
  requireFresh(tx?: Queryable): Promise<void>
  /**
   * Runs `work` in one transaction in the caller's name. With an idempotency key on the request it runs once:
   * a repetition gets the first answer. A mutating handler therefore returns what its transaction returned.
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>, actor?: Partial<Actor>): Promise<Result>
}

/** A call with the code that answers it. */
export interface Served {
  readonly endpoint: Endpoint
  readonly handler: (call: Call) => Promise<unknown>
}

/**
 * Answers a call.
 * @example export default handle(cats, async (call) => ({ subjects: await subjects(call.db) }))
 */
export function handle<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  handler: (call: Call<Input>) => Promise<Output>,
): Served {
  return { endpoint: endpoint as Endpoint, handler: handler as Served['handler'] }
}

/** Reads a numeric path parameter; anything else cannot name a record. */
export function idParam(call: Pick<Call, 'params'>, name = 'id'): number {
  const id = Number(call.params[name])
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}
