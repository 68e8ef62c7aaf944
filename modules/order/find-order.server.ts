import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lineResources } from './any-order.server.ts'
import { findOrder } from './find-order.ts'

/** The call that finds orders of every line: what refers to one by its number need not know which line sold it. */
export function findOrderCall({ registry }: Pick<Kernel, 'registry'>): Served {
  return handle(findOrder, async (call) => {
    for (const resource of lineResources(registry)) {
      if (!call.staff.modules.has(resource.grant)) continue
      const [row] = await call.db.query<{ id: number }>(sql`select id from orders where order_no = ${call.input.order_no} and ${listCondition(resource, call.staff, {})}`)
      if (row) return { order: { id: row.id, screen: resource.grant } }
    }
    return { order: null }
  })
}
