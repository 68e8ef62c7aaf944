/** Questions of the bank as they go into a file: names instead of ids. */
import type { Queryable } from '../../../core/database/database.server.ts'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { EXAM_REGIONS } from '../../reference/module.ts'
import { readCards } from '../bank/card.server.ts'
import { reachable } from '../bank/access.server.ts'
import type { PracticeCard } from '../bank/calls.ts'
import type { Pool } from '../bank/practice.ts'
import { SOURCES, type Question } from '../content/question.ts'
import { labelsOfPractice } from '../label/read.server.ts'
import { nameChapters } from '../textbook/textbook.server.ts'

/** Reads questions in the order of their ids; those of another bank, or that the person may not see, are left out. */
export async function readForExport(db: Queryable, staff: Staff, pool: Pool, ids: readonly number[]): Promise<Question[]> {
  const seen = await db.query<{ id: number }>(sql`select p.id from practice p where p.id = any(${sql.param([...ids])}::bigint[]) and p.deleted_at is null and ${reachable(staff, pool)}`)
  const allowed = new Set(seen.map(({ id }) => id))
  const cards = await readCards(db, staff, ids.filter((id) => allowed.has(id)))
  const questions: Question[] = []
  for (const card of cards) questions.push(await questionOf(db, card))
  return questions
}

async function questionOf(db: Queryable, card: PracticeCard): Promise<Question> {
  const [labels, chapterIds] = await Promise.all([
    labelsOfPractice(db, card.id),
    db.query<{ id: number }>(sql`select chapter_id as id from practice_chapter where practice_id = ${card.id} order by chapter_id`),
  ])
  const chapters = chapterIds.length > 0 ? await nameChapters(db, chapterIds.map(({ id }) => id)) : []
  const known = labels.filter((label) => label.kind === 'knowledge').sort((a, b) => Number(b.main) - Number(a.main))
  return {
    ...card.content, category: card.content.category ?? card.category_name,
    no: card.no, subject: card.subject_name, difficulty: card.difficulty, coef: card.coef, cognitive: card.cognitive, competence: card.competence, tags: card.tags,
    labels: known.map(({ above, name }) => [...above, name]), chapters: chapters.map(({ above, name }) => [...above, name]),
    source: SOURCES.find((one) => one.value === card.source)?.value ?? null, source_paper: card.source_paper, source_order: card.source_order, source_years: card.source_years,
    exam_region: EXAM_REGIONS.find((one) => one.id === card.exam_region_id)?.name ?? null, gaokao_type: card.gaokao_type, exercise_type: card.exercise_type, est_seconds: card.est_seconds, copyright: card.copyright,
  }
}
