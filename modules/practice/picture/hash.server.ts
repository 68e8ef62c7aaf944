import { access } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import { MAX_PIXELS } from '../../../core/file/inspect.server.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { picturesOf } from '../content/fingerprint.ts'
import type { QuestionContent } from '../content/question.ts'
import { hashOf, SIDE, type PictureHashes } from './hash.ts'

/** Pictures made of pixels. */
const PIXELS = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
/** What is smaller, in pixels, is a letter or a formula in a line: many questions have it in common. */
const SMALLEST = 64

/**
 * The hash of a picture in a local file; null for one that cannot be read, is too small or shows nothing.
 * @throws when there is no such file: another time there may be one
 */
export async function hashOfFile(path: string): Promise<string | null> {
  await access(path)
  // Loaded by the first picture: a server to which nobody sends one does without its 25 MB.
  const { default: sharp } = await import('sharp')
  // Every picture is looked at once.
  sharp.cache(false)
  const picture = sharp(path, { limitInputPixels: MAX_PIXELS })
  try {
    const { width, height } = await picture.metadata()
    if (Math.min(width, height) < SMALLEST) return null
    // Lines on nothing are lines on paper.
    return hashOf(await picture.autoOrient().flatten({ background: 'white' }).greyscale().resize(SIDE, SIDE, { fit: 'fill', kernel: 'mitchell' }).raw().toBuffer())
  } catch {
    return null
  }
}

/**
 * Looks at those files that are pictures and were not looked at before, and keeps their hashes. It opens files, so it is
 * never called inside a transaction.
 */
export async function hashPictures(db: Database, files: Pick<FileStore, 'withPath'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const fresh = await db.query<{ id: string }>(sql`select f.id::text as id from file f where f.id = any(${sql.param([...new Set(ids)])}::uuid[]) and f.type = any(${sql.param(PIXELS)}::text[])
    and not exists (select 1 from picture_hash h where h.file_id = f.id)`)
  for (const { id } of fresh) {
    // What cannot be fetched now holds up nobody's work: the next search for duplicates looks at it.
    const hash = await files.withPath(id, hashOfFile).catch((error: unknown) => {
      console.error(`picture ${id} cannot be looked at:`, error)
      return undefined
    })
    if (hash !== undefined) await db.query(sql`insert into picture_hash (file_id, hash) values (${id}, ${hash}) on conflict do nothing`)
  }
}

/** The hashes of all pictures that questions show. */
export async function readHashes(db: Queryable, contents: readonly QuestionContent[]): Promise<PictureHashes> {
  const ids = [...new Set(contents.flatMap(picturesOf))]
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ id: string; hash: string }>(sql`select file_id::text as id, hash from picture_hash where file_id = any(${sql.param(ids)}::uuid[]) and hash is not null`)
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}
