import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { FieldKind } from '../field/any-field.ts'
import { foldText } from '../field/field.ts'
import { maskMobile } from '../field/mobile.ts'
import { maskName } from '../field/person-name.ts'
import type { FileStore } from '../file/store.server.ts'
import { fileUrl } from '../file/url.ts'
import type { Resource } from '../resource/define.ts'
import type { Cell } from '../sheet/cell.ts'
import { writeErrorReport, type FailedRow } from '../sheet/error-report.server.ts'
import { readSheet } from '../sheet/read.server.ts'
import type { ImportChecked, JobFile } from './calls.ts'
import { FILE_SECONDS, fileName, storeStream } from './export.server.ts'
import { cellLabel, type GivenRow, type SheetHead } from './import-sheet.server.ts'
import { ofRows } from './import-rows.server.ts'

/** Rows that a person sees before they decide. */
export const PREVIEW = 50
/** Reasons that are looked up at a time while the report is written. */
const REASONS = 1000

/** How a cell is hidden here as everywhere, by kind of field: a job remembers it for others too. */
const hides: Partial<Record<FieldKind, (text: string) => string>> = {
  // What is no number is shown, so that one sees what is wrong with it.
  mobile(text) {
    const digits = foldText(text).replace(/[\s+-]/g, '')
    return digits.length >= 11 ? maskMobile(digits) : text
  },
  person_name: (text) => (text === '' ? text : maskName(text)),
}

/** The cells of a row by field, as people see them in the file. */
export const cellLabels = (mapping: Readonly<Record<string, number>>, { cells }: Pick<GivenRow, 'cells'>): Record<string, string> =>
  Object.fromEntries(Object.entries(mapping).map(([key, index]) => [key, cellLabel(cells[index])]))

/**
 * Rows of a checked sheet in its order, with what will become of each.
 * @param wanted the wrong ones alone, one row alone, those after a row
 */
export async function judgedRows(db: Queryable, resource: Resource, jobId: number, wanted: { bad?: boolean | undefined; row?: number; after?: number | undefined }): Promise<ImportChecked['preview']> {
  const rows = await db.query<{ row_number: number; state: 'new' | 'update' | 'bad'; reason: string | null; cells: Record<string, string> | null }>(sql`select row_number, state, reason, cells from import_row r
    where ${ofRows({ jobId, ...(wanted.row !== undefined && { row: wanted.row }) })} and row_number > ${wanted.after ?? 0} and state in ('new', 'update', 'bad')${wanted.bad ? sql` and state = 'bad'` : sql``} order by row_number limit ${PREVIEW}`)
  const hide = (key: string, text: string) => hides[resource.fields[key]?.kind ?? 'text']?.(text) ?? text
  return rows.map(({ cells, ...row }) => ({ ...row, cells: Object.fromEntries(Object.entries(cells ?? {}).map(([key, text]) => [key, hide(key, text)])) }))
}

/** The wrong rows of a file as they were read, each with its reasons. */
async function* failedRows(db: Queryable, jobId: number, path: string, signal: AbortSignal): AsyncGenerator<FailedRow> {
  let waiting: { row_number: number; reason: string }[] = []
  let after = 0
  let over = false
  for await (const { rowNumber, cells } of readSheet(path, { signal })) {
    if (waiting.length === 0 && !over) {
      waiting = await db.query(sql`select row_number, coalesce(reason, '') as reason from import_row
        where job_id = ${jobId} and state = 'bad' and row_number > ${after} order by row_number limit ${REASONS}`)
      after = waiting.at(-1)?.row_number ?? after
      over = waiting.length === 0
    }
    if (over) return
    if (waiting[0]?.row_number !== rowNumber) continue
    yield { cells: Object.fromEntries(cells.map((cell: Cell, index) => [String(index), cell])), reason: waiting[0].reason }
    waiting.shift()
  }
}

/**
 * Writes the wrong rows of a file into a workbook with their reasons. Every column of the file is there, in its order, so
 * that the mended workbook can be uploaded in place of the first.
 */
export async function storeErrorReport(
  db: Queryable, files: FileStore, resource: Resource, source: { jobId: number; staffId: number; path: string; head: SheetHead }, signal: AbortSignal,
): Promise<JobFile> {
  const { jobId, staffId, path, head } = source
  const keyOf = new Map(Object.entries(head.mapping).map(([key, index]) => [index, key]))
  const columns = head.columns.map(({ index, label }) => {
    const type = resource.fields[keyOf.get(index) ?? '']?.sheet.type
    return { key: String(index), label, ...(type && { type }) }
  })
  const meta = { name: fileName(`${resource.label}导入错误`, 'xlsx'), staffId, expiresAt: Math.floor(Date.now() / 1000) + FILE_SECONDS }
  const { file, result: rows } = await storeStream(files, meta, (target) => writeErrorReport(target, { columns, rows: failedRows(db, jobId, path, signal), signal }))
  return { file_id: file.id, url: fileUrl(file.id), rows }
}
