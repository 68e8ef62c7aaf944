import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import type { Sweep } from '../job/sweep.server.ts'
import { sweepReveals } from '../audit/privacy.server.ts'
import { checkAudit, sealAudit } from '../audit/seal.server.ts'
import { logLine, securityEvent, sweepSecurityLog } from '../audit/security.server.ts'

/** Seconds between two seals of the audit log, and two checks of them. */
const SEAL_EVERY = 20

/** What keeps the logs: seals and checks of the audit log, and the end of old security events. */
export function auditSweeps(db: Database, config: Pick<Config, 'logFormat'>): Sweep[] {
  return [
    {
      name: 'audit_seal',
      every: SEAL_EVERY,
      async run() {
        // A copy of each hash outside the database gives away an intruder who makes the whole chain again.
        for (const seal of await sealAudit(db)) if (config.logFormat === 'json') logLine({ type: 'audit_seal', level: 'info', ...seal })
      },
    },
    {
      name: 'audit_check',
      every: SEAL_EVERY,
      async run() {
        const { broken, fresh } = await checkAudit(db)
        if (fresh) for (const { from_id, to_id, what } of broken) securityEvent(db, { kind: 'audit', detail: `操作日志 ${from_id} 至 ${to_id}：${what}` })
      },
    },
    { name: 'security_log', run: () => sweepSecurityLog(db) },
    { name: 'reveal_count', run: () => sweepReveals(db) },
  ]
}
