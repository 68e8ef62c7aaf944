import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { securityEvent } from '../audit/security.server.ts'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import { AppError, diskFull, notFound, tooLarge } from '../error/error.ts'
import { diskBlobs, type Blobs, type ByteRange } from './disk.server.ts'
import { inspectFile } from './inspect.server.ts'
import { cleanFileName } from './name.ts'
import { countUpload, sweepUploadDays } from './quota.server.ts'
import { roomIn } from './room.server.ts'
import { s3Blobs } from './s3.server.ts'
import { isInfected, type Scanner } from './scan.server.ts'
import { sizeText } from './size.ts'
import { FILE_ID } from './url.ts'

export interface StoredFile {
  id: string
  /** Safe name for people, with its ending. */
  name: string
  /** MIME type, found out from the content. */
  type: string
  bytes: number
}

export interface FileMeta {
  name: string
  staffId: number
  /** MIME types that are taken; absent: every known one. */
  accept?: readonly string[]
  maxBytes?: number
  /** Id that opens it to others; absent: only its owner. */
  grant?: number
  /** Unix seconds after which it is gone unless a record claims it; absent: a day from now. */
  expiresAt?: number
}

/** A file with who may fetch it. */
export interface KnownFile extends StoredFile {
  staffId: number
  grant: number | null
  /** Screens whose records refer to it. */
  screens: readonly number[]
  /** A record that it is kept with alone says who may. */
  ofRecord: boolean
  sha256: string
}

/**
 * Files of any size: their bytes on disk or in S3, what is known of them in the database.
 * It uses the database by itself, so nothing of it may be awaited inside a transaction: the embedded database would wait for ever.
 */
export interface FileStore {
  /**
   * Asks whether a person may send so many bytes, and counts them; before they come, so that nothing is sent in vain.
   * @throws AppError when it is more than they may send today, or than there is room for
   */
  admit(staffId: number, bytes: number): Promise<void>
  /** Takes what a person sends: like `put`, and looked at for viruses where there is a scanner. */
  receive(source: AsyncIterable<Uint8Array>, meta: FileMeta): Promise<StoredFile>
  /**
   * Stores what a stream brings, for the product itself. Content is checked: type, size, dangerous pictures.
   * @throws AppError with a sentence for the person it is for
   */
  put(source: AsyncIterable<Uint8Array>, meta: FileMeta): Promise<StoredFile>
  /**
   * Takes over a complete local file below DATA_DIR/files that a person sent, checked like `receive`.
   * @returns when the local file is gone; it is gone too when its content was refused
   */
  adopt(path: string, meta: FileMeta, id?: string): Promise<StoredFile>
  /** Readable content, all of it or a part. */
  open(id: string, range?: ByteRange): Promise<NodeJS.ReadableStream>
  /** A local path while it is used (S3: a temporary copy). */
  withPath<R>(id: string, use: (path: string) => Promise<R>): Promise<R>
  /** What is known of a file; undefined when there is none or its time is over. */
  find(id: string): Promise<KnownFile | undefined>
  remove(id: string): Promise<void>
  /** Removes files whose time is over and bytes that no row knows; run from time to time by one process of all. */
  sweep(): Promise<{ expired: number; orphans: number }>
  /** Removes what was begun and left on this process's own disk; run from time to time by each process. */
  sweepLocal(): Promise<number>
}

/** Bytes without a row are left alone for a day: their upload may still be going on. */
const ORPHAN_SECONDS = 86_400
/** A file that no record has claimed is kept for a day: its form is still open, or nobody will ever send it. */
const UNCLAIMED_SECONDS = 86_400
/** A resumable upload can be taken up again for a day from its beginning. */
export const PARTIAL_SECONDS = 86_400

/** Where unfinished resumable uploads lie. */
export function partialFolder(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'files', 'uploads')
}

interface FileRow {
  id: string
  name: string
  type: string
  bytes: number
  sha256: string
  staff_id: number
  grant_id: number | null
  screens: number[]
  of_record: boolean
}

/**
 * Opens the store that the configuration names: the bucket of an S3 service, or DATA_DIR/files.
 * @param scanner looks at what people send; undefined: nobody does
 */
export async function openFileStore(config: Config, db: Database, scanner?: Scanner): Promise<FileStore> {
  const root = join(config.dataDir, 'files')
  const temporary = join(root, 'tmp')
  await mkdir(temporary, { recursive: true })
  await mkdir(partialFolder(config), { recursive: true })
  const blobs: Blobs = config.s3 ? s3Blobs(config.s3, temporary) : diskBlobs(root)

  const known = async (id: string): Promise<FileRow | undefined> => {
    if (!FILE_ID.test(id)) return undefined
    const [row] = await db.query<FileRow>(
      sql`select id, name, type, bytes, sha256, staff_id, grant_id, screens, of_record from file where id = ${id} and (expires_at is null or expires_at > now())`,
    )
    return row
  }

  const scan = async (path: string, meta: FileMeta): Promise<void> => {
    try {
      await scanner?.check(path)
    } catch (error) {
      if (isInfected(error)) securityEvent(db, { kind: 'infected', detail: error.message, staffId: meta.staffId, target: cleanFileName(meta.name) })
      throw error
    }
  }

  /** Takes over a complete local file. @param check looks at it before anything else does */
  const take = async (path: string, meta: FileMeta, id: string, check?: typeof scan): Promise<StoredFile> => {
    try {
      await check?.(path, meta)
      const { type, name } = await inspectFile(path, cleanFileName(meta.name), meta.accept)
      const { bytes, sha256 } = await measure(path)
      if (meta.maxBytes !== undefined && bytes > meta.maxBytes) throw tooLarge(sizeText(meta.maxBytes))
      await blobs.save(id, path, { bytes, sha256, type })
      // The row comes last: a crash before it leaves bytes that the sweep removes, never a row without bytes.
      await db.query(sql`insert into file (id, name, type, bytes, sha256, staff_id, grant_id, expires_at)
        values (${id}, ${name}, ${type}, ${bytes}, ${sha256}, ${meta.staffId}, ${meta.grant ?? null}, coalesce(to_timestamp(${meta.expiresAt ?? null}::float8), now() + make_interval(secs => ${UNCLAIMED_SECONDS})))`)
      return { id, name, type, bytes }
    } catch (error) {
      // What was refused is refused for good; after a failure of the store the caller may try again.
      if (isRefused(error)) await rm(path, { force: true })
      throw error
    }
  }

  const stream = async (source: AsyncIterable<Uint8Array>, meta: FileMeta, check?: typeof scan): Promise<StoredFile> => {
    const path = join(temporary, randomUUID())
    try {
      await write(source, path, meta.maxBytes)
      return await take(path, meta, randomUUID(), check)
    } finally {
      await rm(path, { force: true })
    }
  }

  return {
    async admit(staffId, bytes) {
      if (bytes > await roomIn(temporary)) throw diskFull()
      await countUpload(db, config.uploadsPerDay, staffId, bytes)
    },
    receive: (source, meta) => stream(source, meta, scan),
    put: (source, meta) => stream(source, meta),
    adopt: (path, meta, id = randomUUID()) => take(path, meta, id, scan),
    async open(id, range) {
      if (!(await known(id))) throw notFound('文件')
      return blobs.read(id, range)
    },
    async withPath(id, use) {
      if (!(await known(id))) throw notFound('文件')
      return blobs.withPath(id, use)
    },
    async find(id) {
      const row = await known(id)
      if (!row) return undefined
      const { staff_id, grant_id, of_record, ...file } = row
      return { ...file, staffId: staff_id, grant: grant_id, ofRecord: of_record }
    },
    async remove(id) {
      if (!FILE_ID.test(id)) return
      await db.query(sql`delete from file where id = ${id}`)
      await blobs.remove(id)
    },
    async sweep() {
      const gone = await db.query<{ id: string }>(sql`delete from file where expires_at <= now() returning id`)
      for (const { id } of gone) await blobs.remove(id)
      await sweepUploadDays(db)
      return { expired: gone.length, orphans: await sweepOrphans(db, blobs) }
    },
    sweepLocal: async () => await removeOld(temporary, ORPHAN_SECONDS) + await removeOld(partialFolder(config), PARTIAL_SECONDS),
  }
}

/** Whether a file was refused for what it is; after any other failure the caller may try again. */
export const isRefused = (error: unknown): boolean => error instanceof AppError && error.status < 500

/** Writes a stream to a new file; stops as soon as it is too long. */
async function write(source: AsyncIterable<Uint8Array>, path: string, maxBytes = Infinity): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge(sizeText(maxBytes))
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}

/** Size and hash of a file as it lies on disk. One buffer for all of it: a stream would leave the whole file behind as garbage. */
async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(1 << 18)
  let bytes = 0
  const file = await open(path, 'r')
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece)
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
      hash.update(piece.subarray(0, bytesRead))
      bytes += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** Removes the files of a folder that were last changed longer ago than this; returns how many. */
async function removeOld(folder: string, seconds: number): Promise<number> {
  const before = Date.now() - seconds * 1000
  let removed = 0
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (!found || found.mtimeMs >= before) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}

/** Removes bytes that no row knows and that are old enough not to be an upload of this moment. */
async function sweepOrphans(db: Database, blobs: Blobs): Promise<number> {
  const before = Date.now() / 1000 - ORPHAN_SECONDS
  let orphans = 0
  const removeUnknown = async (ids: readonly string[]) => {
    const rows = await db.query<{ id: string }>(sql`select id from file where id = any(${sql.param(ids)}::uuid[])`)
    const kept = new Set(rows.map((row) => row.id))
    for (const id of ids.filter((candidate) => !kept.has(candidate))) {
      await blobs.remove(id)
      orphans++
    }
  }
  let batch: string[] = []
  for await (const { id, at } of blobs.list()) {
    if (at < before && FILE_ID.test(id)) batch.push(id)
    if (batch.length < 500) continue
    await removeUnknown(batch)
    batch = []
  }
  if (batch.length > 0) await removeUnknown(batch)
  return orphans
}
