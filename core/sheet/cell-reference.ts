/** Most rows of one sheet in a workbook. */
export const MAX_ROWS = 1_048_576

/**
 * Letters of a column.
 * @param index 0 for A
 */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/**
 * Column of a cell reference such as `AB12`.
 * @returns 0 for A; -1 when the reference starts with no capital letter
 */
export function columnIndex(reference: string): number {
  let index = 0
  for (let place = 0; place < reference.length; place++) {
    const code = reference.charCodeAt(place)
    if (code < 65 || code > 90) break
    index = index * 26 + code - 64
  }
  return index - 1
}

/** A rectangle of cells: rows from 1, columns from 0, ends included. */
export interface CellRange {
  top: number
  bottom: number
  left: number
  right: number
}

/**
 * Reads a range such as `A1:C3`.
 * @returns null when the text is no range
 */
export function parseRange(text: string): CellRange | null {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/.exec(text)
  if (!match) return null
  const [, fromColumn = '', fromRow = '', toColumn = fromColumn, toRow = fromRow] = match
  return { top: Number(fromRow), bottom: Number(toRow), left: columnIndex(fromColumn), right: columnIndex(toColumn) }
}
