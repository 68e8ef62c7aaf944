import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true })
const own = () => big('id').primaryKey().generatedByDefaultAsIdentity()

/** One purchase: an order for each line that its goods are of. */
export const checkout = pgTable('checkout', {
  id: own(),
  no: text('no').notNull(),
  /** link, flash, group */
  kind: text('kind').notNull(),
  /** The link, the sale, or the group's activity. */
  ref_id: big('ref_id').notNull(),
  /** Which of a link's packages. */
  suite_id: integer('suite_id'),
  mobile: text('mobile').notNull(),
  name: text('name'),
  amount: big('amount').notNull(),
  activity_id: big('activity_id'),
  coupon_id: big('coupon_id'),
  share_id: big('share_id'),
  receiver: jsonb('receiver'),
  at: moment('at').notNull().defaultNow(),
}, (table) => [uniqueIndex('checkout_no_u').on(table.no), index('checkout_ref_i').on(table.kind, table.ref_id, table.id), index('checkout_coupon_i').on(table.coupon_id).where(sql`coupon_id is not null`), index('checkout_activity_i').on(table.activity_id).where(sql`activity_id is not null`)])

/** An order of a purchase; what it holds of stock and budget it holds until it is let go, once. */
export const checkoutPart = pgTable('checkout_part', {
  order_id: big('order_id').primaryKey(),
  checkout_id: big('checkout_id').notNull(),
  /** What it costs the activity, in fen. */
  cost: big('cost').notNull(),
  alive: integer('alive').notNull().default(1),
}, (table) => [index('checkout_part_checkout_i').on(table.checkout_id)])

/** Pieces of a flash sale that an order holds: until it is paid, closed or cancelled. */
export const flashHold = pgTable('flash_hold', {
  order_id: big('order_id').primaryKey(),
  sale_id: big('sale_id').notNull(),
  mobile: text('mobile').notNull(),
  qty: integer('qty').notNull(),
  /** held, sold, released */
  state: text('state').notNull(),
}, (table) => [index('flash_hold_sale_i').on(table.sale_id, table.mobile)])

/** Somebody's coupon. What it is worth stands in it: the activity may be changed later. */
export const couponUser = pgTable('coupon_user', {
  id: own(),
  no: text('no').notNull(),
  activity_id: big('activity_id').notNull(),
  user_id: big('user_id').notNull(),
  cause: text('cause').notNull(),
  amount: big('amount').notNull(),
  threshold: big('threshold').notNull(),
  status: integer('status').notNull(),
  checkout_id: big('checkout_id'),
  expire_at: moment('expire_at').notNull(),
  void_reason: text('void_reason'),
  created_by: big('created_by'),
  created_at: moment('created_at').notNull().defaultNow(),
}, (table) => [uniqueIndex('coupon_user_no_u').on(table.no), index('coupon_user_activity_i').on(table.activity_id, table.user_id), index('coupon_user_user_i').on(table.user_id, table.id), index('coupon_user_expire_i').on(table.expire_at).where(sql`status = 1`)])

/** People who buy together. */
export const groupBuy = pgTable('group_buy', {
  id: own(),
  activity_id: big('activity_id').notNull(),
  leader_mobile: text('leader_mobile').notNull(),
  need: integer('need').notNull(),
  until: moment('until').notNull(),
  state: integer('state').notNull(),
  created_at: moment('created_at').notNull().defaultNow(),
}, (table) => [index('group_buy_activity_i').on(table.activity_id, table.id), index('group_buy_until_i').on(table.until).where(sql`state = 1`)])

/** One of them, with their order. */
export const groupMember = pgTable('group_member', {
  order_id: big('order_id').primaryKey(),
  group_id: big('group_id').notNull(),
  mobile: text('mobile').notNull(),
  state: integer('state').notNull(),
  /** Why the money could not go back by itself. */
  problem: text('problem'),
}, (table) => [index('group_member_group_i').on(table.group_id)])

/** Days on which somebody signed in, and lessons that they checked in. */
export const activityEvent = pgTable('activity_event', {
  activity_id: big('activity_id').notNull(),
  user_id: big('user_id').notNull(),
  /** Day in Shanghai, as 20260901. */
  day: integer('day').notNull(),
  at: moment('at').notNull().defaultNow(),
  coupon_id: big('coupon_id'),
}, (table) => [primaryKey({ columns: [table.activity_id, table.user_id, table.day] })])

/** Who opened what somebody shared: hashes only. */
export const shareEvent = pgTable('share_event', {
  id: own(),
  share_id: big('share_id').notNull(),
  kind: text('kind').notNull(),
  visitor: text('visitor').notNull(),
  device: text('device'),
  /** The first three parts of the address. */
  net: text('net'),
  at: moment('at').notNull().defaultNow(),
}, (table) => [uniqueIndex('share_event_u').on(table.share_id, table.kind, table.visitor), index('share_event_net_i').on(table.share_id, table.net, table.at)])

/** Somebody whom a share brought; one reward for each, whoever else shared with them. */
export const shareNewcomer = pgTable('share_newcomer', {
  user_id: big('user_id').primaryKey(),
  share_id: big('share_id').notNull(),
  device: text('device'),
  net: text('net'),
  evidence: text('evidence').array().notNull().default(sql`'{}'::text[]`),
  amount: big('amount').notNull(),
  state: integer('state').notNull(),
  coupon_id: big('coupon_id'),
  at: moment('at').notNull().defaultNow(),
}, (table) => [index('share_newcomer_share_i').on(table.share_id, table.at)])

/** Tables of which nothing that was written is ever changed, with the columns that say something. */
export const appendOnly: Readonly<Record<string, readonly string[]>> = {
  share_event: ['id', 'share_id', 'kind', 'visitor', 'at'],
  checkout: ['id', 'no', 'kind', 'ref_id', 'mobile', 'amount'],
}
