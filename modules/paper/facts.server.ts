import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { foldText } from '../../core/field/field.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { likeText } from '../../core/resource/where.server.ts'
import { placesOf } from './kind.ts'
import { LESSON_STATE, LESSON_STATES } from './lesson/lesson.ts'
import { PAPER_STATE, PAPER_STATES, screenOfPaper } from './paper.ts'
import { STAGES } from './stage.ts'

/** What modules that show papers and micro lessons need to say of one. */
interface Facts {
  id: number
  name: string
  note: string
  minutes: number
  health: { tone: 'ok' | 'wait' | 'bad'; words: string }
  /** Version that learners get; null where it has none. */
  version_no: number | null
  cover: string | null
  path: string | null
}

/** What a person may choose from at once. */
const OFFERED = 50

/** Only what learners can open is in order: what they see stays while it is being revised. */
const healthOf = (shelved: boolean, words: string): Facts['health'] => (shelved ? { tone: 'ok', words: '可用' } : { tone: 'bad', words })

async function papers(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; name: string; kind: string; level: number; question_count: number; total_score: number; duration: number | null; state: number; version_no: number }>(sql`select p.id, p.name, p.kind, p.level, p.question_count::int as question_count,
    p.total_score, p.duration::int as duration, p.state, p.version_no::int as version_no from paper p where p.deleted_at is null and ${where}`)
  return rows.map((row) => ({
    id: row.id, name: row.name, note: `${row.question_count} 题 · ${row.total_score} 分`, minutes: row.duration ?? 0,
    health: healthOf(row.state === PAPER_STATE.shelved || row.state === PAPER_STATE.revising, `试卷${choiceLabel(PAPER_STATES, row.state)}，没有上架`),
    version_no: row.version_no > 0 ? row.version_no : null, cover: null, path: placesOf(screenOfPaper(row), row.id).detail,
  }))
}

async function lessons(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; name: string; level: number; teacher: string | null; duration: number; cover: string | null; state: number }>(sql`select p.id, p.name, p.level, p.teacher, p.duration::int as duration, p.cover, p.state from micro_lesson p where p.deleted_at is null and ${where}`)
  return rows.map((row) => ({
    id: row.id, name: row.name, note: [`${Math.floor(row.duration / 60)}:${String(row.duration % 60).padStart(2, '0')}`, row.teacher].filter(Boolean).join(' · '), minutes: Math.ceil(row.duration / 60),
    health: healthOf(row.state === LESSON_STATE.shelved, `微课${choiceLabel(LESSON_STATES, row.state)}，没有上架`),
    version_no: null, cover: row.cover, path: `${STAGES[row.level as 0 | 1 | 2].course}?open=${row.id}`,
  }))
}

const among = (ids: readonly number[]) => sql`p.id = any(${sql.param([...ids])}::bigint[])`

/** What a person may choose: what is on the shelf, within their scopes. */
function offered({ scopes }: Staff, words: string, subjectId: number | null, states: readonly number[]): SQL {
  return sql`${sql.join([
    sql`p.state = any(${sql.param([...states])}::int[])`,
    ...(scopes.subject ? [sql`p.subject_id = any(${sql.param([...scopes.subject])}::bigint[])`] : []),
    ...(scopes.level ? [sql`p.level = any(${sql.param([...scopes.level])}::int[])`] : []),
    ...(subjectId === null ? [] : [sql`p.subject_id = ${subjectId}`]),
    ...(words === '' ? [] : [/^\d+$/.test(words) ? sql`(p.id = ${Number(words.slice(0, 15))}::bigint or p.name ilike ${`%${likeText(foldText(words))}%`})` : sql`p.name ilike ${`%${likeText(foldText(words))}%`}`]),
  ], sql` and `)} order by p.id desc limit ${OFFERED}`
}

/** What is to be said of papers of any kind; one that was removed is absent. */
export const paperFacts = (db: Queryable, ids: readonly number[]): Promise<Facts[]> => papers(db, among(ids))
/** Papers that a person may choose, narrowed by words or a number, at most fifty. @param subjectId null: of any subject */
export const findPaperFacts = (db: Queryable, staff: Staff, words: string, subjectId: number | null): Promise<Facts[]> => papers(db, offered(staff, words, subjectId, [PAPER_STATE.shelved, PAPER_STATE.revising]))
/** What is to be said of micro lessons; one that was removed is absent. */
export const lessonFacts = (db: Queryable, ids: readonly number[]): Promise<Facts[]> => lessons(db, among(ids))
/** Micro lessons that a person may choose, as papers. */
export const findLessonFacts = (db: Queryable, staff: Staff, words: string, subjectId: number | null): Promise<Facts[]> => lessons(db, offered(staff, words, subjectId, [LESSON_STATE.shelved]))
