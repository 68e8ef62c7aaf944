import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

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
