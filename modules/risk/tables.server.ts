import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })

/** The score of an account on a day. */
export const riskScore = pgTable('risk_score', {
  monitor_id: big('monitor_id').notNull(),
  day: date('day').notNull(),
  score: integer('score').notNull(),
  parts: jsonb('parts').notNull(),
}, (table) => [primaryKey({ columns: [table.monitor_id, table.day] })])

/** What was done about an account, by whom, and on what evidence; by nobody where the machine reminded. Append-only. */
export const riskAction = pgTable('risk_action', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  monitor_id: big('monitor_id').notNull(),
  at: moment('at').notNull().defaultNow(),
  kind: text('kind').notNull(),
  staff_id: big('staff_id'),
  reason: text('reason'),
  until: moment('until'),
  score: integer('score'),
  rules: text('rules').array(),
  evidence: jsonb('evidence'),
}, (table) => [index('risk_action_monitor_i').on(table.monitor_id, table.id), index('risk_action_at_i').on(table.at)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { risk_action: ['id', 'monitor_id', 'at', 'kind', 'staff_id', 'reason', 'until', 'score', 'rules', 'evidence'] }
