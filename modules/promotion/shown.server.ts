import { sql } from 'drizzle-orm'
import type { Call } from '../../core/endpoint/serve.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { anyOrders } from '../order/door.server.ts'
import { screens } from '../screens.ts'
import { appUser } from '../user/module.ts'

/** A learner's name as this person may see it. */
export const learnerName = (staff: Staff, name: string | null): string | null => (name === null ? null : shownName(appUser, staff, name))

/** How orders stand and where they open, by id: those alone that the person may see. */
export async function shownOrders(kernel: Pick<Kernel, 'registry'>, { db, staff }: Pick<Call, 'db' | 'staff'>, ids: readonly number[]): Promise<ReadonlyMap<number, { status: string; to: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await anyOrders(kernel, db, staff, sql`id = any(${sql.param([...ids])}::bigint[])`, ids.length)
  return new Map(rows.map(({ id, screen, status_name }) => [id, { status: status_name, to: `${screens.find((one) => one.id === screen)?.path ?? '/'}?open=${id}` }]))
}
