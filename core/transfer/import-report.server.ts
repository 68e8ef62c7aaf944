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
import type { RowState } from './import-rows.server.ts'

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

/** Remembers the first rows as they stand in the file. */
export class Preview {
  private readonly rows: { row_number: number; cells: Record<string, string> }[] = []
  private readonly columns: readonly { key: string; index: number; hide: ((text: string) => string) | undefined }[]

  constructor(resource: Resource, mapping: Readonly<Record<string, number>>) {
    this.columns = Object.entries(mapping).map(([key, index]) => ({ key, index, hide: hides[resource.fields[key]?.kind ?? 'text'] }))
  }

  add({ rowNumber, cells }: GivenRow): void {
    if (this.rows.length >= PREVIEW) return
    this.rows.push({ row_number: rowNumber, cells: Object.fromEntries(this.columns.map(({ key, index, hide = (text) => text }) => [key, hide(cellLabel(cells[index]))])) })
  }

  /** The rows with what was found out about them. */
  async judged(db: Queryable, jobId: number): Promise<ImportChecked['preview']> {
    const numbers = this.rows.map((row) => row.row_number)
    const found = await db.query<{ row_number: number; state: RowState; reason: string | null }>(
      sql`select row_number, state, reason from import_row where job_id = ${jobId} and row_number = any(${sql.param(numbers)}::int[])`,
    )
    const byNumber = new Map(found.map((row) => [row.row_number, row]))
    return this.rows.flatMap((row) => {
      const known = byNumber.get(row.row_number)
      return known ? [{ ...row, state: known.state, reason: known.reason }] : []
    })
  }
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
