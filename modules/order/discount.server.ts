import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { DiscountKind } from './flow.ts'
import { spread } from './money-rules.ts'

/** Why an order costs less: by a coupon, a sale, an activity, or because somebody granted it. */
export interface Discount {
  readonly kind: DiscountKind
  /** Its record; null of what was granted by hand. */
  readonly ref_id: number | null
  /** Fen. */
  readonly amount: number
}

/** What an order's discount consists of. */
export function readDiscounts(tx: Queryable, orderId: number): Promise<Discount[]> {
  return tx.query<Discount>(sql`select kind, ref_id, amount from order_discount where order_id = ${orderId} order by id`)
}

/** Writes parts of an order's discount; those of nothing are left out. */
export async function insertDiscounts(tx: Queryable, orderId: number, discounts: readonly Discount[]): Promise<void> {
  const real = discounts.filter(({ amount }) => amount > 0)
  if (real.length === 0) return
  await tx.query(sql`insert into order_discount (order_id, kind, ref_id, amount)
    select ${orderId}::bigint, r.kind, r.ref_id, r.amount from jsonb_to_recordset(${JSON.stringify(real)}::jsonb) as r (kind text, ref_id bigint, amount bigint)`)
}

/** Spreads the amount of an order that costs something else than before over its items. */
export async function spreadAmount(tx: Queryable, order: { readonly id: number; readonly amount: number }): Promise<void> {
  const items = await tx.query<{ id: number; price: number; qty: number }>(sql`select id, price, qty from order_item where order_id = ${order.id} order by id`)
  const nets = spread(order.amount, items.map(({ price, qty }) => price * qty))
  await tx.query(sql`update order_item i set net = r.net from unnest(${sql.param(items.map(({ id }) => id))}::bigint[], ${sql.param(nets)}::bigint[]) as r (id, net) where i.id = r.id`)
}
