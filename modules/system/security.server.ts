import { sql } from 'drizzle-orm'
import { ALERTS, SECURITY_KINDS } from '../../core/audit/security.ts'
import { keepSecurityLog, type SecurityEvent } from '../../core/audit/security.server.ts'
import type { Database } from '../../core/database/database.server.ts'
import { publishLive } from '../../core/live/live.server.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import { securityLog } from './security.ts'

export const securityLogs = serve(securityLog)()

const PATH = '/system/security'
const alerts = [...ALERTS]
const DAY = 86_400

/** Tells everybody who may read the log of an alert. */
async function tellWatchers(db: Database, { kind, detail }: SecurityEvent): Promise<void> {
  const watchers = await db.query<{ id: number }>(sql`select s.id from staff s where s.status = 1 and s.deleted_at is null
    and (s.role = ${SUPER_ROLE} or exists (select 1 from staff_module m where m.staff_id = s.id and m.module_id = ${securityLog.grant}))`)
  const label = SECURITY_KINDS.find(({ value }) => value === kind)?.label ?? kind
  for (const { id } of watchers) await publishLive(db, id, { type: 'notice', title: `安全告警：${label}，${detail}`, to: PATH })
}

/** Makes the log tell of alerts. */
export function watchSecurity(db: Database): void {
  keepSecurityLog(db, { alert: (event) => tellWatchers(db, event) })
}

/** Alerts of the last day, for those who may read the log. */
export const securityAlerts = listWaiting(securityLog, {
  name: 'security_alerts', title: '近 24 小时的安全告警', group: 'watch', verb: '查看', path: PATH, due: { days: 0 }, notes: ['account', 'ip'],
  query: ({ now }) => ({ kind: alerts, created_at_start: String(now - DAY) }),
})
