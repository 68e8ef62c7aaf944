import { sql } from 'drizzle-orm'
import { invalid } from '../../core/error/error.ts'
import { limits } from '../../core/grant/staff.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { appUser } from './user.ts'

/** User numbers have eight digits and begin here. */
export const FIRST_USER_NO = 10_000_000

export const users = serve(appUser)({
  async before({ tx, staff, values, row }) {
    const agents = limits(staff, 'agent')
    const owner = 'agent_id' in values ? values.agent_id : row?.agent_id
    // Whoever is limited to agents would not see the user any more.
    if (agents && (owner == null || !agents.includes(owner))) throw invalid({ agent_id: '请选择所属代理' })
    if (row) return
    // One number of the row's own sequence: unique and growing, though not the row's id.
    const [next] = await tx.query<{ n: number }>(sql`select nextval(pg_get_serial_sequence(${appUser.table}, 'id')) as n`)
    values['user_no'] = String(FIRST_USER_NO + (next?.n ?? 0))
    values['register_at'] = Math.floor(Date.now() / 1000)
  },
})
