import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Logged-in browsers. The cookie holds a random token, the table only its hash. */
export const session = pgTable('session', {
  hash: text('hash').primaryKey(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  created_at: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  seen_at: timestamp('seen_at', { withTimezone: true }).notNull().defaultNow(),
  ip: text('ip'),
  user_agent: text('user_agent'),
  /** When the person last proved who they are: asked again before what weighs most. */
  verified_at: timestamp('verified_at', { withTimezone: true }).notNull().defaultNow(),
}, (table) => [index('session_staff_i').on(table.staff_id)])

/** How a staff member proves who they are; apart from the staff table, so that no list can return it. */
export const credential = pgTable('credential', {
  staff_id: bigint('staff_id', { mode: 'number' }).primaryKey(),
  password_hash: text('password_hash'),
  /** Former hashes, newest first: the last three cannot be used again. */
  former_hashes: text('former_hashes').array().notNull().default([]),
  must_change: boolean('must_change').notNull().default(true),
  changed_at: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  /** Until when a password that somebody else has made logs in; it does so once. Null: it is the person's own. */
  good_until: timestamp('good_until', { withTimezone: true }),
  /** Encrypted; counts once it is confirmed by a first code. */
  totp_secret: text('totp_secret'),
  totp_confirmed: boolean('totp_confirmed').notNull().default(false),
  /** Counter of the last accepted code, so that a code works once. */
  totp_step: bigint('totp_step', { mode: 'number' }).notNull().default(0),
  /** Hashes of the codes that stand in for a lost phone; each disappears when it is used. */
  recovery_hashes: text('recovery_hashes').array().notNull().default([]),
})

export const passkey = pgTable('passkey', {
  credential_id: text('credential_id').primaryKey(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  public_key: text('public_key').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull().default(0),
  transports: text('transports').array().notNull().default([]),
  name: text('name').notNull(),
  created_at: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  used_at: timestamp('used_at', { withTimezone: true }),
}, (table) => [index('passkey_staff_i').on(table.staff_id)])

/** Every attempt to log in, good or bad. */
export const loginLog = pgTable('login_log', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  account: text('account').notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }),
  method: text('method').notNull(),
  result: text('result').notNull(),
  ip: text('ip'),
  user_agent: text('user_agent'),
}, (table) => [
  index('login_log_staff_i').on(table.staff_id, table.id),
  index('login_log_account_i').on(table.account, table.at),
  index('login_log_ip_i').on(table.ip, table.at),
])

/** Browsers on which somebody has logged in, so that failures elsewhere do not lock them out there. */
export const knownDevice = pgTable('known_device', {
  /** Of the cookie, which holds a random token. */
  hash: text('hash').notNull(),
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  seen_at: timestamp('seen_at', { withTimezone: true }).notNull().defaultNow(),
}, (table) => [primaryKey({ columns: [table.hash, table.staff_id] }), index('known_device_staff_i').on(table.staff_id)])

/**
 * Attempts in a row that have not succeeded: of an account from an address, from a known device and from anywhere, by the
 * hash of what was typed; or by person, for what a session asks again.
 */
export const loginFailure = pgTable('login_failure', {
  key: text('key').primaryKey(),
  failures: integer('failures').notNull().default(0),
  last_at: timestamp('last_at', { withTimezone: true }).notNull().defaultNow(),
  locked_until: timestamp('locked_until', { withTimezone: true }),
})

/** Short-lived secrets of a sign-in that takes several steps (TOTP, passkey, OIDC). */
export const loginStep = pgTable('login_step', {
  key: text('key').primaryKey(),
  body: jsonb('body').notNull(),
  expires_at: timestamp('expires_at', { withTimezone: true }).notNull(),
})

export const staffModule = pgTable('staff_module', {
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  module_id: integer('module_id').notNull(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.module_id] })])

export const staffScope = pgTable('staff_scope', {
  staff_id: bigint('staff_id', { mode: 'number' }).notNull(),
  kind: text('kind').notNull(),
  ref_id: bigint('ref_id', { mode: 'number' }).notNull(),
}, (table) => [primaryKey({ columns: [table.staff_id, table.kind, table.ref_id] })])
