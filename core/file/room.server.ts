import { statfs } from 'node:fs/promises'

/** A disk with less room is full: what is left belongs to the database and the log that may lie beside the files. In bytes. */
export const MIN_FREE = 100 * 1024 * 1024

/** Bytes that may still be written into a folder; Infinity where its file system does not say. */
export async function roomIn(folder: string): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return blocks === 0 ? Infinity : Math.max(0, bavail * bsize - MIN_FREE)
}
