import { Archive } from './archive.server.ts'
import type { Cell, SheetRow } from './cell.ts'
import { isBlank } from './cell.ts'
import { columnIndex, MAX_ROWS, parseRange, type CellRange } from './cell-reference.ts'
import { MergedCells } from './merged-cells.ts'
import { PLAIN, readNumber } from './number-format.ts'
import { brokenFile, tooManyColumns } from './sheet-error.ts'
import { readWorkbook, type Workbook } from './read-workbook.server.ts'
import { createXmlParser, type XmlParser } from './xml-parser.ts'
import { decodeEscapes } from './xml-text.ts'

export interface XlsxOptions {
  sheet: string | undefined
  maxBytes: number
  maxColumns: number
  signal: AbortSignal | undefined
}

/** More merged ranges than anybody makes by hand in a sheet that is to be imported. */
const MAX_MERGED = 500_000
const MERGE_WORD = Buffer.from('mergeCells')
const MERGE_START = /<(?:[\w-]+:)?mergeCells[\s>/]/
const MERGE_END = /<\/(?:[\w-]+:)?mergeCells\s*>/
/** Longest beginning of a tag that two chunks may share. */
const OVERLAP = 128

/**
 * Reads the rows of one sheet of a workbook, in constant memory but for the shared texts and the list of merged ranges.
 * @param file path
 * @throws SheetError, or what the unzipper and the parser say about a damaged file
 */
export async function* readXlsx(file: string, options: XlsxOptions): AsyncGenerator<SheetRow> {
  const archive = await Archive.open(file)
  try {
    const workbook = await readWorkbook(archive, options.sheet)
    const merged = new MergedCells(await checkSheet(archive, workbook.sheetPart, options))
    const ready: SheetRow[] = []
    const parser = createRowParser(workbook, options.maxColumns, (row) => {
      if (row.cells.every(isBlank)) return
      merged.fill(row.rowNumber, row.cells)
      ready.push(row)
    })
    for await (const chunk of archive.read(workbook.sheetPart, options.maxBytes)) {
      options.signal?.throwIfAborted()
      parser.write(chunk)
      for (const row of ready) yield row
      ready.length = 0
    }
    parser.end()
  } finally {
    archive.close()
  }
}

/**
 * Unpacks the sheet once to see that it is whole, and finds its merged ranges on the way: they stand below the rows, yet
 * are needed from the first row on.
 */
async function checkSheet(archive: Archive, part: string, { maxBytes, signal }: XlsxOptions): Promise<CellRange[]> {
  let tail: Buffer = Buffer.alloc(0)
  let list = ''
  let listed: 'not yet' | 'begun' | 'over' = 'not yet'
  for await (const chunk of archive.read(part, maxBytes)) {
    signal?.throwIfAborted()
    if (listed === 'over') continue
    if (listed === 'begun') {
      list += chunk.toString('latin1')
    } else {
      const window = Buffer.concat([tail, chunk])
      tail = window.subarray(-OVERLAP)
      if (!window.includes(MERGE_WORD)) continue
      const text = window.toString('latin1')
      const start = text.search(MERGE_START)
      if (start < 0) continue
      list = text.slice(start)
    }
    const end = MERGE_END.exec(list)
    listed = end ? 'over' : 'begun'
    if (end) list = list.slice(0, end.index + end[0].length)
  }
  return listed === 'over' ? parseMerged(list) : []
}

function parseMerged(list: string): CellRange[] {
  const ranges: CellRange[] = []
  const parser = createXmlParser({
    open(name, attributes) {
      const range = name === 'mergeCell' ? parseRange(attributes['ref'] ?? '') : null
      if (range && ranges.push(range) > MAX_MERGED) throw brokenFile(new Error('too many merged ranges'))
    },
  })
  parser.write(Buffer.from(list, 'latin1'))
  parser.end()
  return ranges
}

/** Makes a parser of a sheet's document that gives each row as soon as it is over. */
function createRowParser(workbook: Workbook, maxColumns: number, onRow: (row: SheetRow) => void): XmlParser {
  let rowNumber = 0
  let cells: Cell[] = []
  let column = -1
  let type = ''
  let style = 0
  let text = ''
  let inText = false
  let inReading = false
  return createXmlParser({
    open(name, attributes) {
      switch (name) {
        case 'c':
          column = attributes['r'] === undefined ? column + 1 : columnIndex(attributes['r'])
          type = attributes['t'] ?? 'n'
          style = Number(attributes['s'] ?? 0)
          text = ''
          break
        case 'v':
          inText = true
          break
        case 't':
          inText = !inReading
          break
        case 'rPh':
          inReading = true
          break
        case 'row':
          rowNumber = attributes['r'] === undefined ? rowNumber + 1 : Number(attributes['r'])
          if (!(rowNumber >= 1 && rowNumber <= MAX_ROWS)) throw brokenFile(new Error('no such row'))
          cells = []
          column = -1
      }
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      switch (name) {
        case 'v':
        case 't':
          inText = false
          break
        case 'rPh':
          inReading = false
          break
        case 'c': {
          const value = text === '' ? null : readCell(type, text, style, workbook)
          if (value === null) break
          if (column < 0) throw brokenFile(new Error('no such column'))
          if (column >= maxColumns) throw tooManyColumns(maxColumns)
          while (cells.length < column) cells.push(null)
          cells[column] = value
          break
        }
        case 'row':
          onRow({ rowNumber, cells })
      }
    },
  })
}

function readCell(type: string, text: string, style: number, workbook: Workbook): Cell {
  switch (type) {
    case 's':
      return workbook.sharedTexts[Number(text)] ?? null
    case 'inlineStr':
    case 'str':
      return decodeEscapes(text)
    case 'b':
      return text === '1' || text === 'true'
    case 'e':
      return text
    case 'd': {
      const date = new Date(/[zZ]|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`)
      return Number.isNaN(date.getTime()) ? text : date
    }
    default:
      return readNumber(text, workbook.formats[style] ?? PLAIN, workbook.date1904)
  }
}
