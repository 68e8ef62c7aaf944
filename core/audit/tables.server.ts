import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Who changed what, when, from where; written by triggers, so that no way of writing escapes. */
export const auditLog = pgTable('audit_log', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  staff_id: bigint('staff_id', { mode: 'number' }),
  ip: text('ip'),
  request_id: text('request_id'),
  action: text('action').notNull(),
  reason: text('reason'),
  entity: text('entity').notNull(),
  entity_id: bigint('entity_id', { mode: 'number' }).notNull(),
  before: jsonb('before'),
  after: jsonb('after'),
  /** The job that did it: an import, a bulk action, an export. */
  job_id: bigint('job_id', { mode: 'number' }),
}, (table) => [
  index('audit_log_entity_i').on(table.entity, table.entity_id, table.id),
  index('audit_log_staff_i').on(table.staff_id, table.at),
  index('audit_log_at_i').on(table.at),
  index('audit_log_job_i').on(table.job_id, table.id).where(sql`job_id is not null`),
])

/**
 * What the log held, piece by piece: how many rows and a hash of them that goes on from the hash of the piece before, so that
 * no row can be changed, taken out or put in afterwards without the chain showing it (ADR 24).
 */
export const auditSeal = pgTable('audit_seal', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  from_id: bigint('from_id', { mode: 'number' }).notNull(),
  to_id: bigint('to_id', { mode: 'number' }).notNull(),
  count: integer('count').notNull(),
  hash: text('hash').notNull(),
})

/** How many hidden values each person looked at on a day, which is counted from 1970 in China's time. */
export const revealCount = pgTable('reveal_count', {
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  day: integer('day').notNull(),
  count: integer('count').notNull(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.day] })])

/** What is written down stays as it was written. */
export const appendOnly: Readonly<Record<string, readonly string[]>> = {
  audit_log: ['id', 'at', 'staff_id', 'ip', 'request_id', 'action', 'reason', 'entity', 'entity_id', 'before', 'after', 'job_id'],
  audit_seal: ['id', 'at', 'from_id', 'to_id', 'count', 'hash'],
}
