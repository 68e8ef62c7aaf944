/** Zip files of question sets: all parts in memory, with limits, in both directions. */
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { badRequest } from '../../../core/error/error.ts'

const MAX_ENTRIES = 10_000
/** Everything unpacked. */
const MAX_BYTES = 400 * 1024 * 1024
/** A part that is more repetitive than any real one. */
const MAX_RATIO = 300

export interface Unzipped {
  parts: Map<string, Uint8Array>
  /** Names of parts that are damaged. */
  broken: string[]
}

/**
 * Unpacks a zip file.
 * @throws AppError when it is no zip, or unpacks to more than anybody means
 */
export async function unzip(bytes: Buffer): Promise<Unzipped> {
  const zip = await fromBufferPromise(bytes, { decodeStrings: true, strictFileNames: false }).catch(() => {
    throw badRequest('文件已损坏，不是完整的压缩文件')
  })
  const parts = new Map<string, Uint8Array>()
  const broken: string[] = []
  if (zip.entryCount > MAX_ENTRIES) throw badRequest('压缩文件中的文件太多')
  let total = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      total += entry.uncompressedSize
      if (total > MAX_BYTES || (entry.uncompressedSize > 16 * 1024 * 1024 && entry.uncompressedSize > MAX_RATIO * Math.max(1, entry.compressedSize))) throw badRequest('压缩文件解压后太大')
      try {
        parts.set(entry.fileName.replace(/^\.?\//, ''), new Uint8Array(await buffer(await zip.openReadStreamPromise(entry))))
      } catch {
        broken.push(entry.fileName)
      }
    }
  } catch (error) {
    if (error instanceof Error && 'status' in error) throw error
    // What was read before the directory broke off can still be used.
    if (parts.size === 0) throw badRequest('文件已损坏，不是完整的压缩文件')
    broken.push('其余文件')
  }
  return { parts, broken }
}

/** Packs parts in their order. */
export async function zip(parts: Iterable<readonly [name: string, content: string | Uint8Array]>): Promise<Buffer> {
  const file = new ZipFile()
  for (const [name, content] of parts) file.addBuffer(Buffer.from(typeof content === 'string' ? new TextEncoder().encode(content) : content), name, { mtime: new Date(0), compress: !/\.(?:png|jpe?g|gif|webp|mp3)$/i.test(name) })
  file.end()
  return buffer(file.outputStream)
}
