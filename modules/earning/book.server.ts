import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import { readItems, type OrderRow } from '../order/door.server.ts'
import { isInForce } from '../order/module.ts'
import { baseOf, orderWords, shareOf, type OrderFacts, type Tier } from './formula.ts'
import { ACCOUNT, type AccountKind } from './line.ts'
import { decideShares, type Share } from './share.server.ts'

/** A line as it is written. */
export interface NewLine {
  readonly account_kind: AccountKind
  readonly account_id: number
  readonly source_kind: 'order' | 'lesson' | 'month' | 'adjust'
  readonly source_id: number
  readonly tier: 0 | Tier
  readonly cause: string
  readonly order_no?: string | null
  readonly title: string
  readonly amount: number
  readonly base: number
  readonly rate: number
  readonly rate_id: number | null
  readonly words: string
  /** Unix seconds; now by default. */
  readonly at?: number | undefined
  readonly due_at?: number | undefined
}

/** Writes lines; a cause that was booked before changes nothing. @returns how many were new */
export async function writeLines(tx: Queryable, lines: readonly NewLine[], staffId: number | null = null): Promise<number> {
  if (lines.length === 0) return 0
  const rows = await tx.query(sql`insert into earning (account_kind, account_id, source_kind, source_id, tier, cause, order_no, title, amount, base, rate, rate_id, words, at, due_at, created_by, updated_by)
    select r.account_kind, r.account_id, r.source_kind, r.source_id, r.tier, r.cause, r.order_no, r.title, r.amount, r.base, r.rate, r.rate_id, r.words, coalesce(to_timestamp(r.at), now()), greatest(coalesce(to_timestamp(r.due_at), to_timestamp(r.at), now()), coalesce(to_timestamp(r.at), now())), ${staffId}::bigint, ${staffId}::bigint
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r (account_kind text, account_id bigint, source_kind text, source_id bigint, tier integer, cause text, order_no text, title text, amount bigint, base bigint, rate bigint, rate_id bigint, words text, at float8, due_at float8)
    on conflict (account_kind, account_id, source_kind, source_id, tier, cause) do nothing returning id`)
  recordsWritten(tx, 'earning')
  return rows.length
}

/** What an order says about its commissions now. */
export async function factsOf(db: Queryable, order: Pick<OrderRow, 'id' | 'status' | 'before_status' | 'deleted_at' | 'virtual'>): Promise<OrderFacts> {
  const items = await readItems(db, order.id)
  const [money] = await db.query<{ paid: number; refunded: number }>(sql`select
    (select coalesce(sum(amount), 0)::float8 from payment where order_id = ${order.id} and channel <> 'balance') as paid,
    (select coalesce(sum(p.amount), 0)::float8 from refund r, jsonb_to_recordset(r.parts) as p ("from" text, amount bigint) where r.order_id = ${order.id} and r.status = 2 and p."from" <> 'balance') as refunded`)
  return { inForce: order.deleted_at === null && isInForce(order), virtual: order.virtual === 1, paid: money?.paid ?? 0, refunded: money?.refunded ?? 0, items }
}

/** Who earns of an order, as it was decided; undefined where nobody has looked at it yet. */
export async function sharesOf(db: Queryable, orderId: number): Promise<{ shares: Share[]; why: string | null; version: number } | undefined> {
  const [seen] = await db.query<{ why: string | null; version: number }>(sql`select why, version from earning_order where order_id = ${orderId}`)
  if (!seen) return undefined
  const shares = await db.query<Share & Record<string, unknown>>(sql`select tier, agent_id, level, bp, plan_id, plan, line, hold_days, extract(epoch from paid_at)::float8 as paid_at from earning_share where order_id = ${orderId} order by tier`)
  return { shares, ...seen }
}

/** Keeps who earns of an order. */
export async function keepShares(tx: Queryable, orderId: number, shares: readonly Share[]): Promise<void> {
  await tx.query(sql`insert into earning_share (order_id, tier, agent_id, level, bp, plan_id, plan, line, hold_days, paid_at)
    select ${orderId}::bigint, r.tier, r.agent_id, r.level, r.bp, r.plan_id, r.plan, r.line, r.hold_days, to_timestamp(r.paid_at)
    from jsonb_to_recordset(${JSON.stringify(shares)}::jsonb) as r (tier integer, agent_id bigint, level integer, bp integer, plan_id bigint, plan text, line text, hold_days integer, paid_at float8)`)
}

const DAY = 86_400

/**
 * Brings what is booked for an order into line with what it should be, by the difference: whoever repeats it finds none.
 * @param cause what moved the order; booked once for each account and tier
 * @param at when, where it was not now
 */
export async function bookDifferences(tx: Queryable, order: OrderRow, shares: readonly Share[], cause: string, at?: number): Promise<void> {
  const booked = await tx.query<{ account_id: number; tier: Tier; sum: number; bp: number; plan: string | null; rate_id: number | null }>(sql`select account_id, tier, sum(amount)::float8 as sum, max(rate)::float8 as bp, max(rate_id) as rate_id
    from earning where account_kind = ${ACCOUNT.agent} and source_kind = 'order' and source_id = ${order.id} group by account_id, tier`)
  if (shares.length === 0 && booked.length === 0) return
  const facts = await factsOf(tx, order)
  const base = baseOf(facts)
  const now = at ?? Math.floor(Date.now() / 1000)
  const line = { account_kind: ACCOUNT.agent, source_kind: 'order', source_id: order.id, cause, order_no: order.order_no, title: order.goods ?? order.order_no, at } as const
  const due = shares.flatMap((share): NewLine[] => {
    const had = booked.find((one) => one.account_id === share.agent_id && one.tier === share.tier)?.sum ?? 0
    const amount = shareOf(base, share.bp) - had
    if (amount === 0) return []
    return [{
      ...line, account_id: share.agent_id, tier: share.tier, amount, base, rate: share.bp, rate_id: share.plan_id,
      words: orderWords(facts, base, { tier: share.tier, bp: share.bp, plan: share.plan, booked: had, amount }), due_at: amount > 0 ? Math.max(now, share.paid_at + share.hold_days * DAY) : now,
    }]
  })
  // What was booked for somebody whose it is no more goes back.
  const gone = booked.filter((one) => one.sum !== 0 && !shares.some((share) => share.agent_id === one.account_id && share.tier === one.tier))
    .map((one): NewLine => ({ ...line, account_id: one.account_id, tier: one.tier, amount: -one.sum, base: 0, rate: one.bp, rate_id: one.rate_id, words: `订单改归属，冲回已计佣金 ${(one.sum / 100).toFixed(2)}`, due_at: now }))
  await writeLines(tx, [...due, ...gone])
}

/**
 * Books an order that has moved. Whose it is and at which rates is decided the first time that it holds.
 * @param cause `payment 15`, `refund 7`, `move 99`
 */
export async function bookOrder(tx: Queryable, order: OrderRow, cause: string, at?: number): Promise<void> {
  const known = await sharesOf(tx, order.id)
  if (known) return known.shares.length > 0 || known.version > 0 ? bookDifferences(tx, order, known.shares, cause, at) : undefined
  if (order.deleted_at !== null || !isInForce(order)) return
  const { shares, why } = await decideShares(tx, order)
  await tx.query(sql`insert into earning_order (order_id, why) values (${order.id}, ${why})`)
  if (shares.length === 0) return
  await keepShares(tx, order.id, shares)
  await bookDifferences(tx, order, shares, cause, at)
}
