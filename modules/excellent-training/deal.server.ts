import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { courseEffects } from '../offer/door.server.ts'
import { placeOrder, workOf, type OrderEffects } from '../order/door.server.ts'
import { dealProblem, partOf, readDeal, signDeal, type DealOrder } from './deal.ts'
import { excellentLine, FURTHER_PART, PART } from './line.ts'

const { orders, orderLine, offers } = excellentLine

/**
 * What the line does when orders move: the first payment of a deal opens what was sold, further ones open nothing. They come
 * with a deal alone.
 */
export const dealEffects = (own: OrderEffects): OrderEffects => ({
  ...own,
  async check(order) {
    if (order.items.some(({ kind }) => kind === FURTHER_PART)) throw invalid({ 'order_info.items': '后续款项随签约产生，不能单独录单' })
    Object.assign(order.values, { part: PART.whole, part_no: 1 })
    await own.check?.(order)
  },
  fulfil: (change) => (change.item.kind === FURTHER_PART ? Promise.resolve(null) : own.fulfil?.(change) ?? Promise.resolve(null)),
  revoke: (change) => (change.item.kind === FURTHER_PART ? Promise.resolve() : own.revoke?.(change) ?? Promise.resolve()),
})

/** The calls of deals, answered. */
export function dealCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  const base = courseEffects(excellentLine.line.code, offers)
  const effects = dealEffects(base)
  return [
    handle(signDeal, (call) => call.transaction(async (tx) => {
      const { offer_id, contract_no, mobile, name, parts, remark } = call.input
      const [project] = await tx.query<{ price: number; instalments: number | null }>(sql`select price, instalments from offer where id in (select id from offer where ${listCondition(offers, call.staff, {})}) and id = ${offer_id}`)
      if (!project) throw invalid({ offer_id: '项目不存在或已被删除，请重新选择' })
      const problem = dealProblem(project.price, parts, project)
      if (problem) throw invalid({ parts: problem })
      // Of two people who sign the same contract the second waits, and then finds it.
      await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`deal ${contract_no}`}))`)
      const [known] = await tx.query<{ order_no: string }>(sql`select order_no from orders where deal_no = ${contract_no} and line = ${orderLine.code} and deleted_at is null limit 1`)
      if (known) throw invalid({ contract_no: `合同号已用于订单 ${known.order_no}` })
      const targets = new Map([...registry].map(([key, service]) => [key, service.resource]))
      const ids: number[] = []
      for (const [index, { amount, due_at }] of parts.entries()) {
        // The whole of the parts is the price: none of them is a discount.
        const work = workOf({ line: orderLine, resource: orders, effects: {
          ...effects,
          // A part of the price is less than all of it; together they are the whole.
          floors: async () => new Map(),
          async check(planned) {
            Object.assign(planned.values, { part: partOf(index, parts.length), part_no: index + 1, due_at: due_at ?? null })
            if (index === 0) await base.check?.(planned)
          },
        } }, tx, call.staff, ['reprice'])
        const order = await placeOrder(work, call.staff, {
          order_info: { items: [{ kind: index === 0 ? 'offer' : FURTHER_PART, ref_id: offer_id, price: amount, qty: 1 }], biz_type: 1, virtual: false, ...(remark && { remark }) },
          package_price: { discount: 0, paid: 0 }, referrer_info: {}, user_info: { mobile, name },
        }, targets, { deal_no: contract_no })
        ids.push(order.id)
      }
      return { deal_no: contract_no, ids }
    })),
    handle(readDeal, async (call) => {
      const id = idParam(call)
      const [order] = await call.db.query<{ deal_no: string | null }>(sql`select deal_no from orders where ${listCondition(orders, call.staff, {})} and id = ${id}`)
      if (!order) throw notFound(orders.label)
      const rows = await call.db.query<DealOrder & Record<string, unknown>>(sql`select o.id, o.order_no, coalesce(p.part, 1)::int as part, coalesce(p.part_no, 1)::int as part_no, p.due_at, o.amount, o.paid, o.refunded, o.status
        from orders o left join excellent_part p on p.id = o.side_id where o.line = ${orderLine.code} and o.deleted_at is null and ${order.deal_no === null ? sql`o.id = ${id}` : sql`o.deal_no = ${order.deal_no}`} order by p.part_no, o.id`)
      return { deal_no: order.deal_no, orders: rows }
    }),
  ]
}
