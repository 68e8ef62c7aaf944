import { randomUUID } from 'node:crypto'
import type { ClientError } from './client-error.server.ts'

/** How long Sentry may take, in milliseconds: nobody waits for it. */
const TIMEOUT = 5000

/** One line of a stack, as Chromium (`at name (file:1:2)`) or Firefox and Safari (`name@file:1:2`) write it. */
const FRAME = /^\s*(?:at (?:(.*?) \()?|(.*?)@)(.*?):(\d+):(\d+)\)?$/

/** Frames in Sentry's order: the innermost comes last. */
function framesOf(stack: string): { function: string; filename: string; lineno: number; colno: number }[] {
  return stack.split('\n').flatMap((line) => {
    const [, chromium, firefox, filename, lineno, colno] = FRAME.exec(line) ?? []
    return filename ? [{ function: chromium ?? firefox ?? '?', filename, lineno: Number(lineno), colno: Number(colno) }] : []
  }).toReversed()
}

/** The envelope that carries one error: header, item header and event, a line of JSON each. */
function envelopeOf(error: ClientError, from: { staffId: number; userAgent: string }, now: Date): string {
  const id = randomUUID().replaceAll('-', '')
  const [, type = 'Error', value = error.message] = /^(\w*Error): (.*)$/s.exec(error.message) ?? []
  const event = {
    event_id: id,
    timestamp: now.getTime() / 1000,
    platform: 'javascript',
    level: 'error',
    ...(error.release && { release: error.release }),
    exception: { values: [{ type, value, ...(error.stack && { stacktrace: { frames: framesOf(error.stack) } }) }] },
    request: { ...(error.url && { url: error.url }), headers: { 'User-Agent': from.userAgent } },
    user: { id: String(from.staffId) },
  }
  return [{ event_id: id, sent_at: now.toISOString() }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n')
}

/**
 * Passes an error on to Sentry. Whatever goes wrong is let go: a failing report must not become an error that is
 * reported again.
 * @param dsn `https://<key>@<host>/<path>/<project>`
 */
export async function forwardToSentry(dsn: URL, error: ClientError, from: { staffId: number; userAgent: string }): Promise<void> {
  const cut = dsn.pathname.lastIndexOf('/')
  const url = `${dsn.protocol}//${dsn.host}${dsn.pathname.slice(0, cut)}/api/${dsn.pathname.slice(cut + 1)}/envelope/`
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-sentry-envelope', 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.username}, sentry_client=daoyuan/1.0` },
      body: envelopeOf(error, from, new Date()),
      signal: AbortSignal.timeout(TIMEOUT),
    })
    await answer.body?.cancel()
  } catch {
    // Said above: it is let go.
  }
}
