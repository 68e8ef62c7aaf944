import { badToken } from '../error/error.ts'
import { fillPath, type Endpoint } from './define.ts'
import { CallError, envelopeError, failureText, REQUEST_TIMEOUT, stripEmpty, toQuery } from './wire.ts'

interface Options {
  /** Values of the path's parameters. */
  params?: Readonly<Record<string, string | number>>
  /** Sends empty values too: a form that clears a field (spec 5, the keep-empty flag). */
  keepEmpty?: boolean
  signal?: AbortSignal
  /** The caller shows the failure itself; only what concerns the whole console is reported nevertheless. */
  quiet?: boolean
  /** Nobody waits for it: it is not shown as work under way, however long it takes. */
  background?: boolean
  /** Names the intention, so that a retry or a second click changes nothing twice; made up when absent. */
  idempotencyKey?: string
}

type Listener = (error: CallError) => void
const listeners = new Set<Listener>()

/** Hears of every failed call; the shell handles lost sessions and other failures that concern the whole console. */
export function onCallError(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Work that takes longer than this is shown as under way, in milliseconds. */
const LONG = 1000
type Watcher = (over: Promise<void>) => void
const watchers = new Set<Watcher>()

/**
 * Hears of changes that take long, such as one of many records.
 * @param watcher is given the promise that the work is over, well or not
 */
export function onLongWork(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Tells the watchers of work that is not over soon. */
async function watched<Result>(work: Promise<Result>): Promise<Result> {
  const over = work.then(() => undefined, () => undefined)
  const timer = setTimeout(() => { for (const watcher of watchers) watcher(over) }, LONG)
  return work.finally(() => clearTimeout(timer))
}

let askAgain: (() => Promise<boolean>) | undefined

/**
 * Takes over asking the person to prove again who they are, when the server wants that before a call.
 * @param ask tells whether they did; the call is then made again
 * @returns gives it back
 */
export function onVerifyFirst(ask: () => Promise<boolean>): () => void {
  askAgain = ask
  return () => { if (askAgain === ask) askAgain = undefined }
}

let logInAgain: (() => Promise<boolean> | undefined) | undefined

/**
 * Takes over what happens when the session is over while the console is open.
 * @param ask promises whether the same person is logged in again; undefined when nobody waits for that
 * @returns gives it back
 */
export function onSessionOver(ask: () => Promise<boolean> | undefined): () => void {
  logInAgain = ask
  return () => { if (logInAgain === ask) logInAgain = undefined }
}

/** Said of a change that was refused because the session was over: the person who made it decides whether it still stands. */
const REPEAT = '登录已恢复，请再次提交'
const BAD_TOKEN = badToken().message

function cookie(name: string): string {
  return document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

/** What every changing request carries beside the session, for requests that others make. */
export function csrfHeader(): Record<string, string> {
  return { 'x-csrf-token': cookie('csrf') }
}

/** A key for the `Idempotency-Key` header. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function send(method: string, url: string, init: RequestInit, options: Options, again = false): Promise<unknown> {
  const { signal } = options
  const report = (error: CallError) => reportUnless(options.quiet ?? false, error)
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT)
  const token = cookie('csrf')
  let response: Response
  try {
    const sent = fetch(url, { ...init, method, credentials: 'same-origin', signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    response = await (method === 'GET' || options.background ? sent : watched(sent))
  } catch (error) {
    if (signal?.aborted) throw error
    throw report(new CallError(timeout.aborted ? '请求超时，请稍后重试' : '网络连接失败，请检查网络后重试', 0, {}))
  }
  const text = await response.text()
  const body: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
  const requestId = response.headers.get('x-request-id') ?? undefined
  if (!response.ok) {
    const error = new CallError(failureText(body), response.status, body, requestId)
    // A person who declines knows why nothing happened.
    if (error.body['verify'] === true && askAgain) {
      if (await askAgain()) return send(method, url, init, options, again)
      throw error
    }
    const over = error.message === BAD_TOKEN && !again
    // Another window has logged in since this was sent: only the old session is over.
    const replaced = over && cookie('csrf') !== '' && cookie('csrf') !== token
    const back = replaced ? Promise.resolve(true) : over ? logInAgain?.() : undefined
    if (back) {
      if (!(await back)) throw error
      // What was to be read is read after all, once; nothing is changed behind anybody's back.
      if (method === 'GET') return send(method, url, init, options, true)
      throw report(new CallError(REPEAT, 0, {}, requestId))
    }
    throw report(error)
  }
  const wrapped = envelopeError(body)
  if (wrapped !== undefined) throw report(new CallError(wrapped, response.status, body, requestId))
  return body
}

function reportUnless(quiet: boolean, error: CallError): CallError {
  const everybodys = error.status === 401 || error.body['must'] !== undefined
  if (!quiet || everybodys) for (const listener of listeners) listener(error)
  return error
}

/**
 * Makes a call by its definition.
 * @throws CallError with the server's Chinese sentence
 */
export async function call<Input, Output>(endpoint: Endpoint<Input, Output>, input?: Input, options: Options = {}): Promise<Output> {
  const path = fillPath(endpoint.path, options.params ?? {})
  return request<Output>(endpoint.method, path, (input ?? {}) as Readonly<Record<string, unknown>>, options)
}

/** Makes a call by method and path, for paths that come out of data. */
export async function request<Output>(
  method: string, path: string, input: Readonly<Record<string, unknown>> | FormData = {}, options: Options = {},
): Promise<Output> {
  const bare = method === 'GET' || method === 'DELETE'
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method !== 'GET') Object.assign(headers, csrfHeader())
  if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? newKey()
  let url = path
  let body: BodyInit | undefined
  if (input instanceof FormData) body = input
  else if (bare) {
    const query = toQuery(input)
    if (query) url += `${path.includes('?') ? '&' : '?'}${query}`
  } else {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(options.keepEmpty ? input : stripEmpty(input))
  }
  // The caller names the type that the endpoint's definition promises.
  return (await send(method, url, { headers, ...(body !== undefined && { body }) }, options)) as Output
}
