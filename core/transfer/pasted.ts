import { matchHeader, type HeaderColumn } from '../sheet/header.ts'

/** Rows of a sheet that is typed or pasted; longer ones are brought as a file. */
export const MOST_PASTED = 500

/**
 * Reads what a spreadsheet program puts on the clipboard as text: cells by tabs, rows by lines; a cell that holds either of them,
 * or a quotation mark, stands in quotation marks.
 */
export function readPasted(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy
  for (let match = cells.exec(text); match; match = cells.exec(text)) {
    const [whole, quoted, bare = '', end = ''] = match
    rows.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === '' || whole === '') break
    if (end !== '\t') rows.push([])
  }
  // The last line ends with a break too.
  while (rows.length > 0 && rows.at(-1)?.every((cell) => cell.trim() === '')) rows.pop()
  return rows
}

/** What was pasted, in the order of a sheet's own columns. */
export interface Placed {
  rows: string[][]
  /** Headings that belong to no column; their cells are left out. */
  unknown: string[]
  /** It began with headings. */
  headed: boolean
}

/**
 * Puts pasted cells under the columns that they belong to: by their headings where the first row has some, else in the order in
 * which they came, from one column on.
 */
export function placePasted(pasted: readonly string[][], columns: readonly HeaderColumn[], from: number): Placed {
  const [first = []] = pasted
  const { mapping, unknown } = matchHeader([{ rowNumber: 1, cells: first }], columns)
  const found = Object.keys(mapping).length
  // One word that happens to be a heading among several is none.
  if (found > 0 && found * 2 >= first.filter((cell) => cell.trim() !== '').length) {
    return { headed: true, unknown, rows: pasted.slice(1).map((cells) => columns.map(({ key }) => cells[mapping[key] ?? -1] ?? '')) }
  }
  return { headed: false, unknown: [], rows: pasted.map((cells) => columns.map((_column, at) => (at < from ? '' : cells[at - from] ?? ''))) }
}

/** A sheet with pasted rows put in from one of its rows on; of what is pasted only the cells that came are written. */
export function putPasted(sheet: readonly string[][], { rows, headed }: Placed, at: number, from: number): string[][] {
  const written = rows.map((cells, n) => cells.map((cell, column) => (headed || column >= from ? cell : sheet[at + n]?.[column] ?? '')))
  return [...sheet.slice(0, at), ...written, ...sheet.slice(at + rows.length)].slice(0, MOST_PASTED)
}

/** The sheet as a file of the import: its headings, and every row in its place, so that what is said of row 7 is said of row 7. */
export function pastedFile(labels: readonly string[], sheet: readonly string[][]): string {
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  return [labels, ...sheet].map(line).join('\r\n')
}

/** Whether anything stands in a sheet. */
export const hasCells = (sheet: readonly string[][]): boolean => sheet.some((cells) => cells.some((cell) => cell.trim() !== ''))

/** An empty sheet. */
export const blankSheet = (columns: number): string[][] => Array.from({ length: 10 }, () => Array<string>(columns).fill(''))
