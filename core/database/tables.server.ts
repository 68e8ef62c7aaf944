import { bigint, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Requests that were carried out, so that a repeated one changes nothing twice. */
export const requestOnce = pgTable('request_once', {
  key: text('key').primaryKey(),
  /** Hash of call and body: the same key with other content is refused. */
  fingerprint: text('fingerprint').notNull(),
  result: jsonb('result'),
  /** The record that was made, where the answer is that record. */
  record_id: bigint('record_id', { mode: 'number' }),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
})

/** Small facts about this installation, such as the release that last started on it. */
export const installation = pgTable('installation', {
  key: text('key').notNull(),
  value: jsonb('value').notNull(),
}, (table) => [primaryKey({ columns: [table.key] })])
