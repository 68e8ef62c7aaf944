import type { AuditState } from '../../core/audit/seal.server.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { defineRights } from '../../core/grant/rights.ts'
import type { JobInfo } from '../../core/job/calls.ts'
import type { LoopDelay } from '../../core/report/metrics.server.ts'
import type { SlowStatement } from '../../core/report/slow.server.ts'
import { screenId } from '../screens.ts'

const HEALTH_SCREEN = screenId('/system/health')

/**
 * Checking the whole audit log again is a right of its own: it keeps the database busy. The keys of channels, what groups get,
 * and templates that others print by are each somebody's own business too.
 */
export const HEALTH_RIGHTS = defineRights(HEALTH_SCREEN, { checkAudit: [11, '核验操作日志'], keys: [12, '设置通道密钥和发送测试'], group: [13, '推送到群机器人'], resend: [14, '重新发送'], templates: [15, '维护打印模板'] })
export const CHECK_GRANT = HEALTH_RIGHTS.id('checkAudit')

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
  /** Whether the audit log is what it was when it was written. */
  audit: AuditState
}

export const healthReport = defineEndpoint<HealthReport>()({
  method: 'GET', path: '/daoyuan/api/end/health_report', summary: '系统状态', grant: [HEALTH_SCREEN],
})

/** Checks the whole audit log against its seals, in the background. */
export const checkAuditLog = defineEndpoint<{ job: JobInfo }>()({
  method: 'POST', path: '/daoyuan/api/end/health_report/audit_check', summary: '核验操作日志', grant: [CHECK_GRANT],
})
