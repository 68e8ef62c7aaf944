import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { CODE_STATUS, type CodeStatus } from './code-state.ts'
import { countMoves, shiftQuota } from './counts.server.ts'
import type { ServedFamily } from './hooks.server.ts'
import { issueCodes, type NewBatch } from './issue.server.ts'

interface Old {
  id: number
  status: CodeStatus
}

/** Locks codes of a batch that nobody has ever activated, the oldest first; also those whose last day is over. */
function lockFresh(tx: Queryable, { family }: ServedFamily, group: number, count: number): Promise<Old[]> {
  return tx.query<Old>(sql`select id, status from ${sql.identifier(family.code.table)}
    where group_id = ${group} and status in (${CODE_STATUS.unused}, ${CODE_STATUS.expired}) and activated_at is null and deleted_at is null order by id limit ${count} for no key update`)
}

/** Cancels codes that are locked and were never activated. */
async function cancelFresh(tx: Queryable, { family }: ServedFamily, group: number, codes: readonly Old[]): Promise<void> {
  await touch(tx, family.code, { status: CODE_STATUS.cancelled }, codes.map(({ id }) => id))
  await countMoves(tx, family, codes.map(({ status }) => ({ group_id: group, before: { status, activated_at: null }, after: { status: CODE_STATUS.cancelled, activated_at: null } })))
}

const tooFew = (found: number) => invalid({ count: `该批次只剩 ${found.toLocaleString('zh-CN')} 个没有激活过的码` })

/**
 * Exchanges codes of a batch that were never activated for as many of a new one (domain 1.8, 置换), in the caller's
 * transaction: the old ones are cancelled, the owner pays the fee, no quota is used.
 * @param values checked values of the new batch, with the owner and count
 * @returns id of the new batch, and the fee in fen
 * @throws AppError when there are not so many, or the owner cannot pay
 */
export async function exchangeCodes(tx: Queryable, served: ServedFamily, staff: Staff, group: number, values: NewBatch): Promise<{ id: number; fee: number }> {
  const { family, hooks } = served
  const [owner, count] = [Number(values[family.owner.key]), Number(values['count'])]
  await tx.query(sql`select id from ${sql.identifier(family.owner.target().table)} where id = ${owner} for no key update`)
  const old = await lockFresh(tx, served, group, count)
  if (old.length < count) throw tooFew(old.length)
  await cancelFresh(tx, served, group, old)
  await shiftQuota(tx, family, owner, count)
  const id = await issueCodes(tx, served, staff.id, { ...values, origin_id: group }, false)
  const fee = (await hooks.charge?.(tx, staff, { owner, count, from: group, into: id })) ?? 0
  return { id, fee }
}

/**
 * Takes codes back that were paid back: cancels as many of a batch that were never activated, and returns them from what
 * the owner was granted. For orders that are refunded, in their transaction.
 * @throws AppError when too many were activated
 */
export async function takeBackCodes(tx: Queryable, served: ServedFamily, group: number, count: number): Promise<void> {
  const { family } = served
  const [batch] = await tx.query<{ owner: number }>(sql`select ${sql.identifier(family.owner.key)} as owner from ${sql.identifier(family.batch.table)} where id = ${group}`)
  if (!batch) throw tooFew(0)
  await tx.query(sql`select id from ${sql.identifier(family.owner.target().table)} where id = ${batch.owner} for no key update`)
  const codes = await lockFresh(tx, served, group, count)
  if (codes.length < count) throw tooFew(codes.length)
  await cancelFresh(tx, served, group, codes)
  await shiftQuota(tx, family, batch.owner, -count)
}
