import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Secrets } from '../../core/session/secret.server.ts'
import type { CodeStatus } from './code-state.ts'
import type { CodeFamily } from './family.ts'

/** A code as stored, with what decides about it. Further fields of the family stand beside. */
export interface StoredCode {
  readonly id: number
  readonly code: string
  readonly group_id: number
  readonly status: CodeStatus
  readonly redeem_before: number
  readonly activated_at: number | null
  readonly expire_at: number | null
  readonly unbind_count: number
  readonly user_id: number | null
  readonly [key: string]: unknown
}

/** What a code opened for its holder, or what it does not open any more. */
export interface HolderChange {
  /** With the holder's fields as they are while the code is theirs. */
  readonly code: StoredCode
  /** Until when, in unix seconds. */
  readonly until: number
}

/** What a product line does beside, in the same transaction. */
export interface CodeHooks {
  /** Something was opened, or opened for longer. */
  opened?(tx: Queryable, changes: readonly HolderChange[]): Promise<void>
  /** Something was closed; the entitlements are closed already. */
  closed?(tx: Queryable, changes: readonly HolderChange[]): Promise<void>
  /** Checks and completes a new batch, by throwing; references and quota are looked at elsewhere. */
  check?(tx: Queryable, values: Record<string, unknown>): Promise<void>
  /** Where a batch's codes were activated: numbers by the first two digits of the region, `away` where they do not belong. */
  places?(db: Queryable, batch: number): Promise<{ region: string; n: number; away: boolean }[]>
  /** What exchanging one code costs an owner, in fen; absent where codes cannot be exchanged. */
  fee?(db: Queryable, owner: number): Promise<number>
  /**
   * Charges the owner for exchanging codes; the owner is locked. Absent where codes cannot be exchanged.
   * @returns what was charged, in fen
   * @throws AppError when the owner cannot pay
   */
  charge?(tx: Queryable, staff: Staff, exchange: { owner: number; count: number; from: number; into: number }): Promise<number>
}

/** A kind of code with everything that it takes to work on it. */
export interface ServedFamily {
  readonly family: CodeFamily
  readonly secrets: Secrets
  readonly hooks: CodeHooks
}

/** Names the entitlement that a code opens. */
export function refOf(family: CodeFamily, id: number): string {
  return `${family.code.table} ${id}`
}
