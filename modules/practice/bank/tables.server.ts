import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, numeric, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** The text of a question: a `QuestionContent`. */
export const practiceBody = pgTable('practice_body', {
  practice_id: id('practice_id').primaryKey(),
  content: jsonb('content').notNull(),
})

/** Every saved state of a question that somebody may want back (domain 2.3). */
export const practiceVersion = pgTable('practice_version', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  practice_id: id('practice_id').notNull(),
  version_no: integer('version_no').notNull(),
  /** Content, facts and ids of labels and chapters. */
  snapshot: jsonb('snapshot').notNull(),
  staff_id: id('staff_id'),
  note: text('note'),
  /** Whether it was published to the official bank. */
  published: boolean('published').notNull().default(false),
  at: at('at').notNull().defaultNow(),
}, (table) => [uniqueIndex('practice_version_u').on(table.practice_id, table.version_no)])

/** What a person has typed and not saved yet; `practice_id` 0 is a new question. */
export const practiceDraft = pgTable('practice_draft', {
  staff_id: id('staff_id').notNull(),
  practice_id: id('practice_id').notNull(),
  level: smallint('level').notNull(),
  /** Revision of the question that the draft began with. */
  base_rev: integer('base_rev'),
  body: jsonb('body').notNull(),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.practice_id, table.level] })])

/** Keys by which likely duplicates find each other (content/fingerprint.ts). */
export const practiceBand = pgTable('practice_band', {
  key: integer('key').notNull(),
  practice_id: id('practice_id').notNull(),
}, (table) => [primaryKey({ columns: [table.key, table.practice_id] }), index('practice_band_practice_i').on(table.practice_id)])

/** What pictures look like (picture/hash.ts); without a hash: one that was looked at and cannot be compared. */
export const pictureHash = pgTable('picture_hash', {
  file_id: uuid('file_id').primaryKey(),
  hash: text('hash'),
})

export const practiceChapter = pgTable('practice_chapter', {
  practice_id: id('practice_id').notNull(),
  chapter_id: id('chapter_id').notNull(),
}, (table) => [primaryKey({ columns: [table.practice_id, table.chapter_id] }), index('practice_chapter_chapter_i').on(table.chapter_id, table.practice_id)])

/** Questions that belong together: duplicates, variants, and 举一反三 (domain 2.3). */
export const practiceSimilar = pgTable('practice_similar', {
  practice_id: id('practice_id').notNull(),
  other_id: id('other_id').notNull(),
  /** dup, variant or one2three */
  kind: text('kind').notNull(),
  score: numeric('score'),
  staff_id: id('staff_id'),
  ord: integer('ord').notNull().default(0),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.practice_id, table.other_id, table.kind] }), index('practice_similar_other_i').on(table.other_id, table.kind)])

/** Questions that a person has put aside to do something with. */
export const basketItem = pgTable('basket_item', {
  staff_id: id('staff_id').notNull(),
  practice_id: id('practice_id').notNull(),
  at: at('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.practice_id] })])

/** What answers say about a question (domain 3.8). */
export const practiceStat = pgTable('practice_stat', {
  practice_id: id('practice_id').primaryKey(),
  attempts: integer('attempts').notNull(),
  /** Mean share of the points. */
  facility: numeric('facility'),
  discrimination: numeric('discrimination'),
  disc_eff: numeric('disc_eff'),
  /** Share of the points of the strongest 27 % less that of the weakest. */
  group_gap: numeric('group_gap'),
  avg_seconds: integer('avg_seconds'),
  /** Share that chose each option, of all and of the strongest and weakest 27 %: { id, all, high, low }. */
  option_counts: jsonb('option_counts'),
  /** Names of what looks suspicious. */
  flags: text('flags').array().notNull().default(sql`'{}'::text[]`),
  at: at('at').notNull().defaultNow(),
}, (table) => [index('practice_stat_flags_i').using('gin', table.flags)])
