import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { shownName } from '../../../core/resource/names.ts'
import { listCondition, type Query } from '../../../core/resource/where.server.ts'
import { appUser } from '../../user/module.ts'
import type { SaidItem } from './calls.ts'
import { SAID, type SaidTarget } from './said.ts'

const TARGET_NAMES = Object.keys(SAID) as SaidTarget[]

/** Everything of both kinds that a person may see and that a query leaves, over the bare table. */
export const seenComments = (staff: Staff, query: Query = {}, targets: readonly SaidTarget[] = TARGET_NAMES): SQL =>
  sql`(${sql.join(targets.map((target) => sql`(${listCondition(SAID[target], staff, query)})`), sql` or `)})`

/** Reads what was said as screens show it, in the order of the ids. The caller has checked that the person may see it. */
export async function readSaid(db: Queryable, staff: Staff, ids: readonly number[]): Promise<SaidItem[]> {
  if (ids.length === 0) return []
  const rows = await db.query<SaidItem & Record<string, unknown>>(sql`select c.id, c.target, c.target_id, coalesce(c.root_id, 0) as root_id, coalesce(c.parent_id, 0) as parent_id, c.user_id, c.nickname as name, c.content, coalesce(c.hits, '[]') as hits, c.state, coalesce(c.purpose, 1) as purpose,
    coalesce(c.official, 0) as official, coalesce(c.top, 0) as top, coalesce(c.likes, 0) as likes, case c.target when 'video' then c.at_sec end as at_sec, c.created_at as at, s.name as assignee_name, c.answered_at, c.adopted_at
    from unnest(${sql.param([...ids])}::bigint[]) with ordinality u(id, place) join comment c on c.id = u.id left join staff s on s.id = c.assignee_id order by u.place`)
  return rows.map((row) => ({ ...row, name: row.official === 1 ? row.name : shownName(appUser, staff, row.name) }))
}
