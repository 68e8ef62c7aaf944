import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'

/**
 * Makes `practice_label_tree` agree again with labels and their places in the tree.
 * @param which query that gives the ids of the questions whose labels, or the places of whose labels, have changed
 */
export async function rebuildClosure(tx: Queryable, which: SQL): Promise<void> {
  await tx.query(sql`delete from practice_label_tree where practice_id in (${which})`)
  await tx.query(sql`
    insert into practice_label_tree (label_id, pool, practice_id)
    select distinct above.id, p.pool, p.id
    from practice p
    join practice_label pl on pl.practice_id = p.id
    join label l on l.id = pl.label_id
    cross join lateral (select l.id union all select u.id::bigint from unnest(string_to_array(trim(both '/' from l.path), '/')) u(id) where u.id <> '') above
    where p.id in (${which}) and p.deleted_at is null`)
}
