import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { lockAnyOrder, type OrderRow } from '../order/door.server.ts'
import { bookDifferences, factsOf, keepShares, sharesOf } from './book.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { TRIAL_DAYS, type Explained, type OrderExplained, type Trial } from './calls.ts'
import { baseOf, shareOf } from './formula.ts'
import { ACCOUNT, type AccountKind } from './line.ts'
import { ANY_LINE } from './plan.ts'
import { decideShares } from './share.server.ts'

const findOrder = async (db: Queryable, id: number): Promise<OrderRow | undefined> => (await db.query<OrderRow & Record<string, unknown>>(sql`select * from orders where id = ${id}`))[0]

/** What the lines of an account for a source and tier should sum to now. */
async function targetOf(db: Queryable, line: { account_kind: AccountKind; account_id: number; source_kind: string; source_id: number; tier: number }, booked: number): Promise<number> {
  if (line.source_kind === 'order') {
    const order = await findOrder(db, line.source_id)
    if (!order) return 0
    const share = (await sharesOf(db, order.id))?.shares.find(({ agent_id, tier }) => agent_id === line.account_id && tier === line.tier)
    return share ? shareOf(baseOf(await factsOf(db, order)), share.bp) : 0
  }
  if (line.source_kind !== 'lesson') return booked
  const [fee] = await db.query<{ fee: number }>(sql`select case when l.cause = 'task' then -l.delta * coalesce((select rate from companion_rate r where r.teacher_id = l.teacher_id and r.mode = 'lesson' and r.valid_from <= e.at order by r.valid_from desc limit 1), 0)
    else e.amount end::float8 as fee from lesson_entry l join earning e on e.source_kind = 'lesson' and e.source_id = l.id and e.account_id = ${line.account_id} where l.id = ${line.source_id}`)
  return fee?.fee ?? 0
}

/** A line, worked out again from its sources, with every line for the same. @param condition what the person may see */
export async function explainLine(db: Queryable, line: { account_kind: AccountKind; account_id: number; source_kind: string; source_id: number; tier: number; words: string | null }): Promise<Explained> {
  const lines = await db.query<Explained['lines'][number] & Record<string, unknown>>(sql`select id, extract(epoch from at)::float8 as at, cause, amount::float8 as amount, words from earning
    where account_kind = ${line.account_kind} and account_id = ${line.account_id} and source_kind = ${line.source_kind} and source_id = ${line.source_id} and tier = ${line.tier} order by id`)
  const booked = lines.reduce((sum, { amount }) => sum + amount, 0)
  return { words: line.words, booked, target: await targetOf(db, line, booked), lines }
}

/** What an order's agents get, line by line, and why where they get nothing. */
export async function explainOrderOf(db: Queryable, order: OrderRow | undefined): Promise<OrderExplained> {
  if (!order) return { order: null, why: null, shares: [], lines: [] }
  const known = await sharesOf(db, order.id)
  const facts = await factsOf(db, order)
  // Of an order that nobody has looked at it is said what would be decided.
  const { shares, why } = known ?? (facts.inForce ? await decideShares(db, order) : { shares: [], why: '订单还没有生效，付清并生效后计佣' })
  const base = baseOf(facts)
  const lines = await db.query<OrderExplained['lines'][number] & { account_id: number }>(sql`select e.id, e.account_id, extract(epoch from e.at)::float8 as at, a.name as agent_name, e.tier, e.amount::float8 as amount, e.words, s.no as settlement_no
    from earning e join agent a on a.id = e.account_id left join settlement s on s.id = e.settlement_id where e.account_kind = ${ACCOUNT.agent} and e.source_kind = 'order' and e.source_id = ${order.id} order by e.id`)
  const names = new Map((await db.query<{ id: number; name: string }>(sql`select id, name from agent where id = any(${sql.param(shares.map(({ agent_id }) => agent_id))}::bigint[])`)).map(({ id, name }) => [id, name]))
  return {
    order: { id: order.id, order_no: order.order_no, goods: order.goods, amount: order.amount, paid: facts.paid, refunded: facts.refunded },
    why: why ?? (shares.length > 0 && base === 0 ? (facts.inForce ? '没有从外部收到的款项留下，计佣金额为 0' : '订单已不生效，佣金为 0') : null),
    shares: shares.map(({ tier, agent_id, bp, plan }) => ({ tier, agent_name: names.get(agent_id) ?? '', bp, plan, target: shareOf(base, bp), booked: lines.filter((line) => line.account_id === agent_id && line.tier === tier).reduce((sum, { amount }) => sum + amount, 0) })),
    lines: lines.map(({ account_id: _account, ...line }) => line),
  }
}

/**
 * Says that an order is another agent's, or nobody's: what was booked goes back, and is booked for whose it is now.
 * @throws AppError when a part of it was settled already
 */
export async function attributeOrder(tx: Queryable, orderId: number, agentId: number | null): Promise<OrderRow> {
  const order = await lockAnyOrder(tx, orderId)
  const known = await sharesOf(tx, order.id)
  if (!known) throw badRequest('订单还没有生效，请直接修改订单的代理')
  const taken = await tx.query(sql`select id from earning where account_kind = ${ACCOUNT.agent} and source_kind = 'order' and source_id = ${order.id} and settlement_id is not null for no key update`)
  if (taken.length > 0) throw badRequest('该订单的佣金已进入结算单，不能改归属')
  if (order.status === ORDER_STATUS.refunding) throw badRequest('该订单正在退款，处理后再改归属')
  const { shares, why } = await decideShares(tx, order, agentId)
  if (agentId !== null && shares.length === 0) throw badRequest(why ?? '该代理不能从该订单计佣')
  await tx.query(sql`delete from earning_share where order_id = ${order.id}`)
  await keepShares(tx, order.id, shares)
  await tx.query(sql`update earning_order set version = version + 1, why = ${why} where order_id = ${order.id}`)
  await bookDifferences(tx, order, shares, `attribution ${known.version + 1}`)
  return order
}

interface Tried { agent_id: number; name: string; order_id: number; tier: number; base: number; bp: number; first: boolean }

/** What rates would have meant for the orders of the last days, beside what was booked for them. */
export async function tryPlan(db: Queryable, plan: { line: string; level: number; first: number; second: number }): Promise<Trial> {
  const ofLine = plan.line === ANY_LINE ? sql`true` : sql`s.line = ${plan.line}`
  // The base is that of the latest line: what stayed of the order.
  const rows = await db.query<Tried & Record<string, unknown>>(sql`select s.agent_id, a.name, s.order_id, s.tier, s.bp, coalesce((select e.base from earning e where e.account_kind = ${ACCOUNT.agent} and e.source_kind = 'order' and e.source_id = s.order_id and e.tier = s.tier order by e.id desc limit 1), 0)::float8 as base
    from earning_share s join agent a on a.id = s.agent_id join earning_share d on d.order_id = s.order_id and d.tier = 1 and d.level = ${plan.level}
    where ${ofLine} and s.paid_at > now() - make_interval(days => ${sql.raw(String(TRIAL_DAYS))}) order by s.agent_id`)
  const tier = { 1: Math.round(plan.first * 100), 2: Math.round(plan.second * 100) } as Record<number, number>
  const sums = { before: { first: 0, second: 0 }, after: { first: 0, second: 0 } }
  const agents = new Map<number, { id: number; name: string; before: number; after: number }>()
  for (const row of rows) {
    const [was, would] = [shareOf(row.base, row.bp), shareOf(row.base, tier[row.tier] ?? 0)]
    const which = row.tier === 1 ? 'first' : 'second'
    sums.before[which] += was
    sums.after[which] += would
    const known = agents.get(row.agent_id) ?? { id: row.agent_id, name: row.name, before: 0, after: 0 }
    agents.set(row.agent_id, { ...known, before: known.before + was, after: known.after + would })
  }
  const most = [...agents.values()].sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before)).slice(0, 20)
  return { days: TRIAL_DAYS, orders: new Set(rows.map(({ order_id }) => order_id)).size, ...sums, agents: most }
}
