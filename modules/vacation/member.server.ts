import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { changeClass, readChanges, readRoll, writeRoll, type OtherClass, type RollRow } from './calls.ts'
import { enter, holdClasses, moveUp } from './enrol.server.ts'
import { vacationMeeting } from './meeting.ts'
import { vacationMember } from './member.ts'
import { CLASS_STATE as C, MEMBER_STATE as M, MEMBER_STATES, ROLL } from './state.ts'
import { vacationClass } from './line.ts'

/** Before a lesson begins the roll may be called by so many seconds: half an hour. */
const EARLY = 1800

/** Share of the called rolls in which somebody was there, in words. @param members of the roll calls that count */
export const attendanceOf = (members: ReturnType<typeof sql>) => sql`(select round(100.0 * count(*) filter (where r.status in (${sql.raw([ROLL.present, ROLL.late, ROLL.early].join())})) / nullif(count(*), 0))::text || '%' from roll_call r where ${members})`

export const members = serve(vacationMember)({ computed: { attendance: attendanceOf(sql`r.member_id = t.id`) } })

interface MemberRow { id: number; class_id: number; user_id: number; student: string | null; order_item_id: number; state: number }

async function findMember(db: Queryable, staff: Staff, id: number): Promise<MemberRow> {
  const [row] = await db.query<MemberRow & Record<string, unknown>>(sql`select id, class_id, user_id, student, order_item_id, state from vacation_member where ${listCondition(vacationMember, staff, {})} and id = ${id}`)
  if (!row) throw notFound(vacationMember.label)
  return row
}

const ABLE: readonly number[] = [M.waiting, M.in]

/** Why somebody cannot change to a class, as one sentence. @param course of the present class */
function refusalOf({ price_difference, offer_id }: { price_difference: number; offer_id: number }, course: number): string | null {
  if (price_difference !== 0) return `两班价格不同（${price_difference > 0 ? '需补' : '需退'} ${(Math.abs(price_difference) / 100).toFixed(2)} 元），请先退费再报名`
  return offer_id === course ? null : '两班是不同的课程，请先退费再报名'
}

type Other = Omit<OtherClass, 'refusal'> & { offer_id: number; course_id: number }

/** Classes of the present course and of others of its subject that still take people, with what a change would mean. */
const otherClasses = (db: Queryable, staff: Staff, member: MemberRow, only?: number) => db.query<Other & Record<string, unknown>>(sql`select c.id, c.name, s.name as teacher_name, o.title as course, o.id as offer_id, mine.offer_id as course_id, (o.price - p.price)::float8 as price_difference,
    (c.capacity - (select count(*) from vacation_member m where m.class_id = c.id and m.state in (${M.in}, ${M.waiting}) and m.deleted_at is null))::int as seats,
    (select count(*)::int from vacation_meeting m where m.class_id = c.id and m.end_at < now() and m.deleted_at is null) as missed, c.start_on
  from vacation_class mine join offer p on p.id = mine.offer_id join vacation_class c on c.id <> mine.id join offer o on o.id = c.offer_id left join staff s on s.id = c.teacher_id
  where mine.id = ${member.class_id} and c.state in (${C.open}, ${C.paused}, ${C.running}) and c.deleted_at is null and o.subject_id = p.subject_id
    and c.id in (select id from vacation_class where ${listCondition(vacationClass, staff, {})})${only === undefined ? sql`` : sql` and c.id = ${only}`} order by o.id <> mine.offer_id, c.start_on, c.id limit 100`)

/** The list of a roll call: who is in the class, and who was when it was called. */
async function rollRows(db: Queryable, staff: Staff, meetingId: number, classId: number): Promise<RollRow[]> {
  const rows = await db.query<RollRow & Record<string, unknown>>(sql`select m.id as member_id, m.student as name, r.status::int as status, r.remark, c.teacher_id = ${staff.id} as own
    from vacation_member m join vacation_class c on c.id = m.class_id left join roll_call r on r.member_id = m.id and r.meeting_id = ${meetingId}
    where m.class_id = ${classId} and m.deleted_at is null and (m.state in (${M.in}, ${M.finished}) or r.status is not null) order by m.joined_at, m.id`)
  return rows.map(({ own, ...row }) => ({ ...row, name: row.name === null || own === true ? row.name : shownName(vacationMember, staff, row.name) }))
}

interface MeetingRow { id: number; class_id: number; start_at: number; state: number }

async function findMeeting(db: Queryable, staff: Staff, id: number): Promise<MeetingRow> {
  const [row] = await db.query<MeetingRow & Record<string, unknown>>(sql`select m.id, m.class_id, m.start_at, c.state from vacation_meeting m join vacation_class c on c.id = m.class_id
    where m.id in (select id from vacation_meeting where ${listCondition(vacationMeeting, staff, {})}) and m.id = ${id}`)
  if (!row) throw notFound(vacationMeeting.label)
  return row
}

/** The calls of those who are in classes, answered: roll calls and changes. */
export const memberCalls: readonly Served[] = [
  handle(readRoll, async (call) => {
    const { id, class_id } = await findMeeting(call.db, call.staff, idParam(call))
    return { rows: await rollRows(call.db, call.staff, id, class_id) }
  }),
  handle(writeRoll, (call) => call.transaction(async (tx) => {
    const { id, class_id, start_at, state } = await findMeeting(tx, call.staff, idParam(call))
    if (state === C.finished || state === C.cancelled) throw badRequest('班级已结课或取消，不能点名')
    if (start_at > Date.now() / 1000 + EARLY) throw badRequest('还没有上课，上课前 30 分钟起可以点名')
    await lockRow(tx, vacationMeeting, call.staff, id)
    const known = new Set((await rollRows(tx, call.staff, id, class_id)).map(({ member_id }) => member_id))
    const { rows } = call.input
    if (rows.some(({ member_id }) => !known.has(member_id)) || new Set(rows.map(({ member_id }) => member_id)).size < rows.length) throw invalid({ rows: '点名册已变化，请刷新后再点名' })
    await tx.query(sql`insert into roll_call (meeting_id, member_id, status, remark, staff_id) select ${id}, r.member_id, r.status, r.remark, ${call.staff.id}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (member_id bigint, status smallint, remark text)
      on conflict (meeting_id, member_id) do update set status = excluded.status, remark = excluded.remark, staff_id = excluded.staff_id, at = now()`)
    await touch(tx, vacationMeeting, { rolled_at: sql`now()` }, id)
    return { rows: await rollRows(tx, call.staff, id, class_id) }
  }, { action: 'roll' })),
  handle(readChanges, async (call) => {
    const member = await findMember(call.db, call.staff, idParam(call))
    const rows = await otherClasses(call.db, call.staff, member)
    return { classes: rows.map(({ offer_id, course_id, ...row }) => ({ ...row, refusal: refusalOf({ offer_id, price_difference: row.price_difference }, course_id) })) }
  }),
  handle(changeClass, (call) => call.transaction(async (tx) => {
    const { class_id } = call.input
    const seen = await findMember(tx, call.staff, idParam(call))
    const held = await holdClasses(tx, [seen.class_id, class_id])
    await lockRow(tx, vacationMember, call.staff, seen.id)
    const member = await findMember(tx, call.staff, seen.id)
    if (!ABLE.includes(member.state) || member.class_id !== seen.class_id) throw wrongState('换班', choiceLabel(MEMBER_STATES, member.state))
    const [other] = await otherClasses(tx, call.staff, member, class_id)
    const target = held.find(({ id }) => id === class_id)
    if (!other || !target || class_id === member.class_id) throw invalid({ class_id: '班级不存在、已结束或不是同一学科，请重新选择' })
    const refusal = refusalOf(other, other.course_id)
    if (refusal) throw invalid({ class_id: refusal })
    await touch(tx, vacationMember, { state: M.moved }, member.id)
    const entered = await enter(tx, target, { user_id: member.user_id, student: member.student, order_item_id: member.order_item_id })
    await moveUp(tx, member.class_id)
    return entered
  }, { action: 'change_class', reason: call.input.reason })),
]
