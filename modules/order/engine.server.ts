import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { RecordMeta } from '../../core/field/field.ts'
import type { Resource } from '../../core/resource/define.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { ACTION_LABELS, edgeOf, isInForce, statusChoices, type EdgeCase, type OrderAction, type OrderRight, type OrderStatus, type PayChannel } from './flow.ts'
import { lockAccount, type Account } from './ledger.server.ts'
import type { OrderLine } from './line.ts'
import { rightsOf, type Rights } from './money-rules.ts'

/** An order as stored. */
export interface OrderRow extends RecordMeta {
  order_no: string
  line: string
  self_run: number
  goods: string | null
  partner_id: number | null
  school_id: number | null
  student_id: number | null
  room_id: number | null
  member_id: number | null
  unit_id: number | null
  months: number | null
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
  /** How many come into force, or go out of it. */
  readonly qty: number
  /** How many stay in force afterwards. */
  readonly left: number
}

/** What the owner of a line does when its orders move. An order is in force exactly while it is paid for. */
export interface OrderEffects {
  /**
   * Completes and checks what a person gave for a new order: whose it is, what a record costs. Throws to refuse.
   * @param values the buyer's fields; may be added to
   */
  check?(order: { tx: Queryable; staff: Staff; values: Record<string, unknown>; items: readonly NewItem[] }): Promise<void>
  /** What a record is called and costs, where the kind sells records; no price where the line's own list says it. */
  describe?(tx: Queryable, kind: string, refId: number): Promise<{ name: string; price: number | null; months?: number | null } | undefined>
  /** Locks the stock that items draw from, in the order of its ids, before any account is locked (ADR 22). */
  lockStock?(tx: Queryable, items: readonly Pick<ItemRow, 'kind' | 'ref_id'>[]): Promise<void>
  /** Puts an item in force. What it returns is kept with the item until it is taken back. */
  grant?(change: EffectChange): Promise<unknown>
  /** Takes an item back, or a part of it. Throws when that is not possible any more. */
  revoke?(change: EffectChange): Promise<void>
}

/** An item that somebody wants to order. */
export interface NewItem {
  kind: string
  ref_id?: number | null
  /** What it is called; that of its kind or record unless told. */
  name?: string
  /** Its list price unless told. */
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
 * @param more rights that the way in brings: whoever may sell at the desk takes the money there
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

/** Locks an order whoever looks. @throws notFound when there is none */
export async function lockAnyOrder(tx: Queryable, id: number): Promise<OrderRow> {
  const [row] = await tx.query<OrderRow>(sql`select * from orders where id = ${id} and deleted_at is null for no key update`)
  if (!row) throw notFound('订单')
  return row
}

/** Items of an order in the order in which they were written down. */
export function readItems(tx: Queryable, orderId: number): Promise<ItemRow[]> {
  return tx.query<ItemRow>(sql`select * from order_item where order_id = ${orderId} order by id`)
}

/** Writes one step into the order's own log. */
export async function writeLog(
  work: Pick<OrderContext, 'tx' | 'staffId'>, orderId: number, step: { action: string; from: OrderStatus | null; to: OrderStatus; amount?: number | undefined; reason?: string | undefined },
): Promise<void> {
  await work.tx.query(sql`insert into order_log (order_id, staff_id, action, from_status, to_status, amount, reason)
    values (${orderId}, ${work.staffId}, ${step.action}, ${step.from}, ${step.to}, ${step.amount ?? null}, ${step.reason ?? null})`)
}

/** Changes columns of a locked order and returns it. */
export async function setOrder(work: Pick<OrderContext, 'tx' | 'staffId'>, id: number, sets: readonly SQL[]): Promise<OrderRow> {
  const [row] = await work.tx.query<OrderRow>(sql`update orders set ${sql.join([...sets, sql`rev = rev + 1`, sql`updated_at = now()`, sql`updated_by = ${work.staffId}`], sql`, `)}
    where id = ${id} returning *`)
  if (!row) throw notFound('订单')
  return row
}

/** Word of an order's state. */
export function statusLabel(line: OrderLine, status: number): string {
  return choiceLabel(statusChoices(line.flow), status)
}

/**
 * Moves a locked order along the edge of an action, writes its log, and puts its items in or out of force.
 * @param step.when decides between two edges of the action
 * @param step.sets further columns that change with it
 * @throws wrongState when the state machine has no such edge
 */
export async function moveOrder(
  work: OrderContext, order: OrderRow, action: OrderAction, step: { when?: EdgeCase; amount?: number; reason?: string | undefined; sets?: readonly SQL[] } = {},
): Promise<OrderRow> {
  const edge = edgeOf(work.line.flow, action, order.status, step.when)
  if (!edge) throw wrongState(ACTION_LABELS[action], statusLabel(work.line, order.status))
  const to = edge.to === 'same' ? order.status : edge.to === 'before' ? order.before_status : edge.to
  if (to === null) throw wrongState(ACTION_LABELS[action], statusLabel(work.line, order.status))
  const before = action === 'ask_refund' ? sql`${order.status}` : sql`null`
  const moved = await setOrder(work, order.id, [sql`status = ${to}`, sql`before_status = ${before}`, ...(step.sets ?? [])])
  await writeLog(work, order.id, { action, from: order.status, to, amount: step.amount, reason: step.reason })
  await settle(work, moved)
  return moved
}

/**
 * Brings what is in force into line with what is paid for: the one place where effects are called. Each item counts with
 * what was bought less what was given back, as long as its order is in force, and with nothing otherwise.
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
    if (qty > 0) effect = (await work.effects.grant?.(change)) ?? item.effect
    else await work.effects.revoke?.(change)
    await work.tx.query(sql`update order_item set granted_qty = ${target}, effect = ${target === 0 || effect === null || effect === undefined ? null : JSON.stringify(effect)}::jsonb where id = ${item.id}`)
  }
}

/** The account that an order's money belongs to; undefined where the order names none. */
export function accountOf(line: OrderLine, order: OrderRow): Account | undefined {
  const id = (order as unknown as Readonly<Record<string, unknown>>)[line.account.column]
  return typeof id === 'number' ? { kind: line.account.kind, id, balanceTable: line.account.balanceTable } : undefined
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
