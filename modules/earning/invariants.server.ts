import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { questionChecks, sentencesOf, type Finding, type SelfCheck } from '../../core/kernel/self-check.server.ts'
import { lockAnyOrder, type OrderRow } from '../order/door.server.ts'
import { bookDifferences, factsOf, sharesOf } from './book.server.ts'
import { baseOf, MAX_TIERS, shareOf } from './formula.ts'
import { hashOf } from './settle.server.ts'
import { statementChecks } from './statement.server.ts'

/** Orders and settlements that are worked out again every night: the latest. */
const NIGHTLY = 1000

const questions = questionChecks('应得', [
  ['earning_account', '明细由其他账户的结算单结算', sql`select e.id from earning e join settlement s on s.id = e.settlement_id where (s.account_kind, s.account_id) <> (e.account_kind, e.account_id)`],
  ['earning_dropped', '已撤销的结算单仍占用明细', sql`select e.id from earning e join settlement s on s.id = e.settlement_id where s.status = 6`],
  ['settlement_alone', '结算单由制单人自己通过', sql`select id from settlement where status in (3, 4, 5) and auditor_id is not null and (auditor_id = created_by or auditor_id = submitted_by)`],
  ['settlement_booked', '结算单金额与入账不一致', sql`select s.id from settlement s where s.account_kind = 'agent' and (case when s.status = 5 then s.amount else 0 end) <> (select coalesce(sum(amount), 0) from ledger l where l.account_kind = 'agent' and l.ref_kind = 'settlement' and l.ref_id = s.id)`],
  ['agent_balance', '代理余额不等于流水之和', sql`select id, balance from agent a where coalesce(balance, 0) <> (select coalesce(sum(amount), 0) from ledger l where l.account_kind = 'agent' and l.account_id = a.id)`],
  ['agent_frozen', '提现中金额不等于未完成的提现之和', sql`select id, frozen from agent a where coalesce(frozen, 0) <> (select coalesce(sum(amount), 0) from withdrawal w where w.account_id = a.id and w.status in (1, 2))`],
  ['agent_withdrawn', '已提现金额不等于已打款的提现之和', sql`select id, withdrawn from agent a where coalesce(withdrawn, 0) <> (select coalesce(sum(amount), 0) from withdrawal w where w.account_id = a.id and w.status = 3)`],
  ['withdrawal_booked', '提现状态与入账不一致', sql`select w.id from withdrawal w where (case when w.status in (1, 2, 3) then -w.amount else 0 end) <> (select coalesce(sum(amount), 0) from ledger l where l.account_kind = 'agent' and l.ref_id = w.id and l.ref_kind in ('withdrawal', 'withdrawal_back'))`],
  ['withdrawal_alone', '提现由申请人自己通过', sql`select w.id from withdrawal w where w.status in (2, 3) and w.updated_by = w.asked_by and w.status = 2`],
  ['share_tiers', '订单超过两级分佣，或两级合计超过一半', sql`select order_id from earning_share group by order_id having count(*) > 2 or sum(bp) > ${MAX_TIERS}`],
  ['lesson_rate', '课酬不等于课时数乘当时费率', sql`select e.id from earning e join lesson_entry l on l.id = e.source_id where e.source_kind = 'lesson' and l.cause = 'task'
    and e.amount <> -l.delta * (select rate from companion_rate r where r.teacher_id = e.account_id and r.mode = 'lesson' and r.valid_from <= e.at order by r.valid_from desc limit 1)`],
  ['lesson_returned', '退回的课时仍计课酬', sql`select split_part(l.ref, ':', 1) as ref, l.student_id, e.account_id from earning e join lesson_entry l on l.id = e.source_id where e.source_kind = 'lesson' group by 1, 2, 3
    having (sum(l.delta) = 0) and sum(e.amount) <> 0`],
])

/** What holds between earnings, their sources, settlements, ledger and withdrawals (operations 1.10, 5 to 8). @param latest how many of the latest orders and settlements are worked out again */
const checksOf = (latest: number): SelfCheck[] => [
  ...questions,
  {
    name: 'commission_target', area: '应得', title: '已计佣金与按公式重算不一致', find: (db) => wrongCommissions(db, latest),
    repair: {
      label: '补记差额',
      run: async (db, found) => {
        for (const id of new Set(found.flatMap((one) => one.id ?? []))) {
          await db.transaction({ staff_id: null, action: 'repair' }, async (tx) => {
            const order = await lockAnyOrder(tx, id)
            await bookDifferences(tx, order, (await sharesOf(tx, id))?.shares ?? [], `repair ${Math.floor(Date.now() / 1000)}`)
          })
        }
      },
    },
  },
  { name: 'settlement_lines', area: '应得', title: '结算单与其明细的笔数、合计或摘要不一致', find: (db) => wrongSettlements(db, latest) },
]

/** The checks of every night. */
export const earningChecks = checksOf(NIGHTLY)

/** What does not hold, one sentence each: after a history of money. */
export const wrongEarnings = (db: Queryable, latest = 1_000_000): Promise<string[]> => sentencesOf(db, [...checksOf(latest), ...statementChecks])

/** The sum of an order's lines for each agent and tier is what the order is worth now. */
async function wrongCommissions(db: Queryable, latest: number): Promise<Finding[]> {
  const orders = await db.query<OrderRow & Record<string, unknown>>(sql`select o.* from orders o where exists (select 1 from earning_order e where e.order_id = o.id) order by o.id desc limit ${latest}`)
  const wrong: Finding[] = []
  for (const order of orders) {
    const base = baseOf(await factsOf(db, order))
    const shares = (await sharesOf(db, order.id))?.shares ?? []
    const booked = await db.query<{ account_id: number; tier: number; sum: number }>(sql`select account_id, tier, sum(amount)::float8 as sum from earning where account_kind = 'agent' and source_kind = 'order' and source_id = ${order.id} group by account_id, tier`)
    const wanted = new Map(shares.map((share) => [`${share.agent_id}:${share.tier}`, shareOf(base, share.bp)]))
    for (const key of new Set([...wanted.keys(), ...booked.map(({ account_id, tier }) => `${account_id}:${tier}`)])) {
      const sum = booked.find(({ account_id, tier }) => `${account_id}:${tier}` === key)?.sum ?? 0
      if (sum !== (wanted.get(key) ?? 0)) wrong.push({ id: order.id, words: `订单 ${order.order_no}（代理:层级 ${key}）已计 ${sum} 分，应为 ${wanted.get(key) ?? 0} 分` })
    }
  }
  return wrong
}

/** A settlement that stands is of the lines, the number and the sum that it says. */
async function wrongSettlements(db: Queryable, latest: number): Promise<Finding[]> {
  const all = await db.query<{ id: number; amount: number; line_cnt: number; hash: string }>(sql`select id, amount::float8 as amount, line_cnt, hash from settlement where status <> 6 order by id desc limit ${latest}`)
  const wrong: Finding[] = []
  for (const { id, amount, line_cnt, hash } of all) {
    const lines = await db.query<{ id: number; amount: number }>(sql`select id, amount::float8 as amount from earning where settlement_id = ${id} order by id`)
    if (lines.length !== line_cnt || lines.reduce((sum, line) => sum + line.amount, 0) !== amount || hashOf(lines) !== hash) wrong.push({ id, words: `结算单 ${id}` })
  }
  return wrong
}
