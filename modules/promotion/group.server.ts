import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { AppError, badRequest } from '../../core/error/error.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { allServedOrders, askRefund, lockAnyOrder } from '../order/door.server.ts'
import type { OrderRight } from '../order/module.ts'
import { GROUP_STATE as G, MEMBER_STATE as M } from './activity.ts'

/** What the clock may do with orders of a group that failed: all the money goes back. */
const BACK: ReadonlySet<OrderRight> = new Set(['refund', 'reprice'])

/** Opens a group, or finds a place in one. @returns its id, and until when it is to be full. @throws AppError when there is no place */
export async function enterGroup(tx: Queryable, of: { id: number; need: number; hours: number; end_at: number }, mobile: string, groupId: number | undefined): Promise<{ id: number; until: number }> {
  if (groupId === undefined) {
    const until = Math.min(Math.floor(Date.now() / 1000) + of.hours * 3600, Math.floor(of.end_at))
    const [made] = await tx.query<{ id: number }>(sql`insert into group_buy (activity_id, leader_mobile, need, until, state) values (${of.id}, ${mobile}, ${of.need}, to_timestamp(${until}), ${G.open}) returning id`)
    return { id: made?.id ?? 0, until }
  }
  const [group] = await tx.query<{ id: number; need: number; state: number; until: number }>(sql`select id, need, state, extract(epoch from until)::float8 as until from group_buy where id = ${groupId} and activity_id = ${of.id} for no key update`)
  if (!group) throw badRequest('没有这个拼团')
  if (group.state !== G.open || group.until <= Date.now() / 1000) throw badRequest(group.state === G.done ? '该团已满，可以自己开团' : '该团已过期，可以自己开团')
  const members = await tx.query<{ mobile: string }>(sql`select mobile from group_member where group_id = ${group.id} and state in (${M.waiting}, ${M.paid})`)
  if (members.some((one) => one.mobile === mobile)) throw badRequest('已在该团中')
  if (members.length >= group.need) throw badRequest('该团已满，可以自己开团')
  return { id: group.id, until: Math.floor(group.until) }
}

interface Place { group_id: number; state: number; group_state: number; over: boolean; need: number }

async function holdPlace(tx: Queryable, orderId: number): Promise<Place | undefined> {
  const [member] = await tx.query<{ group_id: number; state: number }>(sql`select group_id, state from group_member where order_id = ${orderId}`)
  if (!member) return undefined
  const [group] = await tx.query<{ state: number; over: boolean; need: number }>(sql`select state, until <= now() as over, need from group_buy where id = ${member.group_id} for no key update`)
  return group && { ...member, group_state: group.state, over: group.over, need: group.need }
}

/** Somebody of a group has paid; the last of them makes it one. @throws AppError when its time is over */
export async function payInGroup(tx: Queryable, orderId: number): Promise<void> {
  const place = await holdPlace(tx, orderId)
  if (!place) return
  if (place.group_state !== G.open || place.over) throw badRequest('拼团已结束，不能再付款')
  await tx.query(sql`update group_member set state = ${M.paid} where order_id = ${orderId}`)
  await tx.query(sql`update group_buy set state = ${G.done} where id = ${place.group_id} and need <= (select count(*) from group_member where group_id = ${place.group_id} and state = ${M.paid})`)
}

/** Somebody's order of a group is over: before it was paid they left, afterwards the money is back. */
export async function leaveGroup(tx: Queryable, orderId: number): Promise<void> {
  if (!await holdPlace(tx, orderId)) return
  await tx.query(sql`update group_member set state = case when state = ${M.waiting} then ${M.left}::int else ${M.back}::int end, problem = null where order_id = ${orderId}`)
}

/**
 * Gives the money of one member of a failed group back; what refuses is kept with its reason until somebody tries again.
 * @returns why it did not work
 */
export async function refundMember(db: Database, orderId: number): Promise<string | undefined> {
  try {
    return await db.transaction({ staff_id: null, action: 'group_back' }, async (tx) => {
      const order = await lockAnyOrder(tx, orderId)
      const [member] = await tx.query<{ state: number }>(sql`select state from group_member where order_id = ${orderId}`)
      if (!member || (member.state !== M.paid && member.state !== M.stuck)) return undefined
      const served = allServedOrders().find(({ line }) => line.code === order.line && Number(line.selfRun ?? false) === order.self_run)
      if (!served) throw badRequest('订单的业务已停用')
      const { waits } = await askRefund({ ...served, tx, staffId: null, rights: BACK }, order, { way: 'original', reason: '拼团未成功，自动退款' })
      if (!waits) return undefined
      await tx.query(sql`update group_member set state = ${M.stuck}, problem = '退款等待复核' where order_id = ${orderId}`)
      return '退款等待复核'
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await db.transaction({ staff_id: null, action: 'group_back' }, (tx) => tx.query(sql`update group_member set state = ${M.stuck}, problem = ${error.message.slice(0, 200)} where order_id = ${orderId} and state in (${M.paid}, ${M.stuck})`))
    return error.message
  }
}

/** Groups whose time is over fail: each of their members gets the money back, once. */
export const groupSweep = (db: Database): Sweep => ({
  name: 'group_fail', every: 60,
  async run() {
    await db.transaction({ staff_id: null, action: 'group_back' }, (tx) => tx.query(sql`update group_buy set state = ${G.failed} where id in (select id from group_buy where state = ${G.open} and until <= now() order by id limit 200 for no key update skip locked)`))
    const waiting = await db.query<{ order_id: number }>(sql`select m.order_id from group_member m join group_buy g on g.id = m.group_id where g.state = ${G.failed} and m.state = ${M.paid} order by m.order_id limit 500`)
    for (const { order_id } of waiting) await refundMember(db, order_id)
  },
})
