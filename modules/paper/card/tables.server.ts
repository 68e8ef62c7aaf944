import { bigint, boolean, index, integer, jsonb, numeric, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 }).notNull().defaultNow()

/** An answer card as it was printed: it is read by this, whatever became of the paper since. Its id stands in the page marks. */
export const paperCard = pgTable('paper_card', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  paper_id: id('paper_id').notNull(),
  version_no: integer('version_no').notNull(),
  /** Hash of the layout and the questions: what is the same is printed under one number. */
  digest: text('digest').notNull(),
  /** A `CardLayout`, and `CardQuestion[]`. */
  layout: jsonb('layout').notNull(),
  questions: jsonb('questions').notNull(),
  staff_id: id('staff_id'),
  at: at('at'),
}, (table) => [uniqueIndex('paper_card_u').on(table.paper_id, table.digest)])

/** Cards of one sitting that are marked together. */
export const cardMarking = pgTable('card_marking', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  paper_id: id('paper_id').notNull(),
  name: text('name').notNull(),
  /** `Candidate[]` as they were pasted. */
  roster: jsonb('roster').notNull(),
  /** open or done */
  state: text('state').notNull(),
  /** Job that reads pages, or did so last. */
  job_id: id('job_id'),
  staff_id: id('staff_id'),
  created_at: at('created_at'),
}, (table) => [index('card_marking_paper_i').on(table.paper_id, table.id)])

/** A file with scanned pages. */
export const cardUpload = pgTable('card_upload', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  marking_id: id('marking_id').notNull(),
  file_id: text('file_id').notNull(),
  name: text('name').notNull(),
  /** Null until it was opened. */
  pages: integer('pages'),
  /** The page that is read next: what was read stays read, however often the job begins again. */
  next: integer('next').notNull().default(0),
  /** Why it could not be opened; null when it could. */
  problem: text('problem'),
}, (table) => [uniqueIndex('card_upload_u').on(table.marking_id, table.file_id)])

/** A page that was scanned. */
export const cardPage = pgTable('card_page', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  marking_id: id('marking_id').notNull(),
  upload_id: id('upload_id').notNull(),
  ord: integer('ord').notNull(),
  /** Null where no page marks were found. */
  card_id: id('card_id'),
  page_no: smallint('page_no'),
  /** As it was filled in or typed; digits that could not be read are question marks. */
  number: text('number'),
  /** Whom it belongs to by the page before it, until somebody has looked. */
  guess: text('guess'),
  /** read, loose (the number is to be typed), twice (another page is there already), failed */
  state: text('state').notNull(),
  /** What is wrong, in a sentence. */
  problem: text('problem'),
  absent: boolean('absent').notNull().default(false),
  /** Picture of the page laid straight, where its marks were found; else as it came. */
  file_id: text('file_id').notNull(),
}, (table) => [
  uniqueIndex('card_page_u').on(table.upload_id, table.ord),
  // Nobody counts twice, however many people mark.
  uniqueIndex('card_page_number_u').on(table.marking_id, table.number, table.page_no).where(sql`state = 'read'`),
])

/** What a page answers to a question. */
export const cardMark = pgTable('card_mark', {
  page_id: id('page_id').notNull(),
  /** Place of the question among those of the card. */
  question: integer('question').notNull(),
  /** Letters that are filled in; null for what is written. */
  letters: text('letters').array(),
  confidence: numeric('confidence'),
  doubtful: boolean('doubtful').notNull().default(false),
  /** Points of what is written; null until somebody gave some. */
  score: numeric('score'),
  /** Who looked at it. */
  staff_id: id('staff_id'),
}, (table) => [primaryKey({ columns: [table.page_id, table.question] })])
