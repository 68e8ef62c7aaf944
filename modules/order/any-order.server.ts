import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { listCondition } from '../../core/resource/where.server.ts'

/** An order of whatever line, as far as every line has it. */
interface AnyOrder {
  id: number
  order_no: string
  goods: string | null
  amount: number
  paid: number
  refunded: number
  status: number
  /** The status in the words of its line. */
  status_name: string
  at: number
  /** Id of the screen that opens it, and the name of its resource. */
  screen: number
  resource: string
}

/** The resources that are lines of orders. One that shows only the virtual orders of a line has no order of its own. */
export const lineResources = (registry: Kernel['registry']): Resource[] => [...registry.values()].map(({ resource }) => resource).filter(({ table, where }) => table === 'orders' && where['virtual'] === undefined)

/** The resources of orders that a person may look at. */
export const orderResources = ({ registry }: Pick<Kernel, 'registry'>, staff: Pick<Staff, 'modules'>): Resource[] => lineResources(registry).filter(({ grant }) => staff.modules.has(grant))

/**
 * Orders of every line that a person may open, the newest first.
 * @param where condition on columns of `orders` that leaves few
 */
export async function anyOrders(kernel: Pick<Kernel, 'registry'>, db: Queryable, staff: Staff, where: SQL, limit: number): Promise<AnyOrder[]> {
  const found: AnyOrder[] = []
  const lines = new Set((await db.query<{ line: string }>(sql`select distinct line from orders where ${where} and deleted_at is null`)).map(({ line }) => line))
  for (const resource of orderResources(kernel, staff)) {
    const own = resource.where['line']
    if (own !== undefined && !lines.has(String(own))) continue
    const rows = await db.query<Omit<AnyOrder, 'screen' | 'resource' | 'status_name'> & Record<string, unknown>>(sql`select id, order_no, goods, amount, paid, refunded, status, extract(epoch from created_at)::float8 as at
      from orders where ${where} and ${listCondition(resource, staff, {})} order by id desc limit ${limit}`)
    const field = resource.fields['status']
    const choices = field && 'choices' in field ? field.choices : []
    found.push(...rows.map((row) => ({ ...row, at: Math.floor(row.at), screen: resource.grant, resource: resource.name, status_name: choiceLabel(choices, row.status) })))
  }
  return found.sort((a, b) => b.at - a.at || b.id - a.id).slice(0, limit)
}
