import { bigint, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })

/** Who was there in a meeting. */
export const rollCall = pgTable('roll_call', {
  meeting_id: id('meeting_id').notNull(),
  member_id: id('member_id').notNull(),
  /** One of ROLL. */
  status: smallint('status').notNull(),
  remark: text('remark'),
  staff_id: id('staff_id'),
  at: timestamp('at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.meeting_id, table.member_id] })])
