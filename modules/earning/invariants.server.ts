import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { factsOf, sharesOf } from './book.server.ts'
import { baseOf, MAX_TIERS, shareOf } from './formula.ts'
import { hashOf } from './settle.server.ts'
import type { OrderRow } from '../order/door.server.ts'

/**
 * What does not hold between earnings, their sources, settlements, ledger and withdrawals; one sentence each (operations
 * 1.10, 5 to 8).
 * @param latest how many of the latest orders and settlements are worked out again
 */
export async function wrongEarnings(db: Queryable, latest = 1_000_000): Promise<string[]> {
  const questions: [string, SQL][] = [
    ['a line was settled that another account has', sql`select e.id from earning e join settlement s on s.id = e.settlement_id where (s.account_kind, s.account_id) <> (e.account_kind, e.account_id)`],
    ['a settlement that came to nothing holds lines', sql`select e.id from earning e join settlement s on s.id = e.settlement_id where s.status = 6`],
    ['a settlement was let through by who made it', sql`select id from settlement where status in (3, 4, 5) and auditor_id is not null and (auditor_id = created_by or auditor_id = submitted_by)`],
    ['a settlement was booked otherwise than it says', sql`select s.id from settlement s where s.account_kind = 'agent' and (case when s.status = 5 then s.amount else 0 end) <> (select coalesce(sum(amount), 0) from ledger l where l.account_kind = 'agent' and l.ref_kind = 'settlement' and l.ref_id = s.id)`],
    ['a balance is not the sum of its entries', sql`select id, balance from agent a where coalesce(balance, 0) <> (select coalesce(sum(amount), 0) from ledger l where l.account_kind = 'agent' and l.account_id = a.id)`],
    ['what is on its way is not what was asked for', sql`select id, frozen from agent a where coalesce(frozen, 0) <> (select coalesce(sum(amount), 0) from withdrawal w where w.account_id = a.id and w.status in (1, 2))`],
    ['what went out is not what was paid', sql`select id, withdrawn from agent a where coalesce(withdrawn, 0) <> (select coalesce(sum(amount), 0) from withdrawal w where w.account_id = a.id and w.status = 3)`],
    ['a withdrawal stands in the books otherwise than it is', sql`select w.id from withdrawal w where (case when w.status in (1, 2, 3) then -w.amount else 0 end) <> (select coalesce(sum(amount), 0) from ledger l where l.account_kind = 'agent' and l.ref_id = w.id and l.ref_kind in ('withdrawal', 'withdrawal_back'))`],
    ['a withdrawal was let through by who asked for it', sql`select w.id from withdrawal w where w.status in (2, 3) and w.updated_by = w.asked_by and w.status = 2`],
    ['more than two tiers, or more than half', sql`select order_id from earning_share group by order_id having count(*) > 2 or sum(bp) > ${MAX_TIERS}`],
    ['a lesson was paid otherwise than at its rate', sql`select e.id from earning e join lesson_entry l on l.id = e.source_id where e.source_kind = 'lesson' and l.cause = 'task'
      and e.amount <> -l.delta * (select rate from companion_rate r where r.teacher_id = e.account_id and r.mode = 'lesson' and r.valid_from <= e.at order by r.valid_from desc limit 1)`],
    ['work that was returned is paid', sql`select split_part(l.ref, ':', 1), l.student_id, e.account_id from earning e join lesson_entry l on l.id = e.source_id where e.source_kind = 'lesson' group by 1, 2, 3, e.account_id
      having (sum(l.delta) = 0) and sum(e.amount) <> 0`],
  ]
  const wrong: string[] = []
  for (const [sentence, question] of questions) wrong.push(...(await db.query(question)).map((row) => `${sentence}: ${JSON.stringify(row)}`))
  return [...wrong, ...await wrongCommissions(db, latest), ...await wrongSettlements(db, latest)]
}

/** The sum of an order's lines for each agent and tier is what the order is worth now. */
async function wrongCommissions(db: Queryable, latest: number): Promise<string[]> {
  const orders = await db.query<OrderRow & Record<string, unknown>>(sql`select o.* from orders o where exists (select 1 from earning_order e where e.order_id = o.id) order by o.id desc limit ${latest}`)
  const wrong: string[] = []
  for (const order of orders) {
    const base = baseOf(await factsOf(db, order))
    const shares = (await sharesOf(db, order.id))?.shares ?? []
    const booked = await db.query<{ account_id: number; tier: number; sum: number }>(sql`select account_id, tier, sum(amount)::float8 as sum from earning where account_kind = 'agent' and source_kind = 'order' and source_id = ${order.id} group by account_id, tier`)
    const wanted = new Map(shares.map((share) => [`${share.agent_id}:${share.tier}`, shareOf(base, share.bp)]))
    for (const key of new Set([...wanted.keys(), ...booked.map(({ account_id, tier }) => `${account_id}:${tier}`)])) {
      const sum = booked.find(({ account_id, tier }) => `${account_id}:${tier}` === key)?.sum ?? 0
      if (sum !== (wanted.get(key) ?? 0)) wrong.push(`order ${order.order_no} earns ${key} ${sum} and not ${wanted.get(key) ?? 0}`)
    }
  }
  return wrong
}

/** A settlement that stands is of the lines, the number and the sum that it says. */
async function wrongSettlements(db: Queryable, latest: number): Promise<string[]> {
  const all = await db.query<{ id: number; amount: number; line_cnt: number; hash: string }>(sql`select id, amount::float8 as amount, line_cnt, hash from settlement where status <> 6 order by id desc limit ${latest}`)
  const wrong: string[] = []
  for (const { id, amount, line_cnt, hash } of all) {
    const lines = await db.query<{ id: number; amount: number }>(sql`select id, amount::float8 as amount from earning where settlement_id = ${id} order by id`)
    if (lines.length !== line_cnt || lines.reduce((sum, line) => sum + line.amount, 0) !== amount || hashOf(lines) !== hash) wrong.push(`settlement ${id} is not of its lines`)
  }
  return wrong
}
