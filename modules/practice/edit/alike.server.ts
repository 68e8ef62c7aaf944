import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { reachable } from '../bank/access.server.ts'
import { readCards } from '../bank/card.server.ts'
import { STATUS } from '../bank/practice.ts'
import { fingerprintOf, likenessTo, type Likeness } from '../content/fingerprint.ts'
import type { QuestionContent } from '../content/question.ts'
import { readHashes } from '../picture/hash.server.ts'
import type { Alike } from './calls.ts'

/** Candidates that are measured exactly. */
const CANDIDATES = 40
/** Questions that are looked at for each candidate: of a common few words, such as those about a picture, there are thousands. */
const LOOKED_AT = 10
/** Alike questions that are shown. */
const SHOWN = 10

/**
 * The questions of a subject that are like this one, the most alike first. Those are measured that share keys of the words
 * or of a picture, or the whole text; what was given up or has become an official question is left out.
 * @param limit how many are measured, those that share most
 */
export async function measureAlike(db: Queryable, content: QuestionContent, subjectId: number, exceptId: number | undefined, limit = CANDIDATES): Promise<{ id: number; kind: Likeness; score: number }[]> {
  const own = await readHashes(db, [content])
  const { bands, content_hash } = fingerprintOf(content, own)
  // The texts are read last, of the few that are left: nothing is grouped or sorted by them.
  const candidates = await db.query<{ id: number; content: QuestionContent }>(sql`
    select nearest.id, b.content from (
      select p.id, sum(near.shared) as shared from (
        (select practice_id, count(*) as shared from practice_band where key = any(${sql.param([...new Set(bands)])}::int[]) group by practice_id order by 2 desc, 1 desc limit ${sql.raw(String(limit * LOOKED_AT))})
        union all select id, 100 from practice where content_hash = ${content_hash} and deleted_at is null
      ) near join practice p on p.id = near.practice_id
      where p.subject_id = ${subjectId} and p.deleted_at is null and p.id <> ${exceptId ?? 0} and p.status <> ${STATUS.void} and not (p.pool = 'back' and p.status = ${STATUS.published})
      group by p.id order by 2 desc, 1 desc limit ${sql.raw(String(limit))}
    ) nearest join practice_body b on b.practice_id = nearest.id order by nearest.shared desc, nearest.id desc`)
  // Without a picture of its own there is nothing to compare theirs with.
  const likenessOf = likenessTo(content, own.size === 0 ? own : await readHashes(db, [content, ...candidates.map((other) => other.content)]))
  return candidates.flatMap((other) => {
    const { kind, score } = likenessOf(other.content)
    return kind ? [{ id: other.id, kind, score }] : []
  }).sort((a, b) => b.score - a.score)
}

/** Questions like this one, the most alike first; only those that the person may see are told. */
export async function alike(db: Queryable, staff: Staff, content: QuestionContent, subjectId: number, exceptId: number | undefined): Promise<Alike[]> {
  const measured = await measureAlike(db, content, subjectId, exceptId)
  const seen = await db.query<{ id: number }>(sql`select p.id from practice p where p.id = any(${sql.param(measured.map(({ id }) => id))}::bigint[]) and ${reachable(staff)}`)
  const shown = measured.filter(({ id }) => seen.some((row) => row.id === id)).slice(0, SHOWN)
  const cards = await readCards(db, staff, shown.map(({ id }) => id))
  return cards.flatMap((practice) => {
    const one = shown.find(({ id }) => id === practice.id)
    return one ? [{ practice, kind: one.kind, score: Math.round(one.score * 1000) / 1000 }] : []
  })
}
