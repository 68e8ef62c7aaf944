import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound, notTeacher } from '../../core/error/error.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { todayEndpoints, type TodayCard } from './calls.ts'
import type { Companion } from './companion.ts'
import { FINISHED, PROGRESS, type Progress } from './progress.ts'
import { factsOf } from './report.server.ts'
import { draftOf } from './report-words.ts'
import { STUDENT_STATUS } from './student.ts'
import { TASK_STATE } from './task.ts'
import { teacherOf } from './thread.server.ts'
import { DAY, judge, urgency, type Signals } from './today.ts'

const finished = sql.raw(`(${FINISHED.join(', ')})`)
/** Days over which a share of points is compared with as many before. */
const SPAN = 14
/** Learners of a list at most. */
const MOST = 500

/** The signals of learners, all in one statement. */
function signalsOf(db: Queryable, where: SQL): Promise<(Signals & { id: number; name: string; grade: number })[]> {
  const share = (from: number, to: number) => sql`avg(p.score / t.full) filter (where p.graded_at >= now() - make_interval(days => ${sql.raw(String(from))}) and p.graded_at < now() - make_interval(days => ${sql.raw(String(to))})) * 100`
  return db.query<Signals & { id: number; name: string; grade: number } & Record<string, unknown>>(sql`select s.id, s.name, s.grade, s.lessons_left, extract(epoch from s.last_study_at)::float8 as last_study_at, extract(epoch from s.last_talk_at)::float8 as last_talk_at,
      extract(epoch from coalesce(s.start_at, s.created_at))::float8 as begun_at, x.score::float8 as score, x.before::float8 as before, coalesce(x.overdue, 0)::int as overdue, r.at as unread_report_at
    from companion_student s
    left join lateral (select ${share(SPAN, 0)} as score, ${share(2 * SPAN, SPAN)} as before, count(*) filter (where p.status not in ${finished} and t.state = ${TASK_STATE.running} and t.due_at < now() and t.due_at > now() - interval '30 days') as overdue
      from task_student p join companion_task t on t.id = p.task_id where p.student_id = s.id) x on true
    left join lateral (select extract(epoch from c.sent_at)::float8 as at from companion_report c where c.student_id = s.id and c.state = 3 and c.deleted_at is null order by c.sent_at desc limit 1) r on true
    where ${where} and s.status in (${STUDENT_STATUS.trial}, ${STUDENT_STATUS.reading}) and s.deleted_at is null limit ${MOST}`)
}

/** Today's list, its cards, and what was written down afterwards. */
export function todayCalls(companion: Companion): Served[] {
  const { kind } = companion
  const calls = todayEndpoints(companion)
  const teacher = async (db: Queryable, staffId: number) => {
    const found = await teacherOf(db, kind.value, staffId)
    if (!found) throw notTeacher()
    return found
  }
  const own = async (db: Queryable, staffId: number, id: number) => {
    const { id: teacherId } = await teacher(db, staffId)
    const [row] = await signalsOf(db, sql`s.id = ${id} and s.teacher_id = ${teacherId} and s.kind = ${kind.value}`)
    if (!row) throw notFound('学生')
    return { row, teacherId }
  }
  return [
    handle(calls.today, async (call) => {
      const { id } = await teacher(call.db, call.staff.id)
      const now = Math.floor(Date.now() / 1000)
      const rows = await signalsOf(call.db, sql`s.teacher_id = ${id} and s.kind = ${kind.value}`)
      const spoken = new Set((await call.db.query<{ student_id: number }>(sql`select distinct student_id from companion_follow where teacher_id = ${id} and at >= to_timestamp(${startOfDay(now)})`)).map(({ student_id }) => student_id))
      const judged = rows.map((row) => ({ row, judged: judge(row, now) })).filter(({ judged: { weight } }) => weight > 0)
      judged.sort((a, b) => Number(spoken.has(a.row.id)) - Number(spoken.has(b.row.id)) || urgency(b.judged) - urgency(a.judged) || a.row.id - b.row.id)
      return { items: judged.map(({ row, judged: { risk, why, daysSilent, weight } }) => ({ student_id: row.id, name: row.name, grade: row.grade, risk, why: [...why], days_silent: daysSilent, weight, done: spoken.has(row.id) })) }
    }),
    handle(calls.card, async (call): Promise<TodayCard> => {
      const { row } = await own(call.db, call.staff.id, idParam(call))
      const now = Math.floor(Date.now() / 1000)
      const facts = await factsOf(call.db as Database, row.id, startOfDay(now) - 13 * DAY, startOfDay(now))
      const said = await call.db.query<TodayCard['said'][number] & Record<string, unknown>>(sql`select * from (select distinct on (m.side) m.side, left(m.body, 200) as body, extract(epoch from m.at)::float8 as at, m.id from task_message m
        where m.student_id = ${row.id} and m.kind = 'text' and m.side <> 'system' order by m.side, m.id desc) x order by id`)
      const tasks = await call.db.query<{ id: number; title: string; due_at: number; status: Progress } & Record<string, unknown>>(sql`select t.id, t.title, extract(epoch from t.due_at)::float8 as due_at, p.status from task_student p join companion_task t on t.id = p.task_id
        where p.student_id = ${row.id} and p.status <> ${PROGRESS.marked} and t.state = ${TASK_STATE.running} and t.deleted_at is null order by t.due_at limit 10`)
      const [report] = await call.db.query<{ sent_at: number; read_at: number | null }>(sql`select extract(epoch from sent_at)::float8 as sent_at, extract(epoch from read_at)::float8 as read_at from companion_report where student_id = ${row.id} and sent_at is not null and deleted_at is null order by sent_at desc limit 1`)
      const follows = await call.db.query<TodayCard['follows'][number] & Record<string, unknown>>(sql`select extract(epoch from f.at)::float8 as at, f.body, t.name from companion_follow f join companion_teacher t on t.id = f.teacher_id where f.student_id = ${row.id} order by f.id desc limit 5`)
      const { why } = judge(row, now)
      return {
        student_id: row.id, name: row.name,
        facts: [
          { label: '近 14 天任务', value: `${facts.done} / ${facts.tasks}` }, { label: '逾期提交', value: `${facts.late} 次` }, { label: '得分率', value: facts.score === null || facts.score === undefined ? '—' : `${facts.score}%` },
          { label: '学习天数', value: `${facts.days} 天` }, { label: '剩余课时', value: `${row.lessons_left} 节` },
        ],
        said, tasks, report: report ?? null, follows, draft: `${why.length > 0 ? `${why.join('，')}。` : ''}${draftOf(facts)}`,
      }
    }),
    handle(calls.follow, (call) => call.transaction(async (tx) => {
      const { row, teacherId } = await own(tx, call.staff.id, idParam(call))
      const { way, body, seconds } = call.input
      const { risk } = judge(row, Math.floor(Date.now() / 1000))
      const [made] = await tx.query<{ id: number }>(sql`insert into companion_follow (student_id, teacher_id, way, body, seconds, risk) values (${row.id}, ${teacherId}, ${way}, ${body}, ${seconds ?? null}::int, ${risk}) returning id`)
      await setDerived(tx, companion.students, { last_talk_at: sql`now()` } as object, row.id)
      return { id: made?.id ?? 0 }
    }, { action: 'follow' })),
    handle(calls.phrases, async (call) => ({ items: await call.db.query<{ id: number; body: string; used_n: number } & Record<string, unknown>>(sql`select id, body, used_n from companion_phrase where staff_id = ${call.staff.id} order by used_n desc, id desc limit 50`) })),
    handle(calls.keepPhrase, (call) => call.transaction(async (tx) => {
      const [row] = await tx.query<{ id: number }>(sql`insert into companion_phrase (staff_id, body, used_n) values (${call.staff.id}, ${call.input.body}, 1) on conflict (staff_id, body) do update set used_n = companion_phrase.used_n + 1 returning id`)
      return { id: row?.id ?? 0 }
    })),
  ]
}

/** Every quarter of an hour is often enough for a chip that counts days. */
const EVERY = 900

/** Keeps the risk of learners where lists show and filter it. */
export const riskSweep = (db: Database, companions: readonly Companion[]): Sweep => ({
  name: 'companion_risk', every: EVERY,
  async run() {
    const now = Math.floor(Date.now() / 1000)
    for (const { kind, students } of companions) {
      const ids = await db.query<{ id: number }>(sql`select id from companion_student where kind = ${kind.value} and status in (${STUDENT_STATUS.trial}, ${STUDENT_STATUS.reading}) and deleted_at is null order by id`)
      for (let start = 0; start < ids.length; start += MOST) {
        const rows = await signalsOf(db, sql`s.id = any(${sql.param(ids.slice(start, start + MOST).map(({ id }) => id))}::bigint[])`)
        const risks = rows.map((row) => ({ row, judged: judge(row, now) })).map(({ row, judged: { risk, why } }) => ({ id: row.id, risk, why: why.slice(0, 3).join(' · ') || null }))
        await db.transaction({ staff_id: null, silent: true }, (tx) => setDerived(tx, students, { risk: sql`r.risk`, risk_why: sql`r.why` } as object, sql`t.id = r.id and (t.risk is distinct from r.risk or t.risk_why is distinct from r.why)`,
          { from: sql`jsonb_to_recordset(${JSON.stringify(risks)}::jsonb) as r (id bigint, risk int, why text)` }))
      }
    }
  },
})
