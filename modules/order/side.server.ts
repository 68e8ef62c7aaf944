import { insertMany } from '../../core/setup/insert-many.server.ts'
import type { OrderContext } from './engine.server.ts'

/**
 * Stores what a line adds to its new orders in the line's own table, and lets the orders name it. Values of the line's side are
 * taken out of those of the orders.
 * @param orders values of orders that are about to be stored, by column
 */
export async function addSides({ tx, line, staffId }: Pick<OrderContext, 'tx' | 'line' | 'staffId'>, orders: readonly Record<string, unknown>[]): Promise<void> {
  const { side } = line
  if (!side) return
  const rows = orders.map((values) => {
    const own = Object.keys(side.fields).filter((key) => key in values)
    const row = Object.fromEntries(own.map((key) => [key, values[key]]))
    for (const key of own) delete values[key]
    return { ...row, created_by: staffId, updated_by: staffId }
  })
  const ids = await insertMany(tx, side, rows)
  for (const [index, values] of orders.entries()) values['side_id'] = ids[index]
}
