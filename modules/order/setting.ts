import * as z from 'zod/mini'

/** What an installation decides about the orders of a line. Amounts in fen. */
export interface OrderSetting {
  /** Refunds from here on need a second person. */
  refund_second_from: number
  /** Orders from here on are approved by somebody else than who wrote them down. */
  approve_second_from: number
  /** Unpaid orders are closed after so many days; 0: never. */
  unpaid_days: number
}

/** domain 1.19: a second person from ¢500 000; every partner order is approved by a second person (domain, Decided). */
export const DEFAULT_SETTING: OrderSetting = { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30 }

const fen = z.int('金额最多两位小数').check(z.gte(0, '金额不能小于 0'), z.lte(10_000_000_000, '金额过大'))

export const settingSchema = z.object({
  refund_second_from: fen,
  approve_second_from: fen,
  unpaid_days: z.int('天数应为整数').check(z.gte(0, '天数不能小于 0'), z.lte(365, '天数不能大于 365')),
})
