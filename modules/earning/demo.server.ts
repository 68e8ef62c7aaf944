import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom } from '../../core/setup/random.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import type { Secrets } from '../../core/session/secret.server.ts'
import { OPEN_ORDERS } from '../order/module.ts'
import type { OrderRow } from '../order/door.server.ts'
import { partner } from '../study-room/module.ts'
import { WITHDRAWAL, withdrawal } from './agent-lines.ts'
import { bookOrder, writeLines } from './book.server.ts'
import { bookLesson } from './fee.server.ts'
import { ACCOUNT, type AccountKind } from './line.ts'
import { ANY_LINE, ratePlan } from './plan.ts'
import { EARNERS, freeLines, passSettlement, paySettlement, settleAccount, type SettlementRow } from './settle.server.ts'
import { SETTLEMENT } from './settlement.ts'
import { makeAll } from './statement.server.ts'
import { STATEMENT } from './statement.ts'
import { agentTarget, targetName } from './target.ts'
import { askWithdrawal, giveBack, payWithdrawal, type WithdrawalRow } from './withdraw.server.ts'

const DAY = 86_400
/** How much of everything is worked out: a first start waits for it. */
/** Days from which orders are taken: enough for months that are settled and stated. */
const MONTHS_DAYS = 150
const SIZE = { orders: 420, lessons: 520 } as const
/** Who makes and who lets through. */
const [MAKER, AUDITOR] = [2, 3]
const BANKS = ['中国工商银行南京分行', '中国建设银行苏州分行', '招商银行杭州分行', '中国农业银行无锡分行']

/** Rates of two years, of every line and of one that pays more; one that is still to come. */
async function insertPlans(tx: Queryable, now: number): Promise<void> {
  const plan = (name: string, line: string, level: 1 | 2 | 3, first: number, second: number, valid_from: number) => ({ name, line, level, first, second, hold_days: 7, valid_from: startOfDay(valid_from), created_at: valid_from - DAY })
  const rates = [[1, 12, 5], [2, 10, 4], [3, 8, 3]] as const
  await insertMany(tx, ratePlan, [
    ...rates.map(([level, first, second]) => plan('2025 版', ANY_LINE, level, first, second, now - 600 * DAY)),
    ...rates.map(([level, first, second]) => plan('2026 秋季版', 'accompany', level, first + 3, second + 1, now - 100 * DAY)),
    plan('2027 版', ANY_LINE, 1, 13, 5, now + 36 * DAY),
  ])
}

/** Books orders of the last months that may have an agent, as if it had been when they were paid. */
async function bookOrders(tx: Queryable): Promise<void> {
  const orders = await tx.query<OrderRow & Record<string, unknown>>(sql`select * from orders where agent_id is not null and paid_at is not null and deleted_at is null and status <> all(${sql.param([...OPEN_ORDERS])}::int[])
    and paid_at > now() - make_interval(days => ${MONTHS_DAYS}) order by md5(id::text) limit ${SIZE.orders}`)
  for (const order of orders.toSorted((a, b) => Number(a.paid_at) - Number(b.paid_at))) await bookOrder(tx, order, `move ${order.id}`, order.paid_at ?? undefined)
}

async function bookLessons(tx: Queryable): Promise<void> {
  const entries = await tx.query<{ id: number; student_id: number; teacher_id: number | null; delta: number; cause: 'task'; ref: string; at: number }>(sql`select id, student_id, teacher_id, delta, cause, ref, extract(epoch from at)::float8 as at from lesson_entry
    where cause = 'task' and teacher_id is not null order by at desc limit ${SIZE.lessons}`)
  for (const { at, ...entry } of entries.reverse()) await bookLesson(tx, entry, Math.floor(at))
}

/** Settles accounts up to some days ago and takes each settlement as far as it has come since. */
async function settleUntil(tx: Queryable, kind: AccountKind, until: number, state: (index: number) => number): Promise<void> {
  const accounts = await tx.query<{ account_id: number }>(sql`select distinct account_id from earning where account_kind = ${kind} and settlement_id is null and due_at <= to_timestamp(${until}) order by account_id`)
  for (const [index, { account_id }] of accounts.entries()) {
    const made = await settleAccount(tx, kind, account_id, until, MAKER)
    if (!made) continue
    const { settlement } = EARNERS[kind]
    const to = state(index)
    const row = async () => (await tx.query<SettlementRow & Record<string, unknown>>(sql`select * from settlement where id = ${made.id}`))[0] as SettlementRow
    if (to !== SETTLEMENT.draft) await touch(tx, settlement, { submitted_by: MAKER, status: SETTLEMENT.waiting } as object, made.id)
    if (to === SETTLEMENT.dropped) {
      await freeLines(tx, await row())
      await touch(tx, settlement, { status: to } as object, made.id)
    }
    if (to === SETTLEMENT.paying || to === SETTLEMENT.paid || to === SETTLEMENT.booked) {
      await passSettlement(tx, await row(), AUDITOR, until + DAY)
      await touch(tx, settlement, { status: kind === ACCOUNT.agent ? SETTLEMENT.booked : SETTLEMENT.paying } as object, made.id)
    }
    if (to === SETTLEMENT.paid) await paySettlement(tx, await row(), { trade_no: `KC${String(until).slice(-6)}${made.id}`, paid_at: until + 3 * DAY })
    await tx.query(sql`update settlement set created_at = to_timestamp(${until + 6 * 3600}), audited_at = case when audited_at is null then null else to_timestamp(${until + DAY}) end where id = ${made.id}`)
  }
}

/** Withdrawals in every state, out of balances that are there. */
async function withdraw(tx: Queryable, secrets: Secrets, now: number): Promise<void> {
  const random = seededRandom(59)
  const rich = await tx.query<{ id: number; balance: number; name: string }>(sql`select id, balance, name from agent where status = 1 and balance > 2000 order by balance desc limit 24`)
  for (const [index, { id, balance, name }] of rich.entries()) {
    const amount = Math.floor(balance * random.pick([0.4, 0.6, 0.8]) / 100) * 100
    const holder = /（(.+)）|^(.+?)老师/.exec(name)?.slice(1).find(Boolean) ?? name.slice(0, 10)
    const card = `6217${String(1_000_000_000_000 + random.int(0, 899_999_999_999) + index)}`
    const made = await askWithdrawal(tx, secrets, id, amount, { holder, bank: random.pick(BANKS), card }, MAKER)
    const row = { id: made.id, no: made.no, account_id: id, amount, status: WITHDRAWAL.paying } as WithdrawalRow
    const to = index < 4 ? WITHDRAWAL.waiting : index < 7 ? WITHDRAWAL.paying : index < 9 ? WITHDRAWAL.failed : index < 10 ? WITHDRAWAL.refused : WITHDRAWAL.paid
    if (to === WITHDRAWAL.paid) await payWithdrawal(tx, row, { trade_no: `TX${String(now).slice(-6)}${made.id}`, paid_at: now - random.int(1, 20) * DAY })
    else if (to !== WITHDRAWAL.waiting) {
      if (to !== WITHDRAWAL.paying) await giveBack(tx, row, AUDITOR, to === WITHDRAWAL.failed ? '收款账号与户名不符' : '缺少收款人的身份证明')
      await touch(tx, withdrawal, { status: to }, made.id)
    }
  }
}

/** Statements of the months that are over: older ones are confirmed, one of the last is disputed. */
async function insertStatements(tx: Queryable, now: number): Promise<void> {
  const months = [4, 3, 2, 1].map((back) => {
    const day = new Date(startOfDay(now) * 1000 + 8 * 3600_000)
    return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - back, 1)).toISOString().slice(0, 7)
  })
  for (const month of months) await makeAll(tx, month, sql`deleted_at is null`, MAKER)
  const last = months.at(-1) ?? ''
  await tx.query(sql`update agent_statement set status = ${STATEMENT.confirmed} where month < ${last}`)
  await tx.query(sql`update agent_statement set status = ${STATEMENT.disputed}, answer = '有一笔退款应在下月冲回' where id = (select max(id) from agent_statement where month = ${last})`)
}

/** A few partners in exclusive regions whom an agent of another branch won: somebody has to talk about them. */
async function crossRegions(tx: Queryable): Promise<void> {
  const found = await tx.query<{ id: number; seller: number }>(sql`select distinct on (h.id) p.id, (select b.id from agent b where b.type = 1 and b.status = 1 and b.id <> h.id and b.parent_id is null order by b.id limit 1) as seller
    from partner p join agent h on starts_with(p.region_code, h.region_code) and h.status = 1 where h.deleted_at is null order by h.id, p.id limit 4`)
  for (const { id, seller } of found) if (seller) await setDerived(tx, partner, { agent_id: seller }, id)
}

/** What agents who are active are to sell this year and sold in the last one. */
async function insertTargets(tx: Queryable, now: number): Promise<void> {
  const random = seededRandom(89)
  const year = new Date(now * 1000).getUTCFullYear()
  const agents = await tx.query<{ id: number; name: string; type: number; sold: number }>(sql`select a.id, a.name, a.type, coalesce((select sum(o.paid - o.refunded) from orders o where o.agent_id = a.id and o.paid_at > now() - interval '1 year'), 0)::float8 as sold from agent a where a.status = 1 and a.deleted_at is null and a.type in (1, 2, 5) order by a.id`)
  await insertMany(tx, agentTarget, agents.flatMap(({ id, name, type, sold }) => [year - 1, year].map((one) => ({
    name: targetName(name, one), account_id: id, year: one, sales: Math.max(20_000_00, Math.round(sold * random.pick([0.8, 1.1, 1.5, 2.2]) / 100_00) * 100_00), codes: type === 1 ? random.int(8, 40) * 100 : random.int(0, 8) * 50,
  }))))
}

/** What agents and teachers earned of what the demo sold and taught, settled month by month. */
export async function insertEarningDemo(db: Database, report: (text: string) => void, secrets: Secrets): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    await insertPlans(tx, now)
    await bookOrders(tx)
    await bookLessons(tx)
    const bonus = await tx.query<{ account_kind: AccountKind; account_id: number }>(sql`select account_kind, account_id from earning group by 1, 2 order by count(*) desc, 1, 2 limit 8`)
    await writeLines(tx, bonus.map((one, index) => {
      const amount = index % 3 === 2 ? -3000 : 20_000
      return { ...one, source_kind: 'adjust', source_id: index + 1, tier: 0, cause: `adjust ${index + 1}`, title: amount > 0 ? '奖励' : '扣减', amount, base: amount, rate: 0, rate_id: null, words: amount > 0 ? '奖励：季度之星' : '扣减：客诉核实后扣减', at: now - (9 + index) * DAY, due_at: now - (9 + index) * DAY } as const
    }))
    for (const back of [90, 60, 30]) await settleUntil(tx, ACCOUNT.agent, startOfDay(now - back * DAY), () => SETTLEMENT.booked)
    // Lessons are of the last weeks.
    for (const back of [28, 20, 12]) await settleUntil(tx, ACCOUNT.teacher, startOfDay(now - back * DAY), (index) => (back === 12 && index % 3 === 1 ? SETTLEMENT.paying : SETTLEMENT.paid))
    const lately = (index: number) => [SETTLEMENT.waiting, SETTLEMENT.draft, SETTLEMENT.dropped, SETTLEMENT.waiting][index % 4] ?? SETTLEMENT.draft
    await settleUntil(tx, ACCOUNT.agent, startOfDay(now - 4 * DAY), lately)
    await settleUntil(tx, ACCOUNT.teacher, startOfDay(now - 4 * DAY), lately)
    await withdraw(tx, secrets, now)
    await insertStatements(tx, now)
    await insertTargets(tx, now)
    await crossRegions(tx)
    const [made] = await tx.query<{ n: number }>(sql`select count(*)::int as n from earning`)
    report(`已生成 ${made?.n ?? 0} 条佣金和课酬`)
  })
}
