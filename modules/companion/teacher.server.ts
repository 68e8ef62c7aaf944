import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { formatDate } from '../../core/field/time.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { setRate, teacherRates } from './calls.ts'
import { PROGRESS } from './progress.ts'
import { LIVING, STUDENT_STATUS } from './student.ts'
import { companionTeacher, TEACHER_STATUS } from './teacher.ts'

const S = STUDENT_STATUS

/** Days over which it is told how quickly somebody marks. */
const RECENT = 30

const students = (status: number) => sql`select count(*)::int from companion_student s where s.teacher_id = t.id and s.status = ${sql.raw(String(status))} and s.deleted_at is null`
const living = sql.raw(`(${LIVING.join(', ')})`)

const COMPUTED = {
  trial_cnt: students(S.trial),
  reading_cnt: students(S.reading),
  paused_cnt: students(S.paused),
  ended_cnt: students(S.ended),
  load: sql`select count(*) || ' / ' || t.max_students from companion_student s where s.teacher_id = t.id and s.status in ${living} and s.deleted_at is null`,
  marking_cnt: sql`select count(*)::int from task_student p where p.teacher_id = t.id and p.status = ${sql.raw(String(PROGRESS.marking))}`,
  on_time: sql`select round(avg(case when p.graded_at - p.submitted_at <= interval '24 hours' then 1.0 else 0 end), 3)::float8 from task_student p
    where p.teacher_id = t.id and p.status = ${sql.raw(String(PROGRESS.marked))} and p.graded_at > now() - make_interval(days => ${sql.raw(String(RECENT))})`,
}

export const teachers: ResourceService = serve(companionTeacher)({
  computed: COMPUTED,
  async before({ tx, values }) {
    if (values.staff_id === undefined) return
    const [person] = await tx.query<{ name: string }>(sql`select name from staff where id = ${values.staff_id}`)
    values['name'] = person?.name ?? ''
  },
  effects: {
    async leave({ tx, row }) {
      const [held] = await tx.query<{ students: number; marking: number }>(sql`select (select count(*)::int from companion_student where teacher_id = ${row.id} and status in ${living} and deleted_at is null) as students,
        (select count(*)::int from task_student p join companion_student s on s.id = p.student_id where p.teacher_id = ${row.id} and p.status = ${PROGRESS.marking} and s.status in ${living}) as marking`)
      if (held && held.students > 0) throw badRequest(`还带着 ${held.students} 名学生，请先交接给其他教师`)
      if (held && held.marking > 0) throw badRequest(`还有 ${held.marking} 份作业待批改，请先批改或交接`)
    },
  },
})

/** 调整费率 and the rates that were. */
export function teacherCalls(): Served[] {
  return [
    handle(teacherRates, async (call) => {
      const row = await readOne(call.db, companionTeacher, call.staff, idParam(call), COMPUTED)
      if (!row) return { items: [] }
      return { items: await call.db.query<{ id: number; mode: 'lesson' | 'month'; rate: number; valid_from: number; staff_name: string | null }>(sql`select r.id, r.mode, r.rate, extract(epoch from r.valid_from)::float8 as valid_from, s.name as staff_name
        from companion_rate r left join staff s on s.id = r.staff_id where r.teacher_id = ${row.id} order by r.valid_from desc, r.id desc limit 100`) }
    }),
    handle(setRate, (call) => call.transaction(async (tx) => {
      const { mode, rate, valid_from } = call.input
      const row = await lockRow(tx, companionTeacher, call.staff, idParam(call))
      if (row.status === TEACHER_STATUS.left) throw badRequest('该教师已离职，不能调整费率')
      // What was taught before stays at the rate that held then.
      const [last] = await tx.query<{ at: number }>(sql`select extract(epoch from max(at))::float8 as at from lesson_entry where teacher_id = ${row.id} and cause in ('task', 'back')`)
      if (last?.at && valid_from <= last.at) throw invalid({ valid_from: `该日期之后已有课时记录，最早可从 ${formatDate(last.at + 86_400)} 起` })
      await tx.query(sql`insert into companion_rate (teacher_id, mode, rate, valid_from, staff_id) values (${row.id}, ${mode}, ${rate}, to_timestamp(${valid_from}), ${call.staff.id})
        on conflict (teacher_id, mode, valid_from) do update set rate = excluded.rate, staff_id = excluded.staff_id`)
      await touch(tx, companionTeacher, mode === 'lesson' ? { lesson_rate: rate } : { month_rate: rate }, row.id)
      const saved = await readOne(tx, companionTeacher, call.staff, row.id, COMPUTED)
      return present(companionTeacher, call.staff, saved ?? row)
    }, { action: 'rate', reason: call.input.reason })),
  ]
}
