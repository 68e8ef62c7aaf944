import type { FastifyRequest } from 'fastify'
import type { Served } from '../endpoint/serve.server.ts'
import type { Grant } from '../grant/grant.ts'
import type { Session } from './session.server.ts'

/** What decides whether a request may be made. */
export interface Admission {
  grant: Grant
  /** It changes something, so it has to come from our own page. */
  unsafe: boolean
  /** A person makes it: it keeps their session alive. */
  active: boolean
  /** The declared call: some stay open to a person who has to do something first; nothing else does. */
  endpoint?: Served['endpoint']
}

/**
 * Finds the session of a request.
 * @returns undefined only where anyone may call
 * @throws AppError when the request may not be made
 */
export type Admit = (request: FastifyRequest, admission: Admission) => Promise<Session | undefined>
