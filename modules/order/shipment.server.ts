import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Resource } from '../../core/resource/define.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { lockAnyOrder, moveOrder, statusLabel, workOf, type OrderRow, type ServedLine, type OrderContext } from './engine.server.ts'
import { edgeOf, SHIP_STATUS } from './flow.ts'

/** Why a parcel cannot go with an order; undefined when it can. */
function obstacle(served: ServedLine, order: Pick<OrderRow, 'status' | 'ship_status' | 'line' | 'self_run'>): string | undefined {
  if (order.line !== served.line.code || order.self_run !== Number(served.line.selfRun ?? false)) return `不是${served.line.label}的订单`
  if (order.ship_status === SHIP_STATUS.none) return '订单没有需要发货的商品'
  if (!edgeOf(served.line.flow, 'ship', order.status)) return `订单当前状态为「${statusLabel(served.line, order.status)}」，不能发货`
  return undefined
}

/** Marks a locked order as sent. */
async function markSent(work: OrderContext, order: OrderRow): Promise<void> {
  await moveOrder(work, order, 'ship', { sets: { ship_status: sql`${SHIP_STATUS.sent}` } })
}

/** Sends a parcel of a locked order. @throws AppError when the order has nothing to send, or not in this state */
export async function ship(work: OrderContext, order: OrderRow, parcel: { company: string; no: string }): Promise<void> {
  const reason = obstacle(work, order)
  if (reason) throw badRequest(reason)
  const [known] = await work.tx.query(sql`select 1 from shipment where order_id = ${order.id} and no = ${parcel.no} and deleted_at is null`)
  if (known) throw badRequest(`快递单号「${parcel.no}」已录入`)
  await work.tx.query(sql`insert into shipment (order_id, company, no, line, self_run, created_by, updated_by)
    values (${order.id}, ${parcel.company}, ${parcel.no}, ${order.line}, ${order.self_run}, ${work.staffId}, ${work.staffId})`)
  await markSent(work, order)
}

/** The parcels of a line's orders; a sheet of tracking numbers sends every order that it names. */
export function shipmentService(served: ServedLine, shipments: Resource): ResourceService {
  return serve(shipments)({
    async beforeImport({ tx, rows }) {
      const fresh = rows.filter(({ row }) => row === undefined)
      const ids = fresh.map(({ values }) => Number(values['order_id']))
      const found = await tx.query<OrderRow>(sql`select * from orders where id = any(${sql.param(ids)}::bigint[])`)
      const orders = new Map(found.map((order) => [order.id, order]))
      for (const { values, refuse } of fresh) {
        const order = orders.get(Number(values['order_id']))
        const reason = order && obstacle(served, order)
        if (reason) refuse(reason)
      }
    },
    async after({ tx, staff, row, saved }: { tx: Queryable; staff: Staff; row: unknown; saved: Readonly<Record<string, unknown>> }) {
      if (row) return
      await markSent(workOf(served, tx, staff), await lockAnyOrder(tx, Number(saved['order_id'])))
    },
  })
}
