import { notGranted } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { BANK_ACTIONS, bankGrant, type BankAction, type Pool } from './practice.ts'

/** Which bank a question lies in. */
interface InBank {
  readonly pool: Pool
  readonly level: number
}

/** Refuses a person who may not do this in the bank of this stage. */
export function checkAction(staff: Staff, row: InBank, action: BankAction, title: string): void {
  if (!staff.modules.has(bankGrant(row.pool, row.level, action))) throw notGranted(title)
}

/** What a person holds in the bank of a question, by the names of actions. */
export function heldActions(staff: Staff, row: InBank): Set<BankAction> {
  return new Set((Object.keys(BANK_ACTIONS) as BankAction[]).filter((action) => staff.modules.has(bankGrant(row.pool, row.level, action))))
}
