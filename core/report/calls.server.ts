import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { AppError, databaseGone, diskFull, noSuchCall, tooMany } from '../error/error.ts'
import { roomIn } from '../file/room.server.ts'
import type { Scanner } from '../file/scan.server.ts'
import { health, metrics, reportClientError, type HealthState } from './calls.ts'
import { recordClientError } from './client-error.server.ts'
import { mayReadMetrics, type Metrics } from './metrics.server.ts'
import { rateLimit } from '../endpoint/rate.server.ts'

/** Errors that one session may report in a minute: a screen in a loop reports thousands. */
export const REPORTS_PER_MINUTE = 20

/** How long what is asked for its health may take to answer, in milliseconds: load balancers wait a few seconds at most. */
const HEALTHY_WITHIN = 3000

/** Whether something is well; what fails or does not answer in time is not. */
function answers(well: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), HEALTHY_WITHIN)
  return Promise.race([well.catch(() => false), late]).finally(() => clearTimeout(timer))
}

const stateOf = (well: boolean): HealthState => (well ? 'ok' : 'failing')

/** Calls by which the product tells how it is: errors in browsers, health, measurements. */
export function reportCalls(config: Config, measured: Metrics, parts: { scanner?: Scanner | undefined; filling?: () => boolean } = {}): Served[] {
  const passes = rateLimit(REPORTS_PER_MINUTE, 60_000)
  return [
    handle(reportClientError, async (call) => {
      if (!passes(call.request.session?.hash ?? call.ip)) throw tooMany('错误上报过于频繁')
      const { message, stack = null, url = null, release = null } = call.input
      await recordClientError(call.db, { message, stack, url, release }, { staffId: call.staff.id, userAgent: call.userAgent })
      return {}
    }),
    handle(health, async (call) => {
      const [database, disk, scanner] = await Promise.all([
        // The server listens only after the migrations, so an answering database is all that can be missing of it.
        answers(call.db.query(sql`select 1`).then(() => true)),
        answers(roomIn(config.dataDir).then((room) => room > 0)),
        parts.scanner && answers(parts.scanner.isThere()),
      ])
      const lacking = !database ? databaseGone() : !disk ? diskFull() : undefined
      // Without the scanner all but uploads goes on: it is told, and keeps no load balancer from sending people here.
      const told = { database: stateOf(database), disk: stateOf(disk), ...(scanner !== undefined && { scanner: stateOf(scanner) }), ...(parts.filling?.() && { demo: 'filling' as const }) }
      if (lacking) throw new AppError(lacking.code, lacking.status, lacking.message, { extra: { ok: false, ...told } })
      return { ok: true, ...told }
    }),
    handle(metrics, async (call) => {
      // To everybody else it does not exist.
      if (!mayReadMetrics(config, call.request)) throw noSuchCall()
      call.reply.type(measured.contentType)
      return measured.text()
    }),
  ]
}
