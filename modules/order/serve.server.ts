import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { Served } from '../../core/endpoint/serve.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { standardId } from '../../core/grant/grant.ts'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { ResourceService } from '../../core/resource/serve.server.ts'
import { ownRows } from '../../core/resource/uses.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { orderCalls } from './calls.server.ts'
import { listLine } from './figures.server.ts'
import { clockWork, lockAnyOrder, moveOrder, statusLabel, type OrderEffects, type ServedLine } from './engine.server.ts'
import { ORDER_STATUS, orderRight, SHIP_STATUS } from './flow.ts'
import { lineShips, type OrderLine } from './line.ts'
import { isOverdue } from './money.server.ts'
import { orderService, type CompleteRecorded } from './rules.server.ts'
import { readSetting } from './setting.server.ts'
import { shipmentService } from './shipment.server.ts'

/** A line as its module serves it: what goes into `serveModule`. */
export interface ServedOrders extends ServedLine {
  readonly services: readonly ResourceService[]
  readonly waiting: readonly WaitingKind[]
  readonly overview: OverviewSection
  calls(kernel: Kernel): Served[]
  sweep(db: Database): Sweep
}

const servedLines = new Map<string, ServedLine>()

/** A line of orders that some module serves, by the name of its resource; for modules that sell goods of several lines. */
export const servedOrders = (name: string): ServedLine | undefined => servedLines.get(name)

/** All lines of orders that modules serve. */
export const allServedOrders = (): ServedLine[] => [...servedLines.values()]

/** Seconds between two looks for orders that are to be closed: what they hold is waited for. */
const CLOSE_EVERY = 60

/** Orders that were not paid in time, closed one by one: each is a transaction of its own. */
async function closeUnpaid(db: Database, served: ServedLine): Promise<void> {
  const { unpaid_days } = await readSetting(db, served.resource.name)
  const unpaid = sql`select id from orders where ${sql.join(ownRows(served.resource), sql` and `)} and status = ${sql.raw(String(ORDER_STATUS.unpaid))} and deleted_at is null and paid = 0`
  // A payment of a deal has a date of its own, and is asked for when that is over.
  const days = unpaid_days > 0 ? sql` union ${unpaid} and deal_no is null and created_at < now() - make_interval(days => ${unpaid_days})` : sql``
  const rows = await db.query<{ id: number }>(sql`${unpaid} and close_at <= now()${days} order by id limit 1000`)
  for (const { id } of rows) {
    await db.transaction({ staff_id: null, action: 'close' }, async (tx) => {
      const order = await lockAnyOrder(tx, id)
      if (order.status !== ORDER_STATUS.unpaid || order.paid > 0) return
      await moveOrder(clockWork(served, tx), order, 'close', { reason: isOverdue(order) ? '超过付款时限' : `${unpaid_days} 天内未付款` })
    })
  }
}

/** What a line is called beside the others: those of our own rooms have the same names as partners'. */
const fullLabel = ({ selfRun, label }: OrderLine) => (selfRun === true ? `自营${label}` : label)

/** Orders that one section of an overview shows. */
const SHOWN = 50

/** What a person has bought of this line: orders that name their account, or their number. */
function overviewOf({ line, resource }: ServedLine, path: string): OverviewSection {
  return {
    name: line.name,
    title: fullLabel(line),
    grant: line.grant,
    async load(db, staff, { id, mobile }) {
      const mine = sql`${listCondition(resource, staff, {})} and (user_id = ${id} or buyer_mobile = ${mobile})`
      const rows = await db.query<Record<string, unknown> & { status: number }>(sql`select id, order_no, goods, amount, paid, refunded, paid_at, status from orders
        where ${mine} order by id desc limit ${sql.raw(String(SHOWN))}`)
      return {
        screen: path,
        columns: [
          { key: 'order_no', title: '订单号', as: 'text' }, { key: 'goods', title: '商品', as: 'text' }, { key: 'amount', title: '应付', as: 'money' },
          { key: 'paid', title: '实付', as: 'money' }, { key: 'refunded', title: '退款', as: 'money' }, { key: 'paid_at', title: '支付时间', as: 'time' }, { key: 'status', title: '状态', as: 'text' },
        ],
        rows: rows.map(({ status, ...row }) => ({ ...row, status: statusLabel(line, status) })),
      }
    },
  }
}

/** Days after that in which an order came until somebody has decided about it, or sent its goods. */
const DAYS = { audit: 1, refund: 1, ship: 2, mend: 3 } as const

/** The moment when an order came into the state in which it is. */
const stateSince = sql`coalesce((select max(l.at) from order_log l where l.order_id = orders.id and l.to_status = orders.status), orders.updated_at)`

/** What waits for somebody: orders to audit, refunds to decide, goods to send, and what was refused and is to be mended. */
function waitingOf({ line, resource }: ServedLine, path: string): WaitingKind[] {
  const ours = { path, since: stateSince, amount: 'amount', heads: [...(line.learners || !line.place ? [] : ['place_ref_id']), ...(line.buyer && !line.learners ? ['buyer_ref_id'] : []), 'buyer_name', 'order_no'], notes: ['goods'] }
  const kind = (name: string, what: string) => ({ ...ours, name: `${line.name}_${name}`, title: `${what}的${fullLabel(line)}` })
  const status = (value: number) => ({ status: String(value) })
  return [
    ...(line.flow === 'audited' ? [
      listWaiting(resource, { ...kind('auditing', '待审核'), group: 'decide', verb: '审核', query: () => status(ORDER_STATUS.auditing), grant: orderRight(resource, 'audit'), due: { days: DAYS.audit }, pass: 'approve', refuse: 'reject' }),
      listWaiting(resource, { ...kind('rejected', '被驳回'), group: 'returned', verb: '修改', query: () => status(ORDER_STATUS.rejected), grant: standardId(resource.grant, 'edit'), due: { days: DAYS.mend }, pass: 'resubmit' }),
    ] : []),
    listWaiting(resource, { ...kind('refunding', '待复核退款'), group: 'decide', verb: '复核', query: () => status(ORDER_STATUS.refunding), grant: orderRight(resource, 'decide'), due: { days: DAYS.refund } }),
    ...(lineShips(line) ? [listWaiting(resource, {
      ...kind('unshipped', '待发货'), group: 'act', verb: '发货', grant: orderRight(resource, 'ship'), due: { days: DAYS.ship }, pass: 'ship',
      query: () => ({ ship_status: String(SHIP_STATUS.waiting), ...status(line.flow === 'audited' ? ORDER_STATUS.effective : ORDER_STATUS.unshipped) }),
    })] : []),
  ]
}

/**
 * Serves the orders of a line.
 * @param parts.effects what the line's owner does when orders move
 * @param parts.complete for lines whose orders are recorded one by one
 * @param parts.shipments for lines that send goods
 * @param parts.path of the screen, for the numbers of the home page
 */
export function serveOrders(line: OrderLine, resource: Resource, parts: { effects: OrderEffects; path: string; complete?: CompleteRecorded; shipments?: Resource }): ServedOrders {
  const served: ServedLine = { line, resource, effects: parts.effects }
  listLine({ line, resource, path: parts.path })
  servedLines.set(resource.name, served)
  const service = orderService(served, parts.complete)
  return {
    ...served,
    services: [service, ...(parts.shipments ? [shipmentService(served, parts.shipments)] : [])],
    waiting: waitingOf(served, parts.path),
    overview: overviewOf(served, parts.path),
    calls: (kernel) => orderCalls(kernel, served, service.rules),
    sweep: (db) => ({ name: `${line.name}_unpaid`, every: CLOSE_EVERY, run: () => closeUnpaid(db, served) }),
  }
}

/** What the lines of a module bring to it, as `serveModule` takes it. @param overviews lines that are shown of a user */
export function orderParts(lines: readonly ServedOrders[], overviews: readonly ServedOrders[] = []) {
  return {
    services: lines.flatMap(({ services }) => services),
    waiting: lines.flatMap(({ waiting }) => waiting),
    overview: overviews.map(({ overview }) => overview),
    calls: (kernel: Kernel) => lines.flatMap(({ calls }) => calls(kernel)),
    sweeps: (db: Database) => lines.map(({ sweep }) => sweep(db)),
  }
}
