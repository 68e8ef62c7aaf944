import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { notGranted } from '../../../core/error/error.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { bankGrant, POOLS } from '../bank/practice.ts'
import { exportPractices } from './calls.ts'
import { EXPORT_FORMATS } from './formats.ts'

/** The call of the export, answered. */
export function exportCalls({ jobs }: Pick<Kernel, 'jobs'>): Served[] {
  return [
    handle(exportPractices, (call) => {
      const { pool, level, format } = call.input
      if (!call.staff.modules.has(bankGrant(pool, level, 'export')) || !(call.staff.scopes.level?.includes(level) ?? true)) throw notGranted('导出')
      const title = `导出${POOLS.find((one) => one.value === pool)?.label ?? '试题'}：${EXPORT_FORMATS.find((one) => one.value === format)?.label ?? format}`
      return call.transaction(async (tx) => ({ job_id: await jobs.add(tx, call, { kind: 'practice_export', title, input: call.input }) }))
    }),
  ]
}
