import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatDate } from '../../core/field/time.ts'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import type { OrderRow } from '../order/door.server.ts'
import type { Tier } from './formula.ts'
import { AGENT_LEVELS, ANY_LINE, EARNING_LINES } from './plan.ts'

/** Who earns how much of an order. */
export interface Share {
  readonly tier: Tier
  readonly agent_id: number
  readonly level: number
  /** Parts in ten thousand. */
  readonly bp: number
  readonly plan_id: number
  readonly plan: string
  readonly line: string
  readonly hold_days: number
  /** Unix seconds: the plan that held then counts. */
  readonly paid_at: number
}

interface Seller { id: number; name: string; mobile: string; level_id: number; status: number; parent_id: number | null }

/** A plan as it counts. */
export interface Plan { id: number; name: string; first: number; second: number; hold_days: number }

/** The plan that holds for a line and a level at a moment: the line's own before that of every line. */
export async function planAt(db: Queryable, line: string, level: number, at: number): Promise<Plan | undefined> {
  const [plan] = await db.query<Plan & Record<string, unknown>>(sql`select id, name, first::float8 as first, second::float8 as second, hold_days from rate_plan
    where line in (${line}, ${ANY_LINE}) and level = ${level} and valid_from <= to_timestamp(${at}) and deleted_at is null order by line = ${ANY_LINE}, valid_from desc limit 1`)
  return plan
}

const findSeller = async (db: Queryable, id: number): Promise<Seller | undefined> =>
  (await db.query<Seller & Record<string, unknown>>(sql`select id, name, mobile, level_id, status, parent_id from ${sql.identifier(agent.table)} where id = ${id} and deleted_at is null`))[0]

/** Whose an order is: as it says itself, else its buyer's agent. */
async function agentOf(db: Queryable, order: Pick<OrderRow, 'agent_id' | 'user_id'>): Promise<number | null> {
  if (order.agent_id !== null || order.user_id === null) return order.agent_id
  const [user] = await db.query<{ agent_id: number | null }>(sql`select agent_id from app_user where id = ${order.user_id}`)
  return user?.agent_id ?? null
}

const nobody = (why: string) => ({ shares: [], why })

/**
 * Decides who earns of an order that is paid: its agent, and the one above them. Nobody further up does, however deep the tree is.
 * @param given whose somebody says it is; null is nobody
 * @returns why nobody earns, in one sentence, where nobody does
 */
export async function decideShares(db: Queryable, order: Pick<OrderRow, 'agent_id' | 'user_id' | 'line' | 'virtual' | 'amount' | 'buyer_mobile' | 'paid_at'>, given?: number | null): Promise<{ shares: Share[]; why: string | null }> {
  if (order.virtual === 1) return nobody('虚拟单不计佣')
  if (order.amount === 0) return nobody('订单金额为 0，不计佣')
  const id = given === undefined ? await agentOf(db, order) : given
  if (id === null) return nobody('订单和用户都没有归属代理')
  const seller = await findSeller(db, id)
  if (!seller) return nobody('归属的代理已删除')
  if (seller.status !== AGENT_STATUS.active) return nobody(`代理「${seller.name}」不是启用状态`)
  if (seller.mobile === order.buyer_mobile) return nobody(`代理「${seller.name}」自己购买，不计佣`)
  const paid_at = order.paid_at ?? Math.floor(Date.now() / 1000)
  const plan = await planAt(db, order.line, seller.level_id, paid_at)
  if (!plan) return nobody(`${choiceLabel(EARNING_LINES, order.line)}的${choiceLabel(AGENT_LEVELS, seller.level_id)}代理在 ${formatDate(paid_at)} 没有生效的费率`)
  const share = (tier: Tier, { id: agent_id, level_id }: Seller, percent: number): Share => ({ tier, agent_id, level: level_id, bp: Math.round(percent * 100), plan_id: plan.id, plan: plan.name, line: order.line, hold_days: plan.hold_days, paid_at })
  const above = seller.parent_id === null ? undefined : await findSeller(db, seller.parent_id)
  const second = above && above.status === AGENT_STATUS.active && above.mobile !== order.buyer_mobile && plan.second > 0
  return { shares: [share(1, seller, plan.first), ...(second ? [share(2, above, plan.second)] : [])], why: null }
}
