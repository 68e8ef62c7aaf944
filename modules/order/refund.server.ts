import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import { startOfDay } from '../../core/field/time.ts'
import { accountOf, lockMoney, moveOrder, readItems, statusLabel, type OrderRow, type OrderContext } from './engine.server.ts'
import { ACTION_LABELS, edgeOf, REFUND_STATUS, type OrderRight, type PayChannel, type RefundWay } from './flow.ts'
import { post, type Entry } from './ledger.server.ts'
import { checkRight, foldItems, goesAnotherWay, leftOf, netBack, sourcesOf, splitRefund, valueKept, type RefundPart, type Source } from './money-rules.ts'
import { secondPerson } from './money.server.ts'
import { readSetting } from './setting.server.ts'

/** Money that goes back. */
export interface RefundAsk {
  /** Fen; what the items that go back were paid with where it is not said, or without any all that is left. */
  amount?: number | undefined
  /** How many of which items go back with it; everything when all the money does. */
  items?: readonly { id: number; qty: number }[] | undefined
  way: RefundWay
  /** How much by which channel, of what goes back the way it came; what came last goes first by default. */
  parts?: readonly { channel: PayChannel; amount: number }[] | undefined
  reason: string
}

/** A refund as stored. */
interface RefundRow {
  id: number
  order_id: number
  amount: number
  items: { id: number; qty: number }[] | null
  way: RefundWay
  parts: RefundPart[]
  reason: string
  status: number
  asked_by: number | null
}

/** What came in for an order by each channel, and what of it can go back; the last first. */
export async function readSources(tx: Queryable, orderId: number): Promise<Source[]> {
  const [payments, refunds] = await Promise.all([
    tx.query<{ amount: number; channel: PayChannel }>(sql`select amount, channel from payment where order_id = ${orderId} order by id`),
    tx.query<Pick<RefundRow, 'parts'>>(sql`select parts from refund where order_id = ${orderId} and status = ${REFUND_STATUS.done} order by id`),
  ])
  return sourcesOf(payments, refunds.flatMap(({ parts }) => parts))
}

/** A refund that was looked at: what goes back of which items and by which channels, and whether that is everything. */
interface Checked {
  amount: number
  items: { id: number; qty: number }[]
  parts: RefundPart[]
  all: boolean
  /** Goods stay that what is left does not pay for: a lower price. */
  cheaper: boolean
}

/** Checks what is to go back against what is there. */
async function checkRefund(work: OrderContext, order: OrderRow, ask: Omit<RefundAsk, 'reason'>): Promise<Checked> {
  const sources = await readSources(work.tx, order.id)
  const left = leftOf(sources)
  const known = await readItems(work.tx, order.id)
  const items = foldItems(known, ask.items ?? [])
  const amount = ask.amount ?? (items.length > 0 ? Math.min(left, netBack(known, items)) : left)
  const parts = splitRefund(sources, amount, ask.way, ask.parts)
  if (parts.some(({ to }) => to === 'balance') && !accountOf(work.line, order)?.balanceTable) throw invalid({ way: '该订单不能退到余额' })
  const all = amount === left
  if (amount === 0 && left > 0) throw invalid({ amount: '退款金额应大于 0' })
  if (!all && !edgeOf(work.line.flow, 'refund', order.status, 'part')) throw invalid({ amount: `该订单只能全额退款 ${yuan(left)} 元` })
  return { amount, items, parts, all, cheaper: !all && left - amount < valueKept(known, items) }
}

/** One person's refunds of a day are counted by one transaction at a time. */
const REFUND_DAY = 'refund_day'

/** Holds what a person has refunded today until the transaction ends: after all accounts, before everything else (ADR 22). */
export async function lockRefundDay(work: Pick<OrderContext, 'tx' | 'staffId'>): Promise<void> {
  await work.tx.query(sql`select pg_advisory_xact_lock(hashtext(${REFUND_DAY}), ${work.staffId ?? 0}::int)`)
}

/** What went back without a second person: of an order ever, and by a person today, whatever line it was. */
async function refundedAlone({ tx, staffId }: OrderContext, order: OrderRow): Promise<{ order: number; day: number }> {
  const alone = sql`status = ${REFUND_STATUS.done} and asked_by = decided_by`
  const today = startOfDay(Math.floor(Date.now() / 1000))
  const [sums] = await tx.query<{ order: number; day: number }>(sql`select
    (select coalesce(sum(amount), 0)::float8 from refund where order_id = ${order.id} and ${alone}) as "order",
    (select coalesce(sum(amount), 0)::float8 from refund where asked_by = ${staffId} and asked_at >= to_timestamp(${today}) and ${alone}) as day`)
  return sums ?? { order: 0, day: 0 }
}

/** Whether a refund waits for a second person: for its sum with what went before, for its way, or for what it leaves. */
async function waitsFor(work: OrderContext, order: OrderRow, { amount, parts, cheaper }: Checked): Promise<boolean> {
  if (amount === 0) return false
  if (goesAnotherWay(parts) || (cheaper && !work.rights.has('reprice'))) return true
  const { refund_second_from } = await readSetting(work.tx, work.resource.name)
  const before = await refundedAlone(work, order)
  return amount + Math.max(before.order, before.day) >= refund_second_from
}

/**
 * Asks for a refund of a locked order. What needs no second person is done at once.
 * @returns the order, and whether the refund waits for somebody
 */
export async function askRefund(work: OrderContext, order: OrderRow, ask: RefundAsk): Promise<{ order: OrderRow; waits: boolean }> {
  checkRight(work.rights, 'refund')
  if (!edgeOf(work.line.flow, 'ask_refund', order.status)) throw wrongState(ACTION_LABELS.ask_refund, statusLabel(work.line, order.status))
  await lockMoney(work, [order])
  await lockRefundDay(work)
  const checked = await checkRefund(work, order, ask)
  const waits = await waitsFor(work, order, checked)
  const status = waits ? REFUND_STATUS.waiting : REFUND_STATUS.done
  const [row] = await work.tx.query<{ id: number }>(sql`insert into refund (order_id, amount, items, way, parts, reason, status, asked_by, decided_by, decided_at)
    values (${order.id}, ${checked.amount}, ${checked.items.length > 0 ? JSON.stringify(checked.items) : null}::jsonb, ${ask.way}, ${JSON.stringify(checked.parts)}::jsonb, ${ask.reason}, ${status}, ${work.staffId},
      ${waits ? null : work.staffId}, case when ${waits} then null else now() end) returning id`)
  if (waits) return { order: await moveOrder(work, order, 'ask_refund', { amount: checked.amount, reason: ask.reason }), waits }
  return { order: await complete(work, order, row?.id ?? 0, checked, ask.reason), waits }
}

/** What a part of a refund writes: the order gives its money back, and unless it stays as balance it is paid out. Another way has entries of its own. */
function entriesOf(keepsBalance: boolean, order: OrderRow, { from, to, amount }: RefundPart, reason: string): Entry[] {
  const other = from !== to
  if (!keepsBalance) return [{ amount: -amount, kind: other ? 'other_refund' : 'refund', channel: to, order, note: reason }]
  const paidOut: Entry[] = to === 'balance' ? [] : [{ amount: -amount, kind: other ? 'other_payout' : 'payout', channel: to, order, note: reason }]
  return [{ amount, kind: other && to === 'balance' ? 'other_refund' : 'refund', channel: from, order, note: reason }, ...paidOut]
}

/** Gives the money of a refund back and revokes what it bought. */
async function complete(work: OrderContext, order: OrderRow, refundId: number, { amount, items, parts, all }: Checked, reason: string): Promise<OrderRow> {
  for (const { id, qty } of items) await work.tx.query(sql`update order_item set refunded_qty = refunded_qty + ${qty} where id = ${id} and order_id = ${order.id}`)
  const account = accountOf(work.line, order)
  if (account) await post(work.tx, work.staffId, account, parts.flatMap((part) => entriesOf(account.balanceTable !== undefined, order, part, reason)))
  return moveOrder(work, order, 'refund', { when: all ? 'all' : 'part', amount, reason, sets: { refunded: sql`t.refunded + ${amount}` }, cause: `refund ${refundId}` })
}

async function lockRefund(work: OrderContext, order: OrderRow, refundId: number): Promise<RefundRow> {
  const [row] = await work.tx.query<RefundRow>(sql`select * from refund where id = ${refundId} and order_id = ${order.id} for update`)
  if (!row) throw notFound('退款申请')
  if (row.status !== REFUND_STATUS.waiting) throw wrongState('复核', row.status === REFUND_STATUS.done ? '已退款' : '已拒绝')
  return row
}

/** Rights that a person who lets a refund through has to hold. */
const rightsFor = (parts: readonly RefundPart[]): OrderRight[] => (goesAnotherWay(parts) ? ['decide', 'otherWay'] : ['decide'])

/** Lets a refund that waits go through. @throws secondPerson to the person who asked for it */
export async function approveRefund(work: OrderContext, order: OrderRow, refundId: number): Promise<OrderRow> {
  await lockMoney(work, [order])
  const row = await lockRefund(work, order, refundId)
  for (const right of rightsFor(row.parts)) checkRight(work.rights, right)
  if (row.asked_by === work.staffId) throw secondPerson('退款复核')
  // Looked at again: what waits was perhaps asked for when less was looked at.
  const given = row.parts.map(({ from, amount }) => ({ channel: from, amount }))
  const checked = await checkRefund(work, order, { amount: row.amount, items: row.items ?? [], way: row.way, ...(row.way === 'original' && { parts: given }) })
  if (goesAnotherWay(checked.parts) && !goesAnotherWay(row.parts)) throw badRequest('可退金额已变化，请拒绝后重新申请')
  await work.tx.query(sql`update refund set status = ${REFUND_STATUS.done}, parts = ${JSON.stringify(checked.parts)}::jsonb, decided_by = ${work.staffId}, decided_at = now() where id = ${refundId}`)
  return complete(work, order, refundId, checked, row.reason)
}

/** Refuses a refund that waits; the order is again what it was. The person who asked may take it back. */
export async function refuseRefund(work: OrderContext, order: OrderRow, refundId: number, answer: string): Promise<OrderRow> {
  const row = await lockRefund(work, order, refundId)
  await work.tx.query(sql`update refund set status = ${REFUND_STATUS.refused}, decided_by = ${work.staffId}, decided_at = now(), answer = ${answer} where id = ${refundId}`)
  return moveOrder(work, order, 'refuse_refund', { amount: row.amount, reason: answer })
}
