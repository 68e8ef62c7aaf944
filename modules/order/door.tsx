import type { ScreenLoader } from '../../core/module/present.tsx'
import type { OrderScreen } from './order-page.tsx'

/**
 * The screen of a line's orders: list, detail, the pages of writing one down.
 * @example '/new-study-room/partner-order': orderScreen(() => import('./partner-order.ts').then((file) => ({ line: file.partnerOrderLine, orders: file.partnerOrder })))
 */
export function orderScreen(load: () => Promise<OrderScreen>): ScreenLoader {
  const screen = async () => {
    const [parts, Page] = await Promise.all([load(), import('./order-page.tsx').then((file) => file.OrderPage)])
    return { default: () => <Page {...parts} /> }
  }
  return Object.assign(screen, { resource: () => load().then(({ orders }) => orders) })
}
