import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** A state of a plan that was published; it does not change any more. */
export const planVersion = pgTable('plan_version', {
  plan_id: id('plan_id').notNull(),
  no: integer('no').notNull(),
  /** A list of `PlanTask`. */
  tasks: jsonb('tasks').notNull(),
  staff_id: id('staff_id'),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.plan_id, table.no] })])

/** From which of its days on a room works through which version: what was published later reaches it from the next day. */
export const planRun = pgTable('plan_run', {
  grant_id: id('grant_id').notNull(),
  no: integer('no').notNull(),
  from_day: integer('from_day').notNull(),
}, (table) => [primaryKey({ columns: [table.grant_id, table.no] })])

/** What a plan shows, each thing once: in what is edited, or in what is published. It is written with the plan. */
export const planUse = pgTable('plan_use', {
  plan_id: id('plan_id').notNull(),
  kind: text('kind').notNull(),
  ref_id: id('ref_id').notNull(),
  /** The published version shows it. */
  live: boolean('live').notNull(),
}, (table) => [primaryKey({ columns: [table.plan_id, table.kind, table.ref_id] }), index('plan_use_ref_i').on(table.kind, table.ref_id)])

/** What somebody did of a plan. */
export const planDone = pgTable('plan_done', {
  account_id: id('account_id').notNull(),
  task_key: text('task_key').notNull(),
  at: at('at').notNull(),
  /** Whoever ticked it; null where the learner's app said so. */
  staff_id: id('staff_id'),
}, (table) => [primaryKey({ columns: [table.account_id, table.task_key] })])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { plan_version: ['plan_id', 'no', 'tasks', 'staff_id', 'at'] }
