import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { allServedOrders, lockAnyOrder, lockMoney, payOrder, placeOrder, workOf, type Discount, type OrderRow } from '../order/door.server.ts'
import { ORDER_STATUS, spread, type OrderRight } from '../order/module.ts'
import { COUPON_STATE } from './activity.ts'
import type { CheckoutDone, Payment } from './calls.ts'
import type { SharedGood } from './good.ts'
import { lineOf, quote } from './goods.server.ts'
import { lockCoupon } from './coupon.server.ts'
import { countShare } from './share.server.ts'

/** In whose name people buy who are no staff: it sees everything and may nothing but what the way in brings. */
const HOUSE: Staff = { id: 0, account: '', name: '', role: '', modules: new Set(), scopes: {}, masksNames: false }

/** Where goods go to, where a link asks for it. */
export interface Receiver { readonly name: string; readonly mobile: string; readonly region: string; readonly address: string }

/** What somebody buys at once. */
export interface Purchase {
  readonly kind: 'link' | 'flash' | 'group'
  /** The link, the sale, or the group's activity. */
  readonly ref_id: number
  readonly suite_id?: number
  /** Goods with what is paid for all pieces of each. */
  readonly goods: readonly (SharedGood | (Omit<SharedGood, 'share'> & { share: number }))[]
  /** What the lower price is called, and which record gives it. */
  readonly discount: Pick<Discount, 'kind' | 'ref_id'>
  readonly activity_id: number | null
  readonly buyer: { readonly mobile: string; readonly name: string }
  readonly agent_id?: number | null
  readonly channel_id?: number | null
  readonly referrer?: string | undefined
  readonly receiver?: Receiver | undefined
  readonly coupon_no?: string | undefined
  readonly share_id?: number | undefined
  readonly close_at: number
  readonly remark: string
}

/** A purchase that was placed. */
export interface Placed extends CheckoutDone {
  readonly id: number
  readonly order_ids: readonly number[]
  /** What it costs the activity beside coupons, in fen. */
  readonly cost: number
}

/** The orders of one line that a purchase will have. */
interface Plan { line: string; items: { kind: string; ref_id: number | null; qty: number; price: number }[]; list: number; amount: number; nets: number[] }

/** Works out what each line's order costs: as its goods share the price, and never more than they cost by themselves. */
async function planOrders(tx: Queryable, goods: Purchase['goods']): Promise<Plan[]> {
  const quotes = await quote(tx, goods)
  const priced = goods.map((good, index) => ({ ...good, price: quotes[index]?.price ?? 0 }))
  return [...Map.groupBy(priced, ({ line }) => line)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([line, own]) => {
    const list = own.reduce((sum, { price, qty }) => sum + price * qty, 0)
    const shares = own.map(({ share }) => share)
    const amount = Math.min(list, shares.reduce((sum, share) => sum + share, 0))
    return { line, items: own.map(({ kind, ref_id, qty, price }) => ({ kind, ref_id: ref_id ?? null, qty, price })), list, amount, nets: spread(amount, shares) }
  })
}

/**
 * Places the orders of a purchase in the caller's transaction, one for each line, under one number. Whoever calls it takes the
 * stock and the budget that it needs afterwards: orders come first in the order of locks (ADR 22).
 */
export async function placeCheckout({ registry }: Pick<Kernel, 'registry'>, tx: Queryable, purchase: Purchase): Promise<Placed> {
  const targets = new Map<string, Resource>([...registry].map(([name, known]) => [name, known.resource]))
  const plans = await planOrders(tx, purchase.goods)
  const amount = plans.reduce((sum, plan) => sum + plan.amount, 0)
  const coupon = purchase.coupon_no === undefined ? undefined : await lookAtCoupon(tx, purchase.coupon_no, purchase.buyer.mobile, amount)
  const off = coupon ? spread(coupon.amount, plans.map((plan) => plan.amount)) : plans.map(() => 0)
  const [made] = await tx.query<{ id: number; no: string }>(sql`insert into checkout (no, kind, ref_id, suite_id, mobile, name, amount, activity_id, coupon_id, share_id, receiver)
    select 'C' || to_char(now() at time zone 'Asia/Shanghai', 'YYYYMMDD') || lpad(nextval('checkout_id_seq')::text, 7, '0'), ${purchase.kind}, ${purchase.ref_id}, ${purchase.suite_id ?? null}::int, ${purchase.buyer.mobile}, ${purchase.buyer.name},
      ${amount - (coupon?.amount ?? 0)}::bigint, ${purchase.activity_id}::bigint, ${coupon?.id ?? null}::bigint, ${purchase.share_id ?? null}::bigint, ${purchase.receiver ? JSON.stringify(purchase.receiver) : null}::jsonb returning id, no`)
  if (!made) throw new Error('no purchase was made')
  const orders: OrderRow[] = []
  let cost = 0
  for (const [index, plan] of plans.entries()) {
    const cheaper = plan.list - plan.amount
    const minus = off[index] ?? 0
    const work = { ...lineOf(plan.line), tx, staffId: null, rights: new Set<OrderRight>(['reprice']) }
    const order = await placeOrder(work, HOUSE, {
      order_info: { items: plan.items, biz_type: 1, virtual: false, remark: purchase.remark },
      package_price: { discount: 0, paid: 0 },
      referrer_info: { ...(purchase.referrer && { mobile: purchase.referrer }), ...(purchase.agent_id && { agent_id: purchase.agent_id }), ...(purchase.channel_id && { channel_id: purchase.channel_id }) },
      user_info: purchase.buyer,
    }, targets, {
      discounts: [{ ...purchase.discount, amount: cheaper }, ...(coupon ? [{ kind: 'coupon' as const, ref_id: coupon.id, amount: minus }] : [])],
      origins: [{ kind: purchase.kind === 'group' ? 'activity' : purchase.kind, ref_id: purchase.ref_id }, ...(purchase.activity_id !== null && purchase.kind !== 'group' ? [{ kind: 'activity', ref_id: purchase.activity_id }] : []), ...(purchase.share_id ? [{ kind: 'share', ref_id: purchase.share_id }] : [])],
      checkout_no: made.no, close_at: purchase.close_at, nets: spread(plan.amount - minus, plan.nets),
    })
    const own = purchase.activity_id === null ? 0 : cheaper
    cost += own
    await tx.query(sql`insert into checkout_part (order_id, checkout_id, cost) values (${order.id}, ${made.id}, ${own})`)
    orders.push(order)
  }
  if (purchase.share_id) await countShare(tx, purchase.share_id)
  if (coupon) await lockCoupon(tx, coupon.id, made.id)
  return { id: made.id, checkout_no: made.no, amount: amount - (coupon?.amount ?? 0), close_at: purchase.close_at, cost, order_ids: orders.map(({ id }) => id), orders: orders.map(({ order_no, amount: owed, goods }) => ({ order_no, amount: owed, goods: goods ?? '' })) }
}

/** A coupon that somebody wants to use. @throws AppError with why they cannot */
async function lookAtCoupon(tx: Queryable, no: string, mobile: string, amount: number): Promise<{ id: number; amount: number }> {
  const [coupon] = await tx.query<{ id: number; amount: number; threshold: number; status: number; over: boolean; mobile: string }>(sql`select c.id, c.amount, c.threshold, c.status, c.expire_at <= now() as over, u.mobile
    from coupon_user c join app_user u on u.id = c.user_id where c.no = ${no}`)
  if (!coupon || coupon.mobile !== mobile) throw invalid({ coupon_no: '优惠券不存在' })
  if (coupon.status === COUPON_STATE.locked) throw invalid({ coupon_no: '优惠券已用于另一笔待付款的订单' })
  if (coupon.status !== COUPON_STATE.free || coupon.over) throw invalid({ coupon_no: '优惠券已使用或已过期' })
  if (amount < coupon.threshold) throw invalid({ coupon_no: `订单满 ${yuan(coupon.threshold)} 元可用，还差 ${yuan(coupon.threshold - amount)} 元` })
  return coupon
}

/**
 * Takes the money of a whole purchase: each of its orders gets what it is owed.
 * @param staff who takes it, with their own rights over each line; absent where an app reports it
 */
export async function payCheckout(tx: Queryable, no: string, paid: Payment, staff?: Staff): Promise<{ checkout_no: string; paid: number }> {
  const ids = await tx.query<{ id: number }>(sql`select id from orders where checkout_no = ${no} and deleted_at is null order by id`)
  if (ids.length === 0) throw notFound('订单')
  const orders: OrderRow[] = []
  for (const { id } of ids) orders.push(await lockAnyOrder(tx, id))
  const open = orders.filter(({ status }) => status === ORDER_STATUS.unpaid)
  if (open.length === 0) {
    const [known] = paid.trade_no === undefined ? [] : await tx.query(sql`select 1 from payment where order_id = any(${sql.param(orders.map(({ id }) => id))}::bigint[]) and trade_no = ${paid.trade_no} limit 1`)
    if (known) return { checkout_no: no, paid: paid.amount }
    throw wrongState('付款', orders.some(({ paid: got }) => got > 0) ? '已付款' : '已关闭')
  }
  const owed = open.reduce((sum, order) => sum + order.amount - order.paid, 0)
  if (paid.amount !== owed) throw invalid({ amount: `应付 ${yuan(owed)} 元，与到账金额不一致` })
  const works = open.map((order) => {
    const served = allServedOrders().find(({ line }) => line.code === order.line && Number(line.selfRun ?? false) === order.self_run)
    if (!served) throw badRequest('订单的业务已停用')
    return { order, work: staff ? workOf(served, tx, staff) : { ...served, tx, staffId: null, rights: new Set<OrderRight>(['pay']) } }
  })
  for (const { order, work } of works) await lockMoney(work, [order])
  for (const { order, work } of works) await payOrder(work, order, { amount: order.amount - order.paid, channel: paid.channel, trade_no: paid.trade_no })
  return { checkout_no: no, paid: owed }
}
