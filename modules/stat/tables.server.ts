import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })
const own = () => big('id').primaryKey().generatedByDefaultAsIdentity()

/**
 * What was counted on a day: of all, by one dimension at a time, and the same within each line. `grain` is the number of days
 * that end with this one: more than 1 where people are counted, whose days do not add up.
 */
export const statDaily = pgTable('stat_daily', {
  figure: text('figure').notNull(),
  grain: integer('grain').notNull(),
  /** Start of the day in China, in unix seconds. */
  day: big('day').notNull(),
  /** Line of business; empty for all. */
  line: text('line').notNull(),
  /** Dimension and its value; both empty for all. A value that is empty stands for records without one. */
  dim: text('dim').notNull(),
  key: text('key').notNull(),
  value: big('value').notNull(),
  /** The same by the hours in which something happened: `{"9": 3}`. */
  hours: jsonb('hours'),
}, (table) => [primaryKey({ columns: [table.figure, table.grain, table.line, table.dim, table.day, table.key] }), index('stat_daily_day_i').on(table.figure, table.day)])

/** Until when a figure was counted, and until where the log was looked through for changes of days before. */
export const statState = pgTable('stat_state', { figure: text('figure').primaryKey(), counted_at: moment('counted_at').notNull(), looked_at: moment('looked_at').notNull() })

/** Days that are to be counted again, as a whole. */
export const statDirty = pgTable('stat_dirty', { figure: text('figure').notNull(), day: big('day').notNull() }, (table) => [primaryKey({ columns: [table.figure, table.day] })])

/** What happened on a day, for those who look at its figures. */
export const statNote = pgTable('stat_note', {
  id: own(), day: big('day').notNull(), body: text('body').notNull(), bad: boolean('bad').notNull().default(false), staff_id: big('staff_id'), at: moment('at').notNull().defaultNow(),
}, (table) => [index('stat_note_day_i').on(table.day)])

/** Who wants a summary of the day before, at which hour of China's clock. */
export const statSubscription = pgTable('stat_subscription', { staff_id: big('staff_id').primaryKey(), hour: integer('hour').notNull(), line: text('line').notNull().default(''), sent_day: big('sent_day').notNull().default(0) })

/** Summaries that somebody got; they wait until they were read. */
export const statSummary = pgTable('stat_summary', {
  id: own(), staff_id: big('staff_id').notNull(), day: big('day').notNull(), line: text('line').notNull(), rows: jsonb('rows').notNull(), at: moment('at').notNull().defaultNow(), read_at: moment('read_at'),
}, (table) => [uniqueIndex('stat_summary_day_u').on(table.staff_id, table.day)])

/** What happened to an alert, and what people did about it. Append-only. */
export const alertEvent = pgTable('alert_event', {
  id: own(), alert_id: big('alert_id').notNull(), at: moment('at').notNull().defaultNow(), kind: text('kind').notNull(), staff_id: big('staff_id'), body: text('body').notNull(),
}, (table) => [index('alert_event_alert_i').on(table.alert_id, table.id)])

/** What the last look at something that must hold has found. */
export const checkResult = pgTable('check_result', {
  name: text('name').primaryKey(),
  checked_at: moment('checked_at').notNull(),
  found: integer('found').notNull(),
  samples: jsonb('samples').notNull(),
  /** Since when it does not hold; null while it does. */
  since: moment('since'),
  ms: integer('ms').notNull(),
  /** Why it could not be looked at. */
  problem: text('problem'),
})

export const appendOnly: Readonly<Record<string, readonly string[]>> = { alert_event: ['id', 'alert_id', 'at', 'kind', 'staff_id', 'body'] }
