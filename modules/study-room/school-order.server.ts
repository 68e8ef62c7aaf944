import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { startOfDay } from '../../core/field/time.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { serveOrders, type EffectChange, type RecordedRow } from '../order/door.server.ts'
import { openEntitlements, setEntitlements, userOfMobile } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { schoolOrder, schoolOrderLine, selfSchoolOrder, selfSchoolOrderLine } from './school-order.ts'
import { schoolStudent, STUDENT_STATUS } from './school-student.ts'

interface Student {
  id: number
  name: string
  mobile: string
  parent_mobile: string | null
  school_id: number
}

/** The student whom a row means: the one it names, or the only one of the school with this number. */
function studentOf(row: RecordedRow, students: readonly Student[], fromSheet: boolean): Student | undefined {
  const { place_ref_id: school, buyer_ref_id: id, buyer_mobile: mobile, buyer_name: name } = row.values
  const here = students.filter((student) => student.school_id === school)
  if (id) {
    const named = here.find((student) => student.id === id)
    if (!named) row.refuse('buyer_ref_id', '学生不属于该学校，请重新选择')
    return named
  }
  const known = here.filter((student) => student.mobile === mobile || student.parent_mobile === mobile)
  const fits = known.length > 1 && name ? known.filter((student) => student.name === name) : known
  if (fits.length === 1) return fits[0]
  // Somebody who is no student yet has an account, which the order opens; in a sheet it is rather a slip.
  if (known.length === 0 && !fromSheet) return undefined
  row.refuse('buyer_mobile', known.length === 0
    ? `该学校没有手机号为 ${maskMobile(String(mobile))} 的学生，请先添加学生` : `该学校有多个学生使用手机号 ${maskMobile(String(mobile))}，请填写姓名或选择学生`)
  return undefined
}

const idsOf = (rows: readonly RecordedRow[], key: string) => sql.param([...new Set(rows.flatMap(({ values }) => (typeof values[key] === 'number' ? [values[key]] : [])))])

/** Says of rows whose they are and what was bought: three queries, however many rows. */
async function complete(tx: Queryable, rows: readonly RecordedRow[], fromSheet: boolean, keepsStudents: boolean): Promise<void> {
  const mobiles = sql.param(rows.map(({ values }) => String(values['buyer_mobile'] ?? '')))
  const [schools, units, students] = await Promise.all([
    tx.query<{ id: number; partner_id: number | null }>(sql`select id, partner_id from app_school where id = any(${idsOf(rows, 'place_ref_id')}::bigint[])`),
    tx.query<{ id: number; name: string }>(sql`select id, name from unit where id = any(${idsOf(rows, 'goods_ref_id')}::bigint[])`),
    tx.query<Student>(sql`select id, name, mobile, parent_mobile, school_id from school_student where deleted_at is null
      and (id = any(${idsOf(rows, 'buyer_ref_id')}::bigint[]) or mobile = any(${mobiles}::text[]) or parent_mobile = any(${mobiles}::text[]))`),
  ])
  for (const row of rows) {
    const { values } = row
    const student = keepsStudents ? studentOf(row, students, fromSheet) : undefined
    Object.assign(values, {
      school_id: values['place_ref_id'],
      partner_id: schools.find(({ id }) => id === values['place_ref_id'])?.partner_id ?? null,
      ...(keepsStudents && { buyer_ref_id: student?.id ?? null }),
      buyer_name: values['buyer_name'] ?? student?.name ?? null,
      goods: `${units.find(({ id }) => id === values['goods_ref_id'])?.name ?? '套餐'} ${String(values['months'])}个月`,
    })
  }
}

/** What an order did to its student, to be undone exactly. */
interface Course {
  student_id: number
  /** Seconds that were added. */
  seconds: number
  /** Whether the unit was new to the student. */
  unit_added: boolean
}

/** From when to when, in unix seconds. */
interface Span {
  from: number
  until: number
}

/** What an item opens for a person who studies with it. */
const refOf = (item: { id: number }) => `order_item ${item.id}`

/** Months of the calendar from a moment on, as the database counts them. */
async function spanOf(tx: Queryable, from: number, months: number): Promise<Span> {
  const [row] = await tx.query<{ until: number }>(sql`select (to_timestamp(${from}) at time zone 'Asia/Shanghai' + make_interval(months => ${months})) at time zone 'Asia/Shanghai' as until`)
  return { from, until: row?.until ?? from }
}

interface Studying {
  id: number
  name: string
  mobile: string
  grade: number
  expire_at: number | null
  unit_ids: number[] | null
}

/** Lets a student study on until the end of what was bought. */
async function study({ tx }: EffectChange, student: Studying, unitId: number, { from, until }: Span): Promise<Course> {
  const unitAdded = !(student.unit_ids ?? []).includes(unitId)
  await touch(tx, schoolStudent, {
    start_at: sql`coalesce(t.start_at, to_timestamp(${from}))`, expire_at: until,
    unit_ids: unitAdded ? sql`array_append(coalesce(t.unit_ids, '{}'), ${unitId}::bigint)` : undefined,
    status: sql`case when t.status = ${STUDENT_STATUS.expired} and to_timestamp(${until}) > now() then ${STUDENT_STATUS.studying} else t.status end`,
  }, student.id)
  return { student_id: student.id, seconds: until - from, unit_added: unitAdded }
}

/**
 * Opens what was bought: from where the student's time ends, or from the day of payment; for the account of the number too.
 * The entitlement comes before the student, as everywhere (ADR 22): it is opened by what the student has as it looks, and
 * once more when the student, locked, turns out to have got more time meanwhile.
 */
async function begin(change: EffectChange): Promise<Course | undefined> {
  const { tx, staffId, order, item } = change
  const { ref_id: unitId, months, name: product } = item
  if (unitId === null || order.buyer_mobile === null) return undefined
  const paidOn = startOfDay(order.paid_at ?? Math.floor(Date.now() / 1000))
  const read = async (lock: boolean) => (order.buyer_ref_id === null ? [] : await tx.query<Studying>(
    sql`select id, name, mobile, grade, expire_at, unit_ids from school_student where id = ${order.buyer_ref_id} ${lock ? sql`for no key update` : sql``}`,
  ))[0]
  const spanFor = (student: Studying | undefined) => spanOf(tx, Math.max(paidOn, student?.expire_at ?? 0), months ?? 0)
  const seen = await read(false)
  const user_id = await userOfMobile(tx, staffId, seen ?? { mobile: order.buyer_mobile, name: order.buyer_name ?? '学员' })
  const open = ({ from, until }: Span) => openEntitlements(tx, staffId, [{
    user_id, line: 'study_room', product, offer_id: unitId, source: ENTITLEMENT_SOURCE.paid, ref: refOf(item), start_at: from, expire_at: until,
  }])
  let span = await spanFor(seen)
  await open(span)
  const student = seen && await read(true)
  if (!student) return undefined
  if (student.expire_at !== seen.expire_at) await open(span = await spanFor(student))
  return study(change, student, unitId, span)
}

/** Takes back what an order had opened; a unit that another order pays for stays. */
async function end({ tx, order, item }: EffectChange): Promise<void> {
  await setEntitlements(tx, ENTITLEMENT_SOURCE.paid, [refOf(item)], ENTITLEMENT_STATUS.refunded)
  const course = item.effect as Course | null
  if (!course || item.ref_id === null) return
  const [other] = await tx.query(sql`select 1 from order_item i join orders o on o.id = i.order_id where o.buyer_kind = 'student' and o.buyer_ref_id = ${course.student_id} and o.id <> ${order.id}
    and i.kind = ${item.kind} and i.ref_id = ${item.ref_id} and i.granted_qty > 0 limit 1`)
  const until = sql`t.expire_at - make_interval(secs => ${course.seconds})`
  await touch(tx, schoolStudent, {
    expire_at: until, unit_ids: course.unit_added && !other ? sql`array_remove(t.unit_ids, ${item.ref_id}::bigint)` : undefined,
    status: sql`case when t.status = ${STUDENT_STATUS.studying} and ${until} <= now() then ${STUDENT_STATUS.expired} else t.status end`,
  }, course.student_id)
}

const effects = { fulfil: begin, revoke: end }

export const schoolOrders = serveOrders(schoolOrderLine, schoolOrder, { path: '/new-study-room/school/school-order', complete: (tx, rows, fromSheet) => complete(tx, rows, fromSheet, true), effects })
export const selfSchoolOrders = serveOrders(selfSchoolOrderLine, selfSchoolOrder, { path: '/study-room/school/user-order', complete: (tx, rows, fromSheet) => complete(tx, rows, fromSheet, false), effects })
