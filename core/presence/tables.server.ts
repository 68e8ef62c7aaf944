import { bigint, boolean, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Who has a record open now, and whether they write. */
export const presence = pgTable('presence', {
  /** Table of the record. */
  entity: text('entity').notNull(),
  entity_id: bigint('entity_id', { mode: 'number' }).notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  writes: boolean('writes').notNull().default(false),
}, (table) => [primaryKey({ columns: [table.entity, table.entity_id, table.staff_id] })])
