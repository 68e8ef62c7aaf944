import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { regionName } from '../../core/field/region.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { WINDOW_DAYS, type Facts } from './score.ts'
import { KEPT_DAYS } from './session.ts'

/** A session as an app tells it. Moments in unix seconds. */
export interface Told { user_id: number; session_key: string; device_id: string; device_name: string; network: Facts['network']; region_code?: string | null | undefined; lat?: number | null | undefined; lng?: number | null | undefined; began_at: number; ended_at: number; pages?: number | undefined; answers?: number | undefined; fast?: number | undefined }

/** City of a district, 苏州市. */
export function cityName(region: string | null): string {
  if (region === null) return '未知城市'
  const parts = regionName(region.slice(0, 4)).split('/')
  const name = parts.at(-1) ?? region
  return name === '市辖区' ? parts[0] ?? name : name
}

/** Keeps sessions; one that is told again is longer now. */
export async function keepSessions(tx: Queryable, told: readonly Told[]): Promise<void> {
  await tx.query(sql`insert into device_session (user_id, session_key, device_id, device_name, network, region_code, lat, lng, pages, answers, fast, began_at, ended_at)
    select user_id, session_key, device_id, device_name, network, region_code, lat, lng, coalesce(pages, 0), coalesce(answers, 0), coalesce(fast, 0), to_timestamp(began_at), to_timestamp(ended_at)
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as r (user_id bigint, session_key text, device_id text, device_name text, network text, region_code text, lat numeric, lng numeric, pages bigint, answers bigint, fast bigint, began_at float8, ended_at float8)
    on conflict (session_key, began_at) where deleted_at is null do update set ended_at = greatest(device_session.ended_at, excluded.ended_at), pages = greatest(device_session.pages, excluded.pages), answers = greatest(device_session.answers, excluded.answers), fast = greatest(device_session.fast, excluded.fast), updated_at = now()
    where device_session.user_id = excluded.user_id`)
}

/** Sessions of people over the window that is looked at, by the person. */
export async function factsOf(db: Queryable, users: readonly number[]): Promise<ReadonlyMap<number, (Facts & { device_name: string })[]>> {
  const rows = await db.query<Facts & { user_id: number; device_name: string } & Record<string, unknown>>(sql`select id, user_id, device_id as device, device_name, extract(epoch from began_at)::float8 as began, extract(epoch from ended_at)::float8 as ended, region_code as region, lat::float8 as lat, lng::float8 as lng, network, pages::int as pages, answers::int as answers, fast::int as fast
    from device_session where user_id = any(${sql.param([...users])}::bigint[]) and began_at > now() - make_interval(days => ${WINDOW_DAYS}) and deleted_at is null order by user_id, began_at, id`)
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

/** Sessions that nobody looks at any more. */
export const oldSessions = (db: Database): Sweep => ({ name: 'device_session', every: 86_400, run: () => db.query(sql`delete from device_session where began_at < now() - make_interval(days => ${KEPT_DAYS})`) })
