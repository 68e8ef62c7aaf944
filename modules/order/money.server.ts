import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { defineError, invalid, wrongState } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import type { Resource } from '../../core/resource/define.ts'
import { accountOf, lockMoney, moveOrder, setOrder, statusLabel, writeLog, type OrderRow, type OrderContext } from './engine.server.ts'
import { ACTION_LABELS, ORDER_STATUS, type PayChannel } from './flow.ts'
import { post, type Entry } from './ledger.server.ts'
import { checkChannel, checkRight } from './money-rules.ts'
import { readSetting } from './setting.server.ts'

export const secondPerson = defineError('second_person', 403, (what: string) => `${what}须由另一人处理，不能是同一人`)

/**
 * Why somebody may not audit an order of a line: whoever wrote it down does not, from the amount on that needs a second person.
 * @returns the sentence for an order; undefined where they may
 */
export async function auditRefusal(tx: Queryable, resource: Pick<Resource, 'name'>, staffId: number | null): Promise<(order: Pick<OrderRow, 'created_by' | 'amount'>) => string | undefined> {
  const { approve_second_from } = await readSetting(tx, resource.name)
  return (order) => (order.created_by === staffId && order.amount >= approve_second_from ? secondPerson('订单审核').message : undefined)
}

/** @throws secondPerson to whoever may not audit the order */
export async function checkAuditor(work: OrderContext, order: OrderRow): Promise<void> {
  if ((await auditRefusal(work.tx, work.resource, work.staffId))(order) !== undefined) throw secondPerson('订单审核')
}

/** Puts an audited order in force. @throws secondPerson to whoever wrote it down */
export async function approve(work: OrderContext, order: OrderRow): Promise<OrderRow> {
  await checkAuditor(work, order)
  return moveOrder(work, order, 'approve', { sets: [sql`auditor_id = ${work.staffId}`, sql`audited_at = now()`] })
}

/** Money that came in. */
export interface Paid {
  /** Fen. */
  amount: number
  channel: PayChannel
  /** When the payer's receipt says; now unless told. Unix seconds. */
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

/** Writes money that came in into the order's payments and into the books. @throws AppError when the channel brings none, or the balance does not reach */
export async function bookPayment(work: OrderContext, order: OrderRow, paid: Paid): Promise<void> {
  checkRight(work.rights, 'pay')
  checkChannel(work.line, paid.channel, 'channel')
  const account = accountOf(work.line, order)
  if (paid.channel === 'balance' && !account) throw invalid({ channel: '该订单不能用余额支付' })
  await lockMoney(work, [order])
  await work.tx.query(sql`insert into payment (order_id, at, amount, channel, trade_no, voucher, staff_id)
    values (${order.id}, ${momentOf(paid)}, ${paid.amount}, ${paid.channel}, ${paid.trade_no ?? null}, ${paid.voucher ?? null}, ${work.staffId})`)
  if (account) await post(work.tx, work.staffId, account, paymentEntries(account.balanceTable !== undefined, order, paid))
}

/**
 * Takes money that came in for a locked order; the last of it moves the order on.
 * @throws AppError when it is more than is owed, no money, or the balance does not reach
 */
export async function pay(work: OrderContext, order: OrderRow, paid: Paid): Promise<OrderRow> {
  if (order.status !== ORDER_STATUS.unpaid) throw wrongState(ACTION_LABELS.pay, statusLabel(work.line, order.status))
  const owed = order.amount - order.paid
  if (paid.amount <= 0) throw invalid({ amount: '到账金额应大于 0' })
  if (paid.amount > owed) throw invalid({ amount: `到账金额超过待付金额 ${yuan(owed)} 元` })
  await bookPayment(work, order, paid)
  const next = await setOrder(work, order.id, [
    sql`paid = paid + ${paid.amount}`, sql`pay_channel = ${paid.channel}`, sql`paid_at = ${momentOf(paid)}`, sql`pay_no = coalesce(${paid.trade_no ?? null}, pay_no)`,
  ])
  if (next.paid < next.amount) await writeLog(work, order.id, { action: 'payment', from: order.status, to: order.status, amount: paid.amount })
  return advance(work, next)
}

/** Gives a locked order another discount before it is paid. @throws AppError when it would owe less than was paid */
export async function reprice(work: OrderContext, order: OrderRow, discount: number, reason: string): Promise<OrderRow> {
  checkRight(work.rights, 'reprice')
  if (order.virtual === 1) throw wrongState(ACTION_LABELS.reprice, '虚拟单')
  if (order.status !== ORDER_STATUS.unpaid && order.status !== ORDER_STATUS.rejected) throw wrongState(ACTION_LABELS.reprice, statusLabel(work.line, order.status))
  if (discount > order.total) throw invalid({ discount: `优惠不能超过原价 ${yuan(order.total)} 元` })
  if (order.total - discount < order.paid) throw invalid({ discount: `已收 ${yuan(order.paid)} 元，应付金额不能更低` })
  const next = await setOrder(work, order.id, [sql`discount = ${discount}`, sql`amount = total - ${discount}::bigint`, ...(discount === order.total ? [sql`pay_channel = 'free'`] : [])])
  await writeLog(work, order.id, { action: 'reprice', from: order.status, to: order.status, amount: next.amount, reason })
  return advance(work, next)
}
