import { bigint, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/** Errors that browsers reported, equal ones counted. */
export const clientError = pgTable('client_error', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Hash of what makes two errors equal: message, place, release. */
  fingerprint: text('fingerprint').notNull(),
  first_at: timestamp('first_at', { withTimezone: true }).notNull().defaultNow(),
  /** When it last happened, and to whom. */
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  staff_id: bigint('staff_id', { mode: 'number' }),
  message: text('message').notNull(),
  stack: text('stack'),
  url: text('url'),
  release: text('release'),
  user_agent: text('user_agent'),
  times: integer('times').notNull().default(1),
}, (table) => [uniqueIndex('client_error_fingerprint_u').on(table.fingerprint), index('client_error_at_i').on(table.at)])
