import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Use } from './calls.ts'

/** What a module that refers to questions hands over: where a question is used there, and how another takes its place. */
export interface PracticeUser {
  /** Number of uses of the question that a condition names, as a scalar; absent for what is said about a question and does not need it. */
  count?: (id: SQL) => SQL
  /** Uses of a question that the person may see, at most a hundred. */
  list(db: Queryable, staff: Staff, practiceId: number): Promise<Use[]>
  /**
   * Lets one question take the place of another, in the caller's transaction.
   * @param merging whether the two become one, so that what belongs to the question goes along
   * @returns how many uses followed, and how many the person may not change
   */
  move(tx: Queryable, staff: Staff, from: number, to: number, merging: boolean): Promise<{ moved: number; left_alone: number }>
  /** Where drafts may be used: the official question takes the place of the draft that became it, whoever published it. */
  published?(tx: Queryable, draft: number, official: number): Promise<void>
}

const users: PracticeUser[] = []

/** Tells the question bank who else refers to its questions; called once by each such module's server half. */
export function addPracticeUser(user: PracticeUser): void {
  users.push(user)
}

/** Everything that uses a question. */
export async function usesOf(db: Queryable, staff: Staff, practiceId: number): Promise<Use[]> {
  const found: Use[][] = []
  for (const user of users) found.push(await user.list(db, staff, practiceId))
  return found.flat()
}

/** How often a question is used, by whomever: a scalar. */
export function countUses(id: SQL): SQL {
  const counts = users.flatMap(({ count }) => count?.(id) ?? [])
  return counts.length > 0 ? sql`(${sql.join(counts, sql` + `)})` : sql`0`
}

/**
 * Everything that used one question uses another from now on.
 * @param merging whether the two become one: then what people have said about the question goes along
 */
export async function moveUses(tx: Queryable, staff: Staff, from: number, to: number, merging = true): Promise<{ moved: number; left_alone: number }> {
  const done = { moved: 0, left_alone: 0 }
  for (const user of users) {
    if (!merging && !user.count) continue
    const one = await user.move(tx, staff, from, to, merging)
    done.moved += one.moved
    done.left_alone += one.left_alone
  }
  return done
}

/** Whatever used a draft uses from now on the official question that it became. */
export async function followPublished(tx: Queryable, draft: number, official: number): Promise<void> {
  for (const user of users) await user.published?.(tx, draft, official)
}

/** The bank's own lists: 举一反三 and baskets. */
export const ownUses: PracticeUser = {
  count: (id) => sql`(select count(*) from practice_similar x join practice o on o.id = x.practice_id and o.deleted_at is null where x.other_id = ${id} and x.kind = 'one2three')`,
  list: (db, _staff, id) => db.query<Use>(sql`select '举一反三' as kind, p.no as title, null as path from practice_similar x join practice p on p.id = x.practice_id
    where x.other_id = ${id} and x.kind = 'one2three' and p.deleted_at is null order by p.id limit 100`),
  async move(tx, _staff, from, to, merging) {
    const moved = await tx.query(sql`with gone as (delete from practice_similar where (${merging ? sql`practice_id = ${from} or ` : sql``}other_id = ${from}) and kind = 'one2three' returning *)
      insert into practice_similar (practice_id, other_id, kind, score, staff_id, ord, at)
      select case practice_id when ${from} then ${to} else practice_id end, case other_id when ${from} then ${to} else other_id end, kind, score, staff_id, ord, at from gone
      where not (practice_id in (${from}, ${to}) and other_id in (${from}, ${to})) on conflict do nothing returning 1`)
    if (merging) await tx.query(sql`with gone as (delete from basket_item where practice_id = ${from} returning *) insert into basket_item (staff_id, practice_id, at) select staff_id, ${to}, at from gone on conflict do nothing`)
    return { moved: moved.length, left_alone: 0 }
  },
}
