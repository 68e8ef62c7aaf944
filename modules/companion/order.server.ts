import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { serveOrders, type EffectChange, type OrderEffects } from '../order/door.server.ts'
import { holdLearners, openEntitlements, shortenInTurn, userOfMobile } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE } from '../user/module.ts'
import type { Companion } from './companion.ts'
import { writeLessons } from './lessons.server.ts'
import { COMPANION_GOODS } from './order.ts'
import { LIVING, STUDENT_STATUS } from './student.ts'

const DAY = 86_400
/** Days of a month that is paid for. */
const MONTH = 31
/** Days in which lessons are to be taken. */
const LESSON_DAYS = 365

const living = sql.raw(`(${LIVING.join(', ')})`)
const sourceOf = ({ order }: Pick<EffectChange, 'order'>) => (order.virtual === 1 ? ENTITLEMENT_SOURCE.virtual : ENTITLEMENT_SOURCE.paid)
const refOf = ({ item }: Pick<EffectChange, 'item'>) => `order_item ${item.id}`

/** The engine calls once for each change of what is granted; the entries of an item are numbered. */
async function nextRef(change: EffectChange): Promise<string> {
  const [row] = await change.tx.query<{ n: number }>(sql`select count(*)::int as n from lesson_entry where cause in ('order', 'refund') and starts_with(ref, ${`${refOf(change)}:`})`)
  return `${refOf(change)}:${row?.n ?? 0}`
}

/** Whom an order was for: kept with its item, so that a refund takes it back from the same learner. */
interface Effect { readonly student_id: number }

/** The learner whom a purchase is for; enrolled by it where they are not. */
async function learnerOf({ tx, staffId, order }: EffectChange, { kind, students }: Companion): Promise<{ id: number; user_id: number }> {
  if (order.buyer_mobile === null) throw badRequest('请填写学生的手机号')
  const [known] = await tx.query<{ id: number; user_id: number }>(sql`select id, user_id from companion_student where kind = ${kind.value} and mobile = ${order.buyer_mobile} and status in ${living} and deleted_at is null order by id limit 1`)
  if (known) return known
  const name = order.buyer_name ?? '学员'
  const user_id = await userOfMobile(tx, staffId, { mobile: order.buyer_mobile, name, agent_id: order.agent_id })
  const [made] = await tx.query<{ id: number }>(sql`insert into companion_student (kind, name, mobile, user_id, grade, start_at, lessons_bought, lessons_left, pause_cnt, risk, cut, status, created_by, updated_by)
    values (${kind.value}, ${name}, ${order.buyer_mobile}, ${user_id}, coalesce((select grade from app_user where id = ${user_id}), 9), now(), 0, 0, 0, 0, 0, ${STUDENT_STATUS.reading}, ${staffId}::bigint, ${staffId}::bigint) returning id`)
  recordsWritten(tx, students.table)
  return { id: made?.id ?? 0, user_id }
}

/** What was bought is there: lessons on the learner's account, or months at its end. The person is held before their enrolment (ADR 22). */
async function fulfil(change: EffectChange, companion: Companion): Promise<Effect> {
  const { tx, staffId, item, qty, left } = change
  const { students, kind } = companion
  const learner = await learnerOf(change, companion)
  const lessons = item.kind === COMPANION_GOODS.lessons
  const now = Math.floor(Date.now() / 1000)
  await holdLearners(tx, [learner.user_id])
  await openEntitlements(tx, staffId, [{ user_id: learner.user_id, line: kind.line, product: `${kind.label}·${item.name}`, offer_id: learner.id, source: sourceOf(change), ref: refOf(change), start_at: now, expire_at: now + (lessons ? LESSON_DAYS : MONTH * left) * DAY }])
  const [held] = await tx.query(sql`select id from companion_student where id = ${learner.id} and status in ${living} for no key update`)
  if (!held) throw badRequest('该学生刚刚结课或退费，请重试')
  if (lessons) await writeLessons(tx, students, learner.id, qty, { cause: 'order', ref: await nextRef(change), note: change.order.order_no, staffId })
  else await touch(tx, students, { end_at: sql`greatest(coalesce(t.end_at, now()), now()) + make_interval(days => ${qty * MONTH})` } as object, learner.id)
  await touch(tx, students, { status: STUDENT_STATUS.reading } as object, sql`t.id = ${learner.id} and t.status = ${STUDENT_STATUS.trial}`)
  return { student_id: learner.id }
}

/** Takes back what was given back, and no lesson that was taken already. */
async function revoke(change: EffectChange, { students }: Companion): Promise<void> {
  const { tx, staffId, item, qty, left } = change
  const student = (item.effect as Effect | null)?.student_id
  if (student === undefined) return
  if (left === 0) await shortenInTurn(tx, sourceOf(change), [refOf(change)])
  if (item.kind === COMPANION_GOODS.lessons) {
    const [row] = await tx.query<{ lessons_left: number }>(sql`select lessons_left from companion_student where id = ${student} for no key update`)
    const free = row?.lessons_left ?? 0
    if (free < qty) throw badRequest(`已上课时不能退：剩余 ${free} 节，最多可退 ${(Math.floor(item.net * free / item.qty) / 100).toFixed(2)} 元`)
    await writeLessons(tx, students, student, -qty, { cause: 'refund', ref: await nextRef(change), note: change.order.order_no, staffId })
  } else await touch(tx, students, { end_at: sql`t.end_at - make_interval(days => ${qty * MONTH})` } as object, student)
  if (left > 0) return
  const [more] = await tx.query<{ n: number }>(sql`select count(*)::int as n from order_item i join orders o on o.id = i.order_id where (i.effect ->> 'student_id')::bigint = ${student} and i.granted_qty > 0 and i.id <> ${item.id}`)
  // Nothing that was paid for is left: they are refunded, not just through.
  if ((more?.n ?? 0) === 0) await touch(tx, students, { status: STUDENT_STATUS.refunded } as object, sql`t.id = ${student} and t.status in ${living}`)
}

const effectsOf = (companion: Companion): OrderEffects => ({
  async check({ values }: { tx: Queryable; values: Record<string, unknown> }) {
    if (!values['buyer_mobile']) throw invalid({ 'user_info.mobile': '请填写学生的手机号' })
  },
  fulfil: (change) => fulfil(change, companion),
  revoke: (change) => revoke(change, companion),
})

/** Serves the orders of a business. */
export function serveCompanionOrders(companion: Companion) {
  return serveOrders(companion.orderLine, companion.orders, { path: companion.kind.screens.orders, effects: effectsOf(companion) })
}
