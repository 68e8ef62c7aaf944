import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })

/** What lies of a matter in a warehouse: the sum of the lines of its book. The database itself refuses less than nothing. */
export const matterStock = pgTable('matter_stock', {
  matter_id: big('matter_id').notNull(),
  warehouse_id: big('warehouse_id').notNull(),
  qty: big('qty').notNull().default(0),
}, (table) => [primaryKey({ columns: [table.matter_id, table.warehouse_id] }), index('matter_stock_warehouse_i').on(table.warehouse_id, table.matter_id), check('matter_stock_qty', sql`qty >= 0`)])

/** What somebody counted of a matter, and what the book said in that moment; of a loss `counted` is what is lost. */
export const matterCheckLine = pgTable('matter_check_line', {
  check_id: big('check_id').notNull(),
  matter_id: big('matter_id').notNull(),
  expected: big('expected').notNull(),
  counted: big('counted').notNull(),
  note: text('note'),
  staff_id: big('staff_id').notNull(),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.check_id, table.matter_id] }), index('matter_check_line_matter_i').on(table.matter_id), check('matter_check_line_counted', sql`counted >= 0`)])

/** Whose account the receiver's is follows a merge of two accounts; all else stays as it was written. */
export const appendOnly: Readonly<Record<string, readonly string[]>> = {
  matter_move: ['id', 'doc', 'matter_id', 'warehouse_id', 'kind', 'qty', 'balance', 'peer_id', 'purpose', 'receiver', 'mobile', 'order_no', 'print_no', 'check_no', 'note', 'reverse_of', 'created_by', 'created_at'],
}
