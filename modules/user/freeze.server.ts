import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { notFound, notGranted, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { transitionGrant } from '../../core/resource/define.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { appUser, USER_STATUS } from './user.ts'

const states = appUser.fields['status']?.kind === 'choice' ? appUser.fields['status'].choices : []

/**
 * Freezes an account or lets it go on, by the edge of its own: the person needs the right for it and reaches the account. What
 * stands so already stays. A frozen account's sessions are over.
 * @throws AppError when the person may not, or the account is closed
 */
export async function setFrozen(tx: Queryable, staff: Staff, id: number, frozen: boolean): Promise<void> {
  const edge = appUser.transitions.find(({ name }) => name === (frozen ? 'freeze' : 'unfreeze'))
  if (!edge) throw notFound(appUser.label)
  if (!staff.modules.has(transitionGrant(appUser, edge))) throw notGranted(`${appUser.label} · ${edge.label}`)
  const { status } = await lockRow(tx, appUser, staff, id)
  if (status === edge.to) return
  if (!edge.from.includes(status as 1)) throw wrongState(edge.label, choiceLabel(states, status))
  await touch(tx, appUser, { status: edge.to as 1, ...(frozen && { sessions_ended_at: Math.floor(Date.now() / 1000) }) }, id)
}

/** Lets a frozen account go on while somebody looks at what its owner says: whoever takes that down needs no right for it. */
export async function suspendFreeze(tx: Queryable, id: number): Promise<void> {
  await touch(tx, appUser, { status: USER_STATUS.normal }, sql`t.id = ${id} and t.status = ${USER_STATUS.frozen} and t.deleted_at is null`)
}
