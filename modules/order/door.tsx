import type { RecordFinder } from '../../core/module/find.ts'
import type { ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { OrderScreen } from './order-page.tsx'

export { OrderLink } from './order-link.tsx'

/**
 * The screen of a line's orders: list, detail, the page of writing one down.
 * @example '/new-study-room/partner-order': orderScreen(() => import('./partner-order.ts').then((file) => ({ line: file.partnerOrderLine, orders: file.partnerOrder })))
 */
export function orderScreen(load: () => Promise<OrderScreen>): ScreenLoader {
  const screen = async () => {
    const [parts, Page] = await Promise.all([load(), import('./order-page.tsx').then((file) => file.OrderPage)])
    return { default: () => <Page {...parts} /> }
  }
  const presentation = async () => {
    const [{ line, orders, own }, { presentOrders }] = await Promise.all([load(), import('./order-view.tsx')])
    return presentOrders({ line, orders, own })
  }
  return Object.assign(screen, { resource: () => load().then(({ orders }) => orders), presentation })
}

/** Finds the orders of a line by their number or the buyer's, for the command palette. */
export function orderFinder(screen: string, label: string, load: () => Promise<Resource>): RecordFinder {
  return resourceFinder(screen, label, load, ['number'], ['buyer_name', 'goods'])
}
