import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** What a combination shows, each thing once: in what is edited, or in what is published. It is written with the combination. */
export const combinationUse = pgTable('combination_use', {
  combination_id: id('combination_id').notNull(),
  kind: text('kind').notNull(),
  ref_id: id('ref_id').notNull(),
  /** The published version shows it. */
  live: boolean('live').notNull(),
}, (table) => [primaryKey({ columns: [table.combination_id, table.kind, table.ref_id] }), index('combination_use_ref_i').on(table.kind, table.ref_id)])

/** A state that was published; it does not change any more. */
export const combinationVersion = pgTable('combination_version', {
  combination_id: id('combination_id').notNull(),
  no: integer('no').notNull(),
  /** A list of `CombinationItem`. */
  items: jsonb('items').notNull(),
  staff_id: id('staff_id'),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.combination_id, table.no] })])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { combination_version: ['combination_id', 'no', 'items', 'staff_id', 'at'] }
