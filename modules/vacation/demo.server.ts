import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { demoCover, insertSales } from '../offer/door.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { vacationClass, vacationEnrolment, vacationLine } from './line.ts'
import { vacationMeeting } from './meeting.ts'
import { vacationMember } from './member.ts'
import { holidaysWithin, planMeetings } from './schedule.ts'
import { CLASS_STATE as C, MEMBER_STATE as M, ROLL } from './state.ts'

const DAY = 86_400
const ORDERS = 220
/** Behind the numbers of 精英训练营. */
const FIRST_NO = 62_000_001
const LESSONS = 12
/** Days before or after today on which the classes of a course begin, with the term that they are of. */
const STARTS = [{ by: -140, term: 2 as const, name: '暑假一期' }, { by: -18, term: 3 as const, name: '秋假班' }, { by: 20, term: 1 as const, name: '寒假一期' }]
const HOURS = ['08:30-10:30', '10:40-12:40', '14:00-16:00', '18:30-20:30'] as const

interface ClassRow { id: number; offer_id: number; capacity: number; state: number }

/** Who bought a course stands in one of its classes, the last ones on its waiting list. */
async function fillClasses(tx: Queryable, classes: readonly ClassRow[]): Promise<void> {
  const bought = await tx.query<{ order_id: number; item_id: number; offer_id: number; user_id: number; student: string | null; at: number; refunded: boolean }>(sql`select o.id as order_id, i.id as item_id, i.ref_id as offer_id, o.user_id, o.buyer_name as student,
    coalesce(o.paid_at, o.created_at) as at, o.status not in (2, 3, 4, 5, 6) as refunded from orders o join order_item i on i.order_id = o.id where o.line = ${vacationLine.line.code} order by o.id`)
  const byOffer = Map.groupBy(classes.filter(({ state }) => state !== C.cancelled), ({ offer_id }) => offer_id)
  const counts = new Map<number, number>()
  const rows = bought.map((one, index) => {
    const own = byOffer.get(one.offer_id) ?? []
    return { one, held: own[index % Math.max(1, own.length)] }
  })
  const sides = await insertMany(tx, vacationEnrolment, rows.map(({ held }) => ({ class_id: held?.id ?? classes[0]?.id, may_wait: 1 })))
  for (const [index, { one }] of rows.entries()) await tx.query(sql`update orders set side_id = ${sides[index]} where id = ${one.order_id}`)
  const live = await tx.query<{ ref: string }>(sql`select ref from entitlement where line = ${vacationLine.line.code} and status = 1`)
  const paid = new Set(live.map(({ ref }) => ref))
  await insertMany(tx, vacationMember, rows.flatMap(({ one, held }) => {
    if (!held || one.user_id === null || !paid.has(`order_item ${one.item_id}:${one.offer_id}`)) return []
    const nth = (counts.get(held.id) ?? 0) + 1
    counts.set(held.id, nth)
    const state = nth > held.capacity ? M.waiting : held.state === C.finished ? M.finished : M.in
    return [{ class_id: held.id, user_id: one.user_id, student: one.student, order_item_id: one.item_id, queued_at: one.at, ...(state !== M.waiting && { joined_at: one.at }), state }]
  }))
}

/** Rolls of lessons that are over: most people come. The last one waits for somebody who calls it. */
async function callRolls(tx: Queryable, random: Random, now: number, staff: number): Promise<void> {
  const meetings = await tx.query<{ id: number; class_id: number; start_at: number }>(sql`select m.id, m.class_id, m.start_at from vacation_meeting m join vacation_class c on c.id = m.class_id where m.end_at < to_timestamp(${now}) and c.state in (${C.running}, ${C.finished}) order by m.class_id, m.start_at`)
  const called = [...Map.groupBy(meetings, ({ class_id }) => class_id).values()].flatMap((own) => (own.length < LESSONS ? own.slice(0, -1) : own))
  const people = Map.groupBy(await tx.query<{ id: number; class_id: number }>(sql`select id, class_id from vacation_member where state in (${M.in}, ${M.finished})`), ({ class_id }) => class_id)
  const rolls = called.flatMap(({ id, class_id }) => (people.get(class_id) ?? []).map((member) => ({ meeting_id: id, member_id: member.id, status: random.weighted([[ROLL.present, 88], [ROLL.late, 4], [ROLL.early, 1], [ROLL.leave, 4], [ROLL.absent, 3]]) })))
  await tx.query(sql`insert into roll_call (meeting_id, member_id, status, staff_id) select meeting_id, member_id, status, ${staff} from jsonb_to_recordset(${JSON.stringify(rolls)}::jsonb) as r (meeting_id bigint, member_id bigint, status smallint)`)
  await tx.query(sql`update vacation_meeting set rolled_at = end_at where id = any(${sql.param(called.map(({ id }) => id))}::bigint[])`)
}

/** Six courses, eighteen classes in every state with their lessons, who is in them and who came. */
export async function insertVacationDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const [random, now] = [seededRandom(30), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const subjects = await db.query<{ id: number; name: string; level: number }>(sql`select id, name, level from subject where id in (1, 2, 3, 101, 102, 103) order by id`)
  const covers = new Map<number, string>()
  for (const one of subjects) covers.set(one.id, fileUrl((await files.put(Readable.from([Buffer.from(demoCover(one))]), { name: `${one.name}.svg`, staffId: staff[0] ?? 0 })).id))
  await seedTransaction(db, async (tx) => {
    const year = new Date().getFullYear()
    const courses = await insertMany(tx, vacationLine.offers, subjects.map((subject, index) => ({
      line: vacationLine.line.code, kind: 'course', title: `${subject.level === 0 ? '高中' : '初中'}${subject.name}假期小班`, subtitle: '假期集训，小班面授', subject_id: subject.id, price: 1280_00 + (index % 3) * 300_00, line_price: 1980_00 + (index % 3) * 300_00, valid_mode: 1, valid_days: 120,
      season: `${year} 全年`, lesson_count: LESSONS, teacher_ids: [staff[index % staff.length]], cover: covers.get(subject.id) ?? null, invoking_products: [1], sort: (index + 1) * 10, state: OFFER_STATE.selling, submitted_by: staff[0], created_at: now - 400 * DAY, updated_at: now - 400 * DAY,
    })) as never)
    for (const url of covers.values()) await attachFiles(tx, vacationLine.offers, { cover: url }, staff[0] ?? 0)
    const planned = courses.flatMap((offer_id, nth) => STARTS.map(({ by, term, name }, index) => {
      const start_on = startOfDay(now + (by + nth) * DAY)
      const state = index === 0 ? C.finished : index === 1 ? C.running : nth === 5 ? C.cancelled : nth === 4 ? C.paused : C.open
      return {
        offer_id, name: `${subjects[nth]?.level === 0 ? '高中' : '初中'}${subjects[nth]?.name ?? ''}${name}`, term, year: new Date(start_on * 1000).getFullYear(), teacher_id: staff[nth % staff.length], assistant_id: staff[(nth + 3) % staff.length], capacity: index === 1 && nth < 2 ? 6 : 20,
        start_on, meeting_count: LESSONS, times: [{ weekday: 6, hours: HOURS[nth % HOURS.length] }, { weekday: 7, hours: HOURS[nth % HOURS.length] }], room: `${nth % 4 + 1}0${nth % 3 + 1} 教室`, state, created_at: Math.min(now, start_on) - 40 * DAY, updated_at: Math.min(now, start_on) - 30 * DAY,
      }
    }))
    const ids = await insertMany(tx, vacationClass, planned as never)
    const lessons = planned.flatMap((one, index) => (one.state === C.cancelled ? [] : planMeetings({ from: one.start_on, times: one.times as { weekday: number; hours: string }[], count: LESSONS, skip: holidaysWithin(one.start_on, one.start_on + 120 * DAY).flatMap(({ days }) => days) })
      .map((span, nth) => ({ class_id: ids[index], name: `第 ${nth + 1} 次`, ...span, teacher_id: one.teacher_id, room: one.room, created_at: one.created_at, updated_at: one.created_at }))))
    await insertMany(tx, vacationMeeting, lessons)
    const made = await insertSales(tx, random, [{ parts: vacationLine, count: ORDERS }], { firstNo: FIRST_NO, now, staff })
    await fillClasses(tx, planned.map(({ offer_id, capacity, state }, index) => ({ id: ids[index] ?? 0, offer_id, capacity, state })))
    await callRolls(tx, random, now, staff[0] ?? 0)
    report(`已生成 ${ids.length} 个假期班级、${lessons.length} 次课、${made.orders} 个假期订单`)
  })
}
