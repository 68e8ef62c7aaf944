import type { Call } from '../endpoint/serve.server.ts'
import { holdFiles } from '../resource/attach.server.ts'
import { receiveFile } from '../file/receive.server.ts'
import { MAX_UPLOAD } from '../file/kinds.ts'
import { JOB_SECONDS } from '../job/sweep.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { Resource } from '../resource/define.ts'
import { checkFixed } from './calls.server.ts'
import type { ImportJob } from './import-check.server.ts'

/** Sheets, and text that may be one. */
const SHEETS = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv', 'text/plain']

/**
 * Takes the sheet that a request brings as multipart and starts one job that checks it and writes what is good, for calls
 * of the spec that know no second step. Records that are there already are left alone.
 * @param fixed values that all rows share
 * @returns id of the job
 * @throws AppError when there is no file, or a shared value is wrong or out of sight
 */
export async function importUpload(
  { jobs, files, registry }: Pick<Kernel, 'jobs' | 'files' | 'registry'>, call: Call, resource: Resource, fixed: Readonly<Record<string, unknown>>,
): Promise<number> {
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  const checked = await checkFixed(call.db, call.staff, resource, targets, fixed)
  const file = await receiveFile(call, files, { accept: SHEETS, maxBytes: MAX_UPLOAD })
  const input: ImportJob = { resource: resource.name, file_id: file.id, fixed: checked, commit: { bad: 'skip', existing: 'refuse' } }
  const { id } = await call.transaction(async (tx) => {
    await holdFiles(tx, [file.id], call.staff.id, JOB_SECONDS)
    return { id: await jobs.add(tx, call, { kind: 'import', title: `导入${resource.label}：${file.name}`, input }) }
  })
  return id
}
