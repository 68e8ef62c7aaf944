import { sql } from 'drizzle-orm'
import { seedTransaction, insertMany } from '../../core/setup/insert-many.server.ts'
import type { TestApp } from '../../core/testing/app.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertNodes } from '../../core/tree/change.server.ts'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import type { Dice, MoneyAction, MoneyPart } from '../order/door.server.ts'
import { agentEarning, agentSettlement, withdrawal, WITHDRAWAL_RIGHTS } from './agent-lines.ts'
import { agentCalls, askMoney, attribute, payMoney } from './calls.ts'
import { writeLines } from './book.server.ts'
import { wrongEarnings } from './invariants.server.ts'
import { ACCOUNT } from './line.ts'
import { ANY_LINE, EARNING_RIGHTS, ratePlan } from './plan.ts'
import { passSettlement, settleAccount, type SettlementRow } from './settle.server.ts'
import { SETTLEMENT } from './settlement.ts'
import { askWithdrawal } from './withdraw.server.ts'

const REASON = '随机的一步'
/** Orders and settlements that are worked out again after each history: the latest, which it was about. */
const LOOKED_AT = 40

/** Agents who earn of whatever the other parts sell: settled, paid out, and given other orders, while orders go on and go back. */
const part: MoneyPart = {
  name: 'earning',
  stock: [],
  async open(app: TestApp) {
    let made = 0
    let agents: number[] = []
    let trade = 0
    await seedTransaction(app.kernel.db, (tx) => insertMany(tx, ratePlan, ([1, 2, 3] as const).map((level) => ({ name: `流水 ${level}`, line: ANY_LINE, level, first: 15 - level, second: 5, hold_days: 0, valid_from: Math.floor(Date.now() / 1000) - 86_400 * 30 }))))
    const act = (name: string, rights: readonly number[], often: number, run: MoneyAction['run']): MoneyAction => ({ name: `earning ${name}`, often, rights, run })
    const some = async (dice: Dice, table: 'settlement' | 'withdrawal', status: readonly number[]) => {
      const rows = await app.db.query<{ id: number; amount: number }>(sql`select id, amount::float8 as amount from ${sql.identifier(table)} where status = any(${sql.param([...status])}::int[]) and account_id = any(${sql.param(agents)}::bigint[]) order by id desc limit 5`)
      return rows.length > 0 ? dice.pick(rows) : undefined
    }
    const right = { settle: EARNING_RIGHTS.id('settle'), audit: EARNING_RIGHTS.id('audit'), attribute: EARNING_RIGHTS.id('attribute'), adjust: WITHDRAWAL_RIGHTS.id('adjust'), ask: WITHDRAWAL_RIGHTS.id('withdraw'), look: WITHDRAWAL_RIGHTS.id('audit'), pay: WITHDRAWAL_RIGHTS.id('pay') }
    const look = [agentEarning.grant, agent.grant]
    /** What is done with a settlement or a withdrawal in one of some states, mostly. */
    const step = (resource: typeof agentSettlement | typeof withdrawal, table: 'settlement' | 'withdrawal', name: string, need: number, from: readonly number[], body: Record<string, unknown> = {}) =>
      act(`${table} ${name}`, [...look, need], 3, async (who, dice) => {
        const row = await some(dice, table, dice.one(6) ? [1, 2, 3, 4, 5, 6] : from)
        return row && { answer: await who.post(`${resource.api.item}/${row.id}/${name}`, body), needs: [need] }
      })
    return {
      lines: [], recorded: [],
      actions: [
        act('settled', [...look, right.settle], 5, async (who) => ({ answer: await who.post(agentCalls.settle.path, { until: Math.floor(Date.now() / 1000), account_ids: agents }), needs: [right.settle] })),
        step(agentSettlement, 'settlement', 'submit', right.settle, [1]), step(agentSettlement, 'settlement', 'pass', right.audit, [2]),
        step(agentSettlement, 'settlement', 'refuse', right.audit, [2], { reason: REASON }), step(agentSettlement, 'settlement', 'drop', right.settle, [1], { reason: REASON }),
        act('bonus or deduction', [...look, right.adjust], 3, async (who, dice) => ({ answer: await who.post(agentCalls.adjust.path, { account_id: dice.pick(agents), amount: dice.one(3) ? dice.amount(-5000) : 1 + dice.below(9000), reason: REASON }), needs: [right.adjust] })),
        act('order of another agent', [...look, right.attribute], 3, async (who, dice) => {
          const orders = await app.db.query<{ order_id: number }>(sql`select order_id from earning_order order by order_id desc limit 4`)
          return orders.length === 0 ? undefined : { answer: await who.call('POST', attribute.path, { order_id: dice.pick(orders).order_id, agent_id: dice.one(4) ? null : dice.pick(agents), reason: REASON }), needs: [right.attribute] }
        }),
        act('money asked for', [...look, right.ask], 5, async (who, dice) => {
          const [row] = await app.db.query<{ id: number; balance: number }>(sql`select id, coalesce(balance, 0)::float8 as balance from agent where id = any(${sql.param(agents)}::bigint[]) order by balance desc nulls last limit 1`)
          return row && { answer: await who.post(askMoney.path, { agent_id: row.id, amount: dice.amount(Math.max(1, Math.ceil(row.balance / 2))), holder: '王启航', bank: '中国银行', card: '6217000011112222333' }), needs: [right.ask] }
        }),
        step(withdrawal, 'withdrawal', 'pass', right.look, [1]), step(withdrawal, 'withdrawal', 'refuse', right.look, [1], { reason: REASON }), step(withdrawal, 'withdrawal', 'fail', right.pay, [2], { reason: REASON }),
        act('withdrawal paid', [...look, right.pay], 3, async (who, dice) => {
          const row = await some(dice, 'withdrawal', [1, 2])
          return row && { answer: await who.post(payMoney.path.replace('{id}', String(row.id)), { trade_no: `T${++trade}-${row.id}`, paid_at: 1_790_000_000 }), needs: [right.pay] }
        }),
      ],
      async begin() {
        const base = ++made * 10
        const row = (n: number) => ({ name: `流水代理${base + n}`, mobile: `156${String(30_000_000 + base + n)}`, type: 1 as const, level_id: ((n % 3) + 1) as 1 | 2 | 3, status: AGENT_STATUS.active })
        await seedTransaction(app.kernel.db, async (tx) => {
          const [top] = await insertNodes(tx, agent, [row(1)])
          const [middle] = await insertNodes(tx, agent, [{ ...row(2), parent_id: top ?? null }])
          const [low] = await insertNodes(tx, agent, [{ ...row(3), parent_id: middle ?? null }])
          agents = [top, middle, low].flatMap((id) => id ?? [])
          // Whoever is new is somebody's: orders of every line then have an agent.
          await tx.query(sql`create or replace function own_agent() returns trigger language plpgsql as $$ begin new.agent_id := coalesce(new.agent_id, ${sql.raw(String(low ?? 0))}); return new; end $$`)
          await tx.query(sql`drop trigger if exists own_agent on orders`)
          await tx.query(sql`create trigger own_agent before insert on orders for each row execute function own_agent()`)
          // Each begins with money that was settled, a part of which is asked for: histories are too short to come so far by sales alone.
          const before = Math.floor(Date.now() / 1000) - 60
          for (const id of agents) {
            await writeLines(tx, [{ account_kind: ACCOUNT.agent, account_id: id, source_kind: 'adjust', source_id: id, tier: 0, cause: `begin ${id}`, title: '奖励', amount: 500_00, base: 500_00, rate: 0, rate_id: null, words: '奖励：开始', at: before, due_at: before }])
            const settled = await settleAccount(tx, ACCOUNT.agent, id, before + 60, null)
            const [settlement] = await tx.query<SettlementRow & Record<string, unknown>>(sql`select * from settlement where id = ${settled?.id ?? 0}`)
            if (!settlement) throw new Error('nothing was settled')
            await passSettlement(tx, settlement, null)
            await touch(tx, agentSettlement, { status: SETTLEMENT.booked }, settlement.id)
            await askWithdrawal(tx, app.kernel.secrets, id, 100_00, { holder: '王启航', bank: '中国银行', card: '6217000011112222333' }, null)
          }
        })
      },
      check: (db) => wrongEarnings(db, LOOKED_AT),
    }
  },
}

export default part
