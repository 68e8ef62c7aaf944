import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { searchText } from '../../core/resource/table.server.ts'
import { MAX_SUM, searchFields } from './line.ts'
import { ORDER_STATUS } from './flow.ts'

const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity()
const big = (name: string) => bigint(name, { mode: 'number' })
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 0 })
const sum = (name: string) => big(name).notNull().default(0)

/**
 * Orders of all product lines (domain 2.6). Written by hand because many resources share it. Ids and `created_at` grow
 * together and the number begins with the day, so that it can be cut into months when a year holds tens of millions.
 */
export const orders = pgTable('orders', {
  id: id(),
  rev: integer('rev').notNull().default(1),
  created_by: big('created_by'),
  created_at: moment('created_at').notNull().defaultNow(),
  updated_by: big('updated_by'),
  updated_at: moment('updated_at').notNull().defaultNow(),
  deleted_at: moment('deleted_at'),
  order_no: text('order_no').notNull(),
  line: text('line').notNull(),
  self_run: integer('self_run').notNull().default(0),
  goods: text('goods'),
  /** Who buys, where, and what, where it is one thing: the line says what kind of record it is, and by what name people know it. */
  buyer_kind: text('buyer_kind'),
  buyer_ref_id: big('buyer_ref_id'),
  place_kind: text('place_kind'),
  place_ref_id: big('place_ref_id'),
  goods_kind: text('goods_kind'),
  goods_ref_id: big('goods_ref_id'),
  months: big('months'),
  /** The order's row in the table where its line keeps what it adds. */
  side_id: big('side_id'),
  /** Orders that were placed together, one for each line, and paid at once. */
  checkout_no: text('checkout_no'),
  /** Orders of one deal: a deposit and what is paid later. */
  deal_no: text('deal_no'),
  /** Unpaid by then it is closed, before the days of the line's setting are over. */
  close_at: moment('close_at'),
  buyer_name: text('buyer_name'),
  buyer_mobile: text('buyer_mobile'),
  user_id: big('user_id'),
  biz_type: integer('biz_type'),
  total: sum('total'),
  discount: sum('discount'),
  /** What is to be paid: total less discount. */
  amount: sum('amount'),
  paid: sum('paid'),
  refunded: sum('refunded'),
  pay_channel: text('pay_channel'),
  paid_at: moment('paid_at'),
  pay_no: text('pay_no'),
  referrer_mobile: text('referrer_mobile'),
  agent_id: big('agent_id'),
  channel_id: big('channel_id'),
  virtual: integer('virtual').notNull().default(0),
  ship_status: integer('ship_status').notNull().default(0),
  auditor_id: big('auditor_id'),
  audited_at: moment('audited_at'),
  invoice_title: text('invoice_title'),
  invoice_tax_no: text('invoice_tax_no'),
  remark: text('remark'),
  cs_remark: text('cs_remark'),
  before_status: big('before_status'),
  status: integer('status').notNull().default(ORDER_STATUS.unpaid),
}, (table) => {
  const living = sql`deleted_at is null`
  return [
    uniqueIndex('orders_order_no_u').on(table.order_no).where(living),
    index('orders_line_i').on(table.line, table.self_run, table.id).where(living),
    index('orders_line_status_i').on(table.line, table.self_run, table.status, table.id).where(living),
    // What a period is asked for together with stands behind it: a month of orders is then narrowed within the index.
    index('orders_line_paid_at_i').on(table.line, table.self_run, table.paid_at, table.id, table.status, table.pay_channel).where(living),
    index('orders_line_created_i').on(table.line, table.self_run, table.created_at, table.id, table.status, table.pay_channel).where(living),
    index('orders_line_channel_i').on(table.line, table.self_run, table.pay_channel, table.id).where(living),
    index('orders_line_amount_i').on(table.line, table.self_run, table.amount, table.id).where(living),
    // With what tells a line's orders, so that they are counted within the index.
    index('orders_buyer_i').on(table.buyer_ref_id, table.line, table.self_run, table.id).where(sql`deleted_at is null and buyer_ref_id is not null`),
    index('orders_place_i').on(table.place_ref_id, table.line, table.self_run, table.id).where(sql`deleted_at is null and place_ref_id is not null`),
    index('orders_goods_i').on(table.goods_ref_id, table.line, table.self_run, table.id).where(sql`deleted_at is null and goods_ref_id is not null`),
    index('orders_side_i').on(table.side_id, table.line, table.self_run, table.id).where(sql`deleted_at is null and side_id is not null`),
    index('orders_checkout_i').on(table.checkout_no).where(sql`checkout_no is not null`),
    index('orders_deal_i').on(table.deal_no).where(sql`deal_no is not null`),
    index('orders_user_i').on(table.user_id, table.id),
    index('orders_agent_i').on(table.agent_id, table.paid_at),
    index('orders_mobile_i').on(table.buyer_mobile, table.id),
    index('orders_referrer_i').on(table.referrer_mobile, table.id),
    index('orders_pay_no_i').on(table.pay_no),
    index('orders_unpaid_i').on(table.line, table.created_at).where(sql.raw(`status = ${ORDER_STATUS.unpaid} and deleted_at is null`)),
    index('orders_close_i').on(table.close_at).where(sql.raw(`status = ${ORDER_STATUS.unpaid} and deleted_at is null and close_at is not null`)),
    index('orders_deleted_i').on(table.deleted_at, table.id).where(sql`deleted_at is not null`),
    index('orders_search_i').using('gin', sql.raw(`grams(${searchText({ fields: searchFields })})`)),
  ]
})

/** What an order consists of. */
export const orderItem = pgTable('order_item', {
  id: id(),
  order_id: big('order_id').notNull(),
  kind: text('kind').notNull(),
  /** The record that is sold, where the kind has such. */
  ref_id: big('ref_id'),
  name: text('name').notNull(),
  price: big('price').notNull(),
  qty: big('qty').notNull(),
  months: integer('months'),
  /** What is paid for all of it: its share of the order's amount. */
  net: big('net').notNull(),
  refunded_qty: sum('refunded_qty'),
  /** How many are fulfilled now. */
  granted_qty: sum('granted_qty'),
  /** What the owner of the line needs to know to revoke it. */
  effect: jsonb('effect'),
}, (table) => [
  index('order_item_order_i').on(table.order_id),
  index('order_item_ref_i').on(table.kind, table.ref_id),
  // Whatever comes in by whatever way: nothing is given back that was not bought, nothing fulfilled that is not paid for.
  check('order_item_refunded', sql`refunded_qty between 0 and qty`),
  check('order_item_granted', sql`granted_qty between 0 and qty`),
  check('order_item_net', sql.raw(`net between 0 and ${MAX_SUM}`)),
])

/** Why an order costs less than its goods: `orders.discount` is their sum. */
export const orderDiscount = pgTable('order_discount', {
  id: id(),
  order_id: big('order_id').notNull(),
  kind: text('kind').notNull(),
  /** The coupon, sale or activity; none of what somebody granted by hand. */
  ref_id: big('ref_id'),
  amount: big('amount').notNull(),
}, (table) => [
  uniqueIndex('order_discount_u').on(table.order_id, table.kind, table.ref_id),
  index('order_discount_ref_i').on(table.kind, table.ref_id).where(sql`ref_id is not null`),
  check('order_discount_amount', sql.raw(`amount between 1 and ${MAX_SUM}`)),
])

/** Where an order came from: a link, a clue, an activity; one of each kind. */
export const orderOrigin = pgTable('order_origin', {
  order_id: big('order_id').notNull(),
  kind: text('kind').notNull(),
  ref_id: big('ref_id').notNull(),
}, (table) => [primaryKey({ columns: [table.order_id, table.kind] }), index('order_origin_ref_i').on(table.kind, table.ref_id)])

/** Money that came in. */
export const payment = pgTable('payment', {
  id: id(),
  order_id: big('order_id').notNull(),
  /** When it was paid, as the payer's receipt says. */
  at: moment('at').notNull(),
  amount: big('amount').notNull(),
  channel: text('channel').notNull(),
  trade_no: text('trade_no'),
  voucher: text('voucher'),
  staff_id: big('staff_id'),
  created_at: moment('created_at').notNull().defaultNow(),
}, (table) => [
  index('payment_order_i').on(table.order_id),
  index('payment_trade_no_i').on(table.trade_no),
  check('payment_amount', sql.raw(`amount between 1 and ${MAX_SUM}`)),
])

/** Money that went back, or is asked for. */
export const refund = pgTable('refund', {
  id: id(),
  order_id: big('order_id').notNull(),
  amount: big('amount').notNull(),
  /** How many of which items go back: `[{id, qty}]`. */
  items: jsonb('items'),
  way: text('way').notNull(),
  /** By which channels it goes, out of what came in by which: `[{from, to, amount}]`. */
  parts: jsonb('parts').notNull(),
  reason: text('reason').notNull(),
  status: integer('status').notNull(),
  asked_by: big('asked_by'),
  asked_at: moment('asked_at').notNull().defaultNow(),
  decided_by: big('decided_by'),
  decided_at: moment('decided_at'),
  answer: text('answer'),
}, (table) => [index('refund_order_i').on(table.order_id), index('refund_waiting_i').on(table.id).where(sql`status = 1`),
  // What somebody let through today without a second person.
  index('refund_alone_i').on(table.asked_by, table.asked_at).where(sql`status = 2 and asked_by = decided_by`),
  check('refund_amount', sql.raw(`amount between 0 and ${MAX_SUM}`)),
])

/**
 * Money of accounts: what came in and what went out. Append-only; an account's balance is the sum of its entries.
 * It is a resource's table too, so that statements are lists.
 */
export const ledger = pgTable('ledger', {
  id: id(),
  rev: integer('rev').notNull().default(1),
  created_by: big('created_by'),
  created_at: moment('created_at').notNull().defaultNow(),
  updated_by: big('updated_by'),
  updated_at: moment('updated_at').notNull().defaultNow(),
  deleted_at: moment('deleted_at'),
  account_kind: text('account_kind').notNull(),
  account_id: big('account_id').notNull(),
  at: moment('at').notNull().defaultNow(),
  amount: big('amount').notNull(),
  kind: text('kind').notNull(),
  channel: text('channel'),
  order_id: big('order_id'),
  order_no: text('order_no'),
  /** What it was booked for, beside an order: a commission, a withdrawal. Booked once. */
  ref_kind: text('ref_kind'),
  ref_id: big('ref_id'),
  note: text('note'),
}, (table) => [
  uniqueIndex('ledger_ref_u').on(table.account_kind, table.ref_kind, table.ref_id).where(sql`ref_id is not null`),
  index('ledger_account_i').on(table.account_kind, table.account_id, table.id),
  index('ledger_account_at_i').on(table.account_kind, table.account_id, table.at, table.id),
  index('ledger_order_i').on(table.order_id),
  check('ledger_amount', sql.raw(`amount between -${MAX_SUM} and ${MAX_SUM}`)),
])

/** Where goods are sent to. */
export const orderReceiver = pgTable('order_receiver', {
  order_id: big('order_id').primaryKey(),
  name: text('name').notNull(),
  mobile: text('mobile').notNull(),
  region_code: text('region_code').notNull(),
  address: text('address').notNull(),
})

/** Every step of an order: who, when, from what to what, how much, why. Never changed. */
export const orderLog = pgTable('order_log', {
  id: id(),
  order_id: big('order_id').notNull(),
  at: moment('at').notNull().defaultNow(),
  staff_id: big('staff_id'),
  action: text('action').notNull(),
  from_status: integer('from_status'),
  to_status: integer('to_status').notNull(),
  amount: big('amount'),
  reason: text('reason'),
}, (table) => [index('order_log_order_i').on(table.order_id, table.id)])

/** Orders that somebody is still writing down, step by step. */
export const orderDraft = pgTable('order_draft', {
  id: id(),
  staff_id: big('staff_id').notNull(),
  /** Resource that it will be an order of. */
  resource: text('resource').notNull(),
  step: integer('step').notNull().default(0),
  body: jsonb('body').notNull(),
  rev: integer('rev').notNull().default(1),
  created_at: moment('created_at').notNull().defaultNow(),
  updated_at: moment('updated_at').notNull().defaultNow(),
}, (table) => [index('order_draft_staff_i').on(table.staff_id, table.resource, table.id)])

/** What an installation has decided about a line's orders; what it has not is as `DEFAULT_SETTING` says. */
export const orderSetting = pgTable('order_setting', {
  resource: text('resource').notNull(),
  refund_second_from: big('refund_second_from').notNull(),
  approve_second_from: big('approve_second_from').notNull(),
  unpaid_days: integer('unpaid_days').notNull(),
  prices: jsonb('prices').notNull().default({}),
}, (table) => [primaryKey({ columns: [table.resource] })])

/** Tables of which nothing that was written is ever changed, with the columns that say something. */
export const appendOnly: Readonly<Record<string, readonly string[]>> = {
  order_log: ['order_id', 'at', 'staff_id', 'action', 'from_status', 'to_status', 'amount', 'reason'],
  ledger: ['account_kind', 'account_id', 'at', 'amount', 'kind', 'channel', 'order_id', 'ref_kind', 'ref_id'],
}
