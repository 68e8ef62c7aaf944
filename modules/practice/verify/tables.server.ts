import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core'

const id = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/** What each person found in each round (domain 2.3). */
export const practiceVerify = pgTable('practice_verify', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  practice_id: id('practice_id').notNull(),
  /** 1, 2, and 3 for the last. */
  round: smallint('round').notNull(),
  staff_id: id('staff_id').notNull(),
  /** Who had written it: score cards count by writer. */
  owner_id: id('owner_id'),
  passed: smallint('passed').notNull(),
  errors: text('errors').array().notNull(),
  note: text('note'),
  seconds: integer('seconds'),
  version_no: integer('version_no').notNull(),
  at: at('at').notNull().defaultNow(),
}, (table) => [index('practice_verify_practice_i').on(table.practice_id, table.id), index('practice_verify_owner_i').on(table.owner_id, table.at)])

/** Who is looking at a question now; nobody else may decide on it until then. */
export const verifyClaim = pgTable('verify_claim', {
  practice_id: id('practice_id').primaryKey(),
  staff_id: id('staff_id').notNull(),
  until: at('until').notNull(),
})

/** How questions are checked; one row. */
export const verifySetting = pgTable('verify_setting', {
  id: smallint('id').primaryKey(),
  /** A `VerifySettings`. */
  body: jsonb('body').notNull(),
})

/** Questions of a trusted source that one person passes by a sample (ADR 92). */
export const verifyBatch = pgTable('verify_batch', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  staff_id: id('staff_id').notNull(),
  round: smallint('round').notNull(),
  subject_id: id('subject_id').notNull(),
  /** reading, signed, undone or dropped */
  state: text('state').notNull(),
  at: at('at').notNull().defaultNow(),
  signed_at: at('signed_at'),
}, (table) => [index('verify_batch_staff_i').on(table.staff_id, table.id)])

/** One question of such a batch. */
export const verifyBatchItem = pgTable('verify_batch_item', {
  batch_id: id('batch_id').notNull(),
  practice_id: id('practice_id').notNull(),
  /** State of the question that was drawn; one that was changed since is not passed. */
  version_no: integer('version_no').notNull(),
  sampled: boolean('sampled').notNull(),
  /** What the person found who read it; null while it is unread, or was not drawn. */
  passed: boolean('passed'),
  errors: text('errors').array().notNull(),
  /** What became of it when the batch was signed; null when it was left as it was. */
  rev: integer('rev'),
  official_id: id('official_id'),
}, (table) => [primaryKey({ columns: [table.batch_id, table.practice_id] }), index('verify_batch_item_practice_i').on(table.practice_id)])
