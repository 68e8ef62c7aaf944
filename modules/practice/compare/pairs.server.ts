import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { STATUS } from '../bank/practice.ts'
import type { QuestionContent } from '../content/question.ts'
import { measureAlike } from '../edit/alike.server.ts'
import { PAIR_STATE } from './calls.ts'

/** Variants that are remembered of one question: enough to keep them apart in a paper. */
const VARIANTS = 10

/**
 * Remembers what a question is like: likely duplicates as pairs to look at, variants as such. What somebody has decided
 * about before is left alone, and so are a question's own revisions.
 * @returns number of new pairs
 */
export async function notePairs(tx: Queryable, row: { id: number; subject_id: number; origin_id: number | null; content: QuestionContent }): Promise<number> {
  const measured = await measureAlike(tx, row.content, row.subject_id, row.id)
  const duplicates = measured.filter(({ kind }) => kind === 'same' || kind === 'suspected').map(({ id, score }) => ({ l: Math.min(id, row.id), r: Math.max(id, row.id), o: id, s: Math.round(score * 1000) / 1000 }))
  const variants = measured.filter(({ kind }) => kind === 'variant')
  if (variants.length > 0) {
    const others = sql`any(${sql.param(variants.map(({ id }) => id))}::bigint[])`
    const links = variants.slice(0, VARIANTS).flatMap(({ id, score }) => [{ a: row.id, b: id, s: score }, { a: id, b: row.id, s: score }])
    // They may have been taken for duplicates before: while their pictures were not known, or their numbers were the same.
    await tx.query(sql`delete from practice_compare where kind = 'dup' and state = ${PAIR_STATE.open} and ((left_id = ${row.id} and right_id = ${others}) or (right_id = ${row.id} and left_id = ${others}))`)
    await tx.query(sql`insert into practice_similar (practice_id, other_id, kind, score) select a, b, 'variant', s from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as r (a bigint, b bigint, s numeric) on conflict do nothing`)
  }
  if (duplicates.length === 0) return 0
  const made = await tx.query(sql`insert into practice_compare (left_id, right_id, kind, score) select r.l, r.r, 'dup', r.s from jsonb_to_recordset(${JSON.stringify(duplicates)}::jsonb) as r (l bigint, r bigint, o bigint, s numeric)
    join practice p on p.id = r.o where p.status <> ${STATUS.void} and p.deleted_at is null and p.id is distinct from ${row.origin_id} and p.origin_id is distinct from ${row.id} and (p.origin_id is null or p.origin_id is distinct from ${row.origin_id})
    on conflict (left_id, right_id) do update set score = excluded.score where practice_compare.state = ${PAIR_STATE.open} returning (xmax = 0) as fresh`)
  return made.filter((one) => one['fresh']).length
}

/** A pair that is looked at because one revises the other. */
export async function noteRevision(tx: Queryable, revisionId: number, officialId: number): Promise<void> {
  await tx.query(sql`insert into practice_compare (left_id, right_id, kind) values (${revisionId}, ${officialId}, 'revision') on conflict do nothing`)
}

/** Questions that are no longer there to be compared. */
export async function closePairs(tx: Queryable, practiceId: number, state: number, staffId: number | null): Promise<void> {
  await tx.query(sql`update practice_compare set state = ${state}, resolved_by = ${staffId} where (left_id = ${practiceId} or right_id = ${practiceId}) and state = ${PAIR_STATE.open}`)
}
