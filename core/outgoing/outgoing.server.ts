import { lookup as resolveHost } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, fetch } from 'undici'
import { logLine, securityEvent } from '../audit/security.server.ts'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import { AppError, defineError } from '../error/error.ts'

/** How long a request may take from its beginning to the last byte of its answer, in milliseconds. */
export const OUTGOING_WITHIN = 5000
/** Largest answer, in bytes, unpacked. */
export const OUTGOING_MOST = 64 * 1024

const refused = defineError('outgoing_refused', 400, (why: string) => `不能访问该地址：${why}`)
const late = defineError('outgoing_late', 504, (host: string) => `${host} 在 5 秒内没有回应，请稍后再试`)
const tooMuch = defineError('outgoing_too_much', 502, (host: string) => `${host} 返回的内容超过 64 KB，不予接收`)
const unreached = defineError('outgoing_unreached', 502, (host: string) => `无法访问 ${host}，请检查地址后再试`)

/** What is sent. Methods, headers and redirects as `fetch` knows them. */
export interface OutgoingInit {
  readonly method?: string
  readonly headers?: HeadersInit
  readonly body?: string | URLSearchParams | Uint8Array | ArrayBuffer | ReadableStream | null | undefined
  /** A request with a body follows no redirect unless it says so: its content is meant for nobody else. */
  readonly redirect?: 'follow' | 'error' | 'manual'
  readonly signal?: AbortSignal | null | undefined
}

/** Makes requests that leave the house. */
export interface Outgoing {
  /**
   * @param purpose what it is for, in the log: `oidc`, `webhook`
   * @returns the answer, whatever its status, with its whole body read
   * @throws AppError with one sentence, when the address may not be reached, does not answer in time or answers too much
   */
  fetch(purpose: string, url: string | URL, init?: OutgoingInit): Promise<Response>
  /** Ends the connections that are kept open. */
  close(): Promise<void>
}

/** The way of mail, and what the installation names as its own. */
export interface MailDoor {
  /**
   * Opens a connection to a mail server, to the address that was checked; whoever gets it speaks SMTP and TLS over it.
   * @param purpose what it is for, in the log
   * @throws AppError with one sentence, as `fetch` does
   */
  connect(purpose: string, host: string, port: number): Promise<Socket>
  /** Whether the configuration names a mail server as one of the own network, where no TLS is asked for. */
  isOwnMailServer(host: string, port: number): boolean
  /** Whether the configuration names the origin of an address. */
  isOwnOrigin(address: string): boolean
}

/** Whether an address is one of the public internet: no private, local, reserved or multicast network. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}

/**
 * Resolves a name and refuses it unless all of its addresses are public. The connection is made to the addresses that were
 * checked, so that a name cannot mean another one a moment later.
 */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  resolveHost(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) done(error ?? new Error(`${hostname} has no address`), '')
    else if (!addresses.every(({ address }) => isPublic(address))) done(refused('它在内部网络中'), '')
    else if (options.all) done(null, addresses)
    else done(null, first.address, first.family)
  })
}

/** Connects to public addresses under https, and to the origins that the configuration names. */
function guardedConnector(allowed: ReadonlySet<string>): buildConnector.connector {
  const free = buildConnector({ timeout: OUTGOING_WITHIN })
  const checked = buildConnector({ timeout: OUTGOING_WITHIN, lookup: lookupPublic })
  return (options, done) => {
    const { protocol, hostname, port } = options
    const host = hostname.replace(/^\[|\]$/g, '')
    if (allowed.has(new URL(`${protocol}//${hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname}${port ? `:${port}` : ''}`).origin)) return free(options, done)
    if (protocol !== 'https:') return done(refused('只支持 https'), null)
    // Nobody resolves what is an address already.
    if (isIP(host) && !isPublic(host)) return done(refused('它在内部网络中'), null)
    return checked(options, done)
  }
}

/** Ports on which mail servers take mail; others are no business of whoever configures one. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525])

const mailOrigin = (host: string, port: number) => `smtp://${host.includes(':') ? `[${host}]` : host.toLowerCase()}:${port}`

/** Connects to a mail server at a public address, or to one that the configuration names. */
function openMailSocket(allowed: ReadonlySet<string>, host: string, port: number): Promise<Socket> {
  const own = allowed.has(mailOrigin(host, port))
  if (!own && !MAIL_PORTS.has(port)) return Promise.reject(refused('邮件服务器的端口应为 25、465、587 或 2525'))
  if (!own && isIP(host) && !isPublic(host)) return Promise.reject(refused('它在内部网络中'))
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ...(!own && { lookup: lookupPublic }) })
    const timer = setTimeout(() => socket.destroy(late(host)), OUTGOING_WITHIN)
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}

/** The failure of ours among the causes of an error, if there is one. */
function ownCause(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  return error instanceof Error && error.cause !== undefined ? ownCause(error.cause) : undefined
}

/** Reads a body to its end. @throws AppError when it is too large */
async function readAll(body: AsyncIterable<Uint8Array> | null, host: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > OUTGOING_MOST) throw tooMuch(host)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Statuses whose answers have no body, and may not be given an empty one. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * The one door for requests that leave the house.
 * @param config origins that are reached although they are private or without TLS: for tests and servers of one's own network
 */
export function openOutgoing(config: Pick<Config, 'outgoingAllow' | 'logFormat'>, db: Database): Outgoing & MailDoor {
  const agent = new Agent({ connect: guardedConnector(config.outgoingAllow), bodyTimeout: OUTGOING_WITHIN, headersTimeout: OUTGOING_WITHIN, maxResponseSize: -1 })

  const send = async (url: URL, { method = 'GET', headers, body, redirect, signal }: OutgoingInit, deadline: AbortSignal): Promise<Response> => {
    if (url.username || url.password) throw refused('地址中不能包含账号和密码')
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('只支持 https')
    const answer = await fetch(url, {
      method, dispatcher: agent, redirect: redirect ?? (body ? 'error' : 'follow'), signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      headers: [...new Headers(headers)], ...(body && { body, duplex: 'half' as const }),
    })
    const content = await readAll(answer.body as AsyncIterable<Uint8Array> | null, url.host)
    const kept = new Headers([...answer.headers])
    // The body is unpacked already.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name)
    return new Response(BODILESS.has(answer.status) ? null : new Uint8Array(content), { status: answer.status, statusText: answer.statusText, headers: kept })
  }

  return {
    async fetch(purpose, address, init = {}) {
      if (!URL.canParse(address)) throw refused('地址格式有误')
      const url = new URL(address)
      const begun = performance.now()
      const deadline = AbortSignal.timeout(OUTGOING_WITHIN)
      // Paths and queries hold the keys of robots and webhooks: the log keeps the origin alone.
      const note = (result: number | string) => {
        if (config.logFormat === 'json') logLine({ type: 'outgoing', level: typeof result === 'number' ? 'info' : 'warn', purpose, method: init.method ?? 'GET', origin: url.origin, result, ms: Math.round(performance.now() - begun) })
      }
      try {
        const answer = await send(url, init, deadline)
        note(answer.status)
        return answer
      } catch (error) {
        if (init.signal?.aborted) throw error
        const known = ownCause(error) ?? (deadline.aborted ? late(url.host) : unreached(url.host))
        note(known.code)
        if (known.code === 'outgoing_refused') securityEvent(db, { kind: 'outgoing', detail: known.message, target: `${purpose} ${url.origin}` })
        else console.error(`outgoing ${purpose} ${url.origin}:`, known === error ? known.code : String(error instanceof Error ? error.cause ?? error : error))
        throw known
      }
    },
    async connect(purpose, host, port) {
      const origin = mailOrigin(host, port)
      try {
        return await openMailSocket(config.outgoingAllow, host, port)
      } catch (error) {
        const known = ownCause(error) ?? unreached(host)
        if (config.logFormat === 'json') logLine({ type: 'outgoing', level: 'warn', purpose, method: 'SMTP', origin, result: known.code })
        if (known.code === 'outgoing_refused') securityEvent(db, { kind: 'outgoing', detail: known.message, target: `${purpose} ${origin}` })
        throw known
      }
    },
    isOwnMailServer: (host, port) => config.outgoingAllow.has(mailOrigin(host, port)),
    isOwnOrigin: (address) => URL.canParse(address) && config.outgoingAllow.has(new URL(address).origin),
    close: () => agent.destroy(),
  }
}
