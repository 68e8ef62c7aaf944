import { sql } from 'drizzle-orm'
import type { PrintedLines } from '../../core/kernel/printed-lines.server.ts'

/** What stands in an order, for receipts and delivery notes. */
export const orderLines: PrintedLines = {
  name: 'items',
  title: '商品明细',
  of: ({ table }) => table === 'orders',
  columns: { name: { label: '商品', type: 'text' }, price: { label: '单价', type: 'money' }, qty: { label: '数量', type: 'number' }, net: { label: '金额', type: 'money' } },
  async read(db, ids) {
    const rows = await db.query<{ order_id: number; name: string; price: number; qty: number; net: number }>(sql`select order_id, name, price, qty, net from order_item where order_id = any(${sql.param([...ids])}::bigint[]) order by order_id, id`)
    return Map.groupBy(rows, ({ order_id }) => order_id)
  },
}
