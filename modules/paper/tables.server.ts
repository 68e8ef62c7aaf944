import { bigint, boolean, index, integer, jsonb, numeric, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** Sections and questions of a paper as it is being edited: a `PaperBody`. */
export const paperBody = pgTable('paper_body', {
  paper_id: id('paper_id').primaryKey(),
  /** Counts the changes, so that an editor knows whether somebody else was there. */
  rev: integer('rev').notNull().default(0),
  body: jsonb('body').notNull(),
})

/** The same once more, question by question: where a question is used, and how often. */
export const paperItem = pgTable('paper_item', {
  paper_id: id('paper_id').notNull(),
  practice_id: id('practice_id').notNull(),
  ord: integer('ord').notNull(),
  score: numeric('score').notNull(),
}, (table) => [primaryKey({ columns: [table.paper_id, table.practice_id] }), index('paper_item_practice_i').on(table.practice_id, table.paper_id)])

/** What learners see: a state of the paper that does not change any more. */
export const paperVersion = pgTable('paper_version', {
  paper_id: id('paper_id').notNull(),
  version_no: integer('version_no').notNull(),
  body: jsonb('body').notNull(),
  staff_id: id('staff_id'),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.paper_id, table.version_no] })])

/** Who changed what of a paper, change by change. */
export const paperChange = pgTable('paper_change', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  paper_id: id('paper_id').notNull(),
  staff_id: id('staff_id'),
  changes: jsonb('changes').notNull(),
  at: at('at').notNull().defaultNow(),
}, (table) => [index('paper_change_paper_i').on(table.paper_id, table.id)])

/** What goes with a smart paper. */
export const smartMaterial = pgTable('smart_material', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  smart_paper_id: id('smart_paper_id').notNull(),
  /** practice or paper */
  kind: text('kind').notNull(),
  ref_id: id('ref_id').notNull(),
  ord: integer('ord').notNull().default(0),
}, (table) => [uniqueIndex('smart_material_u').on(table.smart_paper_id, table.kind, table.ref_id)])

/** Questions that a micro lesson leads to. */
export const microPractice = pgTable('micro_practice', {
  lesson_id: id('lesson_id').notNull(),
  practice_id: id('practice_id').notNull(),
  ord: integer('ord').notNull(),
}, (table) => [primaryKey({ columns: [table.lesson_id, table.practice_id] }), index('micro_practice_practice_i').on(table.practice_id)])

/** What learners watched of a micro lesson. */
export const microPlay = pgTable('micro_play', {
  lesson_id: id('lesson_id').notNull(),
  /** 0: somebody unknown */
  user_id: id('user_id').notNull().default(0),
  at: at('at').notNull(),
  seconds: integer('seconds').notNull(),
  finished: boolean('finished').notNull(),
}, (table) => [primaryKey({ columns: [table.lesson_id, table.user_id, table.at] })])

/** The paper that was made of an imported file. */
export const paperImport = pgTable('paper_import', {
  import_id: id('import_id').primaryKey(),
  paper_id: id('paper_id').notNull(),
}, (table) => [index('paper_import_paper_i').on(table.paper_id)])
