import { bigint, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })
const own = () => big('id').primaryKey().generatedByDefaultAsIdentity()

/** What came of a talk with somebody. Append-only. */
export const clueFollow = pgTable('clue_follow', {
  id: own(), clue_id: big('clue_id').notNull(), staff_id: big('staff_id'), at: moment('at').notNull().defaultNow(), way: text('way').notNull(), body: text('body').notNull(),
}, (table) => [index('clue_follow_clue_i').on(table.clue_id, table.id), index('clue_follow_staff_i').on(table.staff_id, table.at)])

/** Who had a clue from when to when, and how they came by it: one open row of a clue, none while it lies in the pool. */
export const clueOwnerLog = pgTable('clue_owner_log', {
  id: own(), clue_id: big('clue_id').notNull(), staff_id: big('staff_id').notNull(), from_at: moment('from_at').notNull().defaultNow(), to_at: moment('to_at'), cause: text('cause').notNull(), note: text('note'),
}, (table) => [uniqueIndex('clue_owner_log_open_u').on(table.clue_id).where(sql`to_at is null`), index('clue_owner_log_clue_i').on(table.clue_id, table.from_at), index('clue_owner_log_staff_i').on(table.staff_id, table.from_at)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { clue_follow: ['id', 'clue_id', 'staff_id', 'at', 'way', 'body'] }
