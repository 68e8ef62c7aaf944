import { bigint, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })

/** What was said in a ticket: by the user, by staff, among staff, or by the product. Append-only. */
export const ticketMessage = pgTable('ticket_message', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  ticket_id: big('ticket_id').notNull(),
  at: moment('at').notNull().defaultNow(),
  side: text('side').notNull(),
  staff_id: big('staff_id'),
  body: text('body').notNull(),
  client_key: text('client_key'),
}, (table) => [index('ticket_message_ticket_i').on(table.ticket_id, table.id), uniqueIndex('ticket_message_client_u').on(table.ticket_id, table.client_key).where(sql`client_key is not null`)])

/** Answers that are given often; `{昵称}` stands for the user's name. */
export const cannedReply = pgTable('canned_reply', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  code: text('code').notNull(),
  body: text('body').notNull(),
  used_n: integer('used_n').notNull().default(0),
}, (table) => [uniqueIndex('canned_reply_code_u').on(table.code)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { ticket_message: ['id', 'ticket_id', 'at', 'side', 'staff_id', 'body', 'client_key'] }
