import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'

type FactorAction = 'totp_on' | 'totp_off' | 'recovery_codes' | 'passkey_add' | 'passkey_remove'

/**
 * Changes how the caller proves who they are: logs it and ends their other sessions (ASVS 7.4.3).
 * The answer of such a call may hold secrets, so it is not kept for a repetition.
 */
export async function changeFactor<Result>(
  { sessions }: Pick<Kernel, 'sessions'>, call: Call, action: FactorAction, work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const { id } = call.staff
  const result = await call.db.transaction({ staff_id: id, ip: call.ip, request_id: call.requestId }, async (tx) => {
    const done = await work(tx)
    await sessions.endAll(tx, id, call.request.session?.hash)
    await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id)
      values (${id}, ${call.ip}, ${call.requestId}, ${action}, 'staff', ${id})`)
    return done
  })
  await sessions.changed(id)
  return result
}
