import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })

/** What comes with an offer beside itself: further courses that it opens. */
export const offerItem = pgTable('offer_item', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  offer_id: big('offer_id').notNull(),
  kind: text('kind').notNull(),
  ref_id: big('ref_id').notNull(),
  qty: integer('qty').notNull().default(1),
}, (table) => [
  uniqueIndex('offer_item_offer_u').on(table.offer_id, table.kind, table.ref_id),
  index('offer_item_ref_i').on(table.kind, table.ref_id),
  check('offer_item_qty', sql`qty >= 1`),
])
