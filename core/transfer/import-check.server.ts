import { sql } from 'drizzle-orm'
import { notFound } from '../error/error.ts'
import type { FileStore } from '../file/store.server.ts'
import type { JobContext } from '../job/define.server.ts'
import type { ResourceService } from '../resource/serve.server.ts'
import type { CommitInput, ImportChecked } from './calls.ts'
import { cellLabels, judgedRows, PREVIEW, storeErrorReport } from './import-report.server.ts'
import { countRows, firstProblems, stageRows } from './import-rows.server.ts'
import { readCells, readImport, type GivenRow, type SheetHead } from './import-sheet.server.ts'
import { RowChecker } from './import-values.server.ts'
import { refuseRepeated, verifyRows, type ImportContext } from './import-verify.server.ts'

/** Rows that are checked and staged at a time. */
const BATCH = 1000

/** What an import job is asked for. */
export interface ImportJob {
  resource: string
  file_id: string
  mapping?: Readonly<Record<string, number | null>> | undefined
  header_row?: number | undefined
  fixed: Readonly<Record<string, unknown>>
  /** Texts by row and field that stand for those of the file. */
  mended?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
  /** Writes at once what is good, in the same job. */
  commit?: Omit<CommitInput, 'job_id'>
}

export interface ImportParts {
  service: ResourceService
  targets: ImportContext['targets']
  files: FileStore
}

/**
 * Checks a file: its rows become values and are staged, then judged by the database and the rules.
 * May be run again at any time; it then begins again.
 */
export async function checkFile(context: JobContext<ImportJob>, parts: ImportParts): Promise<ImportChecked> {
  const { db, input, staff, signal } = context
  const { service, targets, files } = parts
  const file = await files.find(input.file_id)
  if (!file || file.staffId !== staff.id) throw notFound('上传的文件')
  await db.query(sql`delete from import_row where job_id = ${context.id}`)
  return files.withPath(input.file_id, async (path) => {
    const { head, rows } = await readImport(service.resource, path, input, signal)
    if (head.problem) return { ...head, counts: { good: 0, bad: 0, new: 0, update: 0 }, preview: [], problems: [] }
    await stageFile(context, parts, head, rows)
    // The rows are joined with each other and with the records: without knowing how many there are the database may compare
    // every one with every other, which took 40 s for 2,000 rows. The embedded one never counts by itself.
    await db.query(sql`analyze import_row`)
    const judged: ImportContext = { service, targets, staff, jobId: context.id, signal }
    await refuseRepeated(db, service.resource, context.id)
    await verifyRows(db, judged, (work) => db.transaction(context.actor, work))
    const { new: created, update, bad } = await countRows(db, context.id)
    const errors = bad > 0 ? await storeErrorReport(db, files, service.resource, { jobId: context.id, staffId: staff.id, path, head }, signal) : undefined
    return {
      ...head,
      counts: { good: created + update, bad, new: created, update },
      preview: await judgedRows(db, service.resource, context.id, {}),
      problems: await firstProblems(db, context.id, PREVIEW),
      ...(errors && { errors }),
    }
  })
}

/** Turns the rows of a file into staged rows. */
async function stageFile(
  { db, id, input, staff, signal, progress }: JobContext<ImportJob>, { service: { resource }, targets }: ImportParts,
  head: SheetHead, rows: AsyncIterable<GivenRow>,
): Promise<void> {
  const checker = new RowChecker(resource, targets, staff, Object.keys(head.mapping), input.fixed)
  let done = 0
  const stage = async (batch: readonly GivenRow[]) => {
    signal.throwIfAborted()
    const checked = await checker.check(db, batch)
    await stageRows(db, resource, id, checked.map(({ rowNumber, values, reasons }, place) => ({
      row_number: rowNumber, state: reasons.length > 0 ? 'bad' : 'new', values, cells: { ...cellLabels(head.mapping, batch[place] ?? { cells: [] }), ...input.mended?.[rowNumber] }, reason: reasons.length > 0 ? reasons.join('；') : null,
    })))
    done += batch.length
    progress(done)
  }
  let batch: GivenRow[] = []
  for await (const row of rows) {
    const mended = input.mended?.[row.rowNumber]
    const given = mended && Object.entries({ ...row.given, ...readCells(resource, Object.keys(head.mapping), mended) }).filter(([, value]) => value !== undefined)
    batch.push(given ? { ...row, given: Object.fromEntries(given) } : row)
    if (batch.length < BATCH) continue
    await stage(batch)
    batch = []
  }
  if (batch.length > 0) await stage(batch)
}
