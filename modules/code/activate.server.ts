import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { ENTITLEMENT_SOURCE } from '../user/module.ts'
import { openEntitlements } from '../user/door.server.ts'
import { CODE_STATUS, CODE_STATUSES, stateAt } from './code-state.ts'
import { codeProblem, normaliseCode } from './code-text.ts'
import { endAfterMonths } from './code-time.ts'
import { countMoves } from './counts.server.ts'
import { BATCH_STATUS, type CodeFamily } from './family.ts'
import { lockCodes } from './change.server.ts'
import { refOf, type ServedFamily, type StoredCode } from './hooks.server.ts'
import { vaultOf } from './vault.server.ts'

/** Who activates a code. */
export interface Holder {
  readonly user_id: number
  readonly mobile: string
  readonly ip: string | null
  /** Values of the family's own fields, such as the school. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Until when, where somebody takes over what another had: unix seconds. The terms of the batch count when absent. */
  readonly until?: number
}

interface Batch {
  readonly status: number
  readonly valid_months: number | null
  readonly valid_until: number | null
  readonly per_user_limit: number | null
  readonly product_name: string
}

/** A code that nobody has, in the words of the person who typed it. */
export const UNKNOWN_CODE = '激活码不存在，请核对'

/**
 * Id of a whole code as typed; undefined when there is none.
 * @throws AppError when what was typed cannot be a code
 */
export async function findCode(db: Queryable, { family, secrets }: Pick<ServedFamily, 'family' | 'secrets'>, text: string): Promise<number | undefined> {
  const problem = codeProblem(text)
  if (problem) throw invalid({ code: problem })
  const hash = vaultOf(secrets).hash(normaliseCode(text))
  const [found] = await db.query<{ code_id: number }>(sql`select code_id from code_secret where hash = ${hash} and family = ${family.code.table}`)
  return found?.code_id
}

/** Terms of a code's batch; the batch is locked by its numbers already. */
async function readBatch(tx: Queryable, { batch, product }: CodeFamily, id: number): Promise<Batch> {
  const target = product.target()
  const [row] = await tx.query<Batch & Record<string, unknown>>(sql`select b.status, b.valid_months, b.valid_until, b.per_user_limit, p.${sql.identifier(target.title)} as product_name
    from ${sql.identifier(batch.table)} b join ${sql.identifier(target.table)} p on p.id = b.${sql.identifier(product.key)} where b.id = ${id}`)
  if (!row) throw new Error('a code without a batch')
  return row
}

async function checkLimit(tx: Queryable, family: CodeFamily, code: StoredCode, userId: number, limit: number | null): Promise<void> {
  if (limit === null) return
  const [used] = await tx.query<{ n: number }>(sql`select count(*) as n from ${sql.identifier(family.code.table)} where group_id = ${code.group_id} and user_id = ${userId} and deleted_at is null`)
  if (used && used.n > limit) throw invalid({ code: `同一用户最多激活本批次 ${limit} 个码` })
}

/**
 * Activates a code for somebody, in the caller's transaction: once, however many try at the same time.
 * @param check refuses a code that is not for this holder, by throwing; the code is locked
 * @param now unix seconds
 * @returns id of the code, and until when it opens what it opens
 * @throws AppError saying why the code cannot be activated
 */
export async function activateCode(
  tx: Queryable, served: ServedFamily, staffId: number | null, id: number, holder: Holder, now: number, check?: (code: StoredCode) => void,
): Promise<{ id: number; expire_at: number }> {
  const { family, hooks } = served
  const [code] = await lockCodes(tx, family, undefined, sql`id = ${id}`)
  if (!code) throw invalid({ code: UNKNOWN_CODE })
  check?.(code)
  const state = stateAt(code, now)
  if (state !== CODE_STATUS.unused) throw wrongState('激活', choiceLabel(CODE_STATUSES, state))
  const set = { ...holder.fields, user_id: holder.user_id, mobile: holder.mobile, ip: holder.ip }
  const after = { status: CODE_STATUS.used, activated_at: now }
  // The batch's numbers lock it: what is asked of it below holds until the end of the transaction.
  await countMoves(tx, family, [{ group_id: code.group_id, before: code, after }])
  const batch = await readBatch(tx, family, code.group_id)
  if (batch.status !== BATCH_STATUS.open) throw invalid({ code: '该批次已停用，不能激活' })
  const expire_at = holder.until ?? batch.valid_until ?? endAfterMonths(now, batch.valid_months ?? 0)
  if (expire_at < now) throw invalid({ code: '该批次的有效期已过，不能激活' })
  await touch(tx, family.code, { ...set, status: CODE_STATUS.used, activated_at: now, expire_at }, id)
  await checkLimit(tx, family, code, holder.user_id, batch.per_user_limit)
  await openEntitlements(tx, staffId, [{
    user_id: holder.user_id, line: family.line, product: batch.product_name, offer_id: Number(code[family.product.key]), source: ENTITLEMENT_SOURCE.code, ref: refOf(family, id), start_at: now, expire_at,
  }])
  await hooks.opened?.(tx, [{ code: { ...code, ...set, ...after, expire_at }, until: expire_at }])
  return { id, expire_at }
}
