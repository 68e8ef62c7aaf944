import { setImmediate as breathe } from 'node:timers/promises'
import { auditState, checkAudit } from '../../core/audit/seal.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import { defineJob, type JobDefinition } from '../../core/job/define.server.ts'
import { findJob } from '../../core/job/queue.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { CHECK_GRANT, checkAuditLog } from './health.ts'

const KIND = 'audit_check'

/** The whole log against its seals, from the first to the last: as long as it takes, beside everything else. */
export const auditCheckJob: JobDefinition = defineJob<Record<string, never>>({
  kind: KIND,
  grants: () => [CHECK_GRANT],
  async run({ db, signal, progress }) {
    const { sealed_to } = await auditState(db)
    let state = await checkAudit(db, true)
    while (state.more) {
      signal.throwIfAborted()
      progress(state.to_id, Math.max(sealed_to, state.to_id))
      await breathe()
      state = await checkAudit(db)
    }
    return { checked_to: state.to_id, broken: state.broken.length }
  },
})

/** The call that begins it. */
export function auditCheckCall({ jobs }: Pick<Kernel, 'jobs'>): Served {
  return handle(checkAuditLog, async (call) => {
    const { id } = await call.transaction(async (tx) => ({ id: await jobs.add(tx, call, { kind: KIND, title: '核验操作日志', input: {} }) }))
    const job = await findJob(call.db, id)
    if (!job) throw notFound('任务')
    return { job }
  })
}
