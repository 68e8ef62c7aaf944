import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { QR_CHANNEL, QR_STATE, type QrFamily } from './qr-code.ts'

/** Makes every process forget what a code shows, once the transaction is there. */
export async function forgetCode(tx: Queryable, code: string): Promise<void> {
  await tx.query(sql`select pg_notify(${QR_CHANNEL}, ${code})`)
}

/**
 * Locks the codes of what goes to the printer's: they are never changed, issued again or removed from then on.
 * @param no number of the print
 * @returns how many were printed for the first time
 */
export async function printCodes(tx: Queryable, { lists: [codes] }: QrFamily, ownerId: number, no: number): Promise<number> {
  if (!codes) return 0
  const printed = await touch(tx, codes, { state: QR_STATE.printed, printed_in: no }, sql`t.book_id = ${ownerId} and t.state = ${QR_STATE.draft} and t.deleted_at is null`)
  return printed.length
}
