import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notTeacher } from '../../core/error/error.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { change, create, remove, transition } from '../../core/resource/operations.server.ts'
import { companionEndpoints, progressEndpoint, workGrants, type Message, type OwnStudent, type OwnTask, type TaskStudent, type Thread } from './calls.ts'
import type { Companion } from './companion.ts'
import { attachMessageFiles } from './files.server.ts'
import { FINISHED, PROGRESS, type Progress, type ProgressAction } from './progress.ts'
import { pipelineOf } from './student.server.ts'
import { LIVING } from './student.ts'
import { TASK_COMPUTED } from './task.server.ts'
import { TASK_STATE } from './task.ts'
import { lockPlace, markRead, say, step, teacherOf } from './thread.server.ts'

const finished = sql.raw(`(${FINISHED.join(', ')})`)
const living = sql.raw(`(${LIVING.join(', ')})`)
/** Messages that one answer holds; a console that was away asks again from the last one. */
const MOST_MESSAGES = 200
/** Rows of a page of tasks at most. */
const MOST_ROWS = 100
/** Hours between two reminders of the same task, and those of the day in which nobody is reminded (operations 2, 1705). */
const REMIND = { hours: 12, from: 7, to: 22 } as const

/** Which learners somebody works with: their own, or all of a business whose teachers have no screens of their own. */
async function mine(db: Queryable, { kind }: Companion, staff: Pick<Staff, 'id'>): Promise<{ teacherId: number | null; students: SQL }> {
  if (!kind.screens.tutor) return { teacherId: (await teacherOf(db, kind.value, staff.id))?.id ?? null, students: sql`s.kind = ${kind.value} and s.deleted_at is null` }
  const teacher = await teacherOf(db, kind.value, staff.id)
  if (!teacher) throw notTeacher()
  return { teacherId: teacher.id, students: sql`s.kind = ${kind.value} and s.teacher_id = ${teacher.id} and s.deleted_at is null` }
}

/** Who somebody is: the counts are of their living learners. */
async function check(call: Call, companion: Companion) {
  const teacher = await teacherOf(call.db, companion.kind.value, call.staff.id)
  if (!teacher) throw notTeacher()
  const [counts] = await call.db.query<{ students: number; unread: number; marking: number }>(sql`select count(distinct s.id)::int as students, coalesce(sum(p.unread), 0)::int as unread, count(*) filter (where p.status = ${PROGRESS.marking})::int as marking
    from companion_student s left join task_student p on p.student_id = s.id where s.teacher_id = ${teacher.id} and s.kind = ${companion.kind.value} and s.status in ${living} and s.deleted_at is null`)
  return { id: teacher.id, kind: companion.kind.value, name: teacher.name, level: teacher.level, students: counts?.students ?? 0, unread: counts?.unread ?? 0, marking: counts?.marking ?? 0 }
}

/** Learners of one task, one row a number: the newest enrolment (spec 4). */
async function studentsOfTask(db: Queryable, students: SQL, taskId: number, shown: (name: string) => string): Promise<TaskStudent[]> {
  const rows = await db.query<TaskStudent & Record<string, unknown>>(sql`select * from (select distinct on (s.mobile) s.id as student_id, s.name, s.mobile, p.task_id, p.status, p.unread as "newMessages", p.score::float8 as score, p.late,
      extract(epoch from p.submitted_at)::float8 as submitted_at, extract(epoch from p.graded_at)::float8 as graded_at
    from task_student p join companion_student s on s.id = p.student_id where p.task_id = ${taskId} and ${students} order by s.mobile, s.id desc) x
    order by (status = ${PROGRESS.marking}) desc, submitted_at nulls last, student_id`)
  return rows.map((row) => ({ ...row, name: shown(row.name), mobile: maskMobile(row.mobile) }))
}

async function ownStudents(db: Queryable, students: SQL, { status, keyword }: { status?: number | undefined; keyword?: string | undefined }, shown: (name: string) => string): Promise<OwnStudent[]> {
  const rows = await db.query<OwnStudent & Record<string, unknown>>(sql`select s.id as student_id, s.name, s.mobile, s.grade, s.status, c.name as class_name, s.risk, s.risk_why, s.lessons_left,
      extract(epoch from s.last_study_at)::float8 as last_study_at, extract(epoch from s.last_talk_at)::float8 as last_talk_at, coalesce(p.unread, 0)::int as "newMessages", coalesce(p.marking, 0)::int as marking, coalesce(p.open, 0)::int as open_tasks
    from companion_student s left join companion_class c on c.id = s.class_id
    left join lateral (select sum(x.unread) as unread, count(*) filter (where x.status = ${PROGRESS.marking}) as marking, count(*) filter (where x.status not in ${finished} and k.state = ${TASK_STATE.running}) as open
      from task_student x join companion_task k on k.id = x.task_id where x.student_id = s.id) p on true
    where ${students} and ${status === undefined ? sql`s.status in ${living}` : sql`s.status = ${status}`}${keyword ? sql` and s.name = ${keyword}` : sql``}
    order by coalesce(p.unread, 0) desc, coalesce(p.marking, 0) desc, s.risk desc, s.id limit 1000`)
  return rows.map((row) => ({ ...row, name: shown(row.name), mobile: maskMobile(row.mobile) }))
}

async function ownTasks(db: Queryable, { kind }: Companion, { teacherId, students }: { teacherId: number | null; students: SQL }, asked: { student_id?: number | undefined; marking?: '1' | undefined; page?: number | undefined; page_size?: number | undefined }): Promise<{ items: OwnTask[]; total: number }> {
  const { student_id, marking, page = 1, page_size = 50 } = asked
  const size = Math.min(page_size, MOST_ROWS)
  const columns = sql`t.id, t.id as task_id, t.title, t.task_kind, t.state, extract(epoch from t.due_at)::float8 as due_at, extract(epoch from t.start_at)::float8 as start_at, t.full::float8 as full`
  if (student_id !== undefined) {
    const items = await db.query<OwnTask & Record<string, unknown>>(sql`select ${columns}, p.student_id, p.status, p.unread as "newMessages", p.score::float8 as score, p.late, 1 as total, (p.status in ${finished})::int as finished, (p.status = ${PROGRESS.marking})::int as marking,
        (select count(*)::int from task_message m where m.task_id = p.task_id and m.student_id = p.student_id) as messages
      from task_student p join companion_task t on t.id = p.task_id and t.deleted_at is null join companion_student s on s.id = p.student_id
      where p.student_id = ${student_id} and ${students} order by (p.status = ${PROGRESS.marking}) desc, p.unread > 0 desc, t.due_at desc, t.id desc limit ${size} offset ${(page - 1) * size}`)
    const [all] = await db.query<{ n: number }>(sql`select count(*)::int as n from task_student p join companion_student s on s.id = p.student_id where p.student_id = ${student_id} and ${students}`)
    return { items, total: all?.n ?? 0 }
  }
  const own = kind.screens.tutor ? sql`(t.teacher_id = ${teacherId} or exists (select 1 from task_student p join companion_student s on s.id = p.student_id where p.task_id = t.id and ${students}))` : sql`true`
  const where = sql`t.kind = ${kind.value} and t.deleted_at is null and ${own}${marking ? sql` and exists (select 1 from task_student p join companion_student s on s.id = p.student_id where p.task_id = t.id and p.status = ${PROGRESS.marking} and ${students})` : sql``}`
  const items = await db.query<OwnTask & Record<string, unknown>>(sql`select ${columns}, coalesce(p.total, 0)::int as total, coalesce(p.finished, 0)::int as finished, coalesce(p.marking, 0)::int as marking, coalesce(p.unread, 0)::int as "newMessages"
    from companion_task t left join lateral (select count(*) as total, count(*) filter (where x.status in ${finished}) as finished, count(*) filter (where x.status = ${PROGRESS.marking}) as marking, sum(x.unread) as unread
      from task_student x join companion_student s on s.id = x.student_id where x.task_id = t.id and ${students}) p on true
    where ${where} order by t.state, t.due_at desc, t.id desc limit ${size} offset ${(page - 1) * size}`)
  const [all] = await db.query<{ n: number }>(sql`select count(*)::int as n from companion_task t where ${where}`)
  return { items, total: all?.n ?? 0 }
}

/** A thread as teachers and learners read it. @param students what the reader may see of learners */
async function readThread(db: Queryable, { kind }: Companion, students: SQL, taskId: number, studentId: number, after = 0): Promise<Thread> {
  const [row] = await db.query<Record<string, unknown> & { title: string; body: string | null; full: number; due_at: number; state: number; task_kind: string; needs: string[] | null; name: string; status: Progress; score: number | null; late: number; graded_at: number | null; graded_name: string | null; read_id: number }>(
    sql`select t.title, t.body, t.full::float8 as full, extract(epoch from t.due_at)::float8 as due_at, t.state, t.task_kind, t.needs, s.name, p.status, p.score::float8 as score, p.late, extract(epoch from p.graded_at)::float8 as graded_at, g.name as graded_name, p.read_id
      from task_student p join companion_task t on t.id = p.task_id and t.kind = ${kind.value} and t.deleted_at is null join companion_student s on s.id = p.student_id left join staff g on g.id = p.graded_by
      where p.task_id = ${taskId} and p.student_id = ${studentId} and ${students}`)
  if (!row) throw notFound('该学生的任务')
  const newest = await db.query<Message & Record<string, unknown>>(sql`select * from (select m.id, extract(epoch from m.at)::float8 as at, m.side, m.kind, f.name as staff_name, m.body, m.files, m.marks, m.seconds
    from task_message m left join staff f on f.id = m.staff_id where m.task_id = ${taskId} and m.student_id = ${studentId} and m.id > ${after} order by m.id desc limit ${MOST_MESSAGES}) x order by id`)
  const { name, status, score, late, graded_at, graded_name, read_id, needs, title, body, full, due_at, state, task_kind } = row
  return { task: { id: taskId, title, body, full, due_at, state, task_kind, needs: needs ?? [] }, student: { id: studentId, name }, status, score, late, graded_at, graded_name, read_id, items: newest }
}

/** What a status that was sent asks for. */
const ACTIONS: Readonly<Partial<Record<number, ProgressAction>>> = { [PROGRESS.begun]: 'open', [PROGRESS.handed]: 'submit', [PROGRESS.marking]: 'submit', [PROGRESS.marked]: 'mark', [PROGRESS.returned]: 'send_back' }

/** @throws AppError when a message says nothing */
function checkSaid({ kind, body, files, seconds, marks }: { kind: string; body: string; files: readonly string[]; seconds?: number | undefined; marks?: unknown }): void {
  if (kind === 'text' && body === '') throw invalid({ body: '请输入内容' })
  if (['image', 'voice', 'file'].includes(kind) && files.length === 0) throw invalid({ files: '请上传文件' })
  if (kind === 'voice' && seconds === undefined) throw invalid({ seconds: '语音时长有误' })
  if (kind === 'marks' && !marks) throw invalid({ marks: '批注有误' })
}

/** The calls of those who work with learners, and of learners' apps. */
export function workCalls(kernel: Kernel, companion: Companion): Served[] {
  const { tasks, kind } = companion
  const calls = companionEndpoints(companion)
  // A teacher knows the names of their own learners; who looks at those of others sees them as everywhere else.
  const namesFor = (staff: Staff) => (name: string) => (kind.screens.tutor ? name : shownName(companion.students, staff, name))
  const screens = [...new Set([...workGrants(companion), tasks.grant])]
  /** Checks within the caller's transaction that all learners are theirs. */
  const needMine = async (tx: Queryable, staff: Staff, ids: readonly number[]) => {
    const { students } = await mine(tx, companion, staff)
    const found = await tx.query<{ id: number }>(sql`select s.id from companion_student s where s.id = any(${sql.param([...ids])}::bigint[]) and ${students}`)
    if (found.length < new Set(ids).size) throw notFound('学生')
  }
  /** Who sets tasks on a screen of their own may change those tasks: the rights of the list of all tasks are another's. */
  const asTeacher = (staff: Staff): Staff => ({ ...staff, modules: new Set([...staff.modules, tasks.grant, tasks.actions.edit ?? 0, tasks.rights.id('publish'), tasks.actions.remove ?? 0]) })
  const ownTask = async (tx: Queryable, staff: Staff, id: number) => {
    const { teacherId } = await mine(tx, companion, staff)
    const [task] = await tx.query<{ id: number; teacher_id: number | null; state: number }>(sql`select id, teacher_id, state from companion_task where id = ${id} and kind = ${kind.value} and deleted_at is null`)
    if (!task || (kind.screens.tutor && task.teacher_id !== teacherId)) throw notFound(tasks.label)
    return task
  }
  const edge = (name: 'publish' | 'withdraw') => tasks.transitions.find((one) => one.name === name) ?? (() => { throw new Error(`tasks have no ${name}`) })()

  return [
    handle(calls.check, (call) => check(call, companion)),
    handle(calls.ownStudents, async (call) => {
      const { students } = await mine(call.db, companion, call.staff)
      const items = call.input.task_id === undefined ? await ownStudents(call.db, students, call.input, namesFor(call.staff)) : await studentsOfTask(call.db, students, call.input.task_id, namesFor(call.staff))
      return { items, total: items.length }
    }),
    handle(calls.ownTasks, async (call) => ownTasks(call.db, companion, await mine(call.db, companion, call.staff), call.input)),
    handle(calls.setTask, (call) => call.transaction(async (tx) => {
      const { publish, ...values } = call.input
      const { teacherId } = await mine(tx, companion, call.staff)
      if (kind.screens.tutor && Array.isArray(values['student_ids'])) await needMine(tx, call.staff, values['student_ids'] as number[])
      if (kind.screens.tutor && values['class_id']) throw invalid({ class_id: '请选择学生' })
      const pipeline = pipelineOf(kernel, tasks, asTeacher(call.staff))
      const made = await create(tx, pipeline, { ...values, ...(teacherId !== null && { teacher_id: teacherId }) })
      const done = publish === false ? made : await transition(tx, pipeline, made.record.id, edge('publish'))
      return present(tasks, call.staff, done.record)
    }, { action: 'create' })),
    handle(calls.changeTask, (call) => call.transaction(async (tx) => {
      const { student_ids, status, newMessages, read_to, seen_id, seen_mark_at, score, reason, ...values } = call.input
      const id = idParam(call)
      if (student_ids === undefined) {
        await ownTask(tx, call.staff, id)
        const { rev, ...sent } = values as { rev?: number }
        const done = await change(tx, pipelineOf(kernel, tasks, asTeacher(call.staff)), id, sent, { rev })
        return { ...present(tasks, call.staff, done.record) }
      }
      await needMine(tx, call.staff, student_ids)
      const sorted = [...new Set(student_ids)].sort((a, b) => a - b)
      if (newMessages === 0 || read_to !== undefined) await markRead(tx, id, sorted, read_to)
      const action = status === undefined ? (score === undefined ? undefined : 'mark') : ACTIONS[status]
      if (status !== undefined && action === undefined) throw invalid({ status: '不能改回未开始' })
      if (action === 'send_back' && reason === undefined) throw invalid({ reason: '请填写原因' })
      if (action) {
        for (const student of sorted) {
          const place = await lockPlace(tx, companion, id, student)
          await step(tx, companion, place, { action, staffId: call.staff.id, ...(score !== undefined && { score }), ...(reason !== undefined && { reason }), ...(seen_mark_at !== undefined && { seenMarkAt: seen_mark_at }), ...(seen_id !== undefined && { seenId: seen_id }) })
        }
      }
      const items = await tx.query<TaskStudent & Record<string, unknown>>(sql`select p.student_id, p.task_id, p.status, p.unread as "newMessages", p.score::float8 as score, extract(epoch from p.graded_at)::float8 as graded_at from task_student p where p.task_id = ${id} and p.student_id = any(${sql.param(sorted)}::bigint[]) order by p.student_id`)
      return { items }
    }, { action: 'mark' })),
    handle(calls.dropTask, (call) => call.transaction(async (tx) => {
      const task = await ownTask(tx, call.staff, idParam(call))
      const pipeline = pipelineOf(kernel, tasks, asTeacher(call.staff))
      if (task.state === TASK_STATE.draft) await remove(tx, pipeline, task.id)
      else await transition(tx, pipeline, task.id, edge('withdraw'), { reason: call.input.reason ?? '教师撤回' })
      return {}
    }, { action: 'withdraw', reason: call.input.reason ?? '教师撤回' })),
    handle(calls.thread, async (call) => {
      const { students } = await mine(call.db, companion, call.staff)
      const thread = await readThread(call.db, companion, students, idParam(call), idParam(call, 'student'), call.input.after)
      return { ...thread, student: { ...thread.student, name: namesFor(call.staff)(thread.student.name) } }
    }),
    handle(progressEndpoint(companion), async (call) => {
      const task = await readOne(call.db, tasks, call.staff, idParam(call), TASK_COMPUTED)
      if (!task) throw notFound(tasks.label)
      return { items: await studentsOfTask(call.db, sql`s.kind = ${kind.value} and s.deleted_at is null`, task.id, (name) => shownName(companion.students, call.staff, name)) }
    }),
    handle(calls.say, (call) => call.transaction(async (tx) => {
      checkSaid(call.input)
      const [task, student] = [idParam(call), idParam(call, 'student')]
      await needMine(tx, call.staff, [student])
      const place = await lockPlace(tx, companion, task, student)
      const { kind: what, body, files, seconds, marks, client_key } = call.input
      await attachMessageFiles(tx, { kind: what, files, screens, staffId: call.staff.id })
      return { id: await say(tx, companion, place, { side: 'teacher', kind: what, body, files, seconds: seconds ?? null, marks: marks ?? null, staffId: call.staff.id, clientKey: client_key }) }
    }, { action: 'say' })),
    handle(calls.remind, (call) => call.transaction(async (tx) => {
      await needMine(tx, call.staff, call.input.student_ids)
      const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Asia/Shanghai' }).format(new Date()))
      if (hour < REMIND.from || hour >= REMIND.to) throw badRequest('晚上 10 点至早上 7 点不催交，请白天再试')
      const due = await tx.query<{ student_id: number }>(sql`update task_student p set reminded_at = now() from companion_task t where t.id = p.task_id and t.kind = ${kind.value} and t.state = ${TASK_STATE.running} and p.task_id = ${idParam(call)}
        and p.student_id = any(${sql.param(call.input.student_ids)}::bigint[]) and p.status not in ${finished} and (p.reminded_at is null or p.reminded_at < now() - make_interval(hours => ${REMIND.hours})) returning p.student_id`)
      for (const { student_id } of due) await say(tx, companion, { task_id: idParam(call), student_id }, { side: 'teacher', kind: 'state', body: '请尽快完成并提交', staffId: call.staff.id })
      return { reminded: due.length }
    }, { action: 'remind' })),
    handle(calls.deviceThread, (call) => readThread(call.db, companion, sql`s.deleted_at is null`, idParam(call), idParam(call, 'student'), call.input.after)),
    handle(calls.deviceStep, (call) => call.transaction(async (tx) => {
      const place = await lockPlace(tx, companion, idParam(call), idParam(call, 'student'))
      const { action, score } = call.input
      // Opened twice, or after it was handed in, is no mistake of the learner.
      if (action === 'open' && place.status !== PROGRESS.new) return { status: place.status }
      return { status: await step(tx, companion, place, { action, ...(score !== undefined && place.auto === 1 && { score }) }) }
    }, { action: 'learner_step' })),
    handle(calls.deviceSay, (call) => call.transaction(async (tx) => {
      checkSaid(call.input)
      const place = await lockPlace(tx, companion, idParam(call), idParam(call, 'student'))
      const { kind: what, body, files, seconds, client_key } = call.input
      await attachMessageFiles(tx, { kind: what, files, screens, staffId: null })
      const late = place.state === TASK_STATE.withdrawn
      const id = await say(tx, companion, place, { side: 'student', kind: what, body, files, seconds: seconds ?? null, clientKey: client_key })
      if (late) await say(tx, companion, place, { side: 'system', kind: 'state', body: '任务已撤回后收到', clientKey: `${client_key}-late` })
      return { id, late }
    }, { action: 'learner_say' })),
  ]
}
