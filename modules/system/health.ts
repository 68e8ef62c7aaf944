import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { LoopDelay } from '../../core/report/metrics.server.ts'
import type { SlowStatement } from '../../core/report/slow.server.ts'
import { screenId } from '../screens.ts'

/** How the product is. Sizes in bytes, times in seconds unless their name says otherwise. */
export interface HealthReport {
  release: string
  database: {
    kind: 'embedded' | 'postgres'
    version: string
    bytes: number
    /** Largest tables; rows as the database estimates them, null before it has counted. */
    tables: { name: string; rows: number | null; bytes: number }[]
  }
  sessions: { online: number; people: number }
  jobs: { waiting: number; running: number; failed_today: number }
  /** Of the process that answered. */
  process: {
    uptime: number
    node: string
    memory: { rss: number; heap_used: number; system_total: number; system_free: number }
    /** Milliseconds. */
    event_loop: LoopDelay
    live_streams: number
    statements: number
    slow_statements: { total: number; last: readonly SlowStatement[] }
  }
  disk: { free: number; total: number }
}

export const healthReport = defineEndpoint<HealthReport>()({
  method: 'GET', path: '/daoyuan/api/end/health_report', summary: '系统状态', grant: [screenId('/system/health')],
})
