import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { bookLine } from '../book/module.ts'
import { courseEffects } from '../offer/door.server.ts'
import { askRefund, lockAnyOrder, lockMoney, workOf, type OrderRow, type ServedLine } from '../order/door.server.ts'
import { isInForce } from '../order/module.ts'
import { setEntitlements } from '../user/door.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { charityUser, marketUser, OPENING, OPENING_STATES } from './opening.ts'

/** The line whose orders openings are. */
export const bookOrders: ServedLine = { line: bookLine.orderLine, resource: bookLine.orders, effects: courseEffects(bookLine.line.code, bookLine.offers) }

/** By what the free place of somebody is known among what they may use. */
export const placeRef = (openingId: number): string => `charity_user ${openingId}`

/** An opening is in force exactly while its order is: whoever takes the order back gives the place back. */
export async function watchOrder(tx: Queryable, before: OrderRow, after: OrderRow): Promise<void> {
  if (after.virtual !== 1 || after.line !== bookLine.line.code || !isInForce(before) || isInForce(after)) return
  await touch(tx, marketUser, { state: OPENING.recalled }, sql`t.order_id = ${after.id} and t.state = ${OPENING.active} and t.deleted_at is null`)
}

/**
 * Takes virtual orders back, which closes what they opened.
 * @param orderIds looked at by the caller
 * @returns how many were in force
 */
export async function takeOrdersBack(tx: Queryable, staff: Staff, orderIds: readonly number[], reason: string): Promise<number> {
  const work = workOf(bookOrders, tx, staff, ['refund', 'reprice'])
  // All of them first, in the order of their ids (ADR 22): what each opened is locked behind it.
  const orders: OrderRow[] = []
  for (const id of [...new Set(orderIds)].sort((a, b) => a - b)) orders.push(await lockAnyOrder(tx, id))
  const standing = orders.filter(isInForce)
  await lockMoney(work, standing)
  for (const order of standing) {
    if (order.virtual !== 1 || order.paid > 0) throw new AppError('wrong_state', 409, `订单 ${order.order_no} 不是虚拟订单，请走退款`)
    await askRefund(work, order, { way: 'original', reason })
  }
  return standing.length
}

/** Takes openings of the market back by their ids; the reason stays with them. */
export async function recallOpenings(tx: Queryable, staff: Staff, ids: readonly number[], reason: string): Promise<number> {
  const rows = await tx.query<{ order_id: number }>(sql`select order_id from market_grant where id = any(${sql.param([...ids])}::bigint[]) and state = ${OPENING.active} and order_id is not null`)
  const recalled = await takeOrdersBack(tx, staff, rows.map(({ order_id }) => order_id), reason)
  await touch(tx, marketUser, { note: reason }, sql`t.id = any(${sql.param([...ids])}::bigint[]) and t.state = ${OPENING.recalled} and t.note is null`)
  return recalled
}

/** Ends free places by their ids. @param over the day of ending has come: what they opened is over by itself */
export async function endPlaces(tx: Queryable, ids: readonly number[], reason: string | null, over: boolean): Promise<number> {
  if (!over) await setEntitlements(tx, ENTITLEMENT_SOURCE.gift, ids.map(placeRef), ENTITLEMENT_STATUS.stopped)
  const ended = await touch(tx, charityUser, { state: over ? OPENING.expired : OPENING.recalled, note: reason }, sql`t.id = any(${sql.param([...ids])}::bigint[]) and t.state = ${OPENING.active} and t.deleted_at is null`)
  return ended.length
}

/**
 * Ids of openings that a person sees and that can be taken back.
 * @throws notFound for one that they do not see; AppError that names the first that is not in force
 */
export async function reachActive(tx: Queryable, staff: Staff, resource: Resource, asked: readonly number[]): Promise<{ ids: number[]; applies: number[] }> {
  const ids = [...new Set(asked)].sort((a, b) => a - b)
  const rows = await tx.query<{ id: number; apply_id: number; name: string; state: number }>(sql`select id, apply_id, name, state from market_grant where ${listCondition(resource, staff, {})} and id = any(${sql.param(ids)}::bigint[]) order by id`)
  if (rows.length < ids.length) throw notFound(resource.label)
  const odd = rows.find(({ state }) => state !== OPENING.active)
  if (odd) throw new AppError('wrong_state', 409, `选中的${resource.label}里有「${choiceLabel(OPENING_STATES, odd.state)}」的，只能收回在用的`)
  return { ids, applies: [...new Set(rows.map(({ apply_id }) => apply_id))] }
}
