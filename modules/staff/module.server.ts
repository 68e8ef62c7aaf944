import { sql } from 'drizzle-orm'
import { serveModule } from '../../core/module/serve.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import { insertStaffDemo } from './demo.server.ts'
import { factorRuleCalls } from './factor-rule.server.ts'
import { grantCalls, keepOneSuper } from './grants.server.ts'
import door from './module.ts'
import { staff } from './staff.ts'
import { personBelow, superOnly } from './standing.server.ts'
import { renewTemplates, templates } from './template.server.ts'

const staffService = serve(staff)({
  guard: async ({ tx, staff: caller, row }) => void await personBelow(tx, caller, row.id),
  // Who granted what stands in it.
  guardsHistory: true,
  async before({ tx, staff: caller, values, row }) {
    const role = values.role
    if (role === SUPER_ROLE && row?.role !== SUPER_ROLE && caller.role !== SUPER_ROLE) throw superOnly()
    if (!row) return
    if (row.role === SUPER_ROLE && role !== undefined && role !== SUPER_ROLE) await keepOneSuper(tx, row.id)
    if (row.id === caller.id && role !== undefined && role !== row.role) throw badRequest('不能修改自己的角色')
    if (row.id === caller.id && values.two_factor === 0 && row.two_factor === 1) throw badRequest('不能关闭自己的强制两步验证')
  },
  // A sheet brings new people in; what is done to those who are there is done to each of them, with its own rules.
  async beforeImport({ rows }) {
    for (const { values, row, refuse } of rows) {
      const before: Readonly<Record<string, unknown>> | undefined = row
      if (before && Object.entries(values).some(([key, value]) => (value ?? null) !== (before[key] ?? null))) refuse('账号已存在，导入只用于新增员工')
      else if (!row && values.role === SUPER_ROLE) refuse('超级管理员不能导入，请单独新增')
    }
  },
  async after({ tx, staff: caller, saved, row }) {
    if (!row) {
      await tx.query(sql`insert into credential (staff_id) values (${saved.id})`)
      // Nobody makes somebody who sees more than they do.
      await tx.query(sql`insert into staff_scope (staff_id, kind, ref_id) select ${saved.id}, kind, ref_id from staff_scope where staff_id = ${caller.id}`)
    }
    await tx.notify('grants', String(saved.id))
  },
  effects: {
    stop: leaveOffice,
    leave: leaveOffice,
  },
})

/** A person who stops working here is out at once, everywhere. */
async function leaveOffice({ tx, staff: caller, row }: { tx: Queryable; staff: Staff; row: { id: number; role: string } }): Promise<void> {
  if (row.id === caller.id) throw badRequest('不能停用自己')
  if (row.role === SUPER_ROLE) await keepOneSuper(tx, row.id)
  await tx.query(sql`delete from session where staff_id = ${row.id}`)
  await tx.notify('grants', String(row.id))
}

export default serveModule({
  door,
  services: [staffService, templates],
  calls: (kernel) => [...grantCalls(kernel), ...factorRuleCalls(kernel)],
  renew: renewTemplates,
  demo: insertStaffDemo,
})

