import * as z from 'zod/mini'

/** Kinds of seat (domain 1.8). */
export const SEAT_KIND = { plain: 1, vip: 2, booth: 3 } as const
export const SEAT_KINDS = [
  { value: SEAT_KIND.plain, label: '普通' },
  { value: SEAT_KIND.vip, label: 'VIP' },
  { value: SEAT_KIND.booth, label: '包间' },
] as const

export type SeatKind = (typeof SEAT_KIND)[keyof typeof SEAT_KIND]

const fen = z.int('价格最多两位小数').check(z.gte(0, '价格不能小于 0 元'), z.lte(9_999_999, '价格不能大于 99,999.99 元'))
const KIND = z.custom<SeatKind>((value) => SEAT_KINDS.some((kind) => kind.value === value), '座位类型有误')

/** What a seat of one kind costs, in fen; and how much faster cards are used up on it. */
const priceRule = z.object({
  kind: KIND,
  hour: fen,
  day: z.optional(z.nullable(fen)),
  week: z.optional(z.nullable(fen)),
  month: z.optional(z.nullable(fen)),
  /** How many minutes or visits a card loses for one; 1 by default. */
  rate: z.optional(z.nullable(z.number('倍率应为数字').check(z.gte(0.5, '倍率不能小于 0.5'), z.lte(10, '倍率不能大于 10')))),
}, '价格规则有误')

export type PriceRule = z.infer<typeof priceRule>

/** Price rules of a room: one for each kind of seat at most. */
export const priceRules = z.array(priceRule, '价格规则有误').check(
  z.refine((rules) => new Set(rules.map((rule) => rule.kind)).size === rules.length, '每种座位只能有一条价格规则'),
  z.refine((rules) => rules.every((rule) => !rule.day || rule.day >= rule.hour), '每天的价格不能低于每小时的价格'),
)

const HOUR = 60
const DAY = 24 * HOUR
/** Longer units with their minutes, shortest first. A month is thirty days. */
const UNITS = [['day', DAY], ['week', 7 * DAY], ['month', 30 * DAY]] as const

/**
 * What a stay costs by the rule: hours that have begun, but never more than the day, week or month that they fill.
 * @param minutes whole minutes of the stay
 * @returns fen
 */
export function stayPrice(rule: PriceRule, minutes: number): number {
  const priced = UNITS.flatMap(([unit, length]) => (rule[unit] ? [{ price: rule[unit], length }] : []))
  const upTo = (count: number, rest: number): number => {
    const last = priced[count - 1]
    if (!last) return Math.ceil(rest / HOUR) * rule.hour
    return Math.floor(rest / last.length) * last.price + Math.min(last.price, upTo(count - 1, rest % last.length))
  }
  return upTo(priced.length, minutes)
}
