/** An error of the console, as the person sees it in the list. */
export interface LoggedError {
  /** Place in the list's history; stays when the error happens again. */
  readonly id: number
  readonly message: string
  readonly stack: string
  /** Where in the console it happened: a component, or what kind of event. */
  readonly info: string
  /** Path and query of the page. */
  readonly url: string
  /** When it last happened, unix seconds. */
  readonly at: number
  readonly times: number
}

/** shell.md 86: errors that are kept; the oldest make room. */
export const LOG_SIZE = 100

/** What an error is, before it has a place. */
export type Happened = Omit<LoggedError, 'id' | 'times'>

/** The list with one more error, newest first; an equal one is counted instead. */
export function addError(log: readonly LoggedError[], error: Happened): LoggedError[] {
  const known = log.find((one) => one.message === error.message && one.stack === error.stack)
  const rest = known ? log.filter((one) => one !== known) : log
  const id = known?.id ?? Math.max(0, ...log.map((one) => one.id)) + 1
  return [{ ...error, id, times: (known?.times ?? 0) + 1 }, ...rest].slice(0, LOG_SIZE)
}

/** Complaints of browsers about nothing: a resize that was noticed a frame later. */
const HARMLESS = /^ResizeObserver loop/

/**
 * What there is to say of something that was thrown.
 * @returns undefined for what is no error of the console: a call that was refused has said so, one that was taken back is nobody's concern
 */
export function describeError(thrown: unknown, info: string, url: string, at: number): Happened | undefined {
  if (thrown instanceof Error) {
    if (thrown.name === 'AbortError' || 'requestId' in thrown || HARMLESS.test(thrown.message)) return undefined
    return { message: `${thrown.name}: ${thrown.message}`, stack: thrown.stack ?? '', info, url, at }
  }
  if (thrown === undefined || thrown === null || HARMLESS.test(String(thrown))) return undefined
  return { message: typeof thrown === 'object' ? JSON.stringify(thrown).slice(0, 1000) : String(thrown), stack: '', info, url, at }
}
