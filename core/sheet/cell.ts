import type { SheetValue } from '../field/field.ts'

/**
 * What one cell holds, whichever kind of file it came from.
 * A date's UTC fields are the wall clock that the sheet shows: a sheet knows no time zone.
 */
export type Cell = SheetValue

/** One row of a sheet that holds anything at all; blank rows are left out. */
export interface SheetRow {
  /** Number that the spreadsheet program shows beside the row; the first row is 1. */
  rowNumber: number
  /** Dense, in column order; the first cell is column A. Trailing empty cells may be left out. */
  cells: Cell[]
}

/** Whether a cell shows nothing. */
export function isBlank(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')
}
