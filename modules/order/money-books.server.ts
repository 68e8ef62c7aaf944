import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { FLOWS, isInForce, MONEY_CHANNELS, REFUND_STATUS, type Edge, type OrderStatus } from './flow.ts'
import { MAX_SUM, type OrderLine } from './line.ts'

/** Steps of an order's log that leave the state where it is. */
const STILL = new Set(['payment', 'reprice'])

interface LogRow { order_id: number; line: string; status: OrderStatus; action: string; from_status: OrderStatus | null; to_status: OrderStatus }

const words = (row: object) => JSON.stringify(row)

/** Whether each order went along the edges of its state machine alone, and stands where the last of them led. */
async function wrongSteps(db: Queryable, lines: readonly OrderLine[]): Promise<string[]> {
  const flows = new Map<string, readonly Edge[]>(lines.map((line) => [line.code, FLOWS[line.flow]]))
  const rows = await db.query<LogRow>(sql`select l.order_id, o.line, o.status, l.action, l.from_status, l.to_status from order_log l join orders o on o.id = l.order_id order by l.order_id, l.id`)
  const wrong: string[] = []
  for (const log of Map.groupBy(rows, (row) => row.order_id).values()) {
    let before: OrderStatus | null = null
    for (const [index, { line, action, from_status: from, to_status: to, ...step }] of log.entries()) {
      const edges = flows.get(line) ?? FLOWS.sale
      const is = action === 'create' ? from === null : STILL.has(action) ? from === to
        : edges.some((edge) => edge.action === action && from !== null && edge.from.includes(from) && (edge.to === to || (edge.to === 'same' && from === to) || (edge.to === 'before' && to === before)))
      if (!is || (index > 0 && from !== log[index - 1]?.to_status)) wrong.push(`no such step: ${words({ ...step, action, from, to })}`)
      if (action === 'ask_refund') before = from
    }
    const last = log.at(-1)
    if (last && last.to_status !== last.status) wrong.push(`the log ends elsewhere: ${words(last)}`)
  }
  return wrong
}

/** In force exactly while paid for. */
async function wrongForce(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: number; status: OrderStatus; before_status: OrderStatus | null; deleted_at: number | null; amount: number; paid: number; qty: number; refunded_qty: number; granted_qty: number }>(
    sql`select o.id, o.status, o.before_status, o.deleted_at, o.amount, o.paid, i.qty, i.refunded_qty, i.granted_qty from order_item i join orders o on o.id = i.order_id`)
  return rows.filter((row) => {
    const on = row.deleted_at === null && isInForce(row)
    return row.granted_qty !== (on ? row.qty - row.refunded_qty : 0) || (on && row.paid < row.amount)
  }).map((row) => `in force without being paid for, or the other way round: ${words(row)}`)
}

/**
 * What is wrong with the books, whatever has happened to them; one sentence each.
 * @param lines whose accounts repeat their balance are looked at
 * @param limit refunds from here on need a second person, in fen
 */
export async function brokenBooks(db: Queryable, lines: readonly OrderLine[], limit: number): Promise<string[]> {
  const money = sql.param([...MONEY_CHANNELS, 'balance'])
  const done = sql`r.status = ${REFUND_STATUS.done}`
  const part = sql`jsonb_to_recordset(r.parts) as p ("from" text, "to" text, amount bigint)`
  const alone = sql`r.status = ${REFUND_STATUS.done} and r.asked_by = r.decided_by`
  const tables = [...new Map(lines.flatMap(({ account, ...line }) => (account?.balanceTable ? [[account.balanceTable, line[account.of]?.kind ?? ''] as const] : [])))]
  const questions: [string, SQL][] = [
    ['what was taken is no money', sql`select * from payment where not channel = any(${money}::text[])`],
    ['an order paid and refunded says something else than its payments and refunds', sql`select * from (select o.id, o.amount, o.paid, o.refunded,
      (select coalesce(sum(amount), 0) from payment where order_id = o.id) as came, (select coalesce(sum(amount), 0) from refund r where order_id = o.id and ${done}) as went from orders o) x
      where paid <> came or refunded <> went or refunded > paid or paid > amount`],
    ['a refund is not the sum of its parts', sql`select r.id, r.amount, r.parts from refund r where r.amount <> (select coalesce(sum(p.amount), 0) from ${part})`],
    ['more went back out of a channel than had come by it', sql`select order_id, "from", sum(amount) as n from (select r.order_id, p."from", p.amount from refund r, ${part} where ${done}) x group by 1, 2
      having sum(amount) > (select coalesce(sum(amount), 0) from payment y where y.order_id = x.order_id and y.channel = x."from")`],
    ['money went another way without a second person', sql`select r.id from refund r, ${part} where ${alone} and p."from" <> p."to"`],
    ['by the books more went out by a channel than came in, and no second person is named', sql`select order_id, channel, sum(amount) as n from ledger l where kind in ('payment', 'payout')
      or (kind = 'refund' and not exists (select 1 from ledger b where b.order_id = l.order_id and b.kind = 'order')) group by 1, 2 having sum(amount) < 0 and channel <> 'balance' and order_id is not null`],
    ['the books and the payments of an order differ', sql`select o.id from orders o where o.line <> all(${sql.param(lines.flatMap(({ code, account }) => (account ? [] : [code])))}::text[]) and (select coalesce(sum(amount), 0) from ledger where order_id = o.id and kind = 'payment')
      <> (select coalesce(sum(amount), 0) from payment where order_id = o.id and channel <> 'balance')`],
    ['an item went back more or less often than refunds say', sql`select i.id, i.qty, i.refunded_qty from order_item i where i.refunded_qty not between 0 and i.qty or i.refunded_qty <> (
      select coalesce(sum(p.qty), 0) from refund r, jsonb_to_recordset(coalesce(r.items, '[]')) as p (id bigint, qty bigint) where r.order_id = i.order_id and ${done} and p.id = i.id)`],
    ['items and discount of an order are not its sum', sql`select o.id from orders o where o.total <> (select sum(price * qty) from order_item where order_id = o.id) or o.amount <> o.total - o.discount or o.discount < 0 or o.amount < 0`],
    ['what items were paid with is not the amount of their order', sql`select o.id, o.amount from orders o where o.amount <> (select sum(net) from order_item where order_id = o.id)`],
    ['the discount of an order is not the sum of its reasons', sql`select o.id, o.discount from orders o where o.discount <> (select coalesce(sum(amount), 0) from order_discount where order_id = o.id)`],
    ['a sum is larger than the largest', sql`select id from orders where total > ${MAX_SUM} union all select id from payment where amount > ${MAX_SUM} or amount < 1 union all select id from ledger where abs(amount) > ${MAX_SUM} union all select id from refund where amount > ${MAX_SUM} or amount < 0`],
    ['one person refunded too much of an order alone', sql`select r.order_id, sum(r.amount) as n from refund r where ${alone} group by 1 having sum(r.amount) >= ${limit}`],
    ['one person refunded too much in a day alone', sql`select r.asked_by, sum(r.amount) as n from refund r where ${alone} and r.asked_at > now() - interval '1 day' group by 1 having sum(r.amount) >= ${limit}`],
    ['a virtual order was paid', sql`select id from orders where virtual = 1 and (amount <> 0 or paid <> 0)`],
    ...tables.map(([table, kind]): [string, SQL] => [`a balance is not the sum of its entries (${table})`, sql`select id, balance from ${sql.identifier(table)} t where coalesce(balance, 0) < 0
      or coalesce(balance, 0) <> (select coalesce(sum(amount), 0) from ledger where account_kind = ${kind} and account_id = t.id)`]),
  ]
  const wrong: string[] = []
  for (const [sentence, question] of questions) wrong.push(...(await db.query(question)).map((row) => `${sentence}: ${words(row)}`))
  return [...wrong, ...await wrongForce(db), ...await wrongSteps(db, lines)]
}
