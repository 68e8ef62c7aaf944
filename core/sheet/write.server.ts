import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { abortable } from './abortable.ts'
import { columnLetters, MAX_ROWS } from './cell-reference.ts'
import { guardText, quoteField } from './csv-text.ts'
import { drawingElement, rowHeightFor, type PlacedPicture } from './drawing-xml.ts'
import { packWorkbook, type SheetPart } from './pack-workbook.server.ts'
import { toContent, type SheetColumnType } from './cell-content.ts'
import { numberCell, row, sheetEnd, sheetName, sheetStart, STYLE, textCell, widthOf, type SheetColumnLayout, type Style } from './workbook-xml.ts'
import { dropForbidden } from './xml-text.ts'

/** Pieces of about this many characters go to the target at once. */
const PIECE = 64 * 1024
/** Rows between two reports of progress. */
const PROGRESS_STEP = 1000

export interface WriteColumn {
  /** Key of the value in a record. */
  key: string
  label: string
  /** In characters; found from the label and type by default. */
  width?: number
  /**
   * Money is integer fen, shown as yuan; date and time are unix seconds, shown in Asia/Shanghai; boolean (or 1 and 0) is
   * shown as 是 and 否. A value that does not fit is written as text.
   */
  type: SheetColumnType
}

export interface WriteOptions {
  columns: readonly WriteColumn[]
  /** Pulled only as fast as the target takes it; closed when writing fails or is aborted. */
  rows: AsyncIterable<Readonly<Record<string, unknown>>>
  /** 数据 by default; shortened and cleaned where the format asks for it. */
  sheetName?: string
  /** Rows of one sheet, header included; what does not fit goes on in another sheet called 名称(2). Excel's limit by default. */
  rowsPerSheet?: number
  /** Pictures over cells of the first sheet. */
  pictures?: readonly PlacedPicture[]
  signal?: AbortSignal
  /** Told the number of rows written so far, every thousand rows and at the end. */
  onProgress?(rows: number): void
}

interface ColumnStyle {
  style: Style
  width: number
}

const COLUMN_STYLES: Readonly<Record<SheetColumnType, ColumnStyle>> = {
  text: { style: STYLE.text, width: 16 },
  boolean: { style: STYLE.text, width: 8 },
  number: { style: STYLE.general, width: 12 },
  money: { style: STYLE.money, width: 14 },
  date: { style: STYLE.date, width: 12 },
  time: { style: STYLE.time, width: 18 },
}

/** Layout of a column, from its label and type. */
export function columnLayout({ label, type, width }: Pick<WriteColumn, 'label' | 'type' | 'width'>): SheetColumnLayout {
  const usual = COLUMN_STYLES[type]
  return { label, style: usual.style, headerStyle: STYLE.header, width: width ?? widthOf(label, usual.width) }
}

/**
 * Writes rows as a workbook (.xlsx) with a frozen bold header, in constant memory. Ends the target; when anything fails,
 * the target is destroyed.
 * @returns number of rows written
 * @throws what the rows or the target threw, or the reason of the abort
 */
export async function writeXlsx(target: Writable, options: WriteOptions): Promise<number> {
  const columns = options.columns.map((column, index) => ({ ...column, letters: columnLetters(index), style: COLUMN_STYLES[column.type].style }))
  return writeSheets(target, {
    ...options,
    layout: options.columns.map(columnLayout),
    toCells(record, rowNumber) {
      let cells = ''
      for (const { key, type, letters, style } of columns) {
        const value = toContent(type, record[key])
        if (value.kind === 'number') cells += numberCell(letters, rowNumber, value.value, style)
        else if (value.kind === 'text') cells += textCell(letters, rowNumber, value.text, STYLE.text)
      }
      return cells
    },
  })
}

export interface SheetsOptions<Row> extends Pick<WriteOptions, 'sheetName' | 'rowsPerSheet' | 'pictures' | 'signal' | 'onProgress'> {
  rows: AsyncIterable<Row>
  layout: readonly SheetColumnLayout[]
  /** Makes the cells of one row. */
  toCells(row: Row, rowNumber: number): string
}

/**
 * Writes rows of any make as a workbook; the ground of `writeXlsx`, with the same promises.
 * @returns number of rows written
 */
export async function writeSheets<Row>(target: Writable, options: SheetsOptions<Row>): Promise<number> {
  const rows = abortable(options.rows, options.signal)
  const { layout, toCells, onProgress, rowsPerSheet = MAX_ROWS, pictures = [] } = options
  const inRow = Map.groupBy(pictures, ({ rowNumber }) => rowNumber)
  let written = 0
  let upcoming: IteratorResult<Row> | undefined

  async function* sheetXml(first: boolean): AsyncGenerator<string> {
    let piece = sheetStart(layout, first)
    for (let rowNumber = 2; rowNumber <= rowsPerSheet; rowNumber++) {
      upcoming ??= await rows.next()
      if (upcoming.done) break
      const own = first ? inRow.get(rowNumber) : undefined
      piece += row(rowNumber, toCells(upcoming.value, rowNumber), own && rowHeightFor(own))
      upcoming = undefined
      written++
      if (written % PROGRESS_STEP === 0) onProgress?.(written)
      if (piece.length > PIECE) {
        yield piece
        piece = ''
      }
    }
    // Whether another sheet is needed must be known before this one is over.
    upcoming ??= await rows.next()
    yield piece + sheetEnd(first && pictures.length > 0 ? drawingElement : '')
  }

  function* parts(): Generator<SheetPart> {
    for (let part = 1; part === 1 || upcoming?.done !== true; part++) {
      yield { name: sheetName(options.sheetName ?? '', part), xml: sheetXml(part === 1), ...(part === 1 && { pictures }) }
    }
  }

  try {
    await packWorkbook(target, parts(), options.signal)
  } finally {
    await rows.return?.()
  }
  onProgress?.(written)
  return written
}

/**
 * Writes rows as a csv file: UTF-8 with byte order mark, so that Excel knows the encoding, and CRLF. Text that a
 * spreadsheet program would run as a formula gets a leading apostrophe. Ends the target; when anything fails, the target
 * is destroyed.
 * @returns number of rows written
 * @throws what the rows or the target threw, or the reason of the abort
 */
export async function writeCsv(target: Writable, options: WriteOptions): Promise<number> {
  const { columns, rows, signal, onProgress } = options
  let written = 0
  await pipeline(async function* () {
    let piece = `\uFEFF${columns.map(({ label }) => quoteField(guardText(label))).join(',')}\r\n`
    for await (const record of abortable(rows, signal)) {
      piece += `${columns.map(({ key, type }) => csvField(type, record[key])).join(',')}\r\n`
      written++
      if (written % PROGRESS_STEP === 0) onProgress?.(written)
      if (piece.length > PIECE) {
        yield piece
        piece = ''
      }
    }
    yield piece
  }, target, { signal }).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error
  })
  onProgress?.(written)
  return written
}

function csvField(type: SheetColumnType, value: unknown): string {
  const field = toContent(type, value)
  switch (field.kind) {
    case 'text':
      return quoteField(guardText(dropForbidden(field.text)))
    case 'number':
      return field.text
    default:
      return ''
  }
}
