import { sql } from 'drizzle-orm'
import type { PrintedLines } from '../../core/kernel/printed-lines.server.ts'
import { listedLines } from './figures.server.ts'

type Item = Readonly<Record<string, unknown>> & { readonly order_id: number; readonly line: string; readonly kind: string }

const shared = {
  of: ({ table }) => table === 'orders',
  columns: { name: { label: '商品', type: 'text' }, price: { label: '单价', type: 'money' }, qty: { label: '数量', type: 'number' }, net: { label: '金额', type: 'money' } },
} as const satisfies Pick<PrintedLines, 'of' | 'columns'>

const itemsOf: (...asked: Parameters<PrintedLines['read']>) => Promise<Item[]> = (db, ids) =>
  db.query<Item>(sql`select i.order_id, o.line, i.kind, i.name, i.price, i.qty, i.net from order_item i join orders o on o.id = i.order_id where i.order_id = any(${sql.param([...ids])}::bigint[]) order by i.order_id, i.id`)

const byOrder = (items: readonly Item[]) => Map.groupBy(items, ({ order_id }) => order_id)

/** What stands in an order, for receipts; and what of it goes into parcels, for delivery notes. */
export const orderLines: readonly PrintedLines[] = [
  { ...shared, name: 'items', title: '商品明细', read: async (db, ids) => byOrder(await itemsOf(db, ids)) },
  {
    ...shared, name: 'parcels', title: '发货明细',
    async read(db, ids) {
      const ships = new Set(listedLines().flatMap(({ code, goods }) => goods.flatMap((good) => (good.ships ? [`${code} ${good.kind}`] : []))))
      return byOrder((await itemsOf(db, ids)).filter(({ line, kind }) => ships.has(`${line} ${kind}`)))
    },
  },
]
