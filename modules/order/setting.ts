import * as z from 'zod/mini'
import { MAX_SUM, type OrderLine } from './line.ts'

/** What an installation decides about the orders of a line. Amounts in fen. */
export interface OrderSetting {
  /** Refunds from here on need a second person. */
  refund_second_from: number
  /** Orders from here on are approved by somebody else than who wrote them down. */
  approve_second_from: number
  /** Unpaid orders are closed after so many days; 0: never. */
  unpaid_days: number
  /**
   * List prices in fen, by kind of goods or by kind and record (`code`, `code:7`): of one piece, by the month where it runs
   * for months. What has a price of its own is not in it.
   */
  prices: Record<string, number>
}

/** domain 1.19: a second person from ¢500 000; every partner order is approved by a second person (domain, Decided). */
export const DEFAULT_SETTING: OrderSetting = { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30, prices: {} }

const fen = z.int('金额最多两位小数').check(z.gte(0, '金额不能小于 0'), z.lte(MAX_SUM, '金额过大'))

export const settingSchema = z.object({
  refund_second_from: fen,
  approve_second_from: fen,
  unpaid_days: z.int('天数应为整数').check(z.gte(0, '天数不能小于 0'), z.lte(365, '天数不能大于 365')),
  prices: z._default(z.record(z.string().check(z.regex(/^[a-z_]+(:[1-9]\d{0,14})?$/, '标价的商品有误')), fen, '标价有误'), {}),
})

/** What is wrong with a list of prices; undefined when it names goods of the line only. */
export function pricesObstacle(line: Pick<OrderLine, 'goods'>, prices: Readonly<Record<string, number>>): string | undefined {
  const wrong = Object.keys(prices).some((key) => {
    const [kind, ref] = key.split(':')
    const good = line.goods.find((known) => known.kind === kind)
    return !good || (ref !== undefined && !good.record)
  })
  return wrong ? '标价中有这类订单不销售的商品' : undefined
}
