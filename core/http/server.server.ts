import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { appClients, type FindAppClient } from '../app-client/app-clients.server.ts'
import type { AppClient } from '../endpoint/app-scope.ts'
import { securityEvent } from '../audit/security.server.ts'
import type { SecurityKind } from '../audit/security.ts'
import type { Config } from '../config.server.ts'
import { sqlState, type Actor, type Database } from '../database/database.server.ts'
import { fingerprintOf, transactionOnce, type IdempotencyKey } from '../database/idempotency.server.ts'
import { pathParams } from '../endpoint/define.ts'
import type { Call, Served } from '../endpoint/serve.server.ts'
import { AppError, badCsrf, badRequest, badToken, demoFilling, noSuchCall, notGranted, SERVER_ERROR, tooLarge, tooMany, unknownFilter } from '../error/error.ts'
import { unavailable } from '../database/unavailable.server.ts'
import { MAX_UPLOAD } from '../file/kinds.ts'
import { asksForStaff, isGranted } from '../grant/grant.ts'
import type { Staff } from '../grant/staff.server.ts'
import { securityHeaders } from './headers.server.ts'
import type { Admit } from '../session/admit.server.ts'
import { isOpenDuring, MUST_WORDS } from '../session/required-step.ts'
import { csrfToken, type Session, type Sessions } from '../session/session.server.ts'

/** spec 9: a request may take ten minutes. */
const REQUEST_TIMEOUT = 600_000
const MAX_BODY = 2 * 1024 * 1024
/** Levels of lists and objects in a body: no document of ours has a tenth of them, and far more would break what walks it. */
const MAX_DEPTH = 400
/** Addresses whose calls are counted at a time, for each call. */
const KNOWN_ADDRESSES = 10_000

export interface ServerParts {
  config: Config
  db: Database
  sessions: Sessions
  served: readonly Served[]
  /** Hashes what requests with an idempotency key asked for. */
  fingerprintKey: Buffer
  /** Finds learners' apps by their keys. */
  findAppClient?: FindAppClient | undefined
  /** Whether the demo is being made: until then nothing is written that asks for a right. */
  filling?: () => boolean
  /** Words for a module id that somebody lacks. */
  grantTitle: (id: number) => string
  /** Protocols beside the declared calls. */
  protocols?: readonly ((app: FastifyInstance, admit: Admit) => Promise<void>)[]
  log?: boolean
}

/** Name of the session cookie. The `__Host-` prefix needs TLS, which a local start does not have. */
export function sessionCookie(config: Pick<Config, 'publicUrl'>): string {
  return config.publicUrl?.protocol === 'https:' ? '__Host-session' : 'session'
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined
    sessionToken: string | undefined
  }
}

/** Builds the HTTP server: security headers, sessions, grants, errors and every declared call. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, sessions } = parts
  const app: FastifyInstance = Fastify({
    logger: parts.log ? { level: 'warn' } : false,
    // A logger for each request would only add its id, which our own lines have.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY,
    requestTimeout: REQUEST_TIMEOUT,
    // Hop 0 is who holds the connection. One hop too many, and a client's own word for its address would be believed.
    trustProxy: config.trustProxy === 0 ? false : (_address: string, hop: number) => hop < config.trustProxy,
    genReqId: () => randomUUID(),
    // Addresses that no route can be looked up for: half an escape, a parameter without end.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
  })
  await app.register(cookie)
  await app.register(multipart, { limits: { fileSize: MAX_UPLOAD, files: 1 } })
  const headers = await securityHeaders(config)
  await app.register(rateLimit, {
    global: false,
    cache: KNOWN_ADDRESSES,
    errorResponseBuilder: (_request, { ttl }) => tooMany(`操作过于频繁，请 ${Math.ceil(ttl / 1000)} 秒后再试`),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false, 'retry-after': true },
  })
  app.decorateRequest('session', undefined)
  app.decorateRequest('sessionToken', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, parts))
  app.setNotFoundHandler((request, reply) => sendError(noSuchCall(), request, reply))

  const cookieName = sessionCookie(config)
  const admit: Admit = async (request, { grant, unsafe, active, endpoint }) => {
    const token = request.cookies[cookieName]
    const session = token ? await sessions.find(token, active) : undefined
    request.session = session
    request.sessionToken = session && token
    if (asksForStaff(grant)) {
      if (!session || !token) throw badToken()
      if (unsafe && request.headers['x-csrf-token'] !== csrfToken(token)) throw badCsrf()
      if (session.must && !(endpoint && isOpenDuring(session.must, endpoint))) throw new AppError('must', 403, MUST_WORDS[session.must], { extra: { must: session.must } })
      if (!isGranted(grant, session.staff.modules)) throw notGranted(grant === 'staff' ? '' : parts.grantTitle(grant[0] ?? 0))
    } else if (unsafe && !sameOrigin(request, config)) {
      throw badCsrf()
    }
    return session
  }
  const admitApp = appClients(parts.db, parts.findAppClient)
  for (const protocol of parts.protocols ?? []) await protocol(app, admit)
  for (const { endpoint, handler } of parts.served) {
    const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    const params = pathParams(endpoint.path)
    const unsafe = endpoint.method !== 'GET'
    // Each process counts by itself: the limit keeps one address from filling tables, guesses are counted in the database.
    const limited = config.rateLimit > 0 && endpoint.grant === 'public' && !endpoint.unlimited
    app.route({
      method: endpoint.method,
      url,
      ...(limited && { config: { rateLimit: { max: config.rateLimit, timeWindow: 60_000 } } }),
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const session = await admit(request, { grant: endpoint.grant, unsafe, active: !endpoint.stream, endpoint })
        if (unsafe && typeof endpoint.grant !== 'string' && parts.filling?.()) throw demoFilling()
        const client = endpoint.app && await admitApp(request, endpoint.app, unsafe)
        if (isDeeper(request.body, MAX_DEPTH)) throw badRequest('提交的内容层级过多')
        const call = makeCall(parts, endpoint, request, reply, session, params, client)
        const input = readInput(endpoint, request)
        if (endpoint.fresh === true || endpoint.fresh?.(input)) await call.requireFresh()
        return handler({ ...call, input })
      },
    })
  }
  return app
}

/** A call from a page of another site; browsers say where a call comes from. */
function sameOrigin(request: FastifyRequest, config: Config): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = request.headers.origin
  return origin === undefined || origin === config.publicUrl?.origin || (URL.canParse(origin) && new URL(origin).host === request.headers.host)
}

/** Whether lists and objects are nested in each other more than `limit` times. */
function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((inner) => isDeeper(inner, limit - 1))
}

/** Old clients add it so that nothing answers from a cache. */
const CACHE_BUSTER = '_'

/** Refuses a filter that a call does not know: it would be left out, and everything would pass for what was asked for. */
function checkFilters(schema: NonNullable<Served['endpoint']['input']>, query: Readonly<Record<string, unknown>>): void {
  const known = knownKeys(schema)
  const unknown = known && Object.keys(query).find((key) => !known.has(key) && key !== CACHE_BUSTER && query[key] !== '')
  if (unknown !== undefined) throw unknownFilter(unknown)
}

/** Keys that a schema of an object takes; undefined for one that takes any. */
function knownKeys(schema: z.core.$ZodType): ReadonlySet<string> | undefined {
  const { def } = schema._zod
  if (!(schema instanceof z.ZodMiniObject) || ('catchall' in def && def.catchall !== undefined)) return undefined
  return new Set(Object.keys(schema.shape))
}

function readInput(endpoint: Served['endpoint'], request: FastifyRequest): unknown {
  if (!endpoint.input || endpoint.upload) return undefined
  const given = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? request.query : (request.body ?? {})
  if (endpoint.method === 'GET') checkFilters(endpoint.input, request.query as Readonly<Record<string, unknown>>)
  // Where a schema has no words of its own: the console never sends such input, so no field is there to stand beside.
  const result = z.safeParse(endpoint.input, given, {
    error: ({ path, input }) => `参数${path?.length ? `「${path.join('.')}」` : ''}${input === undefined ? '缺失' : '有误'}`,
  })
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  throw new AppError('invalid', 400, result.error.issues[0]?.message ?? '提交的内容有误', { fields })
}

/** Never read where there is no session: only public calls come without one, and their handlers know it. */
const nobody: Staff = { id: 0, account: '', name: '', role: '', modules: new Set(), scopes: {}, masksNames: true }

const known = new WeakMap<Staff, string>()

/** Everything that decides what a person may do and see, as one text. */
function rightsOf(staff: Staff): string {
  let rights = known.get(staff)
  if (rights === undefined) {
    const scopes = Object.entries(staff.scopes).map(([kind, ids]) => [kind, [...ids].sort((a, b) => a - b)]).sort()
    known.set(staff, (rights = JSON.stringify([staff.role, staff.masksNames, [...staff.modules].sort((a, b) => a - b), scopes])))
  }
  return rights
}

function makeCall(
  parts: ServerParts, endpoint: Served['endpoint'], request: FastifyRequest, reply: FastifyReply, session: Session | undefined, names: string[], app: AppClient | undefined,
): Omit<Call, 'input'> {
  const staff = session?.staff ?? nobody
  const params = request.params as Record<string, string>
  for (const name of names) if (!params[name]) throw badRequest('地址有误')
  const key = request.headers['idempotency-key']
  const actor: Actor = { staff_id: session ? staff.id : null, ip: request.ip, request_id: request.id }
  const once: IdempotencyKey | undefined = typeof key === 'string' && key
    ? {
      key: `${app ? `app${app.id}` : staff.id} ${key.slice(0, 100)}`, ...(endpoint.secret && { secret: endpoint.secret }),
      fingerprint: fingerprintOf(parts.fingerprintKey, `${request.method} ${endpoint.path} ${JSON.stringify(params)}`, request.body, app ? app.scopes.join() : rightsOf(staff)),
    } : undefined
  return {
    params,
    staff,
    app,
    db: parts.db,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    request,
    reply,
    actor,
    once,
    requireFresh: (tx = parts.db) => parts.sessions.requireFresh(tx, session),
    transaction: (work, extra) => transactionOnce(parts.db, { ...actor, ...extra }, once, work),
  }
}

/** Failures by code that the security log keeps under a kind of their own; what else is forbidden or too much follows from the status. */
const KINDS: Readonly<Record<string, SecurityKind | undefined>> = { bad_csrf: 'csrf', locked: 'lockout', reveal_budget: 'reveal' }
/** Refusals that no attack looks like: a person has to do something first. */
const HARMLESS: ReadonlySet<string> = new Set(['must', 'verify_first', 'not_teacher'])

/** Puts refused access into the security log, wherever it was refused. */
function noteRefusal(db: Database, error: AppError, request: FastifyRequest): void {
  const kind = KINDS[error.code] ?? (error.status === 429 ? 'rate_limit' : error.status === 403 && !HARMLESS.has(error.code) ? 'refused' : undefined)
  if (!kind) return
  const body = request.body as { account?: unknown } | null | undefined
  securityEvent(db, {
    kind, detail: error.message, staffId: request.session?.staff.id, ip: request.ip, requestId: request.id,
    // Who is not logged in may say who they would like to be.
    account: request.session || typeof body?.account !== 'string' ? undefined : body.account,
    target: `${request.method} ${request.routeOptions.url ?? ''}`,
  })
}

/** Where a request went, for the log: behind the question mark stands what was searched for, such as somebody's number. */
const pathOf = (request: FastifyRequest) => request.url.split('?')[0]

/** The wire's one error envelope: `{detail, fields?}`, the sentence in Chinese, nothing of the server's inside. */
async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, parts?: Pick<ServerParts, 'db' | 'log'>): Promise<void> {
  // What is left of an upload goes by unread: a connection that stays full would hold up a server that stops.
  request.raw.unpipe().resume()
  const lacking = unavailable(error)
  const known = error instanceof AppError ? error : lacking ?? translate(error)
  // One line: a database that is gone says the same to every request.
  if (lacking && parts?.log) console.error(new Date().toISOString(), request.id, request.method, pathOf(request), String(error))
  if (known) {
    if (parts) noteRefusal(parts.db, known, request)
    await reply.status(known.status).send({ detail: known.message, ...(known.fields && { fields: known.fields }), ...known.extra })
    return
  }
  if (parts?.log) console.error(new Date().toISOString(), request.id, request.method, pathOf(request), error)
  await reply.status(500).send({ detail: SERVER_ERROR })
}

/** Failures of the HTTP layer itself, in our words. */
function translate(error: unknown): AppError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge('50 MB')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge('2 MB')
  // The database could not read a value: a number out of range, a NUL in a text, a made-up cursor.
  if (sqlState(error)?.startsWith('22')) return badRequest('提交的内容超出允许范围')
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? badRequest('请求格式有误') : undefined
}
