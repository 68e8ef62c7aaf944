import { sql, type SQL } from 'drizzle-orm'
import { badRequest, defineError, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import { accountOf, moveOrder, readItems, setOrder, statusLabel, writeLog, type OrderRow, type Work } from './engine.server.ts'
import { ACTION_LABELS, edgeOf, MONEY_CHANNELS, ORDER_STATUS, REFUND_STATUS, type PayChannel, type RefundWay } from './flow.ts'
import { post, type Entry } from './ledger.server.ts'
import { readSetting } from './setting.server.ts'

const secondPerson = defineError('second_person', 403, (what: string) => `${what}须由另一人处理，不能是同一人`)

/** Refuses the audit of an order to whoever wrote it down, from the amount on that needs a second person. */
export async function checkAuditor(work: Work, order: OrderRow): Promise<void> {
  const { approve_second_from } = await readSetting(work.tx, work.resource.name)
  if (order.created_by === work.staffId && order.amount >= approve_second_from) throw secondPerson('订单审核')
}

/** Puts an audited order in force. @throws secondPerson to whoever wrote it down */
export async function approve(work: Work, order: OrderRow): Promise<OrderRow> {
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

/** Money that goes back. */
export interface RefundAsk {
  /** Fen. */
  amount: number
  /** How many of which items go back with it; everything when all the money does. */
  items?: readonly { id: number; qty: number }[] | undefined
  way: RefundWay
  reason: string
}

/** A refund as stored. */
export interface RefundRow {
  id: number
  order_id: number
  amount: number
  items: { id: number; qty: number }[] | null
  way: RefundWay
  reason: string
  status: number
  asked_by: number | null
}

const isMoney = (channel: PayChannel | null): boolean => channel !== null && (MONEY_CHANNELS.includes(channel) || channel === 'balance')

/** What a payment writes into the books: money that came in from outside, and what the order took of it. */
function paymentEntries(keepsBalance: boolean, order: OrderRow, { amount, channel }: Pick<Paid, 'amount' | 'channel'>): Entry[] {
  if (!isMoney(channel)) return []
  const received: Entry[] = channel === 'balance' ? [] : [{ amount, kind: 'payment', channel, order, note: order.goods }]
  return keepsBalance ? [...received, { amount: -amount, kind: 'order', channel, order, note: order.goods }] : received
}

/** What a refund writes: the order gives its money back, and unless it stays as balance it is paid out. */
function refundEntries(keepsBalance: boolean, order: OrderRow, amount: number, channel: PayChannel | null, reason: string): Entry[] {
  if (!isMoney(channel)) return []
  if (!keepsBalance) return [{ amount: -amount, kind: 'refund', channel, order, note: reason }]
  const paidOut: Entry[] = channel === 'balance' ? [] : [{ amount: -amount, kind: 'payout', channel, order, note: reason }]
  return [{ amount, kind: 'refund', channel, order, note: reason }, ...paidOut]
}

/** An order that has got all of its money goes on. */
export async function advance(work: Work, order: OrderRow): Promise<OrderRow> {
  if (order.status !== ORDER_STATUS.unpaid || order.paid < order.amount) return order
  return moveOrder(work, order, 'pay', { when: order.ship_status > 0 ? 'ships' : 'nothing_ships', amount: order.paid })
}

const momentOf = ({ at }: Paid): SQL => (at === undefined ? sql`now()` : sql`to_timestamp(${at})`)

/** Writes money that came in into the order's payments and into the books. @throws AppError when the balance does not reach */
export async function bookPayment(work: Work, order: OrderRow, paid: Paid): Promise<void> {
  const account = accountOf(work.line, order)
  if (paid.channel === 'balance' && !account?.balanceTable) throw invalid({ channel: '该订单不能用余额支付' })
  await work.tx.query(sql`insert into payment (order_id, at, amount, channel, trade_no, voucher, staff_id)
    values (${order.id}, ${momentOf(paid)}, ${paid.amount}, ${paid.channel}, ${paid.trade_no ?? null}, ${paid.voucher ?? null}, ${work.staffId})`)
  if (account) await post(work.tx, work.staffId, account, paymentEntries(account.balanceTable !== undefined, order, paid))
}

/**
 * Takes money that came in for a locked order; the last of it moves the order on.
 * @throws AppError when it is more than is owed, or the balance does not reach
 */
export async function pay(work: Work, order: OrderRow, paid: Paid): Promise<OrderRow> {
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
export async function reprice(work: Work, order: OrderRow, discount: number, reason: string): Promise<OrderRow> {
  if (order.status !== ORDER_STATUS.unpaid && order.status !== ORDER_STATUS.rejected) throw wrongState(ACTION_LABELS.reprice, statusLabel(work.line, order.status))
  if (discount > order.total) throw invalid({ discount: `优惠不能超过原价 ${yuan(order.total)} 元` })
  if (order.total - discount < order.paid) throw invalid({ discount: `已收 ${yuan(order.paid)} 元，应付金额不能更低` })
  const next = await setOrder(work, order.id, [sql`discount = ${discount}`, sql`amount = total - ${discount}::bigint`])
  await writeLog(work, order.id, { action: 'reprice', from: order.status, to: order.status, amount: next.amount, reason })
  return advance(work, next)
}

/** Checks what is to go back against what is there. */
async function checkRefund(work: Work, order: OrderRow, { amount, items = [] }: RefundAsk): Promise<void> {
  const left = order.paid - order.refunded
  if (amount > left) throw invalid({ amount: `退款金额不能超过可退金额 ${yuan(left)} 元` })
  if (amount === 0 && left > 0) throw invalid({ amount: '退款金额应大于 0' })
  if (amount < left && !edgeOf(work.line.flow, 'refund', order.status, 'part')) throw invalid({ amount: `该订单只能全额退款 ${yuan(left)} 元` })
  const known = new Map((await readItems(work.tx, order.id)).map((item) => [item.id, item]))
  for (const { id, qty } of items) {
    const item = known.get(id)
    if (!item) throw badRequest('要退的商品不在该订单中')
    if (qty > item.qty - item.refunded_qty) throw invalid({ items: `${item.name}最多可退 ${item.qty - item.refunded_qty}` })
  }
}

/**
 * Asks for a refund of a locked order. Below the amount that needs a second person it is done at once.
 * @returns the order, and whether the refund waits for somebody
 */
export async function askRefund(work: Work, order: OrderRow, ask: RefundAsk): Promise<{ order: OrderRow; waits: boolean }> {
  if (!edgeOf(work.line.flow, 'ask_refund', order.status)) throw wrongState(ACTION_LABELS.ask_refund, statusLabel(work.line, order.status))
  await checkRefund(work, order, ask)
  const { refund_second_from } = await readSetting(work.tx, work.resource.name)
  const waits = ask.amount >= refund_second_from && ask.amount > 0
  const status = waits ? REFUND_STATUS.waiting : REFUND_STATUS.done
  const [row] = await work.tx.query<RefundRow>(sql`insert into refund (order_id, amount, items, way, reason, status, asked_by, decided_by, decided_at)
    values (${order.id}, ${ask.amount}, ${ask.items?.length ? JSON.stringify(ask.items) : null}::jsonb, ${ask.way}, ${ask.reason}, ${status}, ${work.staffId},
      ${waits ? null : work.staffId}, case when ${waits} then null else now() end) returning *`)
  if (!row) throw new Error('the refund was not stored')
  if (waits) return { order: await moveOrder(work, order, 'ask_refund', { amount: ask.amount, reason: ask.reason }), waits }
  return { order: await complete(work, order, row), waits }
}

/** Gives the money of a refund back and takes what it bought out of force. */
async function complete(work: Work, order: OrderRow, { amount, items, way, reason }: RefundRow): Promise<OrderRow> {
  const left = order.paid - order.refunded
  if (amount > left) throw badRequest(`可退金额已不足，当前可退 ${yuan(left)} 元`)
  for (const { id, qty } of items ?? []) {
    await work.tx.query(sql`update order_item set refunded_qty = refunded_qty + ${qty} where id = ${id} and order_id = ${order.id}`)
  }
  const account = accountOf(work.line, order)
  const channel = way === 'original' ? order.pay_channel : way
  if (channel === 'balance' && !account?.balanceTable) throw invalid({ way: '该订单不能退到余额' })
  if (account) await post(work.tx, work.staffId, account, refundEntries(account.balanceTable !== undefined, order, amount, channel, reason))
  return moveOrder(work, order, 'refund', { when: amount === left ? 'all' : 'part', amount, reason, sets: [sql`refunded = refunded + ${amount}`] })
}

async function lockRefund(work: Work, order: OrderRow, refundId: number): Promise<RefundRow> {
  const [row] = await work.tx.query<RefundRow>(sql`select * from refund where id = ${refundId} and order_id = ${order.id} for update`)
  if (!row) throw notFound('退款申请')
  if (row.status !== REFUND_STATUS.waiting) throw wrongState('复核', row.status === REFUND_STATUS.done ? '已退款' : '已拒绝')
  return row
}

/** Lets a refund that waits go through. @throws secondPerson to whoever asked for it */
export async function approveRefund(work: Work, order: OrderRow, refundId: number): Promise<OrderRow> {
  const row = await lockRefund(work, order, refundId)
  if (row.asked_by === work.staffId) throw secondPerson('退款复核')
  await work.tx.query(sql`update refund set status = ${REFUND_STATUS.done}, decided_by = ${work.staffId}, decided_at = now() where id = ${refundId}`)
  return complete(work, order, row)
}

/** Refuses a refund that waits; the order is again what it was. Whoever asked may take it back. */
export async function refuseRefund(work: Work, order: OrderRow, refundId: number, answer: string): Promise<OrderRow> {
  const row = await lockRefund(work, order, refundId)
  await work.tx.query(sql`update refund set status = ${REFUND_STATUS.refused}, decided_by = ${work.staffId}, decided_at = now(), answer = ${answer} where id = ${refundId}`)
  return moveOrder(work, order, 'refuse_refund', { amount: row.amount, reason: answer })
}
