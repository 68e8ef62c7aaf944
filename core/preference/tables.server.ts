import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/** Choices of a staff member about the console itself: columns of a list, shell settings. */
export const preference = pgTable('preference', {
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  key: text('key').notNull(),
  value: jsonb('value').notNull(),
  updated_at: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.key] })])

/** Filters, order and columns of a list under a name, private or shown to colleagues. */
export const savedView = pgTable('saved_view', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  list: text('list').notNull(),
  name: text('name').notNull(),
  /** The list's URL query: filters and sort. */
  query: text('query').notNull(),
  columns: jsonb('columns'),
  shared: boolean('shared').notNull().default(false),
  created_at: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
}, (table) => [index('saved_view_list_i').on(table.list), uniqueIndex('saved_view_name_u').on(table.staff_id, table.list, table.name)])
