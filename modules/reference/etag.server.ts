import { createHash } from 'node:crypto'
import type { Call } from '../../core/endpoint/serve.server.ts'

/** A JSON answer with the tag by which a browser asks whether it has changed. */
export interface Tagged {
  readonly text: string
  readonly tag: string
}

/** Prepares an answer. Equal bodies have equal tags, so an answer may depend on who asks. */
export function tagged(body: unknown): Tagged {
  const text = JSON.stringify(body)
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/**
 * Sends an answer, or 304 without a body when the browser has it already.
 * @returns for the handler to return as it is; the answer is already text, hence the type
 */
export async function answerTagged(call: Pick<Call, 'request' | 'reply'>, { text, tag }: Tagged): Promise<never> {
  // Kept by this browser alone, and asked about every time.
  call.reply.header('cache-control', 'private, no-cache').header('etag', tag)
  // Proxies that compress an answer mark its tag as weak.
  const known = (call.request.headers['if-none-match'] ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
  if (known) call.reply.code(304)
  else call.reply.type('application/json; charset=utf-8')
  return (known ? undefined : text) as never
}
