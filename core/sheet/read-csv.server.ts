import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { Cell, SheetRow } from './cell.ts'
import { isBlank } from './cell.ts'
import { detectDelimiter, unguardText } from './csv-text.ts'
import { brokenRecord, markupFile, notSheet, tooManyColumns, unknownEncoding } from './sheet-error.ts'

const SAMPLE_BYTES = 64 * 1024
/** A record longer than this has an opening quote without a closing one. */
const MAX_RECORD = 1024 * 1024

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'

/**
 * Reads the rows of a csv file: encoding and separator are found by content. Every cell is text, or null when empty.
 * @param file path
 * @param maxColumns a wider row is refused
 * @throws SheetError when the content is no text table
 */
export async function* readCsv(file: string, maxColumns: number, signal?: AbortSignal): AsyncGenerator<SheetRow> {
  const start = await readStart(file)
  const encoding = await detectEncoding(file, start, signal)
  // A cut last character is of no matter here, hence not fatal.
  const sample = new TextDecoder(encoding).decode(start)
  if (/^\s*</.test(sample)) throw markupFile()
  const records = pipeline(
    createReadStream(file, { signal }),
    decode(encoding),
    parse({ delimiter: detectDelimiter(sample), relax_column_count: true, relax_quotes: true, max_record_size: MAX_RECORD }),
    // The failure reaches the loop below through the stream itself.
    () => {},
  )
  let rowNumber = 0
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      signal?.throwIfAborted()
      rowNumber++
      if (record.length > maxColumns) throw tooManyColumns(maxColumns)
      const cells = record.map<Cell>((field) => unguardText(field) || null)
      if (!cells.every(isBlank)) yield { rowNumber, cells }
    }
  } catch (error) {
    throw error instanceof CsvError ? brokenRecord(rowNumber + 1, error) : error
  } finally {
    records.destroy()
  }
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function detectEncoding(file: string, start: Buffer, signal: AbortSignal | undefined): Promise<Encoding> {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  if (start.includes(0)) throw notSheet()
  for (const encoding of ['utf-8', 'gb18030'] as const) {
    if (await decodes(file, encoding, signal)) return encoding
  }
  throw unknownEncoding()
}

/** Whether the whole file is valid in an encoding; the first rows alone may be plain ASCII. */
async function decodes(file: string, encoding: Encoding, signal: AbortSignal | undefined): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) {
      decoder.decode(chunk, { stream: true })
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Decodes a stream of bytes; the decoder drops a byte order mark. */
function decode(encoding: Encoding): (source: AsyncIterable<Buffer>) => AsyncGenerator<string> {
  return async function* (source) {
    const decoder = new TextDecoder(encoding)
    for await (const chunk of source) {
      const text = decoder.decode(chunk, { stream: true })
      if (text !== '') yield text
    }
  }
}
