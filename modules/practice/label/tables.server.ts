import { bigint, boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** Labels that questions carry (domain 2.3). At most one of a question's labels is its main one. */
export const practiceLabel = pgTable('practice_label', {
  practice_id: id('practice_id'),
  label_id: id('label_id'),
  main: boolean('main').notNull().default(false),
}, (table) => [primaryKey({ columns: [table.practice_id, table.label_id] }), index('practice_label_label_i').on(table.label_id, table.practice_id)])

/**
 * Every label of a living question together with all labels above it. A filter by a label and everything below it is
 * then one range of this key, newest question first, however many labels and questions the branch has. It follows from
 * `practice_label` and `label.path`; code that changes either rebuilds it (label/closure.server.ts).
 */
export const practiceLabelTree = pgTable('practice_label_tree', {
  label_id: id('label_id'),
  pool: text('pool').notNull(),
  practice_id: id('practice_id'),
}, (table) => [primaryKey({ columns: [table.label_id, table.pool, table.practice_id] }), index('practice_label_tree_practice_i').on(table.practice_id)])

/** Which labels the chapters of textbooks teach (domain 2.2). */
export const labelChapter = pgTable('label_chapter', {
  label_id: id('label_id'),
  chapter_id: id('chapter_id'),
}, (table) => [primaryKey({ columns: [table.chapter_id, table.label_id] }), index('label_chapter_label_i').on(table.label_id)])
