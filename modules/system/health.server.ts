import { statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { sql } from 'drizzle-orm'
import { auditState } from '../../core/audit/seal.server.ts'
import { statementCount } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { RELEASE } from '../../core/live/release.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { healthReport, type HealthReport } from './health.ts'

/** Tables that are shown. */
const TABLES = 20

/** The call that says how the product is. */
export function healthCalls({ config, metrics, live }: Pick<Kernel, 'config' | 'metrics' | 'live'>): Served[] {
  return [
    handle(healthReport, async ({ db }): Promise<HealthReport> => {
      const [[database], tables, [sessions], [jobs], disk, audit] = await Promise.all([
        db.query<{ version: string; bytes: number }>(sql`select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`),
        db.query<{ name: string; rows: number | null; bytes: number }>(sql`
          select c.relname::text as name, nullif(c.reltuples, -1)::bigint as rows, pg_total_relation_size(c.oid) as bytes
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.relkind in ('r', 'p') and n.nspname = 'public' order by bytes desc limit ${sql.raw(String(TABLES))}`),
        db.query<{ online: number; people: number }>(sql`select count(*) as online, count(distinct staff_id) as people from session where seen_at > now() - interval '15 minutes'`),
        db.query<{ waiting: number; running: number; failed_today: number }>(sql`
          select count(*) filter (where status = 'waiting') as waiting, count(*) filter (where status = 'running') as running,
            count(*) filter (where status = 'failed' and finished_at > now() - interval '1 day') as failed_today from job`),
        statfs(config.dataDir),
        auditState(db),
      ])
      const memory = process.memoryUsage()
      return {
        release: RELEASE,
        database: { kind: db.kind, version: database?.version ?? '', bytes: database?.bytes ?? 0, tables },
        sessions: sessions ?? { online: 0, people: 0 },
        jobs: jobs ?? { waiting: 0, running: 0, failed_today: 0 },
        process: {
          uptime: Math.floor(process.uptime()),
          node: process.version,
          memory: { rss: memory.rss, heap_used: memory.heapUsed, system_total: totalmem(), system_free: freemem() },
          event_loop: metrics.loopDelay(),
          live_streams: live.size,
          statements: statementCount(),
          slow_statements: { total: metrics.slow.count, last: metrics.slow.last },
        },
        disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
        audit,
      }
    }),
  ]
}
