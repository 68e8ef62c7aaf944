import { bigint, boolean, date, index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Uploaded and produced files; the bytes lie on disk or in S3 under the id. */
export const file = pgTable('file', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  type: text('type').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  sha256: text('sha256').notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  /** A person who holds this id may fetch it too. */
  grant_id: integer('grant_id'),
  /** Screens whose records refer to it: a person who may see one of them may fetch it. */
  screens: integer('screens').array().notNull().default([]),
  /** It is kept with a record, which alone says who may fetch it, its sender included. */
  of_record: boolean('of_record').notNull().default(false),
  created_at: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  /** When it goes unless a record has claimed it by then; null once one has. */
  expires_at: timestamp('expires_at', { withTimezone: true }),
}, (table) => [index('file_staff_i').on(table.staff_id), index('file_expires_i').on(table.expires_at)])

/** What each person sent on each day, by announced length. */
export const uploadDay = pgTable('upload_day', {
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  day: date('day').notNull(),
  files: integer('files').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.day] })])
