import { bigint, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' }).notNull()

/**
 * Who sits where at this moment: a row for each visit that has not ended. Its keys, not a look before the write, keep a
 * seat from being given twice and a person from sitting in two places, no matter who comes at the same time.
 */
export const seated = pgTable('seated', {
  seat_id: bigint('seat_id', { mode: 'number' }).primaryKey(),
  member_id: id('member_id'),
  user_card_id: id('user_card_id'),
  visit_id: id('visit_id'),
  room_id: id('room_id'),
  in_at: timestamp('in_at', { withTimezone: true, precision: 0 }).notNull(),
}, (table) => [
  uniqueIndex('seated_member_u').on(table.member_id),
  uniqueIndex('seated_visit_u').on(table.visit_id),
  uniqueIndex('seated_card_u').on(table.user_card_id),
  index('seated_room_i').on(table.room_id),
])

/** By what each pad shows that it is that pad: a hash, so that nobody reads a token out of the database. */
export const padToken = pgTable('pad_token', { pad_id: bigint('pad_id', { mode: 'number' }).primaryKey(), hash: text('hash').notNull() }, (table) => [uniqueIndex('pad_token_hash_u').on(table.hash)])

/** Closed days stay as they were closed. */
export const appendOnly: Readonly<Record<string, readonly string[]>> = {
  day_closing: ['room_id', 'school_id', 'day', 'shift', 'expected', 'counted', 'difference', 'lines', 'last_entry'],
}
