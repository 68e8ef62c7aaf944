import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { ACTIVITY_TYPE, MEMBER_STATE } from './activity.ts'
import { placeCheckout, type Placed, type Purchase, type Receiver } from './checkout.server.ts'
import { holdActivity, spend } from './coupon.server.ts'
import { phaseOf, flashSale, HOLD_MINUTES } from './flash.ts'
import { goodSchema, shareOut, type Suite } from './good.ts'
import { quote } from './goods.server.ts'
import { enterGroup } from './group.server.ts'
import { activityLink, LINK_STATE } from './link.ts'
import { flashMoved } from './live.ts'
import { clashWords, type Way } from './stacking.ts'
import { spread } from '../order/module.ts'

type Registry = Pick<Kernel, 'registry'>

/** Who buys, and what they bring beside what is bought. */
export interface Buyer {
  readonly mobile: string
  readonly name: string
  readonly coupon_no?: string | undefined
  readonly referrer?: string | undefined
  readonly share_id?: number | undefined
  readonly receiver?: Receiver | undefined
}

const now = () => Math.floor(Date.now() / 1000)
const untilPaid = (until = Infinity) => Math.min(now() + HOLD_MINUTES * 60, until)

function refuseClash(way: Way, { coupon_no }: Pick<Buyer, 'coupon_no'>): void {
  const words = clashWords([way, ...(coupon_no ? ['coupon' as const] : [])])
  if (words) throw invalid({ coupon_no: words })
}

interface LinkRow { id: number; name: string; suites: Suite[]; activity_id: number | null; agent_id: number | null; channel_id: number | null; need_receiver: number; need_referrer: number; state: number; over: boolean; full: boolean }

/** Why nobody buys by a link; undefined where they may. */
export const closedLink = ({ state, over, full }: Pick<LinkRow, 'state' | 'over' | 'full'>): string | undefined =>
  state !== LINK_STATE.on ? '链接已停用' : over ? '链接已过期' : full ? '链接的购买次数已用完' : undefined

/** A link by its short code or its id, as it stands. */
export async function readLink(tx: Queryable, by: { short: string } | { id: number }): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow & Record<string, unknown>>(sql`select id, name, suites, activity_id, agent_id, channel_id, need_receiver, need_referrer, state, coalesce(expire_at <= now(), false) as over, coalesce(used >= max_uses, false) as full
    from activity_link where ${'short' in by ? sql`short = ${by.short}` : sql`id = ${by.id}`} and deleted_at is null`)
  return row
}

/** Buys one of a link's packages: an order for each line, at the price that the link says now. */
export async function buyByLink(kernel: Registry, tx: Queryable, link: LinkRow, suiteId: number, buyer: Buyer): Promise<Placed> {
  const closed = closedLink(link)
  if (closed) throw badRequest(closed)
  const suite = link.suites.find(({ id }) => id === suiteId)
  if (!suite) throw invalid({ suite_id: '套餐已下架，请重新选择' })
  refuseClash('suite', buyer)
  if (link.need_receiver === 1 && !buyer.receiver) throw invalid({ receiver: '请填写收货信息' })
  if (link.need_referrer === 1 && !buyer.referrer) throw invalid({ referrer: '请填写推荐人手机号' })
  const lists = (await quote(tx, suite.goods)).map(({ price }, index) => price * (suite.goods[index]?.qty ?? 1))
  const goods = shareOut(suite, lists, spread)
  if (!goods) throw badRequest('套餐价格有误，请联系客服')
  const placed = await placeCheckout(kernel, tx, {
    kind: 'link', ref_id: link.id, suite_id: suiteId, goods, discount: { kind: 'suite', ref_id: link.id }, activity_id: link.activity_id, buyer: { mobile: buyer.mobile, name: buyer.name },
    agent_id: link.agent_id, channel_id: link.channel_id, referrer: buyer.referrer, receiver: buyer.receiver, coupon_no: buyer.coupon_no, share_id: buyer.share_id, close_at: untilPaid(), remark: `支付链接：${link.name} · ${suite.name}`,
  })
  if (link.activity_id !== null) {
    await holdActivity(tx, link.activity_id)
    await spend(tx, link.activity_id, placed.cost)
  }
  const taken = await setDerived(tx, activityLink, { used: sql`coalesce(t.used, 0) + 1` }, sql`t.id = ${link.id} and t.state = ${LINK_STATE.on} and (t.expire_at is null or t.expire_at > now()) and (t.max_uses is null or coalesce(t.used, 0) < t.max_uses)`)
  if (taken.length === 0) throw badRequest('链接的购买次数已用完')
  if (suite.stock != null) {
    // The link is held: nobody else comes between the count and the end of this purchase.
    const sold = await soldOf(tx, link.id, suiteId)
    if (sold > suite.stock) throw badRequest(`「${suite.name}」已售完`)
  }
  return placed
}

/** How many of a package are sold or wait to be paid for. */
export async function soldOf(tx: Queryable, linkId: number, suiteId: number): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`select count(*)::int as n from checkout c where c.kind = 'link' and c.ref_id = ${linkId} and c.suite_id = ${suiteId} and exists (select 1 from checkout_part p where p.checkout_id = c.id and p.alive = 1)`)
  return row?.n ?? 0
}

interface SaleRow { id: number; name: string; good: unknown; price: number; stock: number; held: number; sold: number; per_user: number; start_at: number; end_at: number; warm_at: number | null; state: number; activity_id: number | null }

export const readSale = async (tx: Queryable, id: number): Promise<SaleRow | undefined> =>
  (await tx.query<SaleRow & Record<string, unknown>>(sql`select id, name, good, price, stock, coalesce(held, 0)::int as held, coalesce(sold, 0)::int as sold, per_user, extract(epoch from start_at)::float8 as start_at, extract(epoch from end_at)::float8 as end_at, extract(epoch from warm_at)::float8 as warm_at, state, activity_id
    from flash_sale where id = ${id} and deleted_at is null`))[0]

/**
 * Holds pieces of a sale for an order, exactly as many as there are: of two who want the last one the second is refused.
 * @throws AppError when none are left, or the person has taken theirs
 */
export async function holdPieces(tx: Queryable, sale: Pick<SaleRow, 'id' | 'per_user'>, orderId: number, mobile: string, qty: number): Promise<void> {
  const taken = await setDerived(tx, flashSale, { held: sql`coalesce(t.held, 0) + ${qty}::int` }, sql`t.id = ${sale.id} and t.state = 1 and t.start_at <= now() and t.end_at > now() and coalesce(t.held, 0) + coalesce(t.sold, 0) + ${qty}::int <= t.stock`)
  if (taken.length === 0) throw badRequest('已抢完，可稍后再看是否有人未付款')
  // The sale is held from here on, so that one person's orders are counted one after the other.
  const [own] = await tx.query<{ n: number }>(sql`select coalesce(sum(qty), 0)::int as n from flash_hold where sale_id = ${sale.id} and mobile = ${mobile} and state <> 'released'`)
  if ((own?.n ?? 0) + qty > sale.per_user) throw badRequest(`每人限购 ${sale.per_user} 份，已抢 ${own?.n ?? 0} 份`)
  await tx.query(sql`insert into flash_hold (order_id, sale_id, mobile, qty, state) values (${orderId}, ${sale.id}, ${mobile}, ${qty}, 'held')`)
}

/** Buys in a flash sale: the order holds its pieces until it is paid or closed. */
export async function buyInFlash(kernel: Registry, tx: Queryable, id: number, qty: number, buyer: Buyer): Promise<Placed> {
  refuseClash('flash', buyer)
  const sale = await readSale(tx, id)
  if (!sale) throw badRequest('没有这场抢购')
  const phase = phaseOf(sale, now())
  const closed: Partial<Record<typeof phase, string>> = { before: '抢购还没有开始', warm: '抢购还没有开始', out: '已抢完', over: '抢购已结束', stopped: '抢购已终止' }
  if (closed[phase]) throw badRequest(closed[phase])
  // Asked before an order is written: most who come too late go away here.
  if (sale.held + sale.sold + qty > sale.stock) throw badRequest('已抢完，可稍后再看是否有人未付款')
  const placed = await placeCheckout(kernel, tx, {
    kind: 'flash', ref_id: id, goods: [{ ...goodSchema.parse(sale.good), qty, share: sale.price * qty }], discount: { kind: 'flash', ref_id: id }, activity_id: sale.activity_id, buyer: { mobile: buyer.mobile, name: buyer.name },
    referrer: buyer.referrer, share_id: buyer.share_id, close_at: untilPaid(), remark: `限时抢购：${sale.name}`,
  })
  for (const orderId of placed.order_ids) await holdPieces(tx, sale, orderId, buyer.mobile, qty)
  if (sale.activity_id !== null) {
    await holdActivity(tx, sale.activity_id)
    await spend(tx, sale.activity_id, placed.cost)
  }
  await publishRecords(tx, 'all', flashMoved, [id])
  return placed
}

/** Buys in a group: a new one, or one that has room. */
export async function buyInGroup(kernel: Registry, tx: Queryable, id: number, groupId: number | undefined, buyer: Buyer): Promise<Placed & { group_id: number }> {
  refuseClash('group', buyer)
  const [terms] = await tx.query<{ type: number; good: unknown; price: number | null }>(sql`select type, good, price from activity where id = ${id} and deleted_at is null`)
  if (!terms || terms.type !== ACTIVITY_TYPE.group || terms.price === null) throw badRequest('没有这个拼团活动')
  const [group] = groupId === undefined ? [] : await tx.query<{ until: number }>(sql`select extract(epoch from until)::float8 as until from group_buy where id = ${groupId}`)
  const purchase: Purchase = {
    kind: 'group', ref_id: id, goods: [{ ...goodSchema.parse(terms.good), qty: 1, share: terms.price }], discount: { kind: 'activity', ref_id: id }, activity_id: id, buyer: { mobile: buyer.mobile, name: buyer.name },
    referrer: buyer.referrer, share_id: buyer.share_id, close_at: untilPaid(group ? Math.floor(group.until) : undefined), remark: '拼团',
  }
  const placed = await placeCheckout(kernel, tx, purchase)
  const of = await holdActivity(tx, id)
  await spend(tx, id, placed.cost)
  const entered = await enterGroup(tx, { id, need: of.need ?? 2, hours: of.hours ?? 24, end_at: of.end_at }, buyer.mobile, groupId)
  for (const orderId of placed.order_ids) await tx.query(sql`insert into group_member (order_id, group_id, mobile, state) values (${orderId}, ${entered.id}, ${buyer.mobile}, ${MEMBER_STATE.waiting})`)
  return { ...placed, group_id: entered.id }
}
