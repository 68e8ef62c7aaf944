import { open, type FileHandle } from 'node:fs/promises'
import { badRequest } from '../../core/error/error.ts'

/** A box of an ISO base media file (ISO/IEC 14496-12): where it begins, how long it is, header included. */
export interface Box {
  readonly type: string
  readonly at: number
  readonly size: number
}

/** Boxes that hold boxes on the way to the offsets of the samples. */
const NESTED = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
/** Bytes that are copied at a time. */
const PIECE = 1 << 20
/** The largest offset that a table of 32 bits can hold. */
const MOST = 2 ** 32 - 1

const incomplete = () => badRequest('文件不完整，请重新导出')

async function readExactly(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  if (bytesRead < length) throw incomplete()
  return buffer
}

/**
 * The boxes at the top of a file.
 * @throws AppError when one runs past the end: the file was cut off
 */
export async function topBoxes(path: string): Promise<Box[]> {
  const file = await open(path, 'r')
  try {
    const { size: end } = await file.stat()
    const boxes: Box[] = []
    for (let at = 0; at < end;) {
      const head = await readExactly(file, at, 8)
      const short = head.readUInt32BE(0)
      const size = short === 1 ? Number((await readExactly(file, at + 8, 8)).readBigUInt64BE(0)) : short === 0 ? end - at : short
      if (size < 8 || at + size > end) throw incomplete()
      boxes.push({ type: head.toString('latin1', 4, 8), at, size })
      at += size
    }
    return boxes
  } finally {
    await file.close()
  }
}

/** Whether a player can begin before it has the whole file: the index stands before the pictures. */
export function beginsAtOnce(boxes: readonly Box[]): boolean {
  const [index, data] = ['moov', 'mdat'].map((wanted) => boxes.findIndex(({ type }) => type === wanted))
  return index !== undefined && data !== undefined && index >= 0 && (data < 0 || index < data)
}

/** Adds to every offset of the samples within an index; false where an offset of 32 bits would not hold the sum. */
function shiftOffsets(index: Buffer, by: number, from = 8, end = index.length): boolean {
  for (let at = from; at + 8 <= end;) {
    const size = index.readUInt32BE(at)
    const type = index.toString('latin1', at + 4, at + 8)
    if (size < 8 || at + size > end) return false
    if (NESTED.has(type) && !shiftOffsets(index, by, at + 8, at + size)) return false
    const wide = type === 'co64'
    if (type === 'stco' || wide) {
      const count = index.readUInt32BE(at + 12)
      if (16 + count * (wide ? 8 : 4) > size) return false
      for (let place = 0; place < count; place++) {
        const one = at + 16 + place * (wide ? 8 : 4)
        if (wide) index.writeBigUInt64BE(index.readBigUInt64BE(one) + BigInt(by), one)
        else if (index.readUInt32BE(one) + by > MOST) return false
        else index.writeUInt32BE(index.readUInt32BE(one) + by, one)
      }
    }
    at += size
  }
  return true
}

/**
 * Writes an MP4 anew with its index before the pictures, so that it plays while it is fetched. Nothing is decoded, and no more
 * than a piece of it is in memory beside the index.
 * @returns false where that cannot be done; nothing useful is written then
 */
export async function moveIndexUp(from: string, to: string, boxes: readonly Box[]): Promise<boolean> {
  const index = boxes.find(({ type }) => type === 'moov')
  const first = boxes.find(({ type }) => type === 'mdat')
  if (!index || !first || index.at < first.at) return false
  const source = await open(from, 'r')
  try {
    const moved = await readExactly(source, index.at, index.size)
    if (!shiftOffsets(moved, index.size)) return false
    const target = await open(to, 'wx', 0o600)
    try {
      const piece = Buffer.allocUnsafe(PIECE)
      for (const box of boxes) {
        if (box === index) continue
        if (box === first) await target.writeFile(moved)
        for (let done = 0; done < box.size;) {
          const { bytesRead } = await source.read(piece, 0, Math.min(PIECE, box.size - done), box.at + done)
          if (bytesRead === 0) throw incomplete()
          await target.writeFile(piece.subarray(0, bytesRead))
          done += bytesRead
        }
      }
    } finally {
      await target.close()
    }
    return true
  } finally {
    await source.close()
  }
}
