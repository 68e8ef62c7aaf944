import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { labelsOfPractice } from '../label/read.server.ts'
import { nameChapters } from '../textbook/textbook.server.ts'
import { reachable } from './access.server.ts'
import type { PracticeDetail } from './calls.ts'
import { readCards } from './card.server.ts'

/** The question with everything that its page shows. */
export async function readDetail(db: Queryable, staff: Staff, id: number): Promise<PracticeDetail> {
  const [seen] = await db.query(sql`select 1 from practice p where p.id = ${id} and p.deleted_at is null and ${reachable(staff)}`)
  if (!seen) throw notFound('试题')
  const [cards, label_paths, chapterIds] = await Promise.all([
    readCards(db, staff, [id]),
    labelsOfPractice(db, id),
    db.query<{ id: number }>(sql`select chapter_id as id from practice_chapter where practice_id = ${id} order by chapter_id`),
  ])
  const [card] = cards
  if (!card) throw notFound('试题')
  return { ...card, label_paths, chapters: await nameChapters(db, chapterIds.map((row) => row.id)) }
}
