import { sql } from 'drizzle-orm'
import { serveModule } from '../../core/module/serve.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import { insertStaffDemo } from './demo.server.ts'
import { grantCalls, keepOneSuper, lockPerson, superOnly } from './grants.server.ts'
import { STAFF_ACTIONS, STAFF_SCREEN } from './grants.ts'
import door from './module.ts'
import { staff } from './staff.ts'
import { renewTemplates, templates } from './template.server.ts'

const staffService = serve(staff)({
  async before({ tx, staff: caller, values, row }) {
    const role = values.role
    if (role === SUPER_ROLE && row?.role !== SUPER_ROLE && caller.role !== SUPER_ROLE) throw superOnly()
    if (!row) return
    await lockPerson(tx, { staff: caller }, row.id)
    if (row.role === SUPER_ROLE && role !== undefined && role !== SUPER_ROLE) await keepOneSuper(tx, row.id)
    if (row.id === caller.id && role !== undefined && role !== row.role) throw badRequest('不能修改自己的角色')
  },
  async after({ tx, saved, row }) {
    if (!row) await tx.query(sql`insert into credential (staff_id) values (${saved.id})`)
    await tx.notify('grants', String(saved.id))
  },
  effects: {
    stop: leaveOffice,
    leave: leaveOffice,
    async resume({ tx, staff: caller, row }) {
      await lockPerson(tx, { staff: caller }, row.id)
    },
  },
})

/** Whoever stops working here is out at once, everywhere. */
async function leaveOffice({ tx, staff: caller, row }: { tx: Parameters<typeof lockPerson>[0]; staff: Parameters<typeof lockPerson>[1]['staff']; row: { id: number; role: string } }): Promise<void> {
  if (row.id === caller.id) throw badRequest('不能停用自己')
  await lockPerson(tx, { staff: caller }, row.id)
  if (row.role === SUPER_ROLE) await keepOneSuper(tx, row.id)
  await tx.query(sql`delete from session where staff_id = ${row.id}`)
  await tx.notify('grants', String(row.id))
}

export default serveModule({
  door,
  services: [staffService, templates],
  calls: grantCalls,
  renew: renewTemplates,
  demo: insertStaffDemo,
  grants: Object.values(STAFF_ACTIONS).map(({ n, title }) => ({ screen: STAFF_SCREEN, n, title })),
})

