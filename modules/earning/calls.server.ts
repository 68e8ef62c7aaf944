import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, readOne, NOTHING_COMPUTED } from '../../core/resource/list.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { agent } from '../agent/module.ts'
import { companionTeacher } from '../companion/module.ts'
import type { OrderRow } from '../order/door.server.ts'
import { withdrawal } from './agent-lines.ts'
import { writeLines } from './book.server.ts'
import { agentCalls, askMoney, attribute, explainOrder, MAX_ACCOUNTS, payMoney, payTeacher, readCard, teacherCalls, teacherSums, tryRate, type AmountSums } from './calls.ts'
import { attributeOrder, explainLine, explainOrderOf, tryPlan } from './explain.server.ts'
import { ACCOUNT, type AccountKind } from './line.ts'
import { EARNERS, paySettlement, phases, settleAccount, stateOf } from './settle.server.ts'
import { teacherEarning, teacherSettlement } from './teacher-lines.ts'
import { askWithdrawal, cardOf, payWithdrawal } from './withdraw.server.ts'

const OWNERS: Readonly<Record<AccountKind, Resource>> = { [ACCOUNT.agent]: agent, [ACCOUNT.teacher]: companionTeacher }

/** Accounts within what the person may see, in the order in which they are held. */
async function accountsOf(db: Queryable, staff: Staff, kind: AccountKind, ids: readonly number[] | undefined, until: number): Promise<number[]> {
  const owner = OWNERS[kind]
  const some = ids === undefined
    ? sql`id in (select account_id from earning where account_kind = ${kind} and settlement_id is null and due_at <= to_timestamp(${until}))${kind === ACCOUNT.teacher ? sql` or id in (select teacher_id from companion_rate where mode = 'month')` : sql``}`
    : sql`id = any(${sql.param([...ids])}::bigint[])`
  const rows = await db.query<{ id: number }>(sql`select id from ${sql.identifier(owner.table)} where ${listCondition(owner, staff, {})} and (${some}) order by id limit ${MAX_ACCOUNTS}`)
  if (ids !== undefined && rows.length < new Set(ids).size) throw notFound(owner.label)
  return rows.map(({ id }) => id)
}

/** Whether an account is there, within what the person may see. */
const isSeen = async (db: Queryable, staff: Staff, kind: AccountKind, id: number): Promise<boolean> =>
  (await db.query(sql`select id from ${sql.identifier(OWNERS[kind].table)} where ${listCondition(OWNERS[kind], staff, {})} and id = ${id}`)).length > 0

/** Settling, bonuses and deductions, and explanations: the same for both who earn. */
function earnerCalls(kind: AccountKind, { settle, adjust, explain }: typeof agentCalls): Served[] {
  const { earning } = EARNERS[kind]
  return [
    handle(settle, (call) => call.transaction(async (tx) => {
      const { until, account_ids } = call.input
      if (until > Date.now() / 1000 + 86_400) throw invalid({ until: '结算日期不能晚于今天' })
      const ids = await accountsOf(tx, call.staff, kind, account_ids, until)
      const made: { amount: number }[] = []
      for (const id of ids) {
        const one = await settleAccount(tx, kind, id, until, call.staff.id)
        if (one) made.push(one)
      }
      return { made: made.length, amount: made.reduce((sum, { amount }) => sum + amount, 0), skipped: ids.length - made.length }
    }, { action: 'settle' })),
    handle(adjust, (call) => call.transaction(async (tx) => {
      const { account_id, amount, reason } = call.input
      if (!await isSeen(tx, call.staff, kind, account_id)) throw invalid({ account_id: `${OWNERS[kind].label}不存在，请重新选择` })
      const [next] = await tx.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('earning', 'id')) as id`)
      const id = Number(next?.id ?? 0)
      await writeLines(tx, [{ account_kind: kind, account_id, source_kind: 'adjust', source_id: id, tier: 0, cause: `adjust ${id}`, title: amount > 0 ? '奖励' : '扣减', amount, base: amount, rate: 0, rate_id: null, words: `${amount > 0 ? '奖励' : '扣减'}：${reason}` }], call.staff.id)
      return { id }
    }, { action: 'adjust', reason: call.input.reason })),
    handle(explain, async (call) => {
      const row = await readOne(call.db, earning, call.staff, idParam(call), { state: stateOf })
      if (!row) throw notFound(earning.label)
      return explainLine(call.db, row as unknown as Parameters<typeof explainLine>[1])
    }),
  ]
}

/** An order within what the person may see: their agents' alone, where they are limited to some. */
async function seenOrder(db: Queryable, staff: Staff, condition: ReturnType<typeof sql>): Promise<OrderRow | undefined> {
  const agents = staff.scopes['agent']
  const within = agents === undefined || agents.length === 0 ? sql`true` : sql`agent_id = any(${sql.param([...agents])}::bigint[])`
  const [row] = await db.query<OrderRow & Record<string, unknown>>(sql`select * from orders where ${condition} and deleted_at is null and ${within}`)
  return row
}

const answer = async <R extends Resource>(tx: Queryable, staff: Staff, resource: R, id: number): Promise<WireRow<R>> => {
  const row = await readOne(tx, resource, staff, id, NOTHING_COMPUTED)
  if (!row) throw notFound(resource.label)
  return present(resource, staff, row)
}

/** The calls of the module. */
export function earningCalls({ secrets }: Pick<Kernel, 'secrets'>): Served[] {
  return [
    ...earnerCalls(ACCOUNT.agent, agentCalls), ...earnerCalls(ACCOUNT.teacher, teacherCalls),
    handle(payTeacher, (call) => call.transaction(async (tx) => {
      const row = await lockRow(tx, teacherSettlement, call.staff, idParam(call))
      await paySettlement(tx, row, call.input)
      return answer(tx, call.staff, teacherSettlement, row.id)
    }, { action: 'pay' })),
    handle(teacherSums, async (call) => {
      const { account_id } = call.input
      const of = account_id === undefined ? sql`true` : sql`earning.account_id = ${account_id}`
      const [sums] = await call.db.query<AmountSums & Record<string, unknown>>(sql`select coalesce(sum(amount) filter (where settlement_id is null), 0)::float8 as owed, coalesce(sum(amount) filter (where ${phases.settled}), 0)::float8 as settled,
        coalesce(sum(amount) filter (where ${phases.settling}), 0)::float8 as auditing, coalesce(sum(amount) filter (where ${phases.back}), 0)::float8 as deducted from earning where ${listCondition(teacherEarning, call.staff, {})} and ${of}`)
      return sums ?? { owed: 0, settled: 0, auditing: 0, deducted: 0 }
    }),
    handle(explainOrder, async (call) => explainOrderOf(call.db, await seenOrder(call.db, call.staff, sql`order_no = ${call.input.order_no}`))),
    handle(attribute, (call) => call.transaction(async (tx) => {
      const { order_id, agent_id } = call.input
      if (!await seenOrder(tx, call.staff, sql`id = ${order_id}`)) throw notFound('订单')
      if (agent_id !== null && !await isSeen(tx, call.staff, ACCOUNT.agent, agent_id)) throw invalid({ agent_id: '代理不存在，请重新选择' })
      return explainOrderOf(tx, await attributeOrder(tx, order_id, agent_id))
    }, { action: 'attribute', reason: call.input.reason })),
    handle(tryRate, async (call) => {
      if (call.input.first + call.input.second > 50) throw badRequest('两级合计不能超过 50%')
      return tryPlan(call.db, call.input)
    }),
    handle(askMoney, (call) => call.transaction(async (tx) => {
      const { agent_id, amount, ...payee } = call.input
      if (!await isSeen(tx, call.staff, ACCOUNT.agent, agent_id)) throw invalid({ agent_id: '代理不存在，请重新选择' })
      return askWithdrawal(tx, secrets, agent_id, amount, payee, call.staff.id)
    }, { action: 'ask' })),
    handle(payMoney, (call) => call.transaction(async (tx) => {
      const row = await lockRow(tx, withdrawal, call.staff, idParam(call))
      await payWithdrawal(tx, row, call.input)
      return answer(tx, call.staff, withdrawal, row.id)
    }, { action: 'pay' })),
    handle(readCard, (call) => call.transaction(async (tx) => {
      const row = await lockRow(tx, withdrawal, call.staff, idParam(call))
      const [card] = await tx.query<{ sealed: string }>(sql`select sealed from withdrawal_card where withdrawal_id = ${row.id}`)
      if (!card) throw notFound('银行卡号')
      return { card: secrets.decrypt(card.sealed, cardOf(String(row['no']))) }
    }, { action: 'card' })),
  ]
}
