import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/** Links by which people without an account see one page of one record. */
export const publicLink = pgTable('public_link', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  token: text('token').notNull(),
  kind: text('kind').notNull(),
  ref_id: bigint('ref_id', { mode: 'number' }).notNull(),
  created_by: bigint('created_by', { mode: 'number' }),
  created_at: timestamp('created_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  expires_at: timestamp('expires_at', { withTimezone: true, precision: 0 }),
  revoked_at: timestamp('revoked_at', { withTimezone: true, precision: 0 }),
  /** When it was first opened. */
  opened_at: timestamp('opened_at', { withTimezone: true, precision: 0 }),
}, (table) => [uniqueIndex('public_link_token_u').on(table.token), index('public_link_ref_i').on(table.kind, table.ref_id).where(sql`revoked_at is null`)])
