import { defineModule } from '../../core/module/define.ts'

export { ACTION_LABELS, DISCOUNT_KINDS, FLOWS, isInForce, MONEY_CHANNELS, OPEN_ORDERS, ORDER_STATUS, orderRight, PAY_CHANNELS, REFUND_STATUS, type Edge, type OrderRight, type OrderStatus } from './flow.ts'
export type { OrderDetail } from './calls.ts'
export { defineLedger } from './ledger.ts'
export { defineOrders, MAX_SUM, type Good, type OrderLine, type OrderParty, type OrderResource } from './line.ts'
export { netOf, spread } from './money-rules.ts'
export { defineShipments } from './shipment.ts'

/** Orders of every product line: what they are, how they move, and the books that their money goes into. It has no screens of its own. */
export default defineModule({ name: 'order', title: '订单', screens: [] })
