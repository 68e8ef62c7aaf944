import { sql, type SQL } from 'drizzle-orm'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { reachable } from '../bank/access.server.ts'
import { holdsLine, type SetScope } from './calls.ts'
import type { SetTarget } from './places.server.ts'

/** Whose sets are asked for. */
export interface Wanted {
  readonly scope: SetScope
  readonly product_line: string
}

/**
 * Condition on `p`: questions that somebody may see in these sets. Whoever works on a line's sets sees the official questions
 * of its subjects, whether or not the bank is theirs.
 */
export const mayReach = (staff: Staff, { scope, product_line }: Wanted, at: SetTarget): SQL => (holdsLine(staff, scope, product_line) ? sql`(${reachable(staff)} or (p.pool = 'official' and p.subject_id = ${at.subject_id}))` : reachable(staff))
