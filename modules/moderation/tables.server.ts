import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })

/** Who likes what: one row of a person and a comment, whatever is pressed how often. */
export const commentLike = pgTable('comment_like', {
  comment_id: big('comment_id').notNull(), user_id: big('user_id').notNull(), at: moment('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.comment_id, table.user_id] })])

/** What learners complain of. */
export const commentReport = pgTable('comment_report', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  comment_id: big('comment_id').notNull(), user_id: big('user_id').notNull(), at: moment('at').notNull().defaultNow(), cause: text('cause').notNull(), note: text('note').notNull().default(''), client_key: text('client_key').notNull(),
}, (table) => [uniqueIndex('comment_report_u').on(table.user_id, table.client_key), index('comment_report_comment_i').on(table.comment_id)])

/** What was not let through: words of the list, or somebody who may not speak. Append-only. */
export const commentRefused = pgTable('comment_refused', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  user_id: big('user_id').notNull(), at: moment('at').notNull().defaultNow(), target: text('target').notNull(), content: text('content').notNull(), words: text('words').array().notNull().default(sql`'{}'`), why: text('why').notNull(),
}, (table) => [index('comment_refused_user_i').on(table.user_id, table.id)])

/** How often a word was found on a day, also in what was not let through. */
export const wordHit = pgTable('word_hit', {
  word_id: big('word_id').notNull(), day: date('day').notNull(), n: integer('n').notNull(),
}, (table) => [primaryKey({ columns: [table.word_id, table.day] })])

/** States of the word list; what is newer than the list that somebody has in mind is read again. */
export const wordVersion = pgTable('word_version', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  at: moment('at').notNull().defaultNow(), staff_id: big('staff_id'), note: text('note').notNull(),
  /** The transaction that changed the list: however many words it changed, it is one state. */
  tx: text('tx').notNull(),
}, (table) => [uniqueIndex('word_version_tx_u').on(table.tx)])

export const appendOnly: Readonly<Record<string, readonly string[]>> = { comment_refused: ['id', 'user_id', 'at', 'target', 'content', 'words', 'why'] }
