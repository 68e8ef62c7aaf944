import { BrowserClient, defaultStackParser, makeFetchTransport, Scope } from '@sentry/browser'
import type { LoggedError } from './error-log.ts'

let scope: Scope | undefined

function open(dsn: string): Scope {
  if (scope) return scope
  // Nothing is watched by the service's own means: what it hears is what the list shows.
  const client = new BrowserClient({ dsn, release: __RELEASE__, transport: makeFetchTransport, stackParser: defaultStackParser, integrations: [], sendClientReports: false })
  scope = new Scope()
  scope.setClient(client)
  client.init()
  return scope
}

/** Tells a Sentry-compatible service of one error. `dsn`: `https://<key>@<host>/<project>` */
export function reportToSentry(dsn: string, thrown: unknown, { message, info, url }: LoggedError): void {
  const now = open(dsn).clone()
  now.setTag('info', info)
  now.setExtra('url', url)
  if (thrown instanceof Error) now.captureException(thrown)
  else now.captureMessage(message, 'error')
}
