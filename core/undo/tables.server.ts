import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/** Something that a person did to one or many records and may take back for a day (ADR 44). */
export const undoAct = pgTable('undo_act', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  /** Name of the resource. */
  resource: text('resource').notNull(),
  /** As the log calls it. */
  action: text('action').notNull(),
  count: integer('count').notNull(),
  /** The job that did it, where it was done to many. */
  job_id: bigint('job_id', { mode: 'number' }),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  /** When it was taken back. */
  undone_at: timestamp('undone_at', { withTimezone: true }),
}, (table) => [
  index('undo_act_staff_i').on(table.staff_id, table.id),
  index('undo_act_at_i').on(table.at),
  uniqueIndex('undo_act_job_u').on(table.job_id),
])

/** What was done to one record: how it is taken back, and the revision that must still stand. */
export const undoStep = pgTable('undo_step', {
  act_id: bigint('act_id', { mode: 'number' }).notNull(),
  record_id: bigint('record_id', { mode: 'number' }).notNull(),
  rev: integer('rev').notNull(),
  /** A `Back` of core/resource/operations.server.ts. */
  back: jsonb('back').notNull(),
}, (table) => [primaryKey({ columns: [table.act_id, table.record_id] })])
