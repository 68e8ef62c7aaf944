import { actionId } from '../../core/grant/grant.ts'
import type { RightTable } from '../../core/grant/rights.ts'
import type { Choice } from '../../core/field/choice.ts'

/** States of an order (domain 0.4, T-ORD, and 1.18 for orders that are audited). A draft is not an order yet. */
export const ORDER_STATUS = {
  unpaid: 1, auditing: 2, rejected: 3, paid: 4, unshipped: 5, shipped: 6, done: 7, effective: 8,
  cancelled: 9, closed: 10, refunding: 11, refunded: 12, part_refunded: 13,
} as const

export type OrderStatus = (typeof ORDER_STATUS)[keyof typeof ORDER_STATUS]

const S = ORDER_STATUS

/** States in which an order waits for somebody: who buys and what they buy must be there until it is settled. */
export const OPEN_ORDERS: readonly OrderStatus[] = [S.unpaid, S.auditing, S.rejected, S.unshipped, S.shipped, S.refunding]

const LABELS: readonly Choice<OrderStatus>[] = [
  { value: S.unpaid, label: '待支付', tone: 'warning' },
  { value: S.auditing, label: '待审核', tone: 'warning' },
  { value: S.rejected, label: '已驳回', tone: 'error' },
  { value: S.paid, label: '已支付', tone: 'success' },
  { value: S.unshipped, label: '待发货', tone: 'warning' },
  { value: S.shipped, label: '已发货', tone: 'processing' },
  { value: S.done, label: '已完成', tone: 'success' },
  { value: S.effective, label: '已生效', tone: 'success' },
  { value: S.cancelled, label: '已取消', tone: 'default' },
  { value: S.closed, label: '超时关闭', tone: 'default' },
  { value: S.refunding, label: '退款中', tone: 'warning' },
  { value: S.refunded, label: '已退款', tone: 'default' },
  { value: S.part_refunded, label: '部分退款', tone: 'warning' },
]

/** What happens to an order. Each that a person does has a label and the n of its right. */
export type OrderAction =
  | 'pay' | 'approve' | 'reject' | 'resubmit' | 'ship' | 'finish' | 'cancel' | 'close' | 'ask_refund' | 'refund' | 'refuse_refund'

/** What decides between two edges of one action. */
export type EdgeCase = 'ships' | 'nothing_ships' | 'all' | 'part'

/** One row of the state machine. */
export interface Edge {
  readonly action: OrderAction
  readonly from: readonly OrderStatus[]
  /** `same`: the state stays; `before`: back to the state in which the refund was asked for. */
  readonly to: OrderStatus | 'same' | 'before'
  readonly when?: EdgeCase
}

/**
 * Edges of money going back. From the `open` states a part can be returned, from the `over` ones only everything that
 * was taken: nothing was delivered for it.
 */
const refunds = (open: readonly OrderStatus[], over: readonly OrderStatus[]): readonly Edge[] => [
  { action: 'ask_refund', from: [...open, ...over], to: S.refunding },
  { action: 'refund', from: [...open, ...over, S.refunding], to: S.refunded, when: 'all' },
  { action: 'refund', from: [...open, S.refunding], to: S.part_refunded, when: 'part' },
  { action: 'refuse_refund', from: [S.refunding], to: 'before' },
]

/** The two ways that an order goes: straight after payment, or by way of an audit. */
export const FLOWS = {
  sale: [
    { action: 'pay', from: [S.unpaid], to: S.paid, when: 'nothing_ships' },
    { action: 'pay', from: [S.unpaid], to: S.unshipped, when: 'ships' },
    { action: 'ship', from: [S.unshipped], to: S.shipped },
    { action: 'ship', from: [S.part_refunded], to: 'same' },
    { action: 'finish', from: [S.paid, S.shipped], to: S.done },
    { action: 'cancel', from: [S.unpaid], to: S.cancelled },
    { action: 'close', from: [S.unpaid], to: S.closed },
    ...refunds([S.paid, S.unshipped, S.shipped, S.done, S.part_refunded], [S.cancelled, S.closed]),
  ],
  audited: [
    { action: 'pay', from: [S.unpaid], to: S.auditing },
    { action: 'approve', from: [S.auditing], to: S.effective },
    { action: 'reject', from: [S.auditing], to: S.rejected },
    { action: 'resubmit', from: [S.rejected], to: S.unpaid },
    { action: 'ship', from: [S.effective, S.part_refunded], to: 'same' },
    { action: 'cancel', from: [S.unpaid, S.rejected], to: S.cancelled },
    { action: 'close', from: [S.unpaid], to: S.closed },
    ...refunds([S.effective, S.part_refunded], [S.rejected, S.cancelled, S.closed]),
  ],
} satisfies Record<string, readonly Edge[]>

export type FlowName = keyof typeof FLOWS

/** States in which what was bought is fulfilled. An order whose refund is asked for is what it was before. */
const IN_FORCE: ReadonlySet<OrderStatus> = new Set([S.paid, S.unshipped, S.shipped, S.done, S.effective, S.part_refunded])

/** Whether what an order bought is fulfilled. */
export function isInForce(order: { status: OrderStatus; before_status: OrderStatus | null }): boolean {
  return IN_FORCE.has(order.status === S.refunding ? (order.before_status ?? S.refunding) : order.status)
}

/** The edge of an action from a state; undefined when there is none. */
export function edgeOf(flow: FlowName, action: OrderAction, from: OrderStatus, when?: EdgeCase): Edge | undefined {
  const edges: readonly Edge[] = FLOWS[flow]
  return edges.find((edge) => edge.action === action && edge.from.includes(from) && (edge.when === undefined || when === undefined || edge.when === when))
}

/** States of a flow, in the order in which they are lived through, with their words. */
export function statusChoices(flow: FlowName): readonly Choice<OrderStatus>[] {
  const edges: readonly Edge[] = FLOWS[flow]
  const used = new Set(edges.flatMap(({ from, to }) => [...from, ...(typeof to === 'number' ? [to] : [])]))
  // domain 1.8 says 待付款 where domain 0.4 says 待支付.
  return LABELS.filter(({ value }) => used.has(value)).map((one) => (one.value === S.unpaid && flow === 'audited' ? { ...one, label: '待付款' } : one))
}

/** The way that an order goes when nothing is in its way: the steps that its bar shows. */
export function mainSteps(flow: FlowName, ships: boolean): readonly OrderStatus[] {
  if (flow === 'audited') return [S.unpaid, S.auditing, S.effective]
  return ships ? [S.unpaid, S.unshipped, S.shipped, S.done] : [S.unpaid, S.paid, S.done]
}

/** Rights of an order screen beside the standard ones, by what is done. */
export const ORDER_RIGHTS = {
  pay: [11, '确认到账'],
  reprice: [12, '改价'],
  audit: [13, '审核'],
  ship: [14, '发货和导入运单'],
  refund: [15, '申请退款'],
  decide: [16, '退款复核'],
  cancel: [17, '取消订单'],
  finish: [18, '确认完成'],
  setting: [19, '订单设置'],
  virtual: [20, '虚拟开单'],
  // 21 is taken: the screen that closes a room's day shows its orders.
  otherWay: [22, '改道退款复核'],
} as const satisfies RightTable

/** What a person may do with the orders of a line beside writing them down. */
export type OrderRight = keyof typeof ORDER_RIGHTS

/** Id of a right over the orders of a screen. */
export const orderRight = (orders: { readonly grant: number }, right: OrderRight): number => actionId(orders.grant, ORDER_RIGHTS[right][0])

/** What an action is called, in logs and on buttons. */
export const ACTION_LABELS: Readonly<Record<OrderAction | 'create' | 'reprice' | 'payment', string>> = {
  create: '录单', payment: '收款', pay: '确认到账', reprice: '改价', approve: '审核通过', reject: '驳回', resubmit: '重新提交', ship: '发货', finish: '完成',
  cancel: '取消', close: '超时关闭', ask_refund: '申请退款', refund: '退款', refuse_refund: '拒绝退款',
}

/** How an order is paid (domain 0.4); `balance` is the partner's, `free` an order of nothing. */
export const PAY_CHANNELS = [
  { value: 'wechat', label: '微信' },
  { value: 'alipay', label: '支付宝' },
  { value: 'transfer', label: '对公' },
  { value: 'cash', label: '现金' },
  { value: 'offline', label: '线下' },
  { value: 'balance', label: '余额' },
  { value: 'code', label: '激活码' },
  { value: 'free', label: '0元' },
] as const satisfies readonly Choice<string>[]

export type PayChannel = (typeof PAY_CHANNELS)[number]['value']

/** Channels by which money comes in from outside and is taken by hand: what a closing counts. */
export const MONEY_CHANNELS = ['wechat', 'alipay', 'transfer', 'cash', 'offline'] as const satisfies readonly PayChannel[]

/** A channel by which money is taken: from outside, or from the balance of an account that has one. */
export type TakenChannel = (typeof MONEY_CHANNELS)[number] | 'balance'

/** Whether an order has goods to send, and whether they have gone. */
export const SHIP_STATUS = { none: 0, waiting: 1, sent: 2 } as const

export const BIZ_TYPES = [{ value: 1, label: '新购' }, { value: 2, label: '续费' }, { value: 3, label: '加购' }] as const satisfies readonly Choice<number>[]

/** Why an order costs less than its goods. */
export const DISCOUNT_KINDS = [
  { value: 'coupon', label: '优惠券' }, { value: 'flash', label: '秒杀' }, { value: 'activity', label: '活动' }, { value: 'suite', label: '套餐' }, { value: 'manual', label: '改价' },
] as const satisfies readonly Choice<string>[]

export type DiscountKind = (typeof DISCOUNT_KINDS)[number]['value']

/** States of a refund. */
export const REFUND_STATUS = { waiting: 1, done: 2, refused: 3 } as const

/** How money goes back: the way that it came, or another. */
export const REFUND_WAYS = [
  { value: 'original', label: '原路退回' },
  { value: 'transfer', label: '对公转账' },
  { value: 'cash', label: '现金' },
  { value: 'offline', label: '线下' },
  { value: 'balance', label: '退到余额' },
] as const satisfies readonly Choice<string>[]

export type RefundWay = (typeof REFUND_WAYS)[number]['value']
