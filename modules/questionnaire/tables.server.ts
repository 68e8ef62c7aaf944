import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })

/** The questions as they were published, each time that their words changed. */
export const questionnaireVersion = pgTable('questionnaire_version', {
  questionnaire_id: big('questionnaire_id').notNull(),
  no: integer('no').notNull(),
  questions: jsonb('questions').notNull(),
  at: moment('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.questionnaire_id, table.no] })])

/** How often its page was opened on a day. */
export const questionnaireDay = pgTable('questionnaire_day', {
  questionnaire_id: big('questionnaire_id').notNull(),
  day: date('day').notNull(),
  opened: integer('opened').notNull(),
}, (table) => [primaryKey({ columns: [table.questionnaire_id, table.day] })])

/** What somebody answered: the questions that they saw, and of these their answers, each as a list. */
export const questionnaireAnswer = pgTable('questionnaire_answer', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  questionnaire_id: big('questionnaire_id').notNull(),
  version: integer('version').notNull(),
  at: moment('at').notNull().defaultNow(),
  source: text('source').notNull(),
  /** Null where nobody is to know. */
  user_id: big('user_id'),
  /** Salted hash of who answered, so that they do so only so often. */
  who: text('who'),
  path: text('path').array().notNull(),
  values: jsonb('values').notNull(),
  seconds: integer('seconds').notNull(),
  /** Why it does not count; null where it does. */
  careless: text('careless'),
}, (table) => [index('questionnaire_answer_of_i').on(table.questionnaire_id, table.id), index('questionnaire_answer_who_i').on(table.questionnaire_id, table.who), index('questionnaire_answer_user_i').on(table.user_id)])
