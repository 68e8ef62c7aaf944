import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { LearnRecord, PublishedBody } from './calls.ts'

interface Taken { received: number; unknown: number[]; unknown_users: number[] }

/**
 * Takes what learners did, in two statements whatever its extent. What was learned under an account that has become another
 * counts for that one.
 */
export async function takeRecords(tx: Queryable, records: readonly LearnRecord[]): Promise<Taken> {
  if (records.length === 0) return { received: 0, unknown: [], unknown_users: [] }
  const sent = sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(user_id bigint, node_id bigint, seconds int, done boolean, at bigint)`
  const [strange] = await tx.query<{ nodes: number[] | null; users: number[] | null }>(sql`select
    array_agg(distinct r.node_id) filter (where n.id is null) as nodes, array_agg(distinct r.user_id) filter (where u.id is null) as users
    from ${sent} left join outline_node n on n.id = r.node_id and n.published_no is not null left join app_user u on u.id = r.user_id`)
  const rows = await tx.query<{ n: number }>(sql`with fresh as (
      insert into learn_record (user_id, node_id, at, seconds, done)
      select distinct on (1, 2, 3) coalesce(u.merged_into_id, u.id), n.id, to_timestamp(r.at), r.seconds, r.done
      from ${sent} join outline_node n on n.id = r.node_id and n.published_no is not null join app_user u on u.id = r.user_id order by 1, 2, 3
      on conflict do nothing returning user_id, node_id, at, seconds, done),
    kept as (insert into learn_stat as s (user_id, node_id, outline_id, seconds, done, last_at)
      select f.user_id, f.node_id, min(n.outline_id), sum(f.seconds), bool_or(f.done), least(max(f.at), now()) from fresh f join outline_node n on n.id = f.node_id group by 1, 2 order by 1, 2
      on conflict (user_id, node_id) do update set seconds = s.seconds + excluded.seconds, done = s.done or excluded.done, last_at = greatest(s.last_at, excluded.last_at))
    select count(*)::int as n from fresh`)
  return { received: rows[0]?.n ?? 0, unknown: strange?.nodes ?? [], unknown_users: strange?.users ?? [] }
}

/** How far a learner is in an outline. */
export interface Progress {
  readonly user_id: number
  /** Share of the minutes of the published version, 0 to 1; null where it says no minutes. */
  readonly share: number | null
  readonly seconds: number
  /** Unix seconds. */
  readonly last_at: number
}

/**
 * How far learners are in an outline. What they finished counts on when it is not offered any more, so that nobody falls back
 * because something was taken out.
 * @returns without those who have not begun
 * @public for the modules whose learners learn by outlines
 */
export async function progressOf(db: Queryable, outlineId: number, userIds: readonly number[]): Promise<Progress[]> {
  const [version] = await db.query<{ body: PublishedBody }>(sql`select v.body from outline o join outline_version v on v.outline_id = o.id and v.no = o.version_no where o.id = ${outlineId}`)
  const nodes = new Map((version?.body.nodes ?? []).map((node) => [node.id, node]))
  const whole = [...nodes.values()].reduce((sum, { minutes, gone_since }) => sum + (gone_since === null ? minutes : 0), 0)
  const rows = await db.query<{ user_id: number; seconds: number; last_at: number; done: number[] | null }>(sql`select user_id, sum(seconds)::float8 as seconds, extract(epoch from max(last_at))::int as last_at, array_agg(node_id) filter (where done) as done
    from learn_stat where outline_id = ${outlineId} and user_id = any(${sql.param([...userIds])}::bigint[]) group by user_id`)
  return rows.map(({ done, ...row }) => {
    const finished = (done ?? []).flatMap((id) => nodes.get(id) ?? [])
    const sum = (list: typeof finished) => list.reduce((total, { minutes }) => total + minutes, 0)
    const gone = sum(finished.filter(({ gone_since }) => gone_since !== null))
    return { ...row, share: whole + gone === 0 ? null : sum(finished) / (whole + gone) }
  })
}
