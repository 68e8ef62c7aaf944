import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Where the bytes of files lie, each under its id. */
export interface Blobs {
  /** Takes over a complete local file; when it returns, the bytes survive a crash. The local file may be gone. */
  save(id: string, path: string, about: { bytes: number; sha256: string; type: string }): Promise<void>
  read(id: string, range?: ByteRange): Promise<Readable>
  /** Lends a local path while `use` runs. */
  withPath<R>(id: string, use: (path: string) => Promise<R>): Promise<R>
  /** Does nothing when there are none. */
  remove(id: string): Promise<void>
  /** Every id with the time of its last change, in unix seconds. */
  list(): AsyncIterable<{ id: string; at: number }>
}

/** Makes written bytes or a changed folder survive a power failure. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Keeps bytes in a folder, spread over 256 sub-folders by the first two characters of the id. */
export function diskBlobs(root: string): Blobs {
  const folderOf = (id: string) => join(root, id.slice(0, 2))
  const pathOf = (id: string) => join(folderOf(id), id)
  return {
    async save(id, path) {
      await mkdir(folderOf(id), { recursive: true })
      // The sweep goes by age: what was received long ago and is taken over now must not look forgotten.
      const now = new Date()
      await utimes(path, now, now)
      await sync(path)
      await rename(path, pathOf(id))
      await sync(folderOf(id))
    },
    async read(id, range) {
      // Opened here, so that missing bytes are an error of this call and not of a stream half sent.
      const handle = await open(pathOf(id), 'r')
      return createReadStream('', { fd: handle, ...range })
    },
    withPath: (id, use) => use(pathOf(id)),
    remove: (id) => rm(pathOf(id), { force: true }),
    async *list() {
      for (const folder of await readdir(root, { withFileTypes: true })) {
        if (!folder.isDirectory() || folder.name.length !== 2) continue
        for (const id of await readdir(join(root, folder.name))) {
          const found = await stat(join(root, folder.name, id)).catch(() => undefined)
          if (found) yield { id, at: Math.floor(found.mtimeMs / 1000) }
        }
      }
    },
  }
}
