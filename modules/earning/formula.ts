import { yuan } from '../../core/field/number.ts'

/** Parts in ten thousand: rates are whole numbers, so that a sum is the same wherever it is worked out. */
export const BASIS = 10_000

/** Both tiers together take at most half of what was paid. */
export const MAX_TIERS = 5_000

/** Only two tiers earn, however deep the tree is. */
export type Tier = 1 | 2

/** What an order says about what its agents get. Money in fen. */
export interface OrderFacts {
  /** What was bought holds: it is paid for, or a refund of it is only asked for. */
  readonly inForce: boolean
  readonly virtual: boolean
  /** What came in from outside, and what of it went back; what was paid from a balance earned before. */
  readonly paid: number
  readonly refunded: number
  readonly items: readonly { readonly net: number; readonly qty: number; readonly refunded_qty: number }[]
}

/**
 * What an order earns on: the smaller of the money that stayed and the price of the goods that stayed, so that neither a
 * refund without goods nor goods that went back without money leaves a commission behind.
 */
export function baseOf({ inForce, virtual, paid, refunded, items }: OrderFacts): number {
  if (!inForce || virtual) return 0
  const kept = items.reduce((sum, { net, qty, refunded_qty }) => sum + Math.floor(net * (qty - refunded_qty) / qty), 0)
  return Math.max(0, Math.min(paid - refunded, kept))
}

/** What one tier gets of a base. */
export const shareOf = (base: number, bp: number): number => Math.floor(base * bp / BASIS)

/** A rate as people read it: 12%. */
export const rateText = (bp: number): string => `${(bp / 100).toLocaleString('zh-CN', { maximumFractionDigits: 2 })}%`

const TIERS: Readonly<Record<Tier, string>> = { 1: '一级', 2: '二级' }

/** The sum of a tier in one sentence, with what went in. */
export function orderWords(facts: OrderFacts, base: number, share: { tier: Tier; bp: number; plan: string; booked: number; amount: number }): string {
  const { tier, bp, plan, booked, amount } = share
  const target = shareOf(base, bp)
  const inputs = !facts.inForce ? '订单已不生效，计佣金额 0.00' : facts.virtual ? '虚拟单，计佣金额 0.00'
    : `实付 ${yuan(facts.paid)}${facts.refunded > 0 ? ` − 退款 ${yuan(facts.refunded)}` : ''}${base < facts.paid - facts.refunded ? `，留下的商品值 ${yuan(base)}` : ''} = ${yuan(base)}`
  const before = booked === 0 ? '' : `，此前已计 ${yuan(booked)}，本次 ${yuan(amount)}`
  return `${inputs} × ${rateText(bp)}（${TIERS[tier]}·${plan}）= ${yuan(target)}${before}`
}

/** The fee of lessons in one sentence. */
export const lessonWords = (lessons: number, rate: number): string => `${lessons} 节 × ${yuan(rate)} 元/节 = ${yuan(lessons * rate)}`

/** Days of a month that somebody looked after a learner, as part of what the whole month pays. */
export const monthShare = (rate: number, days: number, of: number): number => Math.floor(rate * days / of)

export const monthWords = (month: string, days: number, of: number, rate: number, booked: number): string =>
  `${month}：${yuan(rate)} 元/人月 × ${days} ÷ ${of} 天 = ${yuan(monthShare(rate, days, of))}${booked === 0 ? '' : `，此前已计 ${yuan(booked)}，本次 ${yuan(monthShare(rate, days, of) - booked)}`}`
