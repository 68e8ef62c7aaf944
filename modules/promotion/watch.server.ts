import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import type { OrderRow } from '../order/door.server.ts'
import { ORDER_STATUS as O } from '../order/module.ts'
import { settleCoupon, spend } from './coupon.server.ts'
import { flashSale } from './flash.ts'
import { leaveGroup, payInGroup } from './group.server.ts'
import { activityLink } from './link.ts'
import { flashMoved } from './live.ts'
import { countShare } from './share.server.ts'

interface Part { checkout_id: number; cost: number; alive: number; kind: string; ref_id: number; activity_id: number | null; share_id: number | null; coupon_id: number | null }

/** States in which an order is over without anything of it left. */
const OVER: ReadonlySet<number> = new Set([O.cancelled, O.closed, O.refunded])

const partOf = async (tx: Queryable, orderId: number): Promise<Part | undefined> =>
  (await tx.query<Part & Record<string, unknown>>(sql`select p.checkout_id, p.cost, p.alive, c.kind, c.ref_id, c.activity_id, c.share_id, c.coupon_id from checkout_part p join checkout c on c.id = p.checkout_id where p.order_id = ${orderId}`))[0]

/** Moves what an order holds of a sale: sold when it is paid, released when it never will be. Each of them once. */
async function moveHold(tx: Queryable, orderId: number, to: 'sold' | 'released'): Promise<void> {
  const [hold] = await tx.query<{ sale_id: number; qty: number }>(sql`update flash_hold set state = ${to} where order_id = ${orderId} and state = 'held' returning sale_id, qty`)
  if (!hold) return
  await setDerived(tx, flashSale, { held: sql`t.held - ${hold.qty}`, ...(to === 'sold' && { sold: sql`t.sold + ${hold.qty}` }) }, hold.sale_id)
  await publishRecords(tx, 'all', flashMoved, [hold.sale_id])
}

/** Lets go of whatever an order held: stock, coupon, budget, a use of its link, a place in its group. Once, whatever comes again. */
async function letGo(tx: Queryable, orderId: number, part: Part): Promise<void> {
  const [freed] = await tx.query(sql`update checkout_part set alive = 0 where order_id = ${orderId} and alive = 1 returning order_id`)
  if (!freed) return
  await moveHold(tx, orderId, 'released')
  if (part.coupon_id !== null) await settleCoupon(tx, part.checkout_id)
  if (part.activity_id !== null) await spend(tx, part.activity_id, -part.cost)
  if (part.kind === 'link') {
    // A purchase that nobody paid for was none; one that was given back was one.
    await setDerived(tx, activityLink, { used: sql`t.used - 1` }, sql`t.id = ${part.ref_id} and not exists (select 1 from checkout_part p join orders o on o.id = p.order_id where p.checkout_id = ${part.checkout_id} and (p.alive = 1 or o.paid > 0))`)
  }
  if (part.kind === 'group') await leaveGroup(tx, orderId)
}

/** Follows orders that were placed here as they move; in the transaction that moves them. */
export async function watchOrder(tx: Queryable, before: OrderRow, after: OrderRow): Promise<void> {
  if (after.checkout_no === null) return
  const paid = before.status === O.unpaid && after.status !== O.unpaid && !OVER.has(after.status)
  const over = OVER.has(after.status) && !OVER.has(before.status)
  if (!paid && !over && before.refunded === after.refunded) return
  const part = await partOf(tx, after.id)
  if (!part) return
  // The share comes before the activity: whoever counts newcomers holds it first too.
  if (part.share_id !== null) await countShare(tx, part.share_id)
  if (paid) {
    if (part.alive === 0) throw badRequest('名额已释放，不能再付款，请重新下单')
    await moveHold(tx, after.id, 'sold')
    if (part.coupon_id !== null) await settleCoupon(tx, part.checkout_id)
    if (part.kind === 'group') await payInGroup(tx, after.id)
  }
  if (over) await letGo(tx, after.id, part)
}

/** Orders that somebody removed before they were paid hold nothing any more. */
export const lostSweep = (db: Database): Sweep => ({
  name: 'promotion_lost', every: 60,
  async run() {
    const lost = await db.query<{ id: number }>(sql`select o.id from checkout_part p join orders o on o.id = p.order_id where p.alive = 1 and o.deleted_at is not null and o.status = ${O.unpaid} limit 500`)
    for (const { id } of lost) {
      await db.transaction({ staff_id: null, action: 'release' }, async (tx) => {
        const [order] = await tx.query(sql`select id from orders where id = ${id} and deleted_at is not null and status = ${O.unpaid} for no key update`)
        const part = order && await partOf(tx, id)
        if (part) await letGo(tx, id, part)
      })
    }
  },
})
