import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { fileIdsIn } from '../../core/file/url.ts'
import { assetFacts } from '../asset/door.server.ts'
import { describeBlocks } from '../outline/door.server.ts'
import type { BlockTarget } from '../outline/module.ts'
import type { ScanNote } from './page.ts'
import { QR_STATE, type QrFamily } from './qr-code.ts'

/** A code as somebody who scans it meets it. */
export interface Scanned {
  readonly id: number
  readonly code: string
  readonly state: number
  readonly name: string
  readonly page_no: number | null
  readonly owner: string | null
  readonly kind: string | null
  readonly ref_id: number | null
  readonly url: string | null
  /** What it leads to; undefined where that is nothing, gone or broken. */
  readonly target: BlockTarget | undefined
  readonly notes: readonly ScanNote[]
}

/** Says what is to be known about the page on which a code is printed, as its owner hands it over. */
export type NotesOf = (db: Queryable, qrId: number) => Promise<readonly ScanNote[]>

const noNotes: NotesOf = () => Promise.resolve([])

/** Reads a code, whatever became of what it leads to. One that was removed was never printed. */
export async function readScanned(db: Queryable, { owner }: QrFamily, code: string, notesOf: NotesOf = noNotes): Promise<Scanned | undefined> {
  const { table, title } = owner.target()
  const [row] = await db.query<Omit<Scanned, 'target' | 'notes'> & Record<string, unknown>>(sql`select t.id, t.code, t.state, t.name, t.page_no, t.target_kind as kind, t.ref_id, t.url, o.${sql.identifier(title)} as owner
    from qr_target t left join ${sql.identifier(table)} o on o.id = t.book_id where t.code = ${code} and t.deleted_at is null`)
  if (!row) return undefined
  const { kind, ref_id } = row
  const [target] = row.state === QR_STATE.stopped || kind === null || ref_id === null ? [] : await describeBlocks(db, [{ kind, ref_id }])
  return { ...row, target: target?.health.tone === 'bad' ? undefined : target, notes: row.state === QR_STATE.draft ? [] : await notesOf(db, row.id) }
}

/** Id of the file of the film that a code leads to. */
export async function filmOf(db: Queryable, { target }: Scanned): Promise<string | undefined> {
  if (target?.kind === 'video') return fileIdsIn((await assetFacts('video')(db, [target.id]))[0]?.url ?? '')[0]
  if (target?.kind !== 'micro') return undefined
  // Lessons are the papers' business; their table is read as it stands.
  const [lesson] = await db.query<{ video: string }>(sql`select video from micro_lesson where id = ${target.id} and deleted_at is null`)
  return fileIdsIn(lesson?.video ?? '')[0]
}
