import { sql } from 'drizzle-orm'
import { bigint, index, numeric, pgTable, smallint, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })

/** Two questions that somebody should look at together (domain 2.3): a revision and what it revises, or likely duplicates. */
export const practiceCompare = pgTable('practice_compare', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  /** The revision; of duplicates the one with the smaller id. */
  left_id: id('left_id').notNull(),
  right_id: id('right_id').notNull(),
  /** revision or dup */
  kind: text('kind').notNull(),
  score: numeric('score'),
  /** See PAIR_STATE. */
  state: smallint('state').notNull().default(0),
  resolved_by: id('resolved_by'),
  at: timestamp('at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [
  uniqueIndex('practice_compare_u').on(table.left_id, table.right_id),
  index('practice_compare_right_i').on(table.right_id),
  index('practice_compare_open_i').on(table.id).where(sql`state = 0`),
])
