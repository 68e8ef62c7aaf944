import { sql, type SQL } from 'drizzle-orm'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import type { Queryable } from '../../../core/database/database.server.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { foldText } from '../../../core/field/field.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { hasPieces, holds } from '../../../core/resource/where.server.ts'
import { TYPES, type QuestionContent } from '../content/question.ts'
import { reachable } from './access.server.ts'
import { DIFFICULTIES, editorPath, practice, STATUS, STATUSES } from './practice.ts'

/** What modules that show questions need to say of one. */
interface Facts {
  id: number
  name: string
  note: string
  minutes: number
  health: { tone: 'ok' | 'wait' | 'bad'; words: string }
  version_no: null
  cover: null
  path: string
}

/** What a person may choose from at once. */
const OFFERED = 50
/** Characters of a stem by which people know a question. */
const NAMED = 60

async function read(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; no: string; level: number; type: number; difficulty: number | null; status: number; est_seconds: number | null; content: QuestionContent }>(sql`select p.id, p.no, p.level, p.type, p.difficulty, p.status, p.est_seconds::int as est_seconds, b.content
    from practice p join practice_body b on b.practice_id = p.id where p.deleted_at is null and ${where}`)
  return rows.map(({ id, no, level, type, difficulty, status, est_seconds, content }) => ({
    id, name: plainText(content.stem).replace(/\s+/g, ' ').trim().slice(0, NAMED) || no,
    note: [no, choiceLabel(TYPES, type), ...(difficulty === null ? [] : [choiceLabel(DIFFICULTIES, difficulty)])].join(' · '), minutes: Math.ceil((est_seconds ?? 0) / 60),
    // Learners go on to see the version before while a question is revised.
    health: status === STATUS.published || status === STATUS.revising ? { tone: 'ok', words: '可用' } : { tone: 'bad', words: `试题${choiceLabel(STATUSES, status)}，学员看不到` },
    version_no: null, cover: null, path: editorPath(level, 'official', id),
  }))
}

/** What is to be said of questions; one that was removed is absent. */
export const practiceFacts = (db: Queryable, ids: readonly number[]): Promise<Facts[]> => read(db, sql`p.id = any(${sql.param([...ids])}::bigint[])`)

/** Published questions within a person's reach, narrowed by words of the stem or a number, at most fifty. @param subjectId null: of any subject */
export function findPracticeFacts(db: Queryable, staff: Staff, words: string, subjectId: number | null): Promise<Facts[]> {
  const text = foldText(words)
  const exact = holds(sql`coalesce(p."search_text", '')`, text)
  const found = text.length > 1 ? sql`(${exact} and ${hasPieces(practice, text, 'p.', subjectId === null ? [] : ['official', subjectId])})` : exact
  return read(db, sql`${sql.join([
    sql`p.pool = 'official' and p.status = ${STATUS.published} and ${reachable(staff, 'official')}`,
    ...(subjectId === null ? [] : [sql`p.subject_id = ${subjectId}`]),
    ...(text === '' ? [] : [/^\d{1,15}$/.test(text) ? sql`(p.id = ${Number(text)} or ${found})` : sql`(p.no = ${text.toUpperCase()} or ${found})`]),
  ], sql` and `)} order by p.id desc limit ${OFFERED}`)
}
