import type { Writable } from 'node:stream'
import type { Cell } from './cell.ts'
import { columnLetters } from './cell-reference.ts'
import { REASON_LABEL } from './header.ts'
import type { SheetColumnType } from './cell-content.ts'
import { columnLayout, writeSheets } from './write.server.ts'
import { booleanCell, numberCell, STYLE, textCell } from './workbook-xml.ts'

const DAY = 86_400_000
/** Day number of 1 January 1970. */
const UNIX_EPOCH = 25_569
const REASON_WIDTH = 40

/** A row of an uploaded file that was refused. */
export interface FailedRow {
  /** The cells as they were read, by column key. */
  cells: Readonly<Record<string, Cell>>
  /** Why, in one or several Chinese sentences. */
  reason: string
}

export interface ErrorReportOptions {
  /** Columns that the uploaded file had, in its order; the labels are matched again when the corrected report comes back. */
  columns: readonly { key: string; label: string; type?: SheetColumnType }[]
  rows: AsyncIterable<FailedRow>
  /** 错误数据 by default. */
  sheetName?: string
  signal?: AbortSignal
}

/**
 * Writes the refused rows as a workbook with their reasons, highlighted, in the first column. The person corrects it and
 * uploads it again: `matchHeader` knows the column of reasons and leaves it out. Ends the target; when anything fails, the
 * target is destroyed.
 * @returns number of rows written
 * @throws what the rows or the target threw, or the reason of the abort
 */
export async function writeErrorReport(target: Writable, options: ErrorReportOptions): Promise<number> {
  const { columns, rows, signal, sheetName = '错误数据' } = options
  const places = columns.map(({ key }, index) => ({ key, letters: columnLetters(index + 1) }))
  return writeSheets(target, {
    rows,
    sheetName,
    signal,
    layout: [
      { label: REASON_LABEL, width: REASON_WIDTH, style: STYLE.reason, headerStyle: STYLE.requiredHeader },
      ...columns.map(({ label, type = 'text' }) => columnLayout({ label, type })),
    ],
    toCells({ cells, reason }, rowNumber) {
      return textCell('A', rowNumber, reason, STYLE.reason)
        + places.map(({ key, letters }) => originalCell(letters, rowNumber, cells[key] ?? null)).join('')
    },
  })
}

/** Gives a cell back as it was, so that a second upload reads the same value. */
function originalCell(letters: string, rowNumber: number, cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return textCell(letters, rowNumber, cell, STYLE.text)
  if (typeof cell === 'number') return numberCell(letters, rowNumber, cell, STYLE.general)
  if (typeof cell === 'boolean') return booleanCell(letters, rowNumber, cell)
  const days = cell.getTime() / DAY + UNIX_EPOCH
  return numberCell(letters, rowNumber, days, Number.isInteger(days) ? STYLE.date : STYLE.time)
}
