import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { CODE_STATUS } from '../code/module.ts'
import { healthOf, partnerHealth, type HealthNumbers, type PartnerHealth } from './partner-health.ts'
import { partner } from './partner.ts'

/** Weeks of the chart. */
const WEEKS = 12
/** Pads that were online within so many days count as in use. */
const ONLINE_DAYS = 7
/** How far back students whose time ended are looked at, in days. */
const ENDED_DAYS = 60

const NOTHING: HealthNumbers = { recent: 0, earlier: 0, unused: 0, pads: 0, online: 0, ended: 0, renewed: 0 }

/** What is counted of partners, by their ids. */
export async function readNumbers(db: Queryable, ids: readonly number[]): Promise<(id: number) => HealthNumbers> {
  const days = (n: number) => sql`make_interval(days => ${n})`
  const those = sql`any(${sql.param([...ids])}::bigint[])`
  type Part = Partial<HealthNumbers> & { id: number }
  const codes = await db.query<Part>(sql`select partner_id as id, count(*) filter (where activated_at >= now() - ${days(28)})::int as recent,
      count(*) filter (where activated_at >= now() - ${days(56)} and activated_at < now() - ${days(28)})::int as earlier
    from activation_code where partner_id = ${those} and status <> ${CODE_STATUS.unused} and activated_at >= now() - ${days(56)} and deleted_at is null group by 1`)
  const left = await db.query<Part>(sql`select partner_id as id, coalesce(sum("left"), 0)::int as unused from activation_code_group where partner_id = ${those} and deleted_at is null group by 1`)
  // Pads are the rooms' business; their table is read as it stands.
  const pads = await db.query<Part>(sql`select s.partner_id as id, count(*)::int as pads, count(*) filter (where p.last_online_at >= now() - ${days(ONLINE_DAYS)})::int as online
    from pad p join app_school s on s.id = p.school_id where s.partner_id = ${those} and p.deleted_at is null and p.status in (0, 1) group by 1`)
  const students = await db.query<Part>(sql`with codes as (
      select distinct on (partner_id, student_id) partner_id, student_id, activated_at from activation_code where partner_id = ${those} and student_id is not null and activated_at >= now() - ${days(ENDED_DAYS)} and deleted_at is null order by partner_id, student_id, activated_at desc
    ) select x.partner_id as id, count(*) filter (where carried or x.expire_at < now())::int as ended, count(*) filter (where carried)::int as renewed
    from (select s.partner_id, st.expire_at, (c.student_id is not null and st.start_at < c.activated_at - interval '1 day' and st.expire_at > now()) as carried
      from school_student st join app_school s on s.id = st.school_id left join codes c on c.student_id = st.id and c.partner_id = s.partner_id
      where s.partner_id = ${those} and st.deleted_at is null and (c.student_id is not null or (st.expire_at >= now() - ${days(ENDED_DAYS)} and st.expire_at < now()))) x group by 1`)
  const parts = Map.groupBy([...codes, ...left, ...pads, ...students], ({ id }) => id)
  return (id) => Object.assign({ ...NOTHING }, ...(parts.get(id) ?? [])) as HealthNumbers
}

const readWeeks = (db: Queryable, id: number): Promise<PartnerHealth['weeks']> => db.query(sql`select w as at, (select count(*)::int from activation_code c
    where c.partner_id = ${id} and c.activated_at >= w and c.activated_at < w + interval '7 days' and c.deleted_at is null) as n
  from generate_series(date_trunc('week', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' - make_interval(weeks => ${WEEKS - 1}), now(), interval '7 days') w order by w`)

/** How a partner is doing. */
export function partnerHealthCalls(): Served[] {
  return [
    handle(partnerHealth, async (call) => {
      const row = await readOne(call.db, partner, call.staff, idParam(call), { school_cnt: sql`0`, room_cnt: sql`0` })
      if (!row) throw notFound(partner.label)
      const [numbers, weeks] = await Promise.all([readNumbers(call.db, [row.id]), readWeeks(call.db, row.id)])
      return { ...healthOf(numbers(row.id)), weeks }
    }),
  ]
}
