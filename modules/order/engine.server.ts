import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { RecordMeta } from '../../core/field/field.ts'
import type { Resource } from '../../core/resource/define.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Regard } from './calls.ts'
import { ACTION_LABELS, edgeOf, isInForce, statusChoices, type EdgeCase, type OrderAction, type OrderRight, type OrderStatus, type PayChannel } from './flow.ts'
import { lockAccount, type Account } from './ledger.server.ts'
import { PARTIES, type OrderLine } from './line.ts'
import { rightsOf, type Rights } from './money-rules.ts'

/** An order as stored. */
export interface OrderRow extends RecordMeta {
  order_no: string
  line: string
  self_run: number
  goods: string | null
  /** Whom, where and what it names: the kinds are those of the line. */
  buyer_kind: string | null
  buyer_ref_id: number | null
  place_kind: string | null
  place_ref_id: number | null
  goods_kind: string | null
  goods_ref_id: number | null
  months: number | null
  /** Its row in the table of what its line adds. */
  side_id: number | null
  checkout_no: string | null
  deal_no: string | null
  close_at: number | null
  agent_id: number | null
  buyer_name: string | null
  buyer_mobile: string | null
  user_id: number | null
  biz_type: number | null
  total: number
  discount: number
  amount: number
  paid: number
  refunded: number
  pay_channel: PayChannel | null
  paid_at: number | null
  virtual: number
  ship_status: number
  before_status: OrderStatus | null
  status: OrderStatus
}

/** An item as stored. */
export interface ItemRow {
  id: number
  order_id: number
  kind: string
  ref_id: number | null
  name: string
  price: number
  qty: number
  months: number | null
  /** What is paid for all of it, in fen: its share of the order's amount. */
  net: number
  refunded_qty: number
  granted_qty: number
  effect: unknown
}

/** What an effect is told. All of it happens in the transaction that pays, approves or refunds. */
export interface EffectChange {
  readonly tx: Queryable
  /** Who does it; null where the clock does. */
  readonly staffId: number | null
  readonly order: OrderRow
  readonly item: ItemRow
  /** How many are fulfilled, or revoked. */
  readonly qty: number
  /** How many stay fulfilled afterwards. */
  readonly left: number
}

/** What the owner of a line does when its orders move. An order is fulfilled exactly while it is paid for. */
export interface OrderEffects {
  /**
   * Completes and checks what a person gave for a new order: whose it is, what a record costs. Throws to refuse.
   * @param values the buyer's fields; may be added to
   */
  check?(order: { tx: Queryable; staff: Staff; values: Record<string, unknown>; items: readonly NewItem[] }): Promise<void>
  /**
   * What a record is called and costs, where the kind sells records; no price where the line's own list says it.
   * @param mobile number of who buys, where it is known
   */
  describe?(tx: Queryable, kind: string, refId: number, mobile?: string): Promise<{ name: string; price: number | null; months?: number | null; /** What it brings: how long, how much, how many are left. */ note?: string } | undefined>
  /** What a person who writes an order down should know of whom it names: how they stand, and what speaks against it. */
  regard?(db: Queryable, party: { kind: string; id: number }): Promise<Regard>
  /** What a piece of records of a kind costs at least, whoever sells it; those without such a price are absent. Fen, by the record's id. */
  floors?(tx: Queryable, kind: string, refIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Locks the stock that items draw from, in the order of its ids, before any account is locked (ADR 22). */
  lockStock?(tx: Queryable, items: readonly Pick<ItemRow, 'kind' | 'ref_id'>[]): Promise<void>
  /** Fulfils an item: what was bought is there from now on. What it returns is kept with the item until it is revoked. */
  fulfil?(change: EffectChange): Promise<unknown>
  /** Revokes an item, or a part of it. Throws when that is not possible any more. */
  revoke?(change: EffectChange): Promise<void>
}

/** An item that somebody wants to order. */
export interface NewItem {
  kind: string
  ref_id?: number | null
  /** What it is called; that of its kind or record by default. */
  name?: string
  /** Its list price by default. */
  price?: number
  qty: number
  months?: number | null
}

/** A line with what its owner does. */
export interface ServedLine {
  readonly line: OrderLine
  readonly resource: Resource
  readonly effects: OrderEffects
}

/** In whose name, and in which transaction, an order is moved. */
export interface OrderContext extends ServedLine {
  readonly tx: Queryable
  readonly staffId: number | null
  /** What the person may do; the clock may do nothing that needs a right. */
  readonly rights: Rights
}

/**
 * What somebody does with a line's orders.
 * @param more rights that the way in brings: a person who may sell at the desk takes the money there
 */
export function workOf(served: ServedLine, tx: Queryable, staff: Staff, more: readonly OrderRight[] = []): OrderContext {
  return { ...served, tx, staffId: staff.id, rights: new Set([...rightsOf(served.resource, staff.modules), ...more]) }
}

/** What the clock does with a line's orders. */
export const clockWork = (served: ServedLine, tx: Queryable): OrderContext => ({ ...served, tx, staffId: null, rights: new Set() })

/** Locks an order within what the person may see. @throws notFound when there is none */
export async function lockOrder(work: OrderContext, staff: Staff, id: number): Promise<OrderRow> {
  return (await lockRow(work.tx, work.resource, staff, id)) as unknown as OrderRow
}

/** Locks an order, no matter who looks. @throws notFound when there is none */
export async function lockAnyOrder(tx: Queryable, id: number): Promise<OrderRow> {
  const [row] = await tx.query<OrderRow>(sql`select * from orders where id = ${id} and deleted_at is null for no key update`)
  if (!row) throw notFound('订单')
  return row
}

/** Items of an order in the order in which they were written down. */
export function readItems(tx: Queryable, orderId: number): Promise<ItemRow[]> {
  return tx.query<ItemRow>(sql`select * from order_item where order_id = ${orderId} order by id`)
}

/** What moved an order: the row of the payment, the refund, or the step of its log (`payment 15`, `refund 7`, `move 99`). */
export type OrderCause = `${'payment' | 'refund' | 'move'} ${number}`

/** A module that looks at orders of every line as they move, such as one that books commissions. */
export interface OrderWatcher {
  /**
   * Called in the same transaction, once for each payment, refund and step, when goods are fulfilled or revoked. The order is
   * locked; accounts and stock come before it in the lock order (ADR 22), so it locks neither. What it throws undoes the step.
   */
  moved(tx: Queryable, before: OrderRow, after: OrderRow, cause: OrderCause): Promise<void>
}

const watchers = new Set<OrderWatcher>()

/** Adds a watcher of all orders of this process. @returns what takes it away again */
export function addOrderWatcher(watcher: OrderWatcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Calls the watchers of an order that has moved. */
export async function announceMove(tx: Queryable, before: OrderRow, after: OrderRow, cause: OrderCause): Promise<void> {
  for (const watcher of watchers) await watcher.moved(tx, before, after, cause)
}

/** Writes one step into the order's own log. @returns the step as a cause */
export async function writeLog(
  work: Pick<OrderContext, 'tx' | 'staffId'>, orderId: number, step: { action: string; from: OrderStatus | null; to: OrderStatus; amount?: number | undefined; reason?: string | undefined },
): Promise<OrderCause> {
  const [row] = await work.tx.query<{ id: number }>(sql`insert into order_log (order_id, staff_id, action, from_status, to_status, amount, reason)
    values (${orderId}, ${work.staffId}, ${step.action}, ${step.from}, ${step.to}, ${step.amount ?? null}, ${step.reason ?? null}) returning id`)
  return `move ${row?.id ?? 0}`
}

/** Columns that the engine works with, of whatever line. */
const COLUMNS = [
  'created_by', 'created_at', 'updated_by', 'updated_at', 'deleted_at', 'order_no', 'line', 'self_run', 'goods', 'buyer_kind', 'buyer_ref_id', 'place_kind', 'place_ref_id', 'goods_kind', 'goods_ref_id', 'months',
  'side_id', 'checkout_no', 'deal_no', 'close_at', 'buyer_name', 'buyer_mobile', 'user_id', 'agent_id', 'biz_type', 'total', 'discount', 'amount', 'paid', 'refunded', 'pay_channel', 'paid_at', 'virtual', 'ship_status',
  'before_status', 'status',
] as const satisfies readonly (keyof OrderRow)[]

/** What a step sets: SQL in which `t` is the order as it was. */
export type OrderSets = Readonly<Record<string, SQL>>

/** Changes columns of a locked order and returns it. */
export async function setOrder({ tx, resource }: Pick<OrderContext, 'tx' | 'resource'>, id: number, sets: OrderSets): Promise<OrderRow> {
  const [row] = await touch(tx, resource, sets, id, { returning: COLUMNS })
  if (!row) throw notFound('订单')
  return row as OrderRow
}

/** Word of an order's state. */
export function statusLabel(line: OrderLine, status: number): string {
  return choiceLabel(statusChoices(line.flow), status)
}

/**
 * Moves a locked order along the edge of an action, writes its log, fulfils or revokes its items, and tells the watchers.
 * @param step.when decides between two edges of the action
 * @param step.sets further columns that change with it
 * @param step.cause what moved it, where that is more than the step itself
 * @throws wrongState when the state machine has no such edge
 */
export async function moveOrder(
  work: OrderContext, order: OrderRow, action: OrderAction, step: { when?: EdgeCase; amount?: number; reason?: string | undefined; sets?: OrderSets; cause?: OrderCause } = {},
): Promise<OrderRow> {
  const edge = edgeOf(work.line.flow, action, order.status, step.when)
  if (!edge) throw wrongState(ACTION_LABELS[action], statusLabel(work.line, order.status))
  const to = edge.to === 'same' ? order.status : edge.to === 'before' ? order.before_status : edge.to
  if (to === null) throw wrongState(ACTION_LABELS[action], statusLabel(work.line, order.status))
  const before = action === 'ask_refund' ? sql`${order.status}` : sql`null`
  const moved = await setOrder(work, order.id, { status: sql`${to}`, before_status: before, ...step.sets })
  const logged = await writeLog(work, order.id, { action, from: order.status, to, amount: step.amount, reason: step.reason })
  await settle(work, moved)
  await announceMove(work.tx, order, moved, step.cause ?? logged)
  return moved
}

/**
 * Brings what is fulfilled into line with what is paid for: the one place where effects are called. Each item counts with
 * what was bought less what was given back, as long as its order stands, and with nothing otherwise.
 */
export async function settle(work: OrderContext, order: OrderRow): Promise<void> {
  const on = order.deleted_at === null && isInForce(order)
  const changes = (await readItems(work.tx, order.id)).flatMap((item) => {
    const target = on ? item.qty - item.refunded_qty : 0
    return target === item.granted_qty ? [] : [{ item, target, qty: target - item.granted_qty }]
  })
  // Orders that cost nothing come here without any money having moved.
  if (changes.length > 0) await lockMoney(work, [order])
  for (const { item, target, qty } of changes) {
    const change: EffectChange = { tx: work.tx, staffId: work.staffId, order, item, qty: Math.abs(qty), left: target }
    let effect: unknown = item.effect
    if (qty > 0) effect = (await work.effects.fulfil?.(change)) ?? item.effect
    else await work.effects.revoke?.(change)
    await work.tx.query(sql`update order_item set granted_qty = ${target}, effect = ${target === 0 || effect === null || effect === undefined ? null : JSON.stringify(effect)}::jsonb where id = ${item.id}`)
  }
}

/** The account that an order's money belongs to; undefined where its line has none, or the order names none. */
export function accountOf({ account, ...line }: OrderLine, order: OrderRow): Account | undefined {
  const kind = account && line[account.of]?.kind
  const id = account && order[PARTIES[account.of].id]
  return kind && typeof id === 'number' ? { kind, id, balanceTable: account.balanceTable } : undefined
}

/**
 * Locks what moving the money of locked orders needs, in the order of ADR 22: their stock, then their accounts.
 * @param orders locked, in the order of their ids
 */
export async function lockMoney(work: OrderContext, orders: readonly OrderRow[]): Promise<void> {
  if (work.effects.lockStock) {
    const items = await work.tx.query<ItemRow>(sql`select kind, ref_id from order_item where order_id = any(${sql.param(orders.map(({ id }) => id))}::bigint[])`)
    await work.effects.lockStock(work.tx, items)
  }
  const accounts = orders.flatMap((order) => accountOf(work.line, order) ?? []).toSorted((a, b) => a.id - b.id)
  for (const account of accounts) await lockAccount(work.tx, account)
}

/** Takes the next `count` order numbers: the day in Shanghai, then a number that never repeats. */
export async function nextOrderNumbers(tx: Queryable, count: number): Promise<string[]> {
  const rows = await tx.query<{ no: string }>(sql`select to_char(now() at time zone 'Asia/Shanghai', 'YYYYMMDD') || lpad(nextval(pg_get_serial_sequence('orders', 'id'))::text, 8, '0') as no
    from generate_series(1, ${sql.raw(String(count))})`)
  return rows.map((row) => row.no)
}
