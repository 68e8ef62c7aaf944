import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What staff say about a record, with whom they ask to look and what is to be done until when. Nothing of it is ever changed but that it is done. */
export const discussion = pgTable('discussion', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Table of the record. */
  entity: text('entity').notNull(),
  entity_id: bigint('entity_id', { mode: 'number' }).notNull(),
  /** Resource under which it was written: a table may hold several. */
  resource: text('resource').notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  body: text('body').notNull(),
  mentions: bigint('mentions', { mode: 'number' }).array().notNull().default(sql`'{}'`),
  /** Until when somebody does something about it. */
  follow_up_at: timestamp('follow_up_at', { withTimezone: true, precision: 0 }),
  follow_up_staff: bigint('follow_up_staff', { mode: 'number' }),
  done_at: timestamp('done_at', { withTimezone: true, precision: 0 }),
  created_at: timestamp('created_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [
  index('discussion_entity_i').on(table.entity, table.entity_id, table.id),
  index('discussion_mentions_i').using('gin', table.mentions),
  index('discussion_follow_up_i').on(table.follow_up_staff, table.follow_up_at).where(sql`follow_up_at is not null and done_at is null`),
])
