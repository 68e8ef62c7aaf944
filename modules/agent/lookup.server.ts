import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { pageOf, tooManyForOne } from '../../core/resource/list.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { agent } from './agent.ts'
import { proxyUsers, type ProxyUser } from './lookup.ts'

/** Agents that one answer holds. */
const PROXY_USERS = 1000

/** Agents as everybody may read them, within their scope. */
export const lookupCalls = (): Served[] => [
  handle(proxyUsers, async (call) => {
    const condition = listCondition(agent, call.staff, {})
    const { page, size, all } = pageOf({ page_size: String(PROXY_USERS), ...call.input }, PROXY_USERS)
    const [proxy_users, [counted]] = await Promise.all([
      call.db.query<ProxyUser>(sql`select id, name, type, status from agent where ${condition} order by id limit ${sql.raw(String(size))} offset ${sql.raw(String(page * size))}`),
      call.db.query<{ total: number }>(sql`select count(*) as total from agent where ${condition}`),
    ])
    if (all && (counted?.total ?? 0) > size) throw tooManyForOne()
    return { proxy_users, total: counted?.total ?? 0 }
  }),
]
