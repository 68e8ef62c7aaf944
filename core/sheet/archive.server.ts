import { crc32 } from 'node:zlib'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { bombFile, brokenFile, notSheet } from './sheet-error.ts'

/** A workbook has some dozens of parts; a zip with more is made to be slow. */
const MAX_ENTRIES = 10_000
/** The most repetitive honest sheet, empty formatted rows without end, reaches about 40; a bomb reaches about 1000. */
const MAX_RATIO = 200
/** Small parts may be as repetitive as they like. */
const RATIO_MATTERS_ABOVE = 16 * 1024 * 1024

/** The parts of a zip file, read where they lie on disk and checked while they are read. */
export class Archive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /**
   * Opens a zip file. Close it afterwards.
   * @param file path
   * @throws what the unzipper says about a damaged directory
   */
  static async open(file: string): Promise<Archive> {
    const zip = await openPromise(file, { autoClose: false })
    try {
      const entries = new Map<string, Entry>()
      if (zip.entryCount > MAX_ENTRIES) throw notSheet()
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
      return new Archive(zip, entries)
    } catch (error) {
      zip.close()
      throw error
    }
  }

  /** Whether there is a part of that name; case does not matter, as in every reader of workbooks. */
  has(part: string): boolean {
    return this.#entries.has(part.toLowerCase())
  }

  /**
   * Unpacks a part, chunk by chunk.
   * @param maxBytes a part that unpacks to more is refused before anything is unpacked
   * @throws SheetError when the part is missing, damaged or a bomb
   */
  async *read(part: string, maxBytes: number): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(part.toLowerCase())
    if (!entry) throw brokenFile(new Error(`no part ${part}`))
    const { uncompressedSize, compressedSize } = entry
    // The declared size can be believed: the stream fails as soon as it gives more.
    if (uncompressedSize > maxBytes) throw bombFile()
    if (uncompressedSize > RATIO_MATTERS_ABOVE && uncompressedSize / compressedSize > MAX_RATIO) throw bombFile()
    let sum = 0
    for await (const chunk of (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (sum !== entry.crc32) throw brokenFile(new Error(`wrong checksum of ${part}`))
  }

  /** Lets go of the file. */
  close(): void {
    this.#zip.close()
  }
}
