import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { SheetRow } from './cell.ts'
import { Archive } from './archive.server.ts'
import { readCsv } from './read-csv.server.ts'
import { readWorkbook } from './read-workbook.server.ts'
import { readXlsx } from './read-xlsx.server.ts'
import { emptyFile, oldExcel, passwordProtected, toSheetError } from './sheet-error.ts'

const ZIP = Buffer.from('504b0304', 'hex')
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Name under which an encrypted workbook lies in its container. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')
/** More than any table that people keep by hand, and little enough to bound a row. */
const MAX_COLUMNS = 1000
const MAX_BYTES = 1024 ** 3

export interface ReadOptions {
  /** Sheet of a workbook to read; the first visible one by default. A csv file has none and ignores it. */
  sheet?: string
  /** Most bytes that one part of a workbook may unpack to; 1 GiB by default, enough for two million rows of ten columns. */
  maxBytes?: number
  signal?: AbortSignal
}

/**
 * Reads the rows of a workbook (.xlsx) or csv file one by one, in constant memory but for a workbook's table of shared
 * texts. What the file is follows from its content, not its name. Blank rows are left out; each row keeps its number.
 *
 * Cells of a merged range all show the range's value, except in rows that hold nothing of their own. A formula gives its
 * cached value. Numbers, dates and padded numbers come as the sheet shows them, see `number-format.ts`.
 *
 * A workbook is unpacked once before the first row to check it, so a damaged file fails before anything was read.
 * @param file path
 * @throws SheetError with a sentence for the person when the file cannot be read as a sheet
 */
export async function* readSheet(file: string, options: ReadOptions = {}): AsyncGenerator<SheetRow> {
  const { sheet, maxBytes = MAX_BYTES, signal } = options
  try {
    signal?.throwIfAborted()
    const magic = await readMagic(file)
    if (magic.length === 0) throw emptyFile()
    if (magic.equals(OLE)) throw await isEncrypted(file) ? passwordProtected() : oldExcel()
    if (magic.subarray(0, 4).equals(ZIP)) yield* readXlsx(file, { sheet, maxBytes, maxColumns: MAX_COLUMNS, signal })
    else yield* readCsv(file, MAX_COLUMNS, signal)
  } catch (error) {
    throw signal?.aborted ? signal.reason : toSheetError(error)
  }
}

/**
 * Visible sheets of a workbook beside the first that hold anything.
 * @param file path
 */
export async function otherSheets(file: string): Promise<string[]> {
  if (!(await readMagic(file)).subarray(0, 4).equals(ZIP)) return []
  const archive = await Archive.open(file)
  const { others } = await readWorkbook(archive).finally(() => archive.close())
  const filled: string[] = []
  for (const sheet of others) {
    for await (const row of readSheet(file, { sheet })) {
      if (row.cells.length > 0) filled.push(sheet)
      break
    }
  }
  return filled
}

async function readMagic(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(OLE.length), 0, OLE.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** A password-protected .xlsx looks like an old .xls from outside: both are OLE containers. */
async function isEncrypted(file: string): Promise<boolean> {
  let tail = Buffer.alloc(0)
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const window = Buffer.concat([tail, chunk])
    if (window.includes(ENCRYPTED)) return true
    tail = window.subarray(-ENCRYPTED.length)
  }
  return false
}
