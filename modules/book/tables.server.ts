import { bigint, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** A time that a book went to the printer's; it does not change any more. */
export const bookPrint = pgTable('book_print', {
  book_id: id('book_id').notNull(),
  no: integer('no').notNull(),
  copies: integer('copies').notNull(),
  /** How many of its codes were printed for the first time. */
  fresh: integer('fresh').notNull(),
  note: text('note'),
  staff_id: id('staff_id'),
  at: at('at').notNull().defaultNow(),
  /** The file that was printed; null where the pages never came from one. */
  pdf_id: id('pdf_id'),
}, (table) => [primaryKey({ columns: [table.book_id, table.no] })])

/** A file that a book is printed from, and what was read of it. */
export const bookPdf = pgTable('book_pdf', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  book_id: id('book_id').notNull(),
  /** Counted within the book. */
  no: integer('no').notNull(),
  name: text('name').notNull(),
  /** Null for pages that were pictures before there was a file. */
  url: text('url'),
  /** One of PDF_STATE. */
  state: integer('state').notNull(),
  pages: integer('pages').notNull().default(0),
  error: text('error'),
  /** Places of the pages before that were not found again: a list of `Lost`. */
  lost: jsonb('lost').notNull().default([]),
  staff_id: id('staff_id'),
  at: at('at').notNull().defaultNow(),
  used_at: at('used_at'),
}, (table) => [uniqueIndex('book_pdf_u').on(table.book_id, table.no)])

/** A page of such a file: its picture, what is written where, and its places as they were when another file took its place. */
export const bookPdfPage = pgTable('book_pdf_page', {
  pdf_id: id('pdf_id').notNull(),
  page_no: integer('page_no').notNull(),
  image: text('image').notNull(),
  w_mm: doublePrecision('w_mm').notNull(),
  h_mm: doublePrecision('h_mm').notNull(),
  /** A list of `Line`. */
  lines: jsonb('lines').notNull().default([]),
  /** A list of `Hotspot`. */
  spots: jsonb('spots').notNull().default([]),
  /** Page of the file before that it goes back to. */
  from_page: integer('from_page'),
  /** Why a person has to look at it: one of PAGE_NOTE. */
  note: integer('note').notNull().default(0),
}, (table) => [primaryKey({ columns: [table.pdf_id, table.page_no] }), index('book_pdf_page_spots_i').using('gin', table.spots.op('jsonb_path_ops'))])

/** A code that stands on a page of such a file. */
export const bookPdfCode = pgTable('book_pdf_code', {
  pdf_id: id('pdf_id').notNull(),
  page_no: integer('page_no').notNull(),
  ord: integer('ord').notNull(),
  /** The code itself; null where the text is none of ours. */
  code: text('code'),
  text: text('text').notNull(),
  /** Its side, and the white around it in modules. */
  mm: doublePrecision('mm').notNull(),
  quiet: doublePrecision('quiet').notNull(),
}, (table) => [primaryKey({ columns: [table.pdf_id, table.page_no, table.ord] }), index('book_pdf_code_i').on(table.code)])

/** What the places of a page lead to, each thing once; written with the page. */
export const hotspotUse = pgTable('hotspot_use', {
  page_id: id('page_id').notNull(),
  kind: text('kind').notNull(),
  ref_id: id('ref_id').notNull(),
}, (table) => [primaryKey({ columns: [table.page_id, table.kind, table.ref_id] }), index('hotspot_use_ref_i').on(table.kind, table.ref_id)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { book_print: ['book_id', 'no', 'copies', 'fresh', 'note', 'staff_id', 'at'] }
