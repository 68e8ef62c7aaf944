import { SERVER_ERROR } from '../error/error.ts'

/** spec 7, 9: requests may take ten minutes. */
export const REQUEST_TIMEOUT = 600_000

function isEmptyValue(value: unknown): boolean {
  return value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/**
 * Leaves out what was not given: empty text, null, undefined and empty lists; zero and false stay (spec 5).
 * Files and dates are values and are left alone.
 */
export function stripEmpty(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !isEmptyValue(value)))
}

/** Query text in which a list repeats its key (spec 7). */
export function toQuery(input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(stripEmpty(input))) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one))
  }
  return query.toString()
}

/**
 * spec 8: a body with code 0 or 200-300 that also has data and msg is an error; msg is shown.
 * @returns the message of such a body
 */
export function envelopeError(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if (!('code' in body) || !('data' in body) || !('msg' in body)) return undefined
  const code = Number(body.code)
  return code === 0 || (code >= 200 && code <= 300) ? String(body.msg) : undefined
}

/** spec 8: the server's own words, or 服务器错误！ when it gave none. */
export function failureText(body: unknown): string {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined
  return typeof detail === 'string' && detail !== '' ? detail : SERVER_ERROR
}

/** A call that failed, with everything the server said. */
export class CallError extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined

  constructor(message: string, status: number, body: unknown, requestId?: string) {
    super(message)
    this.status = status
    this.body = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    this.fields = (this.body['fields'] as Record<string, string> | undefined) ?? {}
    this.requestId = requestId
  }
}
