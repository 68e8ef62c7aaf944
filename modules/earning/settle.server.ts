import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Resource } from '../../core/resource/define.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { agent } from '../agent/module.ts'
import { holdAccount, post } from '../order/door.server.ts'
import { ORDER_STATUS } from '../order/module.ts'
import { agentEarning, agentSettlement } from './agent-lines.ts'
import { bookMonths } from './fee.server.ts'
import { ACCOUNT, type AccountKind } from './line.ts'
import { SETTLEMENT } from './settlement.ts'
import { teacherEarning, teacherSettlement } from './teacher-lines.ts'

/** Everything that differs between the two who earn. */
export const EARNERS: Readonly<Record<AccountKind, { readonly settlement: Resource; readonly earning: Resource; readonly prefix: string; readonly owes: boolean }>> = {
  [ACCOUNT.agent]: { settlement: agentSettlement, earning: agentEarning, prefix: 'YJ', owes: true },
  [ACCOUNT.teacher]: { settlement: teacherSettlement, earning: teacherEarning, prefix: 'KC', owes: false },
}

/** An order of which a refund is asked for holds its lines back. */
const asked = (source: SQL) => sql`exists (select 1 from orders o where o.id = ${source} and o.status = ${sql.raw(String(ORDER_STATUS.refunding))})`

/** Conditions on the bare table for how far a line is, as lists are narrowed by them. */
export const phases = {
  held: sql`earning.settlement_id is null and earning.amount > 0 and (earning.due_at > now() or (earning.source_kind = 'order' and ${asked(sql`earning.source_id`)}))`,
  due: sql`earning.settlement_id is null and earning.due_at <= now() and not (earning.source_kind = 'order' and ${asked(sql`earning.source_id`)})`,
  settling: sql`earning.settlement_id in (select id from settlement where status in (1, 2, 3))`,
  settled: sql`earning.settlement_id in (select id from settlement where status in (4, 5))`,
  back: sql`earning.amount < 0`,
}

/** The same in words, for a line `t`. */
export const stateOf = sql`select case when t.settlement_id is not null then (select case when s.status in (4, 5) then '已结算' else '结算中' end from settlement s where s.id = t.settlement_id)
  when t.source_kind = 'order' and ${asked(sql`t.source_id`)} then '退款处理中' when t.due_at > now() then '待结算' else '可结算' end`

interface Line { id: number; amount: number }

/** What ties a settlement to its lines as they were. */
export const hashOf = (lines: readonly Line[]): string => createHash('sha256').update(lines.map(({ id, amount }) => `${id}:${amount}`).join(',')).digest('hex')

const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, { amount }) => sum + amount, 0)

/** Takes the next number of a document: its kind, the day in Shanghai, then a number that never repeats. */
export async function nextNo(tx: Queryable, prefix: string, table: string): Promise<string> {
  const [row] = await tx.query<{ no: string }>(sql`select to_char(now() at time zone 'Asia/Shanghai', 'YYYYMMDD') || lpad(nextval(pg_get_serial_sequence(${table}, 'id'))::text, 6, '0') as no`)
  return `${prefix}${row?.no ?? ''}`
}

/**
 * Makes a settlement of everything of an account that is due, in the caller's transaction. The account is held: two people who settle
 * it at once take no line twice.
 * @param until unix seconds; what is due later waits
 * @returns undefined where nothing is due, or less than nothing of somebody who has no balance
 */
export async function settleAccount(tx: Queryable, kind: AccountKind, accountId: number, until: number, staffId: number | null): Promise<{ id: number; amount: number } | undefined> {
  const { settlement, earning, prefix, owes } = EARNERS[kind]
  await holdAccount(tx, { kind, id: accountId })
  if (kind === ACCOUNT.teacher) await bookMonths(tx, [accountId], until)
  const lines = await tx.query<Line & Record<string, unknown>>(sql`select id, amount from earning where account_kind = ${kind} and account_id = ${accountId} and ${phases.due} and due_at <= to_timestamp(${until}) order by id for no key update`)
  const amount = sumOf(lines)
  if (lines.length === 0 || (amount <= 0 && !owes)) return undefined
  const row = await insertRow(tx, settlement, staffId, { no: await nextNo(tx, prefix, 'settlement'), account_kind: kind, account_id: accountId, until, line_cnt: lines.length, amount, hash: hashOf(lines), status: SETTLEMENT.draft }, {})
  await setDerived(tx, earning, { settlement_id: row.id } as object, lines.map(({ id }) => id))
  return { id: row.id, amount }
}

/** A settlement as stored. */
export interface SettlementRow { id: number; no: string; account_kind: AccountKind; account_id: number; amount: number; line_cnt: number; hash: string | null; status: number }

/** @throws AppError when a settlement is not of the lines any more that it was made of */
export async function checkLines(tx: Queryable, { id, amount, line_cnt, hash }: SettlementRow): Promise<void> {
  const lines = await tx.query<Line & Record<string, unknown>>(sql`select id, amount from earning where settlement_id = ${id} order by id`)
  if (lines.length !== line_cnt || sumOf(lines) !== amount || hashOf(lines) !== hash) throw badRequest('结算单的明细与生成时不一致，请驳回后重新生成')
}

/** An agent's account, which may fall below nothing: what was taken back is paid by what comes next. */
export const agentAccount = (id: number) => ({ kind: ACCOUNT.agent, id, balanceTable: agent.table, mayOwe: true }) as const

/** Lets a settlement through: an agent's sum comes to their balance, a teacher's waits to be paid. @param at when, where it was not now */
export async function passSettlement(tx: Queryable, row: SettlementRow, staffId: number | null, at?: number): Promise<void> {
  await checkLines(tx, row)
  if (row.account_kind === ACCOUNT.agent) await post(tx, staffId, agentAccount(row.account_id), [{ amount: row.amount, kind: 'commission', ref: { kind: 'settlement', id: row.id }, note: row.no, at }])
  await touch(tx, EARNERS[row.account_kind].settlement, { auditor_id: staffId, audited_at: sql`now()` } as object, row.id)
}

/** Frees the lines of a settlement that comes to nothing. */
export async function freeLines(tx: Queryable, row: SettlementRow): Promise<void> {
  await setDerived(tx, EARNERS[row.account_kind].earning, { settlement_id: sql`null` } as object, sql`t.settlement_id = ${row.id}`)
}

/** Says that a teacher's money went out. */
export async function paySettlement(tx: Queryable, row: SettlementRow, trade: { trade_no: string; paid_at: number }): Promise<void> {
  if (row.status !== SETTLEMENT.paying) throw badRequest('只有待打款的结算单可以打款')
  await checkLines(tx, row)
  await touch(tx, EARNERS[row.account_kind].settlement, { ...trade, status: SETTLEMENT.paid } as object, row.id)
}
