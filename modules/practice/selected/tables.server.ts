import { bigint, index, integer, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })

/** Questions that were chosen for a place, one set for each kind of exercise and line of products (domain 2.3). */
export const selectedSet = pgTable('selected_set', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  /** chapter or label. */
  scope: text('scope').notNull(),
  ref_id: id('ref_id').notNull(),
  /** Code of the line that it is for; empty for all that have none of their own. */
  product_line: text('product_line').notNull().default(''),
  /** One of SET_GROUPS. */
  group_key: smallint('group_key').notNull(),
  /** How many there should be; null when nobody said. */
  target_n: integer('target_n'),
  /** Counts the rebuilds. */
  version_no: integer('version_no').notNull().default(1),
  staff_id: id('staff_id'),
  at: timestamp('at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [uniqueIndex('selected_set_u').on(table.scope, table.ref_id, table.product_line, table.group_key)])

export const selectedItem = pgTable('selected_item', {
  set_id: id('set_id').notNull(),
  practice_id: id('practice_id').notNull(),
  ord: integer('ord').notNull(),
  /** Version of the question that was chosen. */
  version_no: integer('version_no').notNull(),
}, (table) => [primaryKey({ columns: [table.set_id, table.practice_id] }), index('selected_item_practice_i').on(table.practice_id)])
