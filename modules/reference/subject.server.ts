import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { subject } from './subject.ts'

/** Message that a subject has changed. */
const CHANNEL = 'subject'
/** How long subjects are believed without asking, in milliseconds: a message may get lost. */
const TRUST = 30_000

export const subjects = serve(subject)({
  async after({ tx }) {
    await tx.notify(CHANNEL, '')
  },
})

export interface SubjectRow {
  id: number
  name: string
  level: number
  root_label_id: number | null
  ebook_only: number
}

/**
 * Reads all subjects, from memory while nobody has changed them: consoles ask before every navigation (spec 2).
 * @returns a function that answers the subjects by stage and order
 */
export function subjectReader(db: Database): () => Promise<readonly SubjectRow[]> {
  let listening: Promise<void> | undefined
  let known: { rows: Promise<readonly SubjectRow[]>; until: number } | undefined
  const forget = () => {
    known = undefined
  }
  return async () => {
    listening ??= db.listen(CHANNEL, forget, forget)
    await listening.catch((error: unknown) => {
      listening = undefined
      throw error
    })
    if (known && Date.now() < known.until && db.isLive()) return known.rows
    const rows = db.query<SubjectRow>(sql`select id, name, level, root_label_id, ebook_only from subject where deleted_at is null order by level, sort, id`)
    known = { rows, until: Date.now() + TRUST }
    rows.catch(forget)
    return rows
  }
}

/** spec 9: category id map 1-8, read as the root of each senior subject's label tree (domain 0.2). */
const ROOT_LABELS: Readonly<Record<number, number>> = { 1: 18, 2: 20, 3: 16, 4: 17, 5: 19, 6: 2922, 7: 4063, 8: 849 }

/** spec 3: junior 101-108; senior and primary in the same order (domain 0.2). 9 is e-book's, so politics is 10. */
const NAMES: readonly (readonly [id: number, name: string])[] = [
  [1, '数学'], [2, '英语'], [3, '物理'], [4, '化学'], [5, '生物'], [6, '地理'], [7, '语文'], [8, '历史'], [10, '政治'], [9, '理综'],
  [101, '数学'], [102, '英语'], [103, '物理'], [104, '化学'], [105, '生物'], [106, '地理'], [107, '语文'], [108, '历史'],
  [201, '数学'], [202, '英语'], [207, '语文'],
]

/** spec 3: combined sciences, for e-books only. */
const COMBINED_SCIENCES = 9

/** Puts the subjects into an empty database. */
export async function insertSubjects(db: Database): Promise<void> {
  await seedTransaction(db, (tx) => insertMany(tx, subject, NAMES.map(([id, name], index) => ({
    id,
    name,
    level: id < 100 ? 0 : id < 200 ? 1 : 2,
    root_label_id: ROOT_LABELS[id] ?? null,
    ebook_only: id === COMBINED_SCIENCES ? 1 : 0,
    sort: index + 1,
  } as const))))
}
