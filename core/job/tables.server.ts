import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Long work, both as staff see it and as the queue that processes take it from. */
export const job = pgTable('job', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text('kind').notNull(),
  title: text('title').notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  /** Where it was asked for, for the log of what it changes. */
  ip: text('ip'),
  request_id: text('request_id'),
  /** One of JOB_STATUS in calls.ts. */
  status: text('status').notNull().default('waiting'),
  input: jsonb('input').notNull(),
  /** How far it came, as far as it can go on from there after an interruption. */
  saved: jsonb('saved'),
  done: integer('done').notNull().default(0),
  total: integer('total'),
  /** What came of it: counts, files, a preview. */
  result: jsonb('result'),
  /** One sentence, when it failed. */
  error: text('error'),
  created_at: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  started_at: timestamp('started_at', { withTimezone: true }),
  finished_at: timestamp('finished_at', { withTimezone: true }),
  /** The process that runs it, and when that last said that it is alive. */
  runner: text('runner'),
  beat_at: timestamp('beat_at', { withTimezone: true }),
  attempts: integer('attempts').notNull().default(0),
  cancel_asked: boolean('cancel_asked').notNull().default(false),
}, (table) => [
  index('job_staff_i').on(table.staff_id, table.id),
  index('job_open_i').on(table.status, table.id).where(sql`status in ('waiting', 'running')`),
])
