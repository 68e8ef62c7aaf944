import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { handle, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted } from '../error/error.ts'
import { holdFiles } from '../resource/attach.server.ts'
import { STANDARD_ACTIONS } from '../grant/grant.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { JobInfo } from '../job/calls.ts'
import { findJob, type JobRequest } from '../job/queue.server.ts'
import { JOB_SECONDS } from '../job/sweep.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { Resource } from '../resource/define.ts'
import { byOwnNames, checkRecord, writableKeys } from '../resource/rules.ts'
import { checkValue } from '../field/check.ts'
import { showRow } from '../resource/regions.server.ts'
import type { Registered } from '../resource/uses.server.ts'
import { checkReferences } from '../resource/write.server.ts'
import { previewBulk, type BulkJob } from './bulk.server.ts'
import { chosenQuery } from './chosen.server.ts'
import { bulkGrant, transferEndpoints, type BulkInput, type ImportChecked } from './calls.ts'
import { exportKeys } from './columns.ts'
import type { ExportJob } from './export.server.ts'
import type { ImportJob } from './import-check.server.ts'
import { alreadyWritten } from './import-commit.server.ts'
import { mendRow, type SheetFacts } from './import-mend.server.ts'
import { judgedRows } from './import-report.server.ts'
import type { UndoJob } from './import-undo.server.ts'
import type { CommitJob } from './jobs.server.ts'
import { importTemplate } from './template.server.ts'

type Values = Readonly<Record<string, unknown>>

/** Time in which one row is judged, in milliseconds. */
const MEND_MS = 10_000

/**
 * Values that all rows of an import share, checked like those of a record.
 * @throws AppError when one is wrong, cannot be set or names what the person cannot see
 */
export async function checkFixed(db: Queryable, staff: Staff, resource: Resource, targets: ReadonlyMap<string, Resource>, fixed: Values): Promise<Values> {
  const writable = new Set(writableKeys(resource))
  const values: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const [key, given] of Object.entries(byOwnNames(resource, fixed))) {
    const field = resource.fields[key]
    if (!field || !writable.has(key)) throw badRequest('指定的固定值有误')
    const checked = checkValue(field, given)
    if ('message' in checked) errors[key] = checked.message
    else if (checked.value !== null) values[key] = checked.value
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  await checkReferences(db, resource, targets, staff, values)
  return values
}

/** Values out of a URL's query, numbers where the field is one. */
function fromQuery(resource: Resource, query: Values): Values {
  return Object.fromEntries(Object.entries(byOwnNames(resource, query)).map(([key, value]) => {
    const column = resource.fields[key]?.column
    return [key, column === 'text' || column === 'text[]' ? value : Number(value)]
  }))
}

/** What a bulk action does, in words. */
function actionLabel(resource: Resource, action: string): string {
  const words: Readonly<Record<string, string | undefined>> = { remove: '删除', restore: '恢复', update: '修改' }
  return words[action] ?? resource.transitions.find((transition) => transition.name === action)?.label ?? action
}

/** Refuses a bulk action that could do nothing, or that the person may not do. */
function checkBulk(resource: Resource, call: Pick<Call, 'staff'>, { action, values, reason }: BulkJob): void {
  const grant = bulkGrant(resource, action)
  if (grant === undefined) throw badRequest('没有这种操作')
  if (!call.staff.modules.has(grant)) throw notGranted(actionLabel(resource, action))
  if (resource.transitions.find((transition) => transition.name === action)?.reason && !reason) throw badRequest('请填写原因')
  if (action !== 'update') return
  const writable = new Set(writableKeys(resource))
  const keys = Object.keys(values ?? {})
  if (keys.length === 0) throw badRequest('请填写要修改的内容')
  for (const key of keys) {
    const field = resource.fields[key]
    if (!field || !writable.has(key) || field.createOnly) throw badRequest('要修改的内容有误，请重新选择')
    if (field.unique) throw badRequest(`${field.label}不能批量修改，因为不能重复`)
  }
  const { errors } = checkRecord(resource, values ?? {}, true)
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** The calls that export, import and change many records of a resource, answered. */
export function transferCalls({ jobs, registry, files }: Pick<Kernel, 'jobs' | 'registry' | 'files'>, service: Registered): Served[] {
  const { resource } = service
  const endpoints = transferEndpoints(resource)
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  /** What is wrong is said inside the transaction: a repetition of a call gets the first answer, whatever came of the job since. */
  const start = async (call: Call, prepare: (tx: Queryable) => Promise<JobRequest> | JobRequest): Promise<{ job: JobInfo }> => {
    const { id } = await call.transaction(async (tx) => ({ id: await jobs.add(tx, call, await prepare(tx)) }))
    const job = await findJob(call.db, id)
    if (!job) throw notFound('任务')
    return { job }
  }
  /** A job of this person that handled a sheet of this resource. */
  const sheetJob = async (tx: Queryable, staff: Staff, id: number): Promise<JobInfo & { rows_of: number | null }> => {
    const job = await findJob(tx, id, staff.id)
    const [row] = await tx.query<{ rows_of: number | null }>(
      sql`select (input->>'rows_of')::bigint as rows_of from job where id = ${id} and kind in ('import', 'import_commit') and input->>'resource' = ${resource.name}`,
    )
    if (!job || !row) throw notFound('导入任务')
    return { ...job, rows_of: row.rows_of }
  }
  const served: Served[] = []

  if (endpoints.export) {
    served.push(handle(endpoints.export, (call) => start(call, () => {
      const { query, ids, columns = resource.list.columns, format, plain = false } = call.input
      const known = new Set(exportKeys(resource))
      if (columns.some((key) => !known.has(key))) throw badRequest('要导出的列有误，请重新选择')
      if (plain && !(resource.actions.reveal && call.staff.modules.has(resource.actions.reveal))) throw notGranted(STANDARD_ACTIONS.reveal.title)
      const input: ExportJob = { resource: resource.name, query: chosenQuery(resource, call.staff, query, ids), columns, format, plain }
      return { kind: 'export', title: `导出${resource.label}`, input }
    })))
  }
  if (endpoints.template) {
    served.push(handle(endpoints.template, async (call) => {
      const fixed = await checkFixed(call.db, call.staff, resource, targets, fromQuery(resource, call.input))
      call.reply.header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      call.reply.header('content-disposition', `attachment; filename="template.xlsx"; filename*=UTF-8''${encodeURIComponent(`${resource.label}导入模板.xlsx`)}`)
      return importTemplate(call.db, resource, targets, call.staff, fixed)
    }))
  }
  if (endpoints.import) {
    served.push(handle(endpoints.import, async (call) => {
      const { file_id, mapping, header_row, fixed = {}, mended } = call.input
      const file = await files.find(file_id)
      if (!file || file.staffId !== call.staff.id) throw notFound('上传的文件')
      return start(call, async (tx) => {
        await holdFiles(tx, [file_id], call.staff.id, JOB_SECONDS)
        const input: ImportJob = { resource: resource.name, file_id, mapping, header_row, mended, fixed: await checkFixed(tx, call.staff, resource, targets, fixed) }
        return { kind: 'import', title: `检查要导入的${resource.label}：${file.name}`, input }
      })
    }))
  }
  /** The check of a sheet that is over and was not given up. */
  const checkedSheet = async (tx: Queryable, staff: Staff, id: number): Promise<SheetFacts> => {
    const { kind, status, result } = await sheetJob(tx, staff, id)
    const { mapping, problem } = (result ?? {}) as Partial<ImportChecked>
    if (kind !== 'import' || status !== 'done' || !mapping || problem !== undefined) throw badRequest('文件还没有检查完，请稍候')
    const [job] = await tx.query<{ fixed: SheetFacts['fixed'] | null }>(sql`select input->'fixed' as fixed from job where id = ${id}`)
    return { mapping, fixed: job?.fixed ?? {} }
  }
  if (endpoints.importRows) {
    served.push(handle(endpoints.importRows, async (call) => {
      await checkedSheet(call.db, call.staff, call.input.job_id)
      return { items: await judgedRows(call.db, resource, call.input.job_id, { bad: call.input.bad === '1', after: call.input.after }) }
    }))
  }
  if (endpoints.importMend) {
    served.push(handle(endpoints.importMend, (call) => call.transaction(async (tx) => {
      const { job_id: jobId, row_number: row, cells } = call.input
      const facts = await checkedSheet(tx, call.staff, jobId)
      return mendRow(tx, { service, targets, staff: call.staff, jobId, row, signal: AbortSignal.timeout(MEND_MS) }, facts, cells)
    })))
  }
  if (endpoints.importCommit) {
    served.push(handle(endpoints.importCommit, (call) => start(call, async (tx) => {
      const { job_id, bad, existing } = call.input
      const checked = await sheetJob(tx, call.staff, job_id)
      const { counts, written_by } = (checked.result ?? {}) as { counts?: ImportChecked['counts']; written_by?: number }
      if (checked.kind !== 'import' || checked.status !== 'done' || !counts) throw badRequest('文件还没有检查完，请稍候')
      if (written_by !== undefined) throw alreadyWritten()
      if (existing === 'update' && !(resource.actions.update && call.staff.modules.has(resource.actions.update))) throw notGranted(STANDARD_ACTIONS.edit.title)
      const left = counts.bad + (existing === 'refuse' ? counts.update : 0)
      if (counts.new + counts.update === 0 || (bad === 'skip' && existing === 'refuse' && counts.new === 0)) throw badRequest('没有可以写入的行')
      if (bad === 'refuse' && left > 0) throw badRequest(`有 ${left} 行不能写入，请修改后重新上传，或选择跳过这些行`)
      const input: CommitJob = { resource: resource.name, rows_of: job_id, bad, existing }
      return { kind: 'import_commit', title: `导入${resource.label}`, input }
    })))
  }
  if (endpoints.importUndo) {
    served.push(handle(endpoints.importUndo, (call) => start(call, async (tx) => {
      const written = await sheetJob(tx, call.staff, call.input.job_id)
      if (written.status === 'undone') throw badRequest('这次导入已经撤销过')
      if (written.status !== 'done' || written.result?.['created'] === undefined) throw badRequest('这个任务没有写入数据，不能撤销')
      const input: UndoJob = { resource: resource.name, rows_of: written.rows_of ?? written.id, written_by: written.id }
      return { kind: 'import_undo', title: `撤销导入的${resource.label}`, input }
    })))
  }
  /** A bulk action as it was asked for. @throws AppError when it could do nothing */
  const bulkOf = (call: Call<BulkInput>): BulkJob => {
    const { action, ids, query, values, reason } = call.input
    if (!ids && !query) throw badRequest('请选择要处理的记录')
    const input: BulkJob = { resource: resource.name, action, query: chosenQuery(resource, call.staff, query, ids), values, reason }
    checkBulk(resource, call, input)
    return input
  }
  if (endpoints.bulkPreview) {
    served.push(handle(endpoints.bulkPreview, (call) =>
      previewBulk(call.db, call.actor, { service, registry, targets, staff: call.staff }, bulkOf(call), (row) => showRow(resource, call.staff, row))))
  }
  if (endpoints.bulk) {
    served.push(handle(endpoints.bulk, (call) => start(call, () => {
      const input = bulkOf(call)
      const { action } = input
      return { kind: 'bulk', title: `批量${actionLabel(resource, action)}${resource.label}`, input }
    })))
  }
  return served
}
