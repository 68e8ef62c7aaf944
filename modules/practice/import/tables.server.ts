import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })

/** A file of questions on its way into the bank (domain 1.18, 导入任务). */
export const practiceImport = pgTable('practice_import', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  staff_id: id('staff_id').notNull(),
  level: smallint('level').notNull(),
  /** Subject of every question that names none. */
  subject_id: id('subject_id'),
  file_id: text('file_id').notNull(),
  file_name: text('file_name').notNull(),
  /** parsing, ready, done, undone */
  state: text('state').notNull(),
  /** Job that moved it last. */
  job_id: id('job_id'),
  /** Which field is what, and the fields with samples; null for formats that need none. */
  mapping: jsonb('mapping'),
  fields: jsonb('fields'),
  /** Whether somebody has chosen the mapping, for this file or for one of the same layout. */
  mapping_kept: boolean('mapping_kept').notNull().default(false),
  /** What concerns the whole file. */
  notes: jsonb('notes').notNull().default([]),
  /** What the file says of itself where it is a whole paper: a `PaperHead`. */
  head: jsonb('head'),
  /** Labels that people have decided on: the id of ours, or null to leave it out, by `labelKey`. */
  decisions: jsonb('decisions').notNull().default({}),
  created_at: timestamp('created_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [index('practice_import_staff_i').on(table.staff_id, table.id)])

/** One question of such a file. */
export const practiceImportItem = pgTable('practice_import_item', {
  import_id: id('import_id').notNull(),
  ord: integer('ord').notNull(),
  place: text('place').notNull(),
  /** A `Question`; null when nothing could be made of it. */
  question: jsonb('question'),
  warnings: jsonb('warnings').notNull(),
  /** good, hint or problem */
  state: text('state').notNull(),
  subject_id: id('subject_id'),
  skip: boolean('skip').notNull().default(false),
  /** The section of a whole paper that it stood in: an `ItemSection`. */
  section: jsonb('section'),
  /** A question of the bank that is the same or much like it, and how. */
  like_id: id('like_id'),
  like_kind: text('like_kind'),
  practice_id: id('practice_id'),
  /** What the nearest questions of the bank say: a `Suggestion`; null when the file itself says it, or nobody knows. */
  suggested: jsonb('suggested'),
}, (table) => [primaryKey({ columns: [table.import_id, table.ord] }), index('practice_import_item_practice_i').on(table.practice_id)])

/** Which field is what in files of one layout, as a person has chosen it. */
export const practiceImportLayout = pgTable('practice_import_layout', {
  staff_id: id('staff_id').notNull(),
  /** Hash of the names of the file's own fields. */
  layout: text('layout').notNull(),
  mapping: jsonb('mapping').notNull(),
  updated_at: timestamp('updated_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.layout] })])
