import { AppError, defineError, invalid, notGranted } from '../../core/error/error.ts'
import { yuan } from '../../core/field/number.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { MONEY_CHANNELS, ORDER_RIGHTS, PAY_CHANNELS, type OrderRight, type PayChannel, type RefundWay, type TakenChannel, orderRight } from './flow.ts'
import { MAX_SUM, type OrderLine } from './line.ts'

/**
 * The rules of money, for every way in: calls, drafts, the desk, sheets. Pure, so that the console offers what the server
 * allows. Sums in fen.
 */

/** Rights that somebody holds over the orders of a line. */
export type Rights = ReadonlySet<OrderRight>

const RIGHTS = Object.keys(ORDER_RIGHTS) as OrderRight[]

/** What somebody may do with the orders of a screen. @param modules granted ids */
export function rightsOf(orders: { readonly grant: number }, modules: Pick<ReadonlySet<number>, 'has'>): Rights {
  return new Set(RIGHTS.filter((right) => modules.has(orderRight(orders, right))))
}

/** @throws notGranted when a right is missing */
export function checkRight(rights: Rights, right: OrderRight): void {
  if (!rights.has(right)) throw notGranted(ORDER_RIGHTS[right][1])
}

const MONEY: ReadonlySet<string> = new Set<TakenChannel>([...MONEY_CHANNELS, 'balance'])

/** Whether what was settled by a channel is money, which alone can go back. */
export const isMoney = (channel: PayChannel | null): channel is TakenChannel => channel !== null && MONEY.has(channel)

/** Channels by which somebody takes money for orders of a line. `free` settles what is nothing, `code` is settled by codes alone. */
export function takenChannels(line: Pick<OrderLine, 'account'>): { value: PayChannel; label: string }[] {
  return PAY_CHANNELS.filter(({ value }) => isMoney(value) && (value !== 'balance' || line.account?.balanceTable !== undefined))
}

/** Refuses a channel that brings no money, or one that the account has not. @param field that names the channel */
export function checkChannel(line: Pick<OrderLine, 'account'>, channel: PayChannel, field: string): asserts channel is TakenChannel {
  if (takenChannels(line).some(({ value }) => value === channel)) return
  throw invalid({ [field]: channel === 'balance' ? '该订单不能用余额支付' : `「${choiceLabel(PAY_CHANNELS, channel)}」不是收款方式，请选择实际的支付方式` })
}

/** Something that is sold, with its list price; null where nothing says what it costs. */
export interface Priced {
  readonly name: string
  readonly price: number
  readonly qty: number
  readonly list: number | null
}

/** What items cost together. @throws AppError when it is more than one order may be */
export function totalOf(items: readonly Pick<Priced, 'price' | 'qty'>[], field = 'order_info.items'): number {
  let total = 0
  for (const { price, qty } of items) {
    total += price * qty
    // Looked at in each step: beyond 2^53 sums are not exact.
    if (total > MAX_SUM) throw invalid({ [field]: `订单金额不能超过 ${yuan(MAX_SUM)} 元` })
  }
  return total
}

const notListed = defineError('price_not_listed', 403, (name: string) => `「${name}」没有标价，自定单价须有「${ORDER_RIGHTS.reprice[1]}」权限，或先在订单设置中填写标价`)

/** Somebody's plan of an order. */
export interface Plan {
  readonly items: readonly Priced[]
  readonly discount: number
  readonly virtual: boolean
  /** What is paid at once. */
  readonly paid: number
}

/**
 * Checks what somebody wants to order against what they may: prices are those of what is sold, less needs 改价; money that
 * came with it needs 确认到账; opening something without money needs 虚拟开单.
 * @throws AppError that names the right that is missing
 */
export function checkPlan(rights: Rights, { items, discount, virtual, paid }: Plan): void {
  if (virtual) checkRight(rights, 'virtual')
  if (paid > 0) checkRight(rights, 'pay')
  if (virtual || rights.has('reprice')) return
  const unknown = items.find(({ list }) => list === null)
  if (unknown) throw notListed(unknown.name)
  if (items.some(({ price, list }) => price < (list ?? 0))) throw notGranted(ORDER_RIGHTS.reprice[1])
  const amount = items.reduce((sum, { price, qty }) => sum + price * qty, -discount)
  if (amount < items.reduce((sum, { list, qty }) => sum + (list ?? 0) * qty, 0)) throw notGranted(ORDER_RIGHTS.reprice[1])
}

/** A list price out of a line's own list: of the record, else of its kind; by the month where the kind runs for months. */
export function listPrice(line: Pick<OrderLine, 'goods'>, prices: Readonly<Record<string, number>>, item: { kind: string; ref_id?: number | null; months?: number | null }): number | null {
  const known = (item.ref_id ? prices[`${item.kind}:${item.ref_id}`] : undefined) ?? prices[item.kind]
  if (known === undefined) return null
  return line.goods.find(({ kind }) => kind === item.kind)?.months ? known * (item.months ?? 1) : known
}

/** What came in for an order by one channel, and what of it is still there. */
export interface Source {
  readonly channel: PayChannel
  readonly paid: number
  readonly refunded: number
  /** What can go back: nothing of what was no money. */
  readonly left: number
}

/** A part of a refund: out of what came in by a channel, and by which it goes. Where the two differ it goes another way. */
export interface RefundPart {
  readonly from: TakenChannel
  readonly to: TakenChannel
  readonly amount: number
}

/** What is left of an order's money, by channel; what came in last stands first. @param payments in the order in which they came */
export function sourcesOf(payments: readonly { amount: number; channel: PayChannel }[], parts: readonly RefundPart[]): Source[] {
  const channels = [...new Set(payments.map(({ channel }) => channel).toReversed())]
  const known = channels.map((channel) => ({
    channel,
    paid: payments.reduce((sum, one) => (one.channel === channel ? sum + one.amount : sum), 0),
    refunded: parts.reduce((sum, one) => (one.from === channel ? sum + one.amount : sum), 0),
  }))
  // Refunds from before each channel was counted by itself went by the last one alone: what it had not brought is gone from the others.
  let over = known.reduce((sum, { paid, refunded }) => sum + Math.max(0, refunded - paid), 0)
  return known.map((source) => {
    const there = isMoney(source.channel) ? Math.max(0, source.paid - source.refunded) : 0
    const gone = Math.min(there, over)
    over -= gone
    return { ...source, left: there - gone }
  })
}

/** What can go back in all. */
export const leftOf = (sources: readonly Source[]): number => sources.reduce((sum, { left }) => sum + left, 0)

/** Takes an amount out of sources, one after the other. */
function draw(sources: readonly Source[], amount: number, to?: TakenChannel): RefundPart[] {
  let rest = amount
  return sources.flatMap(({ channel, left }) => {
    const part = Math.min(left, rest)
    rest -= part
    return part > 0 && isMoney(channel) ? [{ from: channel, to: to ?? channel, amount: part }] : []
  })
}

/**
 * Says how an amount goes back: by the channels that it came by, or by another, and then as much as possible out of what
 * that one had brought itself.
 * @param given amounts by channel, for a person who knows better than "the last first"
 * @throws AppError when a channel has not brought so much
 */
export function splitRefund(sources: readonly Source[], amount: number, way: RefundWay, given?: readonly { channel: PayChannel; amount: number }[]): RefundPart[] {
  const most = leftOf(sources)
  if (amount > most) throw invalid({ amount: `退款金额不能超过可退金额 ${yuan(most)} 元` })
  if (way !== 'original') {
    const own = draw(sources.filter(({ channel }) => channel === way), amount)
    return [...own, ...draw(sources.filter(({ channel }) => channel !== way), amount - own.reduce((sum, part) => sum + part.amount, 0), way)]
  }
  if (!given) return draw(sources, amount)
  const parts = [...Map.groupBy(given, ({ channel }) => channel)].map(([channel, list]) => ({ channel, amount: list.reduce((sum, one) => sum + one.amount, 0) })).filter((part) => part.amount > 0)
  if (parts.reduce((sum, part) => sum + part.amount, 0) !== amount) throw invalid({ parts: '各渠道退款之和应等于退款金额' })
  return parts.map((part) => {
    const left = sources.find(({ channel }) => channel === part.channel)?.left ?? 0
    if (part.amount > left || !isMoney(part.channel)) throw invalid({ parts: `「${choiceLabel(PAY_CHANNELS, part.channel)}」最多可退 ${yuan(left)} 元` })
    return { from: part.channel, to: part.channel, amount: part.amount }
  })
}

/** Whether money goes another way than it came. */
export const goesAnotherWay = (parts: readonly RefundPart[]): boolean => parts.some(({ from, to }) => from !== to)

/** Items of a refund, each once. @throws AppError when more of one goes back than is there */
export function foldItems(known: readonly { id: number; name: string; qty: number; refunded_qty: number }[], asked: readonly { id: number; qty: number }[]): { id: number; qty: number }[] {
  return [...Map.groupBy(asked, ({ id }) => id)].flatMap(([id, list]) => {
    const qty = list.reduce((sum, one) => sum + one.qty, 0)
    const item = known.find((one) => one.id === id)
    if (!item) throw new AppError('bad_request', 400, '要退的商品不在该订单中')
    const left = item.qty - item.refunded_qty
    if (qty > left) throw invalid({ items: `${item.name}最多可退 ${left}` })
    return qty > 0 ? [{ id, qty }] : []
  })
}

/**
 * Spreads a sum over weights in whole fen, so that the parts add up to it exactly: each gets what it is due rounded down, the
 * fen that are left go to those that lost most by that.
 */
export function spread(sum: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((total, weight) => total + BigInt(weight), 0n)
  if (whole === 0n) return weights.map(() => 0)
  const due = weights.map((weight) => BigInt(sum) * BigInt(weight))
  const parts = due.map((one) => Number(one / whole))
  const left = sum - parts.reduce((total, part) => total + part, 0)
  const lost = due.map((one, index) => ({ index, rest: one % whole })).sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  for (const { index } of lost.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1
  return parts
}

/** What some of the pieces of an item were paid with, counted from the first: all of them together are its `net`. Fen. */
export function netOf({ net, qty }: { net: number; qty: number }, from: number, count: number): number {
  const upTo = (n: number) => Number((BigInt(net) * BigInt(n)) / BigInt(qty))
  return upTo(from + count) - upTo(from)
}

interface NetItem { id: number; net: number; qty: number; refunded_qty: number }

/** What pieces that go back were paid with: what is offered as their refund. Fen. */
export function netBack(items: readonly NetItem[], back: readonly { id: number; qty: number }[]): number {
  return back.reduce((sum, { id, qty }) => {
    const item = items.find((one) => one.id === id)
    return item ? sum + netOf(item, item.refunded_qty, qty) : sum
  }, 0)
}

/** What those of an order's items were paid with that are not given back. Fen. */
export function valueKept(items: readonly NetItem[], back: readonly { id: number; qty: number }[]): number {
  return items.reduce((sum, item) => sum + netOf(item, item.refunded_qty, item.qty - item.refunded_qty), 0) - netBack(items, back)
}
