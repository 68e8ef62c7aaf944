import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { NOTHING_COMPUTED, readCountedPage } from '../../core/resource/list.server.ts'
import { showRow } from '../../core/resource/regions.server.ts'
import { DELETED_SIZE, deletedOrders } from './deleted-orders.ts'
import { bookLine } from './line.ts'

/** The call of orders that were deleted. They come back by the orders' own call, under its right. */
export function deletedOrderCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  const orders = bookLine.orders
  return [handle(deletedOrders, async (call) => {
    const { keyword, page = '0' } = call.input
    const query = { deleted: '1', page, page_size: String(DELETED_SIZE), ...(keyword && { keyword }) }
    const { rows, total } = await readCountedPage(call.db, orders, call.staff, query, registry.get(orders.name)?.rules.computed ?? NOTHING_COMPUTED)
    return { items: rows.map((row) => showRow(orders, call.staff, row) as WireRow<typeof bookLine.orders>), total, can_restore: call.staff.modules.has(orders.actions.remove ?? 0) }
  })]
}
