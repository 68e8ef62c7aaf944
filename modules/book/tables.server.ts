import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })

/** A time that a book went to the printer's; it does not change any more. */
export const bookPrint = pgTable('book_print', {
  book_id: id('book_id').notNull(),
  no: integer('no').notNull(),
  copies: integer('copies').notNull(),
  /** How many of its codes were printed for the first time. */
  fresh: integer('fresh').notNull(),
  note: text('note'),
  staff_id: id('staff_id'),
  at: timestamp('at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.book_id, table.no] })])

/** What the places of a page lead to, each thing once; written with the page. */
export const hotspotUse = pgTable('hotspot_use', {
  page_id: id('page_id').notNull(),
  kind: text('kind').notNull(),
  ref_id: id('ref_id').notNull(),
}, (table) => [primaryKey({ columns: [table.page_id, table.kind, table.ref_id] }), index('hotspot_use_ref_i').on(table.kind, table.ref_id)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { book_print: ['book_id', 'no', 'copies', 'fresh', 'note', 'staff_id', 'at'] }
