import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

/** By what a learners' app shows that it is that app: a hash, so that nobody reads a key out of the database. */
export const appClientKey = pgTable('app_client_key', { client_id: bigint('client_id', { mode: 'number' }).primaryKey(), hash: text('hash').notNull() }, (table) => [uniqueIndex('app_client_key_hash_u').on(table.hash)])

const id = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })

/** What opens a message channel, encrypted. */
export const messageChannelKey = pgTable('message_channel_key', { channel_id: id('channel_id').primaryKey(), sealed: text('sealed').notNull() })

/** Where somebody is reached outside of the console, and when not. */
export const messageContact = pgTable('message_contact', {
  staff_id: id('staff_id').primaryKey(),
  email: text('email'),
  confirmed_at: moment('confirmed_at'),
  /** Of the code that was sent to the address: its hash, until when, and how often a wrong one was given. */
  code_hash: text('code_hash'),
  code_until: moment('code_until'),
  code_tries: integer('code_tries').notNull().default(0),
  quiet_from: integer('quiet_from'),
  quiet_to: integer('quiet_to'),
})

/** What somebody is sent by itself. */
export const messageSubscription = pgTable('message_subscription', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  staff_id: id('staff_id').notNull(),
  kind: text('kind').notNull(),
  /** 0 where it is of no view, so that one index tells twice from once. */
  view_id: id('view_id').notNull().default(0),
  channel_id: id('channel_id').notNull(),
  format: text('format').notNull(),
  hour: integer('hour').notNull(),
  weekdays: integer('weekdays').array().notNull(),
  path: text('path'),
  next_at: moment('next_at'),
  /** Token of the page on which it can be ended without an account. */
  token: text('token').notNull(),
  created_at: moment('created_at').notNull().defaultNow(),
}, (table) => [uniqueIndex('message_subscription_u').on(table.staff_id, table.kind, table.view_id, table.channel_id), index('message_subscription_next_i').on(table.next_at)])

/** What a template to print said, version by version. */
export const printVersion = pgTable('print_version', {
  template_id: id('template_id').notNull(),
  n: integer('n').notNull(),
  doc: jsonb('doc').notNull(),
  paper: text('paper').notNull(),
  staff_id: id('staff_id'),
  at: moment('at').notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.template_id, table.n] })])
