import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

/** Files that are kept with records. Those that were removed stay named, their bytes go once nobody can take that back. */
export const recordFile = pgTable('record_file', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Table of the record. */
  entity: text('entity').notNull(),
  entity_id: bigint('entity_id', { mode: 'number' }).notNull(),
  file_id: uuid('file_id').notNull(),
  name: text('name').notNull(),
  type: text('type').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  created_at: timestamp('created_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  removed_at: timestamp('removed_at', { withTimezone: true }),
}, (table) => [
  index('record_file_entity_i').on(table.entity, table.entity_id, table.id).where(sql`removed_at is null`),
  uniqueIndex('record_file_file_u').on(table.file_id),
])
