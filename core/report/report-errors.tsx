import { call } from '../endpoint/call.tsx'
import { reportClientError } from './calls.ts'
import { addError, describeError, type LoggedError } from './error-log.ts'
import { errorId } from './error-id.ts'

/** Equal errors are not told again within this time: a screen in a loop throws thousands, in milliseconds. */
const QUIET_MS = 10_000

/** shell.md 81: off in development unless it is asked for. */
const enabled = import.meta.env.PROD || import.meta.env['VITE_REPORT_ERRORS'] === '1'

let log: readonly LoggedError[] = []
const watchers = new Set<() => void>()
const toldAt = new Map<number, number>()

function set(next: readonly LoggedError[]): void {
  log = next
  for (const watcher of watchers) watcher()
}

/** Errors of this window since it was opened, newest first. */
export function errorLog(): readonly LoggedError[] {
  return log
}

/** Watches the list. @returns ends it */
export function watchErrorLog(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function clearErrorLog(): void {
  set([])
}

/** The stack below the number that the person was shown, so that it finds the error. */
const numbered = (thrown: unknown, stack: string) => (thrown instanceof Error ? `错误编号 ${errorId(thrown)}\n${stack}` : stack)

/** Tells our server and, when there is one, the error-reporting service; whatever fails of it is let go. */
async function tell(error: LoggedError, thrown: unknown): Promise<void> {
  const dsn = document.querySelector<HTMLMetaElement>('meta[name="sentry-dsn"]')?.content
  await Promise.allSettled([
    // Before anybody has logged in there is nobody to report for.
    document.cookie.includes('csrf=') ? call(reportClientError, { message: error.message, stack: numbered(thrown, error.stack), url: error.url, release: __RELEASE__ }, { quiet: true, background: true }) : undefined,
    dsn ? import('./sentry.tsx').then((file) => file.reportToSentry(dsn, thrown, error)) : undefined,
  ])
}

/**
 * Writes an error into the list and reports it (spec 8).
 * @param info a component, or what kind of event it happened in
 */
function note(thrown: unknown, info: string): void {
  const happened = describeError(thrown, info, window.location.pathname + window.location.search, Math.floor(Date.now() / 1000))
  if (!enabled || !happened) return
  set(addError(log, happened))
  const [error] = log
  if (!error || Date.now() - (toldAt.get(error.id) ?? 0) < QUIET_MS) return
  toldAt.set(error.id, Date.now())
  void tell(error, thrown)
}

/** The component that an error came out of: the first line of React's own stack that names one. */
const componentOf = (stack: string | null | undefined) => /^\s*at (\w+)/m.exec(stack ?? '')?.[1] ?? ''

/** For React's root: errors while rendering, whether a boundary caught them or not. The console shows them as usual. */
export const renderErrors = {
  onCaughtError(thrown: unknown, { componentStack }: { componentStack?: string | undefined }): void {
    console.error(thrown)
    note(thrown, `渲染 ${componentOf(componentStack)}`)
  },
  onUncaughtError(thrown: unknown, { componentStack }: { componentStack?: string | undefined }): void {
    console.error(thrown)
    note(thrown, `渲染 ${componentOf(componentStack)}`)
  },
}

/** Hears of everything else that nobody caught: event handlers, timers, promises. The browser prints these itself. */
export function captureErrors(): void {
  window.addEventListener('error', (event) => note(event.error ?? event.message, '脚本'))
  window.addEventListener('unhandledrejection', (event) => note(event.reason, '异步'))
}
