import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { CODE_STATUS, type CodeStatus } from './code-state.ts'
import type { CodeFamily } from './family.ts'

/** Where a batch counts a code; each stands in exactly one place. */
const COUNTERS = ['left', 'used', 'cancelled', 'expired', 'frozen'] as const
type Counter = (typeof COUNTERS)[number]

const counters: Record<CodeStatus, Counter> = {
  [CODE_STATUS.unused]: 'left', [CODE_STATUS.used]: 'used', [CODE_STATUS.cancelled]: 'cancelled', [CODE_STATUS.expired]: 'expired', [CODE_STATUS.frozen]: 'frozen',
}

interface Counted {
  readonly status: CodeStatus
  readonly activated_at: number | null
}

/** A code that was activated counts as such also after its time. */
function counterOf({ status, activated_at }: Counted): Counter {
  return status === CODE_STATUS.expired && activated_at !== null ? 'used' : counters[status]
}

/** A code before and after a change. */
export interface Moved {
  readonly group_id: number
  readonly before: Counted
  readonly after: Counted
}

/**
 * Keeps the batches' numbers in step with their codes, in the transaction that moved them. Batches are locked last, and in
 * the order of their ids, so that nobody waits for somebody who waits for them.
 */
export async function countMoves(tx: Queryable, family: CodeFamily, moves: readonly Moved[]): Promise<void> {
  const deltas = new Map<number, Record<Counter, number>>()
  for (const { group_id, before, after } of moves) {
    const [from, to] = [counterOf(before), counterOf(after)]
    if (from === to) continue
    const delta = deltas.get(group_id) ?? { left: 0, used: 0, cancelled: 0, expired: 0, frozen: 0 }
    delta[from]--
    delta[to]++
    deltas.set(group_id, delta)
  }
  for (const [id, delta] of [...deltas].sort(([a], [b]) => a - b)) {
    const moved = COUNTERS.filter((name) => delta[name] !== 0)
    await setDerived(tx, family.batch, Object.fromEntries(moved.map((name) => [name, sql`t.${sql.identifier(name)} + ${delta[name]}`])), id)
  }
}

/** Changes what an owner was granted and has used by the same number, so that what is left stays the same. */
export async function shiftQuota(tx: Queryable, { owner: { quota, target } }: CodeFamily, owner: number, by: number): Promise<void> {
  if (!quota) return
  await setDerived(tx, target(), Object.fromEntries([quota.total, quota.used].map((key) => [key, sql`coalesce(t.${sql.identifier(key)}, 0) + ${by}`])), owner)
}
