import { bigint, boolean, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })

/** What a change of validity is about, one by one: what is given more time, or what is opened for whom. */
export const validityItem = pgTable('validity_item', {
  change_id: big('change_id').notNull(),
  n: integer('n').notNull(),
  user_id: big('user_id').notNull(),
  line: text('line').notNull(),
  offer_id: big('offer_id').notNull(),
  product: text('product').notNull(),
  /** Null until it is opened. */
  entitlement_id: big('entitlement_id'),
  days: integer('days').notNull(),
  /** Null for what is opened. */
  before_end: moment('before_end'),
  after_end: moment('after_end').notNull(),
  /** Whether time behind it moved with its end. */
  follows: boolean('follows').notNull().default(false),
}, (table) => [primaryKey({ columns: [table.change_id, table.n] }), index('validity_item_user_i').on(table.user_id, table.change_id)])
