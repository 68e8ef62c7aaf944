import { bigint, index, integer, numeric, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })

/** What a learner answered, as the products send it (domain 3.8). One sitting has a question once. */
export const practiceAnswer = pgTable('practice_answer', {
  /** Number that the sender gave to one learner's sitting. */
  sitting: id('sitting').notNull(),
  practice_id: id('practice_id').notNull(),
  score: numeric('score').notNull(),
  max: numeric('max').notNull(),
  /** Ids of the chosen options; null where nothing is chosen from. */
  picked: text('picked').array(),
  seconds: integer('seconds'),
  at: timestamp('at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.sitting, table.practice_id] }), index('practice_answer_practice_i').on(table.practice_id, table.sitting)])

/** Questions whose figures are older than their answers. */
export const practiceStatDue = pgTable('practice_stat_due', {
  practice_id: id('practice_id').primaryKey(),
})
