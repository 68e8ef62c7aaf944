import { timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import { statementCount, type Database } from '../database/database.server.ts'
import type { SlowStatements } from './slow.server.ts'

/** Time between two ticks by which the event loop is measured, in milliseconds. */
const LOOP_RESOLUTION = 20

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** Whether an address is this machine's own. */
const isLoopback = (address: string | undefined) => LOOPBACK.test(address ?? '')

/**
 * Whether a request may read the measurements: with the configured token, or, where there is none, from this machine.
 * What a proxy on this machine passes on comes from elsewhere, so any trace of a proxy counts as elsewhere.
 */
export function mayReadMetrics(config: Pick<Config, 'metricsToken' | 'publicUrl'>, request: FastifyRequest): boolean {
  if (config.metricsToken) {
    const given = Buffer.from(request.headers.authorization ?? '')
    const wanted = Buffer.from(`Bearer ${config.metricsToken}`)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
  const proxied = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some((name) => request.headers[name] !== undefined)
  return config.publicUrl === undefined && !proxied && isLoopback(request.socket.remoteAddress) && isLoopback(request.ip)
}

/** Delay of the event loop of this process, in milliseconds: how long a request waits before anything begins. */
export interface LoopDelay {
  mean: number
  p99: number
  max: number
}

/** Nanoseconds from one tick to the next, as milliseconds of delay: the wait between two ticks is none. */
const ms = (nanoseconds: number) => Math.max(0, Math.round((nanoseconds / 1e6 - LOOP_RESOLUTION) * 100) / 100)

/** What this process measures of itself. */
export class Metrics {
  private readonly registry = new Registry()
  private readonly requests: Counter
  private readonly durations: Histogram
  private readonly loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION })
  readonly slow: SlowStatements

  constructor(db: Database, live: { readonly size: number }, slow: SlowStatements) {
    this.slow = slow
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry })
    this.loop.enable()
    this.requests = new Counter({ name: 'http_requests_total', help: 'Requests by method and status', labelNames: ['method', 'status'], registers })
    this.durations = new Histogram({
      name: 'http_request_duration_seconds', help: 'Time until an answer was complete', labelNames: ['method'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10], registers,
    })
    // These are asked for when somebody reads them.
    const asked = [
      new Counter({
        name: 'db_statements_total', help: 'SQL statements', registers: [],
        collect() {
          this.reset()
          this.inc(statementCount())
        },
      }),
      new Counter({
        name: 'db_slow_statements_total', help: 'SQL statements that took half a second or more', registers: [],
        collect() {
          this.reset()
          this.inc(slow.count)
        },
      }),
      new Gauge({ name: 'live_streams', help: 'Open event streams of this process', registers: [], collect() { this.set(live.size) } }),
      new Gauge({
        name: 'sessions', help: 'Sessions used within the last fifteen minutes', registers: [],
        async collect() {
          const [row] = await db.query<{ n: number }>(sql`select count(*) as n from session where seen_at > now() - interval '15 minutes'`)
          this.set(row?.n ?? 0)
        },
      }),
    ]
    for (const metric of asked) this.registry.registerMetric(metric)
  }

  /** Counts and times the requests of a server; streams that stay open for hours are no measure of speed. */
  attach(http: FastifyInstance, streams: readonly string[]): void {
    http.addHook('onResponse', async (request, reply) => {
      this.requests.inc({ method: request.method, status: reply.statusCode })
      if (!streams.includes(request.routeOptions.url ?? '')) this.durations.observe({ method: request.method }, reply.elapsedTime / 1000)
    })
    http.addHook('onClose', async () => {
      this.loop.disable()
      this.registry.clear()
    })
  }

  /** All measurements in Prometheus' text format. */
  text(): Promise<string> {
    return this.registry.metrics()
  }

  get contentType(): string {
    return this.registry.contentType
  }

  /** Delay of the event loop since it was last asked for. */
  loopDelay(): LoopDelay {
    // Before the first sample there is no mean.
    const delay = { mean: ms(this.loop.mean || 0), p99: ms(this.loop.percentile(99)), max: ms(this.loop.max) }
    this.loop.reset()
    return delay
  }
}
