import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { searchText } from '../../core/resource/table.server.ts'
import { MAX_SUM } from '../order/module.ts'
import { BASIS } from './formula.ts'
import { searchFields } from './line.ts'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })

/**
 * What accounts earn: lines that are never changed, but for the settlement that takes one up. A line is written once for
 * what caused it, so that nothing is booked twice whoever repeats it.
 */
export const earning = pgTable('earning', {
  id: big('id').primaryKey().generatedByDefaultAsIdentity(),
  rev: integer('rev').notNull().default(1),
  created_by: big('created_by'),
  created_at: moment('created_at').notNull().defaultNow(),
  updated_by: big('updated_by'),
  updated_at: moment('updated_at').notNull().defaultNow(),
  deleted_at: moment('deleted_at'),
  account_kind: text('account_kind').notNull(),
  account_id: big('account_id').notNull(),
  source_kind: text('source_kind').notNull(),
  source_id: big('source_id').notNull(),
  tier: integer('tier').notNull().default(0),
  /** What moved the source: `payment 15`, `refund 7`, `lesson 12`; with the account and the source it is there once. */
  cause: text('cause').notNull(),
  order_no: text('order_no'),
  title: text('title'),
  amount: big('amount').notNull(),
  /** What it was worked out from: fen and parts in ten thousand of an order, lessons or days and fen of a teacher. */
  base: big('base').notNull().default(0),
  rate: big('rate').notNull().default(0),
  rate_id: big('rate_id'),
  words: text('words'),
  at: moment('at').notNull().defaultNow(),
  due_at: moment('due_at').notNull().defaultNow(),
  settlement_id: big('settlement_id'),
}, (table) => [
  uniqueIndex('earning_cause_u').on(table.account_kind, table.account_id, table.source_kind, table.source_id, table.tier, table.cause),
  index('earning_source_i').on(table.source_kind, table.source_id),
  index('earning_account_i').on(table.account_kind, table.account_id, table.id),
  index('earning_at_i').on(table.account_kind, table.at, table.id),
  index('earning_settlement_i').on(table.settlement_id, table.id),
  index('earning_order_no_i').on(table.order_no),
  // What waits to be settled is little beside what was.
  index('earning_open_i').on(table.account_kind, table.account_id, table.due_at).where(sql`settlement_id is null`),
  index('earning_search_i').using('gin', sql.raw(`grams(${searchText({ fields: searchFields })})`)),
  check('earning_tier', sql`tier between 0 and 2`),
  check('earning_amount', sql.raw(`amount between -${MAX_SUM} and ${MAX_SUM}`)),
])

/** Who earns how much of an order: decided when it was paid, and kept whatever becomes of rates and of the tree. */
export const earningShare = pgTable('earning_share', {
  order_id: big('order_id').notNull(),
  tier: integer('tier').notNull(),
  agent_id: big('agent_id').notNull(),
  level: integer('level').notNull(),
  bp: integer('bp').notNull(),
  plan_id: big('plan_id').notNull(),
  plan: text('plan').notNull(),
  line: text('line').notNull(),
  hold_days: integer('hold_days').notNull(),
  paid_at: moment('paid_at').notNull(),
}, (table) => [
  primaryKey({ columns: [table.order_id, table.tier] }),
  index('earning_share_plan_i').on(table.line, table.level, table.paid_at),
  index('earning_share_agent_i').on(table.agent_id, table.paid_at),
  check('earning_share_tier', sql`tier in (1, 2)`),
  check('earning_share_bp', sql.raw(`bp between 0 and ${BASIS}`)),
])

/** Orders that were looked at: whose they are was decided, also where nobody earns. */
export const earningOrder = pgTable('earning_order', {
  order_id: big('order_id').primaryKey(),
  /** How often somebody said otherwise whose it is. */
  version: integer('version').notNull().default(0),
  /** Why nobody earns, where nobody does. */
  why: text('why'),
  at: moment('at').notNull().defaultNow(),
})

/** The whole number of the card that a withdrawal goes to, encrypted: no list, export or log carries it. */
export const withdrawalCard = pgTable('withdrawal_card', {
  withdrawal_id: big('withdrawal_id').primaryKey(),
  sealed: text('sealed').notNull(),
})

/** Tables of which nothing that was written is ever changed, with the columns that say something. */
export const appendOnly: Readonly<Record<string, readonly string[]>> = {
  earning: ['account_kind', 'account_id', 'source_kind', 'source_id', 'tier', 'cause', 'order_no', 'title', 'amount', 'base', 'rate', 'rate_id', 'words', 'at', 'due_at'],
}
