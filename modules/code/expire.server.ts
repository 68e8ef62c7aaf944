import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { CODE_STATUS, type CodeStatus } from './code-state.ts'
import { countMoves } from './counts.server.ts'
import type { CodeFamily } from './family.ts'

/** Codes that are written down in one transaction. */
const PART = 2000

/**
 * Writes down which codes have run out: unused ones after their last day, used ones after what they opened. It runs once an
 * hour; code that acts on a code in between goes by its dates (code-state.ts, stateAt), so that nothing depends on the hour.
 * @returns how many there were
 */
export async function expireCodes(db: Database, family: CodeFamily): Promise<number> {
  const table = sql.identifier(family.code.table)
  let count = 0
  for (;;) {
    const part = await db.transaction({ staff_id: null, action: 'code_expire' }, async (tx) => {
      const moved = await tx.query<{ id: number; group_id: number; status: CodeStatus; activated_at: number | null }>(sql`select id, group_id, status, activated_at from ${table}
        where deleted_at is null and ((status = ${CODE_STATUS.unused} and redeem_before < now()) or (status = ${CODE_STATUS.used} and expire_at < now()))
        order by id limit ${PART} for no key update skip locked`)
      await touch(tx, family.code, { status: CODE_STATUS.expired }, moved.map(({ id }) => id))
      await countMoves(tx, family, moved.map(({ group_id, status, activated_at }) => ({ group_id, before: { status, activated_at }, after: { status: CODE_STATUS.expired, activated_at } })))
      return moved.length
    })
    count += part
    if (part < PART) return count
  }
}

/** Looks for codes that have run out. */
export function expireSweep(db: Database, family: CodeFamily): Sweep {
  return { name: `${family.code.name} expiry`, run: () => expireCodes(db, family) }
}
