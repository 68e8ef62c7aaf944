import { bigint, boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What a learner logs in with, apart from what lists, exports and the log read of them. */
export const userCredential = pgTable('user_credential', {
  user_id: bigint('user_id', { mode: 'number' }).primaryKey(),
  password_hash: text('password_hash').notNull(),
  /** Made by staff: good for one login before `expires_at`, after which the learner sets their own. */
  once: boolean('once').notNull(),
  expires_at: timestamp('expires_at', { withTimezone: true }),
  used_at: timestamp('used_at', { withTimezone: true }),
  changed_at: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
})
