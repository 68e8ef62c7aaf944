import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { questionChecks, sentencesOf, type Finding, type SelfCheck } from '../../core/kernel/self-check.server.ts'
import { FLOWS, isInForce, MONEY_CHANNELS, REFUND_STATUS, type Edge, type OrderStatus } from './flow.ts'
import { MAX_SUM, type OrderLine } from './line.ts'

/** Steps of an order's log that leave the state where it is. */
const STILL = new Set(['payment', 'reprice'])

interface LogRow { order_id: number; line: string; status: OrderStatus; action: string; from_status: OrderStatus | null; to_status: OrderStatus }

/** Orders that are walked through again every night: the latest. */
const NIGHTLY = 5000

const latestOrders = (latest: number) => sql`(select * from orders order by id desc limit ${latest})`

/** Whether each order went along the edges of its state machine alone, and stands where the last of them led. */
async function wrongSteps(db: Queryable, lines: readonly OrderLine[], latest: number): Promise<Finding[]> {
  const flows = new Map<string, readonly Edge[]>(lines.map((line) => [line.code, FLOWS[line.flow]]))
  const rows = await db.query<LogRow>(sql`select l.order_id, o.line, o.status, l.action, l.from_status, l.to_status from order_log l join ${latestOrders(latest)} o on o.id = l.order_id order by l.order_id, l.id`)
  const wrong: Finding[] = []
  for (const log of Map.groupBy(rows, (row) => row.order_id).values()) {
    let before: OrderStatus | null = null
    for (const [index, { line, action, from_status: from, to_status: to, order_id: id }] of log.entries()) {
      const edges = flows.get(line) ?? FLOWS.sale
      const is = action === 'create' ? from === null : STILL.has(action) ? from === to
        : edges.some((edge) => edge.action === action && from !== null && edge.from.includes(from) && (edge.to === to || (edge.to === 'same' && from === to) || (edge.to === 'before' && to === before)))
      if (!is || (index > 0 && from !== log[index - 1]?.to_status)) wrong.push({ id, words: `订单 ${id}（${line}）从状态 ${from ?? '无'} 经 ${action} 到 ${to}` })
      if (action === 'ask_refund') before = from
    }
    const last = log.at(-1)
    if (last && last.to_status !== last.status) wrong.push({ id: last.order_id, words: `订单 ${last.order_id}（${last.line}）状态为 ${last.status}，记录止于 ${last.to_status}` })
  }
  return wrong
}

/** In force exactly while paid for. */
async function wrongForce(db: Queryable, latest: number): Promise<Finding[]> {
  const rows = await db.query<{ id: number; status: OrderStatus; before_status: OrderStatus | null; deleted_at: number | null; amount: number; paid: number; qty: number; refunded_qty: number; granted_qty: number }>(
    sql`select o.id, o.status, o.before_status, o.deleted_at, o.amount, o.paid, i.qty, i.refunded_qty, i.granted_qty from order_item i join ${latestOrders(latest)} o on o.id = i.order_id`)
  return rows.filter((row) => {
    const on = row.deleted_at === null && isInForce(row)
    return row.granted_qty !== (on ? row.qty - row.refunded_qty : 0) || (on && row.paid < row.amount)
  }).map((row) => ({ id: row.id, words: `订单 ${row.id}，状态 ${row.status}，应付 ${row.amount}，实付 ${row.paid}，已生效 ${row.granted_qty}` }))
}

const money = sql.param([...MONEY_CHANNELS, 'balance'])
const done = sql`r.status = ${REFUND_STATUS.done}`
const part = sql`jsonb_to_recordset(r.parts) as p ("from" text, "to" text, amount bigint)`
const alone = sql`r.status = ${REFUND_STATUS.done} and r.asked_by = r.decided_by`

/** Tables whose rows repeat the balance of their account, with what the ledger calls such an account. */
const balanceTables = (lines: readonly OrderLine[]) => [...new Map(lines.flatMap(({ account, ...line }) => (account?.balanceTable ? [[account.balanceTable, line[account.of]?.kind ?? ''] as const] : [])))]

/** Balances that are not the sum of their entries. */
async function wrongBalances(db: Queryable, lines: readonly OrderLine[]): Promise<Finding[]> {
  const wrong: Finding[] = []
  for (const [table, kind] of balanceTables(lines)) {
    const rows = await db.query<{ id: number; balance: number | null }>(sql`select id, balance from ${sql.identifier(table)} t where coalesce(balance, 0) < 0
      or coalesce(balance, 0) <> (select coalesce(sum(amount), 0) from ledger where account_kind = ${kind} and account_id = t.id)`)
    wrong.push(...rows.map(({ id, balance }) => ({ id, words: `${table} ${id} 余额 ${balance ?? 0} 分` })))
  }
  return wrong
}

/**
 * What holds in the books, whatever has happened to them.
 * @param lines of orders that there are; asked for when something is looked at
 * @param latest how many of the latest orders are walked through again
 */
export const bookChecks = (lines: () => readonly OrderLine[], latest = NIGHTLY): SelfCheck[] => [
  ...questionChecks('订单', [
    ['payment_channel', '收款渠道不是钱', sql`select * from payment where not channel = any(${money}::text[])`],
    ['order_sums', '订单的实付、退款与收款、退款记录不一致', sql`select * from (select o.id, o.amount, o.paid, o.refunded,
      (select coalesce(sum(amount), 0) from payment where order_id = o.id) as came, (select coalesce(sum(amount), 0) from refund r where order_id = o.id and ${done}) as went from orders o) x
      where paid <> came or refunded <> went or refunded > paid or paid > amount`],
    ['refund_parts', '退款金额不等于各渠道之和', sql`select r.id, r.amount, r.parts from refund r where r.amount <> (select coalesce(sum(p.amount), 0) from ${part})`],
    ['refund_channel', '从一个渠道退出的钱多于从它收的钱', sql`select order_id, "from", sum(amount) as n from (select r.order_id, p."from", p.amount from refund r, ${part} where ${done}) x group by 1, 2
      having sum(amount) > (select coalesce(sum(amount), 0) from payment y where y.order_id = x.order_id and y.channel = x."from")`],
    ['refund_other_way', '改道退款没有第二人复核', sql`select r.id from refund r, ${part} where ${alone} and p."from" <> p."to"`],
    ['ledger_channel', '账上从一个渠道流出多于流入，且没有第二人', sql`select order_id, channel, sum(amount) as n from ledger l where kind in ('payment', 'payout')
      or (kind = 'refund' and not exists (select 1 from ledger b where b.order_id = l.order_id and b.kind = 'order')) group by 1, 2 having sum(amount) < 0 and channel <> 'balance' and order_id is not null`],
    ['ledger_payment', '订单入账与收款记录不一致', () => sql`select o.id from orders o where o.line <> all(${sql.param(lines().flatMap(({ code, account }) => (account ? [] : [code])))}::text[]) and (select coalesce(sum(amount), 0) from ledger where order_id = o.id and kind = 'payment')
      <> (select coalesce(sum(amount), 0) from payment where order_id = o.id and channel <> 'balance')`],
    ['item_returned', '商品退回数量与退款记录不一致', sql`select i.id, i.qty, i.refunded_qty from order_item i where i.refunded_qty not between 0 and i.qty or i.refunded_qty <> (
      select coalesce(sum(p.qty), 0) from refund r, jsonb_to_recordset(coalesce(r.items, '[]')) as p (id bigint, qty bigint) where r.order_id = i.order_id and ${done} and p.id = i.id)`],
    ['order_total', '订单金额不等于商品合计减优惠', sql`select o.id from orders o where o.total <> (select sum(price * qty) from order_item where order_id = o.id) or o.amount <> o.total - o.discount or o.discount < 0 or o.amount < 0`],
    ['item_net', '商品优惠后金额之和不等于订单应付', sql`select o.id, o.amount from orders o where o.amount <> (select sum(net) from order_item where order_id = o.id)`],
    ['order_discount', '订单优惠不等于各项优惠之和', sql`select o.id, o.discount from orders o where o.discount <> (select coalesce(sum(amount), 0) from order_discount where order_id = o.id)`],
    ['sum_limit', '金额超过上限', sql`select id from orders where total > ${MAX_SUM} union all select id from payment where amount > ${MAX_SUM} or amount < 1 union all select id from ledger where abs(amount) > ${MAX_SUM} union all select id from refund where amount > ${MAX_SUM} or amount < 0`],
    ['virtual_paid', '虚拟单有应付或实付', sql`select id from orders where virtual = 1 and (amount <> 0 or paid <> 0)`],
  ]),
  { name: 'account_balance', area: '订单', title: '账户余额为负，或不等于流水之和', find: (db) => wrongBalances(db, lines()) },
  { name: 'order_force', area: '订单', title: '未付清却已生效，或已付清却未生效', find: (db) => wrongForce(db, latest) },
  { name: 'order_steps', area: '订单', title: '订单走了不存在的状态步骤', find: (db) => wrongSteps(db, lines(), latest) },
]

/** What one person may refund alone, by the limit that the histories of money set. */
const limitChecks = (limit: number): SelfCheck[] => questionChecks('订单', [
  ['refund_alone', '一人独自为一个订单退款过多', sql`select r.order_id, sum(r.amount) as n from refund r where ${alone} group by 1 having sum(r.amount) >= ${limit}`],
  ['refund_alone_day', '一人一天独自退款过多', sql`select r.asked_by, sum(r.amount) as n from refund r where ${alone} and r.asked_at > now() - interval '1 day' group by 1 having sum(r.amount) >= ${limit}`],
])

/**
 * What is wrong with the books, whatever has happened to them; one sentence each.
 * @param lines whose accounts repeat their balance are looked at
 * @param limit refunds from here on need a second person, in fen
 */
export const brokenBooks = (db: Queryable, lines: readonly OrderLine[], limit: number): Promise<string[]> => sentencesOf(db, [...bookChecks(() => lines, 1_000_000), ...limitChecks(limit)])
