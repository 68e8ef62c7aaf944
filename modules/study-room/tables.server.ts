import { bigint, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** That a partner of the week's list was called, or put off: append-only, the last line of a week counts. */
export const partnerContact = pgTable('partner_contact', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  partner_id: bigint('partner_id', { mode: 'number' }).notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  /** done or later */
  outcome: text('outcome').notNull(),
  note: text('note'),
  /** Until when it is put off. */
  until: timestamp('until', { withTimezone: true, precision: 0 }),
  /** The facts for which it stood on the list, in words. */
  reasons: jsonb('reasons').notNull(),
}, (table) => [index('partner_contact_partner_i').on(table.partner_id, table.id)])
