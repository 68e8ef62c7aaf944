import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { AppError, noSuchCall, tooMany } from '../error/error.ts'
import { health, metrics, reportClientError } from './calls.ts'
import { recordClientError } from './client-error.server.ts'
import { mayReadMetrics, type Metrics } from './metrics.server.ts'
import { rateLimit } from './rate.server.ts'

/** Errors that one session may report in a minute: a screen in a loop reports thousands. */
export const REPORTS_PER_MINUTE = 20

/** Calls by which the product tells how it is: errors in browsers, health, measurements. */
export function reportCalls(config: Config, measured: Metrics): Served[] {
  const passes = rateLimit(REPORTS_PER_MINUTE, 60_000)
  return [
    handle(reportClientError, async (call) => {
      if (!passes(call.request.session?.hash ?? call.ip)) throw tooMany('错误上报过于频繁')
      const { message, stack = null, url = null, release = null } = call.input
      await recordClientError(call.db, { message, stack, url, release }, { staffId: call.staff.id, userAgent: call.userAgent })
      return {}
    }),
    handle(health, async (call) => {
      // The server listens only after the migrations, so an answering database is all that can be missing.
      await call.db.query(sql`select 1`).catch(() => {
        throw new AppError('unhealthy', 503, '数据库没有响应')
      })
      return { ok: true }
    }),
    handle(metrics, async (call) => {
      // To everybody else it does not exist.
      if (!mayReadMetrics(config, call.request)) throw noSuchCall()
      call.reply.type(measured.contentType)
      return measured.text()
    }),
  ]
}
