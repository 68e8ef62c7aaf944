import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import type { Secrets } from '../../core/session/secret.server.ts'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import { holdAccount, post } from '../order/door.server.ts'
import { WITHDRAWAL, withdrawal } from './agent-lines.ts'
import { ACCOUNT } from './line.ts'
import { agentAccount, nextNo } from './settle.server.ts'

/** Where money goes. */
export interface Payee { holder: string; bank: string; card: string }

/** A withdrawal as stored. */
export interface WithdrawalRow { id: number; no: string; account_id: number; amount: number; status: number }

/** What the card of a withdrawal is encrypted about: bound to its number. */
export const cardOf = (no: string) => `withdrawal ${no}`

/**
 * Asks for money out of an agent's balance, in the caller's transaction: it is set aside at once, so that it is not asked for twice.
 * @throws AppError when there is less, when money is owed, or the agent is at rest
 */
export async function askWithdrawal(tx: Queryable, secrets: Secrets, agentId: number, amount: number, { card, ...payee }: Payee, staffId: number | null): Promise<{ id: number; no: string }> {
  await holdAccount(tx, { kind: ACCOUNT.agent, id: agentId })
  const [row] = await tx.query<{ balance: number | null; status: number; name: string }>(sql`select balance, status, name from agent where id = ${agentId} and deleted_at is null for no key update`)
  if (!row || row.status !== AGENT_STATUS.active) throw badRequest('只有启用的代理可以提现')
  const balance = row.balance ?? 0
  if (balance < 0) throw badRequest(`该代理欠款 ${yuan(-balance)} 元，还清前不能提现`)
  if (amount > balance) throw invalid({ amount: `可提现 ${yuan(balance)} 元` })
  const no = await nextNo(tx, 'TX', withdrawal.table)
  const saved = await insertRow(tx, withdrawal, staffId, { no, account_id: agentId, amount, ...payee, card_end: card.slice(-4), asked_by: staffId, status: WITHDRAWAL.waiting }, {})
  await tx.query(sql`insert into withdrawal_card (withdrawal_id, sealed) values (${saved.id}, ${secrets.encrypt(card, cardOf(no))})`)
  await post(tx, staffId, agentAccount(agentId), [{ amount: -amount, kind: 'withdraw', ref: { kind: 'withdrawal', id: saved.id }, note: no }])
  await setDerived(tx, agent, { frozen: sql`coalesce(t.frozen, 0) + ${amount}` }, agentId)
  return { id: saved.id, no }
}

/** Puts the money of a withdrawal that came to nothing back. */
export async function giveBack(tx: Queryable, row: WithdrawalRow, staffId: number | null, answer: string | undefined): Promise<void> {
  await post(tx, staffId, agentAccount(row.account_id), [{ amount: row.amount, kind: 'withdraw_back', ref: { kind: 'withdrawal_back', id: row.id }, note: row.no }])
  await setDerived(tx, agent, { frozen: sql`coalesce(t.frozen, 0) - ${row.amount}` }, row.account_id)
  await touch(tx, withdrawal, { answer: answer ?? null }, row.id)
}

/** Says that the money went out. */
export async function payWithdrawal(tx: Queryable, row: WithdrawalRow, trade: { trade_no: string; paid_at: number }): Promise<void> {
  if (row.status !== WITHDRAWAL.paying) throw badRequest('只有打款中的提现可以确认打款')
  const [same] = await tx.query(sql`select id from withdrawal where trade_no = ${trade.trade_no} and deleted_at is null`)
  if (same) throw invalid({ trade_no: '该打款流水号已用于另一笔提现' })
  await touch(tx, withdrawal, { ...trade, status: WITHDRAWAL.paid }, row.id)
  await setDerived(tx, agent, { frozen: sql`coalesce(t.frozen, 0) - ${row.amount}`, withdrawn: sql`coalesce(t.withdrawn, 0) + ${row.amount}` }, row.account_id)
}
