import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { alike, measureAlike } from '../edit/alike.server.ts'
import type { Alike } from '../edit/calls.ts'
import { NO_FACTS } from '../edit/written.ts'
import type { QuestionContent } from '../content/question.ts'
import { reachable } from './access.server.ts'
import { checkAction } from './held.server.ts'
import { levelOfSubject } from './number.ts'
import { editorPath, STATUS, type Pool } from './practice.ts'
import { claimContent, insertPractices, readInput } from './write.server.ts'

/** A question that somebody outside wrote, as the bank is asked to take it. */
export interface Admitted {
  readonly content: QuestionContent
  readonly subject_id: number
  /** Name of the paper that it stood in, and its place there. */
  readonly source_paper: string
  readonly source_order: number
  /** Whose it is, in words, for its first version. */
  readonly origin: string
}

/** Questions of the bank that are like one, the most alike first. */
export const likePractices = (db: Queryable, staff: Staff, content: QuestionContent, subjectId: number): Promise<Alike[]> => alike(db, staff, content, subjectId, undefined)

/**
 * Takes a question into the back bank, as a draft of whoever decides; it is checked there like any other.
 * @returns its id; or the one that the bank has already, unless the person is sure
 * @throws AppError when the person may not write in that bank, or the question cannot be stored
 */
export async function admitPractice(tx: Queryable, staff: Staff, { content, subject_id, source_paper, source_order, origin }: Admitted, sure: boolean): Promise<{ id: number } | { same: number }> {
  const level = levelOfSubject(subject_id)
  checkAction(staff, { pool: 'back', level }, 'edit', '后备题库 · 新增和编辑')
  // Two people who take the same question in at once wait for each other, and the second sees the first one's.
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('admit practice'), ${subject_id}::int)`)
  const [same] = sure ? [] : (await measureAlike(tx, content, subject_id, undefined)).filter(({ kind }) => kind === 'same')
  if (same) return { same: same.id }
  const input = await readInput(tx, staff, level, { content, facts: { ...NO_FACTS, subject_id, source: 'dou_practice', source_paper: source_paper.slice(0, 100), source_order, copyright: '授权', tags: ['教师投稿'] } })
  await claimContent(tx, staff, level, input.content, input.facts)
  const [id = 0] = await insertPractices(tx, staff.id, [{ ...input, pool: 'back', level, owner_id: staff.id }], origin)
  return { id }
}

/** How a question stands: in which bank, and which official one it became. */
export interface Standing extends Record<string, unknown> { id: number; no: string; status: number; official_id: number | null; version_no: number; path: string }

/** Where questions stand today, as far as a person may see them; what was published is found in the official bank. */
export async function standingOf(db: Queryable, staff: Staff, ids: readonly number[]): Promise<Map<number, Standing>> {
  const rows = await db.query<{ asked: number; id: number; no: string; status: number; pool: Pool; level: number; version_no: number } & Record<string, unknown>>(sql`select q.id as asked, p.id, p.no, p.status, p.pool, p.level, p.version_no::int as version_no
    from practice q join practice p on p.id = case when q.pool = 'back' and q.status = ${STATUS.published} and q.origin_id is not null then q.origin_id else q.id end
    where q.id = any(${sql.param([...ids])}::bigint[]) and p.deleted_at is null and ${reachable(staff)}`)
  return new Map(rows.map(({ asked, pool, level, ...row }) => [asked, { ...row, official_id: pool === 'official' && row.status === STATUS.published ? row.id : null, path: editorPath(level, pool, row.id) }]))
}
