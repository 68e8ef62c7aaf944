import { sql, type SQL } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { APPLY_STATUS, teacherApply } from '../apply/module.ts'
import { cohortPeople, needyTeachers, OPERATION_RIGHTS, teacherFunnel, teacherReps, type Cohort, type CohortPerson, type Needy, type RepLine } from './operation.ts'
import { REASONS, STEPS, TEACHER_STATUS, WINDOW_DAYS, type Reason } from './states.ts'
import { lastWords, reasonConditions } from './teacher.server.ts'
import { TEACHER_PATH, teacherProfile } from './teacher.ts'

const DAY = 86_400
/** Months that the funnel shows, the running one among them. */
const MONTHS = 12
/** Rows of a page of what stands behind a number. */
const PAGE = 20

const raw = (value: number) => sql.raw(String(value))
const certified = raw(TEACHER_STATUS.certified)
const month = (at: SQL) => sql`to_char(${at} at time zone 'Asia/Shanghai', 'YYYY-MM')`
/** States of an application that was let through once, whatever became of it. */
const LET_THROUGH = sql.raw(`(${[APPLY_STATUS.passed, APPLY_STATUS.expired, APPLY_STATUS.undone].join(', ')})`)

const ofRep = (column: SQL, repId: string | undefined) => (repId === undefined ? sql`true` : repId === '0' ? sql`${column} is null` : sql`${column} = ${Number(repId)}`)

/**
 * Everybody who applied in the last months, once, by their first application, with when they came to each step and how many
 * they came to within the window: a step counts after the one before it.
 */
function people(staff: Staff, repId: string | undefined): SQL {
  const within = (at: SQL) => sql`${at} < x.applied_at + make_interval(days => ${raw(WINDOW_DAYS)})`
  return sql`with first as (
      select distinct on (a.mobile) a.id, a.mobile, a.applicant, a.org, a.staff_id, a.created_at from apply a where a.kind = 'teacher' and a.status <> ${raw(APPLY_STATUS.draft)} and a.deleted_at is null order by a.mobile, a.created_at, a.id
    ), x as (
      select a.id as apply_id, a.applicant as name, a.org as school, p.id as teacher_id, coalesce(p.rep_id, a.staff_id) as rep_id, a.created_at as applied_at,
        (select min(b.audited_at) from apply b where b.kind = 'teacher' and b.mobile = a.mobile and b.status in ${LET_THROUGH} and b.deleted_at is null) as certified_at,
        (select min(c.created_at) from teacher_class c where c.founder_id = p.id and c.deleted_at is null) as class_at,
        (select min(h.at) from teacher_homework h where h.teacher_id = p.id) as homework_at,
        (select min(d.at) from teacher_homework h join teacher_homework_done d on d.homework_id = h.id where h.teacher_id = p.id group by h.id order by 1 offset 1 limit 1) as active_at
      from first a left join teacher_profile p on p.mobile = a.mobile and p.deleted_at is null
      where a.created_at >= (date_trunc('month', now() at time zone 'Asia/Shanghai') - make_interval(months => ${raw(MONTHS - 1)})) at time zone 'Asia/Shanghai'
        and a.id in (select id from apply where ${listCondition(teacherApply, staff, {})})
    ), reached as (
      select x.*, case when not coalesce(${within(sql`x.certified_at`)}, false) then 0 when not coalesce(${within(sql`x.class_at`)}, false) then 1 when not coalesce(${within(sql`x.homework_at`)}, false) then 2 when not coalesce(${within(sql`x.active_at`)}, false) then 3 else 4 end as reached
      from x where ${ofRep(sql`x.rep_id`, repId)}
    )`
}

/** Names of the last months, the oldest first. */
function lastMonths(now: number): string[] {
  const day = new Date((now + 8 * 3600) * 1000)
  return Array.from({ length: MONTHS }, (_, index) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - MONTHS + 1 + index, 1)).toISOString().slice(0, 7))
}

/** Whether everybody of a month has had the whole window. */
function isRipe(name: string, now: number): boolean {
  const [year = 0, at = 0] = name.split('-').map(Number)
  return Date.UTC(year, at, 1) / 1000 - 8 * 3600 + WINDOW_DAYS * DAY <= now
}

/** Living teachers of the person's scope, as `t`. */
const scoped = (staff: Staff) => sql`(select * from teacher_profile where ${listCondition(teacherProfile, staff, {})}) t`

/** The calls of 教师运营, answered. */
export const operationCalls = (): Served[] => [
  handle(teacherFunnel, async ({ db, staff, input }) => {
    const now = Date.now() / 1000
    const rows = await db.query<{ month: string; reached: number; n: number }>(sql`${people(staff, input.rep_id)} select ${month(sql`applied_at`)} as month, reached::int as reached, count(*)::int as n from reached group by 1, 2`)
    return { cohorts: lastMonths(now).map((name): Cohort => ({
      month: name, ripe: isRipe(name, now), steps: STEPS.map((_, step) => rows.reduce((sum, row) => (row.month === name && row.reached >= step ? sum + row.n : sum), 0)),
    })) }
  }),
  handle(cohortPeople, async ({ db, staff, input }) => {
    const step = Number(input.step)
    const asked = sql`${month(sql`applied_at`)} = ${input.month} and ${input.only === 'reached' ? sql`reached >= ${step}` : sql`reached = ${step}`}`
    const [count] = await db.query<{ n: number }>(sql`${people(staff, input.rep_id)} select count(*)::int as n from reached where ${asked}`)
    const items = await db.query<Omit<CohortPerson, 'at'> & { times: (number | null)[] }>(sql`${people(staff, input.rep_id)} select r.apply_id, r.teacher_id, r.name, r.school, s.name as rep_name, r.reached::int as reached,
        jsonb_build_array(extract(epoch from applied_at)::float8, extract(epoch from certified_at)::float8, extract(epoch from class_at)::float8, extract(epoch from homework_at)::float8, extract(epoch from active_at)::float8) as times
      from reached r left join staff s on s.id = r.rep_id where ${asked} order by r.reached desc, r.applied_at, r.apply_id limit ${PAGE} offset ${Number(input.page ?? 0) * PAGE}`)
    return { items: items.map(({ times, ...row }) => ({ ...row, at: times })), total: count?.n ?? 0 }
  }),
  handle(teacherReps, async ({ db, staff }) => {
    const needy = sql.join(Object.values(reasonConditions(sql`t`)), sql` or `)
    const items = await db.query<RepLine & Record<string, unknown>>(sql`select t.rep_id, coalesce(s.name, '无人负责') as name, count(*)::int as teachers, count(*) filter (where t.last_homework_at > now() - interval '30 days')::int as active,
        count(*) filter (where ${needy})::int as needy, count(*) filter (where t.next_follow_at < now())::int as overdue, extract(epoch from min(t.next_follow_at) filter (where t.next_follow_at >= now()))::float8 as next_follow_at
      from ${scoped(staff)} left join staff s on s.id = t.rep_id where t.status = ${certified} group by t.rep_id, s.name order by needy desc, teachers desc, t.rep_id limit 200`)
    return { items }
  }),
  handle(needyTeachers, async ({ db, staff, input }) => {
    const conditions = reasonConditions(sql`t`)
    const from = sql`${scoped(staff)} left join staff s on s.id = t.rep_id left join subject b on b.id = t.subject_id where t.status = ${certified} and ${ofRep(sql`t.rep_id`, input.rep_id)}`
    const wanted = input.reason === undefined ? sql`(${sql.join(Object.values(conditions), sql` or `)})` : conditions[input.reason]
    const reasons = sql`array_remove(array[${sql.join(REASONS.map(({ value }) => sql`case when ${conditions[value]} then ${value}::text end`), sql`, `)}], null)`
    const [counts] = await db.query<Record<Reason, number> & { total: number }>(sql`select ${sql.join(REASONS.map(({ value }) => sql`count(*) filter (where ${conditions[value]})::int as ${sql.identifier(value)}`), sql`, `)}, count(*) filter (where ${wanted})::int as total from ${from}`)
    const items = await db.query<Needy & Record<string, unknown>>(sql`select t.id, t.name, t.school, b.name as subject_name, t.rep_id, s.name as rep_name, ${reasons} as reasons, extract(epoch from t.next_follow_at)::float8 as next_follow_at, (${lastWords(sql`t.id`)}) as last_words, extract(epoch from t.last_follow_at)::float8 as last_follow_at
      from ${from} and ${wanted} order by t.next_follow_at nulls last, cardinality(${reasons}) desc, t.id limit ${PAGE} offset ${Number(input.page ?? 0) * PAGE}`)
    const { total = 0, ...each } = counts ?? {}
    return { items, total, counts: Object.fromEntries(REASONS.map(({ value }) => [value, Number((each as Partial<Record<Reason, number>>)[value] ?? 0)])) as Record<Reason, number> }
  }),
]

/** Teachers whom this person meant to speak with by today. */
export const followWaiting: WaitingKind = listWaiting(teacherProfile, {
  name: 'teacher_follow_today', title: '今日待跟进的教师', group: 'act', verb: '跟进', path: TEACHER_PATH, query: ({ staff, now }) => ({ rep_id: String(staff.id), status: String(TEACHER_STATUS.certified), next_follow_at_end: String(startOfDay(now) + DAY - 1) }),
  grant: OPERATION_RIGHTS.id('follow'), due: { at: 'next_follow_at' }, notes: ['school', 'subject_id'],
})
