import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { defineError, invalid, wrongState } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import type { Resource } from '../../core/resource/define.ts'
import { insertDiscounts, readDiscounts, spreadAmount } from './discount.server.ts'
import { accountOf, announceMove, lockMoney, moveOrder, readItems, setOrder, statusLabel, writeLog, type OrderCause, type OrderRow, type OrderContext } from './engine.server.ts'
import { checkFloors } from './floor.server.ts'
import { ACTION_LABELS, ORDER_STATUS, type PayChannel } from './flow.ts'
import { post, type Entry } from './ledger.server.ts'
import { checkChannel, checkRight } from './money-rules.ts'
import { readSetting } from './setting.server.ts'

export const secondPerson = defineError('second_person', 403, (what: string) => `${what}须由另一人处理，不能是同一人`)

/**
 * Why somebody may not audit an order of a line: the person who wrote it down does not, from the amount on that needs a second person.
 * @returns the sentence for an order; undefined where they may
 */
export async function auditRefusal(tx: Queryable, resource: Pick<Resource, 'name'>, staffId: number | null): Promise<(order: Pick<OrderRow, 'created_by' | 'amount'>) => string | undefined> {
  const { approve_second_from } = await readSetting(tx, resource.name)
  return (order) => (order.created_by === staffId && order.amount >= approve_second_from ? secondPerson('订单审核').message : undefined)
}

/** @throws secondPerson to a person who may not audit the order */
export async function checkAuditor(work: OrderContext, order: OrderRow): Promise<void> {
  if ((await auditRefusal(work.tx, work.resource, work.staffId))(order) !== undefined) throw secondPerson('订单审核')
}

/** Lets an audited order be fulfilled. @throws secondPerson to the person who wrote it down */
export async function approve(work: OrderContext, order: OrderRow): Promise<OrderRow> {
  await checkAuditor(work, order)
  return moveOrder(work, order, 'approve', { sets: { auditor_id: sql`${work.staffId}`, audited_at: sql`now()` } })
}

/** Money that came in. */
export interface Paid {
  /** Fen. */
  amount: number
  channel: PayChannel
  /** When the payer's receipt says; now by default. Unix seconds. */
  at?: number | undefined
  trade_no?: string | null | undefined
  voucher?: string | null | undefined
}

/** What a payment writes into the books: money that came in from outside, and what the order took of it. */
function paymentEntries(keepsBalance: boolean, order: OrderRow, { amount, channel }: Pick<Paid, 'amount' | 'channel'>): Entry[] {
  const received: Entry[] = channel === 'balance' ? [] : [{ amount, kind: 'payment', channel, order, note: order.goods }]
  return keepsBalance ? [...received, { amount: -amount, kind: 'order', channel, order, note: order.goods }] : received
}

/** An order that has got all of its money goes on. */
export async function advance(work: OrderContext, order: OrderRow): Promise<OrderRow> {
  if (order.status !== ORDER_STATUS.unpaid || order.paid < order.amount) return order
  return moveOrder(work, order, 'pay', { when: order.ship_status > 0 ? 'ships' : 'nothing_ships', amount: order.paid })
}

const momentOf = ({ at }: Paid): SQL => (at === undefined ? sql`now()` : sql`to_timestamp(${at})`)

/** Writes money that came in into the order's payments and into the books. @returns the payment as a cause @throws AppError when the channel brings none, or the balance does not reach */
export async function bookPayment(work: OrderContext, order: OrderRow, paid: Paid): Promise<OrderCause> {
  checkRight(work.rights, 'pay')
  checkChannel(work.line, paid.channel, 'channel')
  const account = accountOf(work.line, order)
  if (paid.channel === 'balance' && !account) throw invalid({ channel: '该订单不能用余额支付' })
  await lockMoney(work, [order])
  const [row] = await work.tx.query<{ id: number }>(sql`insert into payment (order_id, at, amount, channel, trade_no, voucher, staff_id)
    values (${order.id}, ${momentOf(paid)}, ${paid.amount}, ${paid.channel}, ${paid.trade_no ?? null}, ${paid.voucher ?? null}, ${work.staffId}) returning id`)
  if (account) await post(work.tx, work.staffId, account, paymentEntries(account.balanceTable !== undefined, order, paid))
  return `payment ${row?.id ?? 0}`
}

/** Whether an order was to be paid by a moment that is over: it is as good as closed, whenever the clock gets to it. */
export const isOverdue = ({ close_at, paid }: OrderRow): boolean => close_at !== null && paid === 0 && close_at <= Date.now() / 1000

/**
 * Takes money that came in for a locked order; the last of it moves the order on.
 * @throws AppError when it is more than is owed, no money, or the balance does not reach
 */
export async function pay(work: OrderContext, order: OrderRow, paid: Paid): Promise<OrderRow> {
  if (order.status !== ORDER_STATUS.unpaid) throw wrongState(ACTION_LABELS.pay, statusLabel(work.line, order.status))
  const owed = order.amount - order.paid
  if (paid.amount <= 0) throw invalid({ amount: '到账金额应大于 0' })
  if (paid.amount > owed) throw invalid({ amount: `到账金额超过待付金额 ${yuan(owed)} 元` })
  if (isOverdue(order)) throw wrongState(ACTION_LABELS.pay, statusLabel(work.line, ORDER_STATUS.closed))
  const cause = await bookPayment(work, order, paid)
  const next = await setOrder(work, order.id, {
    paid: sql`t.paid + ${paid.amount}`, pay_channel: sql`${paid.channel}`, paid_at: momentOf(paid), pay_no: sql`coalesce(${paid.trade_no ?? null}, t.pay_no)`,
  })
  if (next.paid < next.amount) await writeLog(work, order.id, { action: 'payment', from: order.status, to: order.status, amount: paid.amount })
  await announceMove(work.tx, order, next, cause)
  return advance(work, next)
}

/** Gives a locked order another discount before it is paid. @throws AppError when it would owe less than was paid */
export async function reprice(work: OrderContext, order: OrderRow, discount: number, reason: string): Promise<OrderRow> {
  checkRight(work.rights, 'reprice')
  if (order.virtual === 1) throw wrongState(ACTION_LABELS.reprice, '虚拟单')
  if (order.status !== ORDER_STATUS.unpaid && order.status !== ORDER_STATUS.rejected) throw wrongState(ACTION_LABELS.reprice, statusLabel(work.line, order.status))
  if (discount > order.total) throw invalid({ discount: `优惠不能超过原价 ${yuan(order.total)} 元` })
  if (order.total - discount < order.paid) throw invalid({ discount: `已收 ${yuan(order.paid)} 元，应付金额不能更低` })
  const given = (await readDiscounts(work.tx, order.id)).filter(({ kind }) => kind !== 'manual').reduce((sum, { amount }) => sum + amount, 0)
  if (discount < given) throw invalid({ discount: `优惠券和活动已优惠 ${yuan(given)} 元，优惠金额不能更低` })
  const next = await setOrder(work, order.id, { discount: sql`${discount}`, amount: sql`t.total - ${discount}::bigint`, ...(discount === order.total && { pay_channel: sql`'free'` }) })
  await work.tx.query(sql`delete from order_discount where order_id = ${order.id} and kind = 'manual'`)
  await insertDiscounts(work.tx, order.id, [{ kind: 'manual', ref_id: null, amount: discount - given }])
  await spreadAmount(work.tx, next)
  await checkFloors(work, await readItems(work.tx, order.id), 'discount')
  const logged = await writeLog(work, order.id, { action: 'reprice', from: order.status, to: order.status, amount: next.amount, reason })
  await announceMove(work.tx, order, next, logged)
  return advance(work, next)
}
