import type { Queryable } from '../database/database.server.ts'
import { defineError } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from './define.ts'
import type { WireRow } from './endpoints.ts'
import type { Row } from './list.server.ts'
import { policyRefusals } from './policy.ts'
import type { Rules } from './serve.server.ts'

/** Something that this person may not do with this record, though they hold the right for it. */
export const refused = defineError('refused', 403, (sentence: string) => sentence)

type Refusing = Pick<Rules<Row, Record<string, unknown>>, 'refusals'>

/** Tells of each row why this person may not do with it what they hold the right for, and takes it out of what they can do. */
export async function tellRefusals(rules: Refusing, asked: { db: Queryable; staff: Staff }, rows: readonly WireRow[]): Promise<void> {
  if (!rules.refusals || rows.length === 0) return
  const refuse = await rules.refusals(asked)
  for (const row of rows) {
    const cannot = refuse(row)
    if (Object.keys(cannot).length > 0) Object.assign(row, { can: row.can.filter((name) => !(name in cannot)), cannot })
  }
}

/** Refuses in the same words in which the row said so. @throws refused */
export async function checkRefusal(rules: Refusing, asked: { db: Queryable; staff: Staff }, row: Row, action: string): Promise<void> {
  const why = (await rules.refusals?.(asked))?.(row)[action]
  if (why !== undefined) throw refused(why)
}

/** Asks whether somebody may change a locked record, where a sheet or its taking back would. @throws AppError when guard or policies refuse */
export async function checkChange(rules: Refusing & Pick<Rules<Row, Record<string, unknown>>, 'guard'>, asked: { tx: Queryable; staff: Staff }, row: Row): Promise<void> {
  await rules.guard?.({ ...asked, row })
  await checkRefusal(rules, { db: asked.tx, staff: asked.staff }, row, 'edit')
}

/** Refuses in a call of a module's own what the definition's policies say of it. @throws refused */
export function checkPolicy(resource: Pick<Resource, 'name' | 'policies' | 'transitions' | 'rights'>, staff: Staff, row: Row, action: string): void {
  const why = policyRefusals(resource, staff, row)[action]
  if (why !== undefined) throw refused(why)
}
