import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import type { PrintedLines } from '../../core/kernel/printed-lines.server.ts'
import type { SelfCheck } from '../../core/kernel/self-check.server.ts'
import { questionChecks } from '../../core/kernel/self-check.server.ts'
import { NOTHING_COMPUTED, readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { agent } from '../agent/module.ts'
import { holdAccount } from '../order/door.server.ts'
import { ACCOUNT } from './line.ts'
import { agentStatement, makeStatements, STATEMENT, statementParts, type StatementParts, type StatementsMade } from './statement.ts'

/** The first moments of a month and of the next one, in Shanghai. */
const firstOf = (month: SQL) => sql`((${month} || '-01')::timestamp at time zone 'Asia/Shanghai')`
const nextOf = (month: SQL) => sql`(((${month} || '-01')::timestamp + interval '1 month') at time zone 'Asia/Shanghai')`

/** Sums of a statement, as the ledger and the lines of its settlements have them now. */
interface Sums { opening: number; commission: number; withdrawn: number; returned: number; other: number; closing: number; moves: number; settlement_cnt: number; line_cnt: number; line_sum: number }

/** SQL of the sums of an account in a month. */
function sumsOf(account: SQL, month: SQL): SQL {
  const own = sql`l.account_kind = ${ACCOUNT.agent} and l.account_id = ${account}`
  const within = sql`l.at >= ${firstOf(month)}`
  const part = (condition: SQL) => sql`coalesce(sum(l.amount) filter (where ${within} and ${condition}), 0)::float8`
  return sql`select coalesce(sum(l.amount) filter (where not ${within}), 0)::float8 as opening, ${part(sql`l.kind = 'commission'`)} as commission, -${part(sql`l.kind = 'withdraw'`)} as withdrawn,
      ${part(sql`l.kind = 'withdraw_back'`)} as returned, ${part(sql`l.kind not in ('commission', 'withdraw', 'withdraw_back')`)} as other, coalesce(sum(l.amount), 0)::float8 as closing, (count(*) filter (where ${within}))::int as moves,
      (count(*) filter (where ${within} and l.ref_kind = 'settlement'))::int as settlement_cnt,
      coalesce(sum((select count(*) from earning e where e.settlement_id = l.ref_id)) filter (where ${within} and l.ref_kind = 'settlement'), 0)::int as line_cnt,
      coalesce(sum((select sum(e.amount) from earning e where e.settlement_id = l.ref_id)) filter (where ${within} and l.ref_kind = 'settlement'), 0)::float8 as line_sum
    from ledger l where ${own} and l.at < ${nextOf(month)}`
}

const stored = sql`t.opening, t.commission, t.withdrawn, t.returned, t.other, t.closing, t.settlement_cnt, t.line_cnt, t.line_sum`

const GAP = sql`t.commission - t.line_sum`

/**
 * Makes the statement of an agent's month, in the caller's transaction. The account is held: whatever was booked in the month is there.
 * @returns undefined where nothing moved and nothing stands, or somebody else has just made it
 */
export async function makeStatement(tx: Queryable, accountId: number, month: string, staffId: number | null): Promise<number | undefined> {
  await holdAccount(tx, { kind: ACCOUNT.agent, id: accountId })
  const [there] = await tx.query(sql`select id from agent_statement where account_id = ${accountId} and month = ${month} and deleted_at is null`)
  if (there) return undefined
  const [sums] = await tx.query<Sums & Record<string, unknown>>(sumsOf(sql`${accountId}::bigint`, sql`${month}::text`))
  if (!sums || (sums.moves === 0 && sums.closing === 0)) return undefined
  const { moves: _moves, ...numbers } = sums
  const saved = await insertRow(tx, agentStatement, staffId, { no: `DZ${month.replace('-', '')}${String(accountId).padStart(6, '0')}`, account_id: accountId, month, ...numbers, status: STATEMENT.open }, { gap: GAP })
  return saved.id
}

/** Makes the statements of a month that are not there yet, of the agents within a condition. */
export async function makeAll(tx: Queryable, month: string, within: SQL, staffId: number | null): Promise<StatementsMade> {
  const agents = await tx.query<{ id: number; there: boolean }>(sql`select a.id, exists (select 1 from agent_statement s where s.account_id = a.id and s.month = ${month} and s.deleted_at is null) as there
    from agent a where a.id in (select id from agent where ${within}) and exists (select 1 from ledger l where l.account_kind = ${ACCOUNT.agent} and l.account_id = a.id and l.at < ${nextOf(sql`${month}::text`)}) order by a.id`)
  const made: number[] = []
  const open = agents.filter(({ there }) => !there)
  for (const { id } of open) made.push(...[await makeStatement(tx, id, month, staffId)].filter((one) => one !== undefined))
  return { made: made.length, there: agents.length - open.length, quiet: open.length - made.length }
}

export const agentStatements = serve(agentStatement)({
  computed: { gap: GAP },
  segments: { even: { even: sql`agent_statement.commission = agent_statement.line_sum`, odd: sql`agent_statement.commission <> agent_statement.line_sum` } },
  effects: {
    async dispute({ tx, row, reason }) { await touch(tx, agentStatement, { answer: reason ?? null }, row.id) },
  },
})

const BALANCE = sql`(select sum(b.amount)::float8 from ledger b where b.account_kind = l.account_kind and b.account_id = l.account_id and (b.at < l.at or (b.at = l.at and b.id <= l.id)))`

async function partsOf(db: Queryable, accountId: number, month: string): Promise<StatementParts> {
  const of = sql`l.account_kind = ${ACCOUNT.agent} and l.account_id = ${accountId} and l.at >= ${firstOf(sql`${month}::text`)} and l.at < ${nextOf(sql`${month}::text`)}`
  return {
    settlements: await db.query<StatementParts['settlements'][number] & Record<string, unknown>>(sql`select s.id, s.no, s.amount::float8 as amount, s.line_cnt as lines, extract(epoch from l.at)::float8 as at from ledger l join settlement s on l.ref_kind = 'settlement' and s.id = l.ref_id where ${of} order by l.at, l.id`),
    entries: await db.query<StatementParts['entries'][number] & Record<string, unknown>>(sql`select l.id, extract(epoch from l.at)::float8 as at, l.kind, l.amount::float8 as amount, ${BALANCE} as balance, l.note from ledger l where ${of} order by l.at, l.id`),
  }
}

/** The calls around statements. */
export const statementCalls: readonly Served[] = [
  handle(makeStatements, (call) => call.transaction(async (tx) => {
    const { month } = call.input
    const [over] = await tx.query<{ over: boolean }>(sql`select ${nextOf(sql`${month}::text`)} <= now() as over`)
    if (!over?.over) throw invalid({ month: '该月还没有结束，结束后才能对账' })
    return makeAll(tx, month, listCondition(agent, call.staff, {}), call.staff.id)
  }, { action: 'make_statements' })),
  handle(statementParts, async (call) => {
    const row = await readOne(call.db, agentStatement, call.staff, idParam(call), { ...NOTHING_COMPUTED, gap: GAP })
    if (!row) throw notFound(agentStatement.label)
    return partsOf(call.db, Number(row['account_id']), String(row['month']))
  }),
]

const ofStatements: Pick<PrintedLines, 'of'> = { of: ({ table }) => table === agentStatement.table }

/** What stands on a statement's paper: each movement of the account, and each line that was settled. */
export const statementLines: readonly PrintedLines[] = [
  {
    ...ofStatements, name: 'entries', title: '账目', columns: { at: { label: '日期', type: 'text' }, kind: { label: '类型', type: 'text' }, amount: { label: '金额', type: 'money' }, note: { label: '单号', type: 'text' } },
    async read(db, ids) {
      const rows = await db.query<{ statement_id: number } & Record<string, unknown>>(sql`select t.id as statement_id, to_char(l.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as at,
          case l.kind when 'commission' then '佣金' when 'withdraw' then '提现' when 'withdraw_back' then '提现退回' else '调账' end as kind, l.amount::float8 as amount, l.note
        from agent_statement t join ledger l on l.account_kind = ${ACCOUNT.agent} and l.account_id = t.account_id and l.at >= ${firstOf(sql`t.month`)} and l.at < ${nextOf(sql`t.month`)} where t.id = any(${sql.param([...ids])}::bigint[]) order by l.at, l.id`)
      return Map.groupBy(rows, ({ statement_id }) => statement_id)
    },
  },
  {
    ...ofStatements, name: 'lines', title: '佣金明细', columns: { title: { label: '内容', type: 'text' }, order_no: { label: '订单号', type: 'text' }, amount: { label: '金额', type: 'money' }, settlement: { label: '结算单', type: 'text' } },
    async read(db, ids) {
      const rows = await db.query<{ statement_id: number } & Record<string, unknown>>(sql`select t.id as statement_id, e.title, e.order_no, e.amount::float8 as amount, s.no as settlement
        from agent_statement t join ledger l on l.account_kind = ${ACCOUNT.agent} and l.account_id = t.account_id and l.ref_kind = 'settlement' and l.at >= ${firstOf(sql`t.month`)} and l.at < ${nextOf(sql`t.month`)}
        join settlement s on s.id = l.ref_id join earning e on e.settlement_id = s.id where t.id = any(${sql.param([...ids])}::bigint[]) order by s.id, e.id`)
      return Map.groupBy(rows, ({ statement_id }) => statement_id)
    },
  },
]

/** What holds between statements, the ledger and settlements. */
export const statementChecks: readonly SelfCheck[] = questionChecks('应得', [
  ['statement_ledger', '对账单与账目重算不一致', sql`select t.id, t.month from agent_statement t, lateral (${sumsOf(sql`t.account_id`, sql`t.month`)}) n
    where t.deleted_at is null and (${stored}) is distinct from (n.opening, n.commission, n.withdrawn, n.returned, n.other, n.closing, n.settlement_cnt, n.line_cnt, n.line_sum)`],
  ['statement_sum', '对账单期初加收支不等于期末，或佣金不等于明细之和', sql`select id, month from agent_statement where deleted_at is null and (opening + commission - withdrawn + returned + other <> closing or commission <> line_sum)`],
  ['statement_chain', '对账单期初不等于上月期末', sql`select t.id, t.month from agent_statement t join agent_statement p on p.account_id = t.account_id and p.month = to_char((t.month || '-01')::date - 1, 'YYYY-MM') and p.deleted_at is null where t.deleted_at is null and t.opening <> p.closing`],
])
