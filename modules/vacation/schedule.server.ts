import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { planSchedule, readSchedule, tryMeeting, writeSchedule, type Meeting } from './calls.ts'
import { findConflicts, holdTimetables, type Wanted } from './conflict.server.ts'
import { vacationMeeting } from './meeting.ts'
import { planMeetings, type WeekTime } from './schedule.ts'
import { CLASS_STATE as C } from './state.ts'
import { vacationClass } from './line.ts'

interface ClassRow { id: number; teacher_id: number; room: string | null; state: number; start_on: number; meeting_count: number; times: WeekTime[] | null }

const OVER: readonly number[] = [C.finished, C.cancelled]

async function findClass(db: Queryable, staff: Staff, id: number): Promise<ClassRow> {
  const [row] = await db.query<ClassRow & Record<string, unknown>>(sql`select id, teacher_id, room, state, start_on, meeting_count::int as meeting_count, times from vacation_class where ${listCondition(vacationClass, staff, {})} and id = ${id}`)
  if (!row) throw notFound(vacationClass.label)
  return row
}

/** Meetings of a class in their order, each with what it takes twice. */
async function readMeetings(db: Queryable, classId: number): Promise<Meeting[]> {
  const rows = await db.query<Omit<Meeting, 'conflicts'> & { teacher_id: number } & Record<string, unknown>>(sql`select m.id, m.rev, m.name, m.start_at, m.end_at, m.teacher_id, s.name as teacher_name, m.room, m.rolled_at
    from vacation_meeting m left join staff s on s.id = m.teacher_id where m.class_id = ${classId} and m.deleted_at is null order by m.start_at, m.id`)
  const conflicts = await findConflicts(db, rows.map((row) => ({ ...row, class_id: classId })))
  return rows.map(({ teacher_id: _teacher, ...row }, index) => ({ ...row, conflicts: conflicts[index] ?? [] }))
}

/** The meetings that a class has still to get, beside those whose roll was called. */
async function plan(db: Queryable, row: ClassRow, skip: readonly string[]): Promise<{ wanted: (Wanted & { teacher_id: number })[]; kept: number; conflicts: string[][] }> {
  if (OVER.includes(row.state)) throw badRequest('班级已结课或取消，不能排课')
  if (!row.times?.length) throw invalid({ times: '请先编辑班级，填写上课时间' })
  const [done] = await db.query<{ n: number; last: number | null }>(sql`select count(*)::int as n, max(start_at) as last from vacation_meeting where class_id = ${row.id} and rolled_at is not null and deleted_at is null`)
  const kept = done?.n ?? 0
  const spans = planMeetings({ from: Math.max(row.start_on, (done?.last ?? 0) + 1), times: row.times, count: Math.max(0, row.meeting_count - kept), skip })
  if (spans.length < row.meeting_count - kept) throw invalid({ skip: '排除的日期太多，两年内排不满课次' })
  const wanted = spans.map((span) => ({ ...span, class_id: row.id, teacher_id: row.teacher_id, room: row.room }))
  // Its own meetings without a roll give way to the new ones.
  const found = await findConflicts(db, wanted)
  return { wanted, kept, conflicts: found.map((sentences) => sentences.filter((one) => !one.startsWith('本班'))) }
}

/** Meetings of classes: what is taken twice needs a reason, and whose roll was called stays where it was. */
export const meetings = serve(vacationMeeting)({
  async before({ tx, values, row }) {
    const now = { ...row, ...values }
    if (now.start_at === undefined || now.end_at === undefined || now.class_id === undefined || now.start_at === null || now.end_at === null) return
    if (now.end_at <= now.start_at) throw invalid({ end_at: '下课时间应晚于上课时间' })
    if (row?.rolled_at != null && (now.start_at !== row.start_at || now.end_at !== row.end_at)) throw invalid({ start_at: '已经点过名，不能改时间' })
    const [own] = await tx.query<{ state: number }>(sql`select state from vacation_class where id = ${now.class_id} for no key update`)
    if (own && OVER.includes(own.state)) throw badRequest('班级已结课或取消，不能改课表')
    await holdTimetables(tx)
    const [conflicts = []] = await findConflicts(tx, [{ id: row?.id, class_id: now.class_id, teacher_id: now.teacher_id ?? null, room: now.room ?? null, start_at: now.start_at, end_at: now.end_at }])
    if (conflicts.length > 0 && !now.conflict_reason) throw invalid({ conflict_reason: `${conflicts[0]}，仍要安排请填写冲突说明` })
  },
})

/** The calls of timetables, answered. */
export const scheduleCalls: readonly Served[] = [
  handle(readSchedule, async (call) => ({ meetings: await readMeetings(call.db, (await findClass(call.db, call.staff, idParam(call))).id) })),
  handle(planSchedule, async (call) => {
    const { wanted, conflicts } = await plan(call.db, await findClass(call.db, call.staff, idParam(call)), call.input.skip)
    return { meetings: wanted.map(({ start_at, end_at }, index) => ({ start_at, end_at, conflicts: conflicts[index] ?? [] })) }
  }),
  handle(writeSchedule, (call) => call.transaction(async (tx) => {
    const { id } = await lockRow(tx, vacationClass, call.staff, idParam(call))
    await holdTimetables(tx)
    const { wanted, kept, conflicts } = await plan(tx, await findClass(tx, call.staff, id), call.input.skip)
    const wrong = conflicts.filter((sentences) => sentences.length > 0)
    if (wrong.length > 0 && !call.input.reason) throw invalid({ reason: `有 ${wrong.length} 次课冲突：${wrong[0]?.[0] ?? ''}。仍要安排请填写原因` })
    await touch(tx, vacationMeeting, { deleted_at: sql`now()` }, sql`t.class_id = ${id} and t.rolled_at is null and t.deleted_at is null`)
    await insertMany(tx, vacationMeeting, wanted.map((one, index) => ({
      class_id: id, name: `第 ${kept + index + 1} 次`, start_at: one.start_at, end_at: one.end_at, teacher_id: one.teacher_id, room: one.room, created_by: call.staff.id, updated_by: call.staff.id, ...((conflicts[index]?.length ?? 0) > 0 && { conflict_reason: call.input.reason }),
    })))
    return { meetings: await readMeetings(tx, id) }
  }, { action: 'plan_schedule', ...(call.input.reason && { reason: call.input.reason }) })),
  handle(tryMeeting, async (call) => {
    const id = idParam(call)
    const [row] = await call.db.query<Wanted & Record<string, unknown>>(sql`select id, class_id, teacher_id, room, start_at, end_at from vacation_meeting where ${listCondition(vacationMeeting, call.staff, {})} and id = ${id}`)
    if (!row) throw notFound(vacationMeeting.label)
    return { conflicts: await findConflicts(call.db, call.input.starts.map((start_at) => ({ ...row, start_at, end_at: start_at + row.end_at - row.start_at }))) }
  }),
]
