import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { insertMany } from '../../core/setup/insert-many.server.ts'
import type { ItemRow } from './engine.server.ts'
import { isInForce, ORDER_STATUS as S, SHIP_STATUS, type OrderStatus, type PayChannel } from './flow.ts'
import { PARTIES, type OrderLine } from './line.ts'
import { goodsText } from './place.server.ts'
import { addSides } from './side.server.ts'

/** An order of the demo; times in unix seconds, money in fen. */
export interface DemoOrder {
  readonly at: number
  readonly paid_at: number
  /** When it was approved, finished or given back. */
  readonly decided_at: number
  readonly status: OrderStatus
  readonly channel: PayChannel
  readonly ships: boolean
  readonly items: readonly (Pick<ItemRow, 'kind' | 'name' | 'price' | 'qty'> & { ref_id?: number; months?: number; effect?: unknown })[]
  readonly buyer: Readonly<Record<string, unknown>>
}

/** States before anything was paid, or in which nothing ever was. */
const UNPAID: ReadonlySet<OrderStatus> = new Set([S.unpaid, S.cancelled, S.closed])
const DAY = 86_400
/** Carriers of the demo's parcels with how their numbers begin. */
const CARRIERS = [['顺丰速运', 'SF'], ['中通快递', '7890'], ['京东物流', 'JD']] as const
/** Rows that travel in one statement. */
const BATCH = 2000

/** An order with the line that it belongs to and its number. */
export interface NumberedOrder {
  readonly line: OrderLine
  /** The line's orders. */
  readonly resource: Resource
  readonly order: DemoOrder & { no: string }
}

interface Placed {
  readonly id: number
  readonly no: string
  readonly order: DemoOrder
  readonly line: OrderLine
  readonly amount: number
  readonly refunded: number
  readonly staffId: number
}

async function insertJson(tx: Queryable, rows: readonly object[], write: (json: string) => ReturnType<typeof sql>): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) await tx.query(write(JSON.stringify(rows.slice(start, start + BATCH))))
}

/** When the goods of an order were sent; null while they wait, and when it has none to send. Of audited orders those that came into force days ago. */
function sentAt({ order: { status, ships, paid_at, decided_at }, line }: Placed): number | null {
  if (!ships) return null
  if (status === S.shipped || status === S.done) return Math.round((paid_at + decided_at) / 2)
  const sent = decided_at + 2 * DAY
  return line.flow === 'audited' && status === S.effective && sent < Date.now() / 1000 - DAY ? sent : null
}

/** Steps of an order that came to its state in the usual way. */
function stepsOf(placed: Placed): { at: number; action: string; from: OrderStatus | null; to: OrderStatus; amount?: number; reason?: string }[] {
  const { order: { status, at, paid_at, decided_at, ships }, line, amount, refunded } = placed
  const audited = line.flow === 'audited'
  const create = { at, action: 'create', from: null, to: S.unpaid, amount }
  if (status === S.unpaid) return [create]
  if (status === S.cancelled || status === S.closed) return [create, { at: decided_at, action: status === S.closed ? 'close' : 'cancel', from: S.unpaid, to: status, reason: status === S.closed ? '30 天内未付款' : '客户改变计划' }]
  const paid = { at: paid_at, action: 'pay', from: S.unpaid, to: audited ? S.auditing : ships ? S.unshipped : S.paid, amount }
  if (status === paid.to) return [create, paid]
  if (status === S.rejected) return [create, paid, { at: decided_at, action: 'reject', from: S.auditing, to: S.rejected, reason: '付款凭证与金额不符' }]
  const open = audited ? S.effective : paid.to
  const approved = audited ? [{ at: decided_at, action: 'approve', from: S.auditing, to: S.effective }] : []
  if (status === S.refunded || status === S.part_refunded) return [create, paid, ...approved, { at: decided_at, action: 'refund', from: open, to: status, amount: refunded, reason: '客户申请退款' }]
  const at_sent = sentAt(placed)
  const sent = at_sent === null ? [] : [{ at: at_sent, action: 'ship', from: open, to: audited ? S.effective : S.shipped }]
  return [create, paid, ...approved, ...sent, ...(status === S.done ? [{ at: decided_at, action: 'finish', from: ships ? S.shipped : S.paid, to: S.done }] : [])]
}

/** The account that an order's money belongs to, as the ledger names it. */
function accountOf({ line, order }: Placed) {
  const of = line.account?.of
  return of && { account_kind: line[of]?.kind, account_id: Number(order.buyer[PARTIES[of].id]) }
}

/** Money that an order moved on its account: in, and for accounts that keep a balance out again; the same the other way for refunds. */
function entriesOf({ order: { status, paid_at, decided_at, channel }, line, amount, refunded }: Placed) {
  if (UNPAID.has(status) || !line.account) return []
  const keeps = line.account?.balanceTable !== undefined
  return [
    { at: paid_at, amount, kind: 'payment' }, ...(keeps ? [{ at: paid_at, amount: -amount, kind: 'order' }] : []),
    ...(refunded > 0 ? (keeps ? [{ at: decided_at, amount: refunded, kind: 'refund' }, { at: decided_at, amount: -refunded, kind: 'payout' }] : [{ at: decided_at, amount: -refunded, kind: 'refund' }]) : []),
  ].map((entry) => ({ ...entry, channel }))
}

/**
 * Writes orders of the demo with everything that hangs on them, so that the books agree.
 * @param insert the function that inserts records of a resource
 * @param rows in the order of their creation, each with its number
 * @param staff who wrote them down; nobody approves what they wrote
 */
export async function insertOrderRows(
  tx: Queryable, insert: typeof insertMany, rows: readonly NumberedOrder[], staff: readonly number[],
): Promise<void> {
  const placed: (Placed & { resource: Resource })[] = rows.map(({ line, resource, order }, index) => {
    const amount = order.items.reduce((sum, { price, qty }) => sum + price * qty, 0)
    const refunded = order.status === S.refunded ? amount : order.status === S.part_refunded ? Math.round(amount / 4) : 0
    return { id: 0, no: order.no, order, line, resource, amount, refunded, staffId: staff[index % staff.length] ?? 0 }
  })
  const [first] = await tx.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('orders', 'id')) as id`)
  await tx.query(sql`select setval(pg_get_serial_sequence('orders', 'id'), ${(first?.id ?? 1) + placed.length})`)
  const withIds = placed.map((one, index) => ({ ...one, id: (first?.id ?? 1) + index }))
  for (const [resource, own] of Map.groupBy(withIds, (one) => one.resource)) {
    const [leading] = own
    if (!leading) continue
    const audited = leading.line.flow === 'audited'
    const values = own.map((one) => {
      const { id, no, order, amount, refunded, staffId } = one
      const paid = UNPAID.has(order.status) ? 0 : amount
      const decided = audited && (order.status === S.effective || order.status === S.rejected || order.status === S.refunded)
      return {
        id, order_no: no, ...(order.items.length === 1 && order.items[0]?.ref_id !== undefined && 'goods_ref_id' in resource.fields && { goods_ref_id: order.items[0].ref_id }), ...order.buyer, goods: goodsText(order.items), total: amount, discount: 0, amount, paid, refunded, virtual: 0, biz_type: 1, status: order.status, created_at: order.at, created_by: staffId,
        ...(paid > 0 && { pay_channel: order.channel, paid_at: order.paid_at }), ...(decided && { auditor_id: staff[(staff.indexOf(staffId) + 1) % staff.length], audited_at: order.decided_at }),
        ...('ship_status' in resource.fields && { ship_status: !order.ships ? SHIP_STATUS.none : sentAt(one) === null ? SHIP_STATUS.waiting : SHIP_STATUS.sent }),
      }
    })
    // Where the demo of a line tells nothing of its side, it writes the side itself.
    if (Object.keys(leading.line.side?.fields ?? {}).some((key) => key in leading.order.buyer)) await addSides({ tx, line: leading.line, staffId: leading.staffId }, values)
    await insert(tx, resource, values)
  }
  await insertJson(tx, withIds.flatMap(({ id, order }) => {
    const on = isInForce({ status: order.status, before_status: null })
    return order.items.map((item) => ({ ...item, order_id: id, net: item.price * item.qty, granted_qty: on ? item.qty : 0, effect: on ? (item.effect ?? null) : null }))
  }), (json) => sql`insert into order_item (order_id, kind, ref_id, name, price, qty, months, net, granted_qty, effect)
    select order_id, kind, ref_id, name, price, qty, months, net, granted_qty, nullif(effect, 'null') from jsonb_to_recordset(${json}::jsonb) as r (order_id bigint, kind text, ref_id bigint, name text, price bigint, qty bigint, months integer, net bigint, granted_qty bigint, effect jsonb)`)
  const parcels = withIds.flatMap((one) => {
    const at = sentAt(one)
    const [company, prefix] = CARRIERS[one.id % CARRIERS.length] ?? CARRIERS[0]
    return at === null ? [] : [{ order_id: one.id, company, no: `${prefix}${String(20_260_000_000 + one.id * 97)}`, line: one.line.code, self_run: Number(one.line.selfRun ?? false), at, staff_id: one.staffId }]
  })
  await insertJson(tx, parcels, (json) => sql`insert into shipment (order_id, company, no, line, self_run, created_at, updated_at, created_by, updated_by)
    select order_id, company, no, line, self_run, to_timestamp(at), to_timestamp(at), staff_id, staff_id from jsonb_to_recordset(${json}::jsonb) as r (order_id bigint, company text, no text, line text, self_run integer, at float8, staff_id bigint)`)
  const paid = withIds.filter(({ order }) => !UNPAID.has(order.status))
  await insertJson(tx, paid.map(({ id, order, amount, staffId }) => ({ order_id: id, at: order.paid_at, amount, channel: order.channel, staff_id: staffId })), (json) => sql`insert into payment (order_id, at, amount, channel, staff_id, created_at)
    select order_id, to_timestamp(at), amount, channel, staff_id, to_timestamp(at) from jsonb_to_recordset(${json}::jsonb) as r (order_id bigint, at float8, amount bigint, channel text, staff_id bigint)`)
  await insertJson(tx, withIds.filter(({ refunded }) => refunded > 0).map(({ id, order, refunded, staffId }) => ({ order_id: id, at: order.decided_at, amount: refunded, channel: order.channel, staff_id: staffId, other: staff[(staff.indexOf(staffId) + 1) % staff.length] })), (json) => sql`
    insert into refund (order_id, amount, way, parts, reason, status, asked_by, asked_at, decided_by, decided_at)
    select order_id, amount, 'original', jsonb_build_array(jsonb_build_object('from', channel, 'to', channel, 'amount', amount)), '客户申请退款', 2, staff_id, to_timestamp(at), other, to_timestamp(at) from jsonb_to_recordset(${json}::jsonb) as r (order_id bigint, at float8, amount bigint, channel text, staff_id bigint, other bigint)`)
  await insertJson(tx, withIds.flatMap((one) => stepsOf(one).map((step) => ({ ...step, order_id: one.id, staff_id: step.action === 'close' ? null : one.staffId }))), (json) => sql`
    insert into order_log (order_id, at, staff_id, action, from_status, to_status, amount, reason)
    select order_id, to_timestamp(at), staff_id, action, "from", "to", amount, reason from jsonb_to_recordset(${json}::jsonb) as r (order_id bigint, at float8, staff_id bigint, action text, "from" integer, "to" integer, amount bigint, reason text)`)
  const entries = withIds.flatMap((one) => entriesOf(one).map((entry) => ({ ...entry, ...accountOf(one), order_id: one.id, order_no: one.no, created_by: one.staffId }))).sort((a, b) => a.at - b.at)
  await insertJson(tx, entries, (json) => sql`insert into ledger (account_kind, account_id, at, created_at, amount, kind, channel, order_id, order_no, created_by)
    select account_kind, account_id, to_timestamp(at), to_timestamp(at), amount, kind, channel, order_id, order_no, created_by
    from jsonb_to_recordset(${json}::jsonb) as r (account_kind text, account_id bigint, at float8, amount bigint, kind text, channel text, order_id bigint, order_no text, created_by bigint)`)
}
