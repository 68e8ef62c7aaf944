import { sql } from 'drizzle-orm'
import { violatedConstraint, type Queryable } from '../../core/database/database.server.ts'
import { badRequest, defineError } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import { recordsWritten } from '../../core/resource/list.server.ts'
import type { PayChannel } from './flow.ts'
import type { LedgerKind } from './ledger.ts'
import { MAX_BALANCE, MAX_SUM } from './line.ts'

const alreadyBooked = defineError('already_booked', 409, () => '该笔账目已入账，不能重复入账')
export const balanceShort = defineError('balance_short', 409, (balance: number) => `余额不足，当前余额 ${yuan(balance)} 元`)

/** Where entries are written: an account, and the table that repeats its sum, if there is one. */
export interface Account {
  readonly kind: string
  readonly id: number
  readonly balanceTable?: string | undefined
  /** It may fall below nothing: what was taken back is paid by what comes next. */
  readonly mayOwe?: true
}

export interface Entry {
  /** Fen; positive comes in. */
  amount: number
  kind: LedgerKind
  channel?: PayChannel | null
  order?: { id: number; order_no: string }
  /** What it is booked for, beside an order; an account is given or charged for it once. */
  ref?: { kind: string; id: number }
  note?: string | null
  /** Unix seconds, where it was not now: histories that are built. */
  at?: number | undefined
}

/** SQL of the balance after an entry `t`. */
export const BALANCE_AFTER = sql`select sum(l.amount)::float8 from ledger l where l.account_kind = t.account_kind and l.account_id = t.account_id and l.id <= t.id`

/** Shares an account with other writers until the transaction ends; closing its day waits. */
export async function lockAccount(tx: Queryable, account: Account): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtext(${account.kind}), ${account.id}::int)`)
  if (account.balanceTable) await tx.query(sql`select 1 from ${sql.identifier(account.balanceTable)} where id = ${account.id} for no key update`)
}

/**
 * Writes entries of one account, in the caller's transaction, and keeps the repeated balance equal to their sum.
 * Writers of one account share its lock; closing the account's day holds it alone, so that nothing slips in between.
 * @throws AppError when an entry is larger than `MAX_SUM`, or was booked already; balanceShort when an account that may not be overdrawn would be
 */
export async function post(tx: Queryable, staffId: number | null, account: Account, entries: readonly Entry[]): Promise<void> {
  const real = entries.filter(({ amount }) => amount !== 0)
  if (real.length === 0) return
  if (real.some(({ amount }) => Math.abs(amount) > MAX_SUM)) throw badRequest(`单笔金额不能超过 ${yuan(MAX_SUM)} 元`)
  await lockAccount(tx, account)
  const sum = real.reduce((total, { amount }) => total + amount, 0)
  if (account.balanceTable && sum !== 0) {
    const table = sql.identifier(account.balanceTable)
    const [row] = await tx.query<{ balance: number }>(sql`update ${table} set balance = coalesce(balance, 0) + ${sum} where id = ${account.id} returning balance`)
    if (row && sum < 0 && row.balance < 0 && !account.mayOwe) throw balanceShort(row.balance - sum)
    if (row && Math.abs(row.balance) > MAX_BALANCE) throw badRequest(`账户余额不能超过 ${yuan(MAX_BALANCE)} 元`)
  }
  recordsWritten(tx, 'ledger', ...(account.balanceTable ? [account.balanceTable] : []))
  const rows = real.map(({ order, ref, ...entry }) => ({ ...entry, order_id: order?.id, order_no: order?.order_no, ref_kind: ref?.kind, ref_id: ref?.id }))
  await tx.query(sql`insert into ledger (account_kind, account_id, at, amount, kind, channel, order_id, order_no, ref_kind, ref_id, note, created_by, updated_by)
    select ${account.kind}, ${account.id}::bigint, coalesce(to_timestamp(r.at), now()), r.amount, r.kind, r.channel, r.order_id, r.order_no, r.ref_kind, r.ref_id, r.note, ${staffId}::bigint, ${staffId}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (at float8, amount bigint, kind text, channel text, order_id bigint, order_no text, ref_kind text, ref_id bigint, note text)`).catch((error: unknown) => {
    throw violatedConstraint(error) === 'ledger_ref_u' ? alreadyBooked() : error
  })
}

/** Holds an account alone until the transaction ends: every entry that will ever be before this moment is there. */
export async function holdAccount(tx: Queryable, account: Pick<Account, 'kind' | 'id'>): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${account.kind}), ${account.id}::int)`)
}
