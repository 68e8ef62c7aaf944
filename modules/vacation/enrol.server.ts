import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import type { EffectChange, OrderEffects } from '../order/door.server.ts'
import { vacationMember } from './member.ts'
import { CLASS_STATE as C, MEMBER_STATE as M } from './state.ts'

/** A class with its places, locked. */
export interface HeldClass {
  id: number
  name: string
  offer_id: number
  capacity: number
  state: number
  enrolled: number
  waiting: number
}

const counted = (state: number) => sql`(select count(*)::int from vacation_member m where m.class_id = c.id and m.state = ${sql.raw(String(state))} and m.deleted_at is null)`

/** Locks classes in the order of their ids: whoever takes or frees a place holds the class. */
export async function holdClasses(tx: Queryable, ids: readonly number[]): Promise<HeldClass[]> {
  await tx.query(sql`select id from vacation_class where id = any(${sql.param([...ids])}::bigint[]) order by id for no key update`)
  return tx.query<HeldClass & Record<string, unknown>>(sql`select c.id, c.name, c.offer_id, c.capacity::int as capacity, c.state, ${counted(M.in)} as enrolled, ${counted(M.waiting)} as waiting
    from vacation_class c where c.id = any(${sql.param([...ids])}::bigint[]) and c.deleted_at is null order by c.id`)
}

/** Classes in which places are given. */
const LIVE: readonly number[] = [C.open, C.paused, C.running]

/** Gives free places of a held class to those who wait longest. */
export async function moveUp(tx: Queryable, classId: number): Promise<void> {
  const [held] = await holdClasses(tx, [classId])
  if (!held || !LIVE.includes(held.state) || held.waiting === 0 || held.enrolled >= held.capacity) return
  const first = sql`select id from vacation_member where class_id = ${classId} and state = ${M.waiting} and deleted_at is null order by queued_at, id limit ${held.capacity - held.enrolled}`
  await touch(tx, vacationMember, { state: M.in, joined_at: sql`now()` }, sql`t.id in (${first})`)
}

/** Puts somebody into a held class: in a free place, else at the end of the list. @returns their state */
export async function enter(tx: Queryable, held: HeldClass, who: { user_id: number; student: string | null; order_item_id: number }): Promise<{ id: number; state: number }> {
  // Whoever waits already comes first.
  const free = held.enrolled < held.capacity && held.waiting === 0
  const now = Math.floor(Date.now() / 1000)
  const state = free ? M.in : M.waiting
  const [id = 0] = await insertMany(tx, vacationMember, [{ class_id: held.id, ...who, state, queued_at: now, ...(free && { joined_at: now }) }])
  return { id, state }
}

interface Enrolment { class_id: number; may_wait: number }

const enrolmentOf = async (tx: Queryable, sideId: number | null): Promise<Enrolment | undefined> =>
  (await tx.query<Enrolment & Record<string, unknown>>(sql`select class_id, may_wait from vacation_enrolment where id = ${sideId}`))[0]

/** Puts the person whom an item was paid for into the class of its order. */
async function join({ tx, order, item }: EffectChange): Promise<void> {
  const enrolment = await enrolmentOf(tx, order.side_id)
  const [person] = await tx.query<{ user_id: number }>(sql`select user_id from entitlement where ref = ${`order_item ${item.id}:${item.ref_id}`} and deleted_at is null order by id desc limit 1`)
  const [held] = enrolment ? await holdClasses(tx, [enrolment.class_id]) : []
  if (!held || !person) return
  await enter(tx, held, { user_id: person.user_id, student: order.buyer_name, order_item_id: item.id })
}

/** Takes the person whom an item had been paid for out of their class, wherever a change has brought them; the first who waits moves up. */
async function leave({ tx, item }: EffectChange): Promise<void> {
  const mine = await tx.query<{ class_id: number }>(sql`select class_id from vacation_member where order_item_id = ${item.id} and state in (${M.waiting}, ${M.in}, ${M.finished}) and deleted_at is null`)
  const ids = mine.map(({ class_id }) => class_id)
  await holdClasses(tx, ids)
  await touch(tx, vacationMember, { state: M.refunded }, sql`t.order_item_id = ${item.id} and t.state in (${M.waiting}, ${M.in}, ${M.finished}) and t.deleted_at is null`)
  for (const id of ids) await moveUp(tx, id)
}

/** Refuses an order that does not sell the course of its class once, or asks for a place that there is not. */
async function checkEnrolment(tx: Queryable, values: Readonly<Record<string, unknown>>, items: readonly { ref_id?: number | null; qty: number }[]): Promise<void> {
  const [held] = await tx.query<HeldClass & { course: string } & Record<string, unknown>>(sql`select c.id, c.name, c.offer_id, c.capacity::int as capacity, c.state, ${counted(M.in)} as enrolled, ${counted(M.waiting)} as waiting, o.title as course
    from vacation_class c join offer o on o.id = c.offer_id where c.id = ${values['class_id']} and c.deleted_at is null`)
  if (!held) throw invalid({ 'user_info.class_id': '请选择班级' })
  if (items.length !== 1 || items[0]?.qty !== 1 || items[0]?.ref_id !== held.offer_id) throw invalid({ 'order_info.items': `班级「${held.name}」上的是课程「${held.course}」，请只选这门课程，一个订单报一人` })
  if (held.state !== C.open) throw invalid({ 'user_info.class_id': `班级「${held.name}」不在招生` })
  if ((held.enrolled >= held.capacity || held.waiting > 0) && values['may_wait'] !== 1) throw invalid({ 'user_info.may_wait': `班级已满（${held.enrolled}/${held.capacity}），接受候补请选「是」，付款后排在第 ${held.waiting + 1} 位` })
}

/** What the line does when orders move: a place is taken while it is paid for. */
export const enrolEffects = (own: OrderEffects): OrderEffects => ({
  ...own,
  async check(order) {
    await checkEnrolment(order.tx, order.values, order.items)
    await own.check?.(order)
  },
  // Classes are what is drawn from here: held like stock, before any account (ADR 22).
  async lockStock(tx, items) {
    await own.lockStock?.(tx, items)
    await tx.query(sql`select id from vacation_class where offer_id = any(${sql.param(items.flatMap(({ ref_id }) => ref_id ?? []))}::bigint[]) and deleted_at is null order by id for no key update`)
  },
  async fulfil(change) {
    const effect = await own.fulfil?.(change)
    await join(change)
    return effect
  },
  async revoke(change) {
    await own.revoke?.(change)
    if (change.left === 0) await leave(change)
  },
})
