import { formatMoney } from '../../core/field/number.ts'
import { stayPrice, type PriceRule } from './price-rule.ts'

/** Kinds of card (domain 1.8). The unit says what its quota counts; a card without one is only bound to its time. */
export const CARD_KIND = { minutes: 1, visits: 2, day: 3, week: 4, month: 5, quarter: 6, year: 7, value: 8 } as const

export type CardKind = (typeof CARD_KIND)[keyof typeof CARD_KIND]

export const CARD_KINDS = [
  { value: CARD_KIND.minutes, label: '时长卡' }, { value: CARD_KIND.visits, label: '次卡' }, { value: CARD_KIND.day, label: '日卡' }, { value: CARD_KIND.week, label: '周卡' },
  { value: CARD_KIND.month, label: '月卡' }, { value: CARD_KIND.quarter, label: '季卡' }, { value: CARD_KIND.year, label: '年卡' }, { value: CARD_KIND.value, label: '储值卡' },
] as const

interface Unit {
  /** Words for an amount in this unit. */
  readonly say: (amount: number) => string
  /** What a stay of so many minutes on a seat with this rule takes from the card. */
  readonly use: (rule: PriceRule, minutes: number) => number
}

const rateOf = (rule: PriceRule) => rule.rate ?? 1

/** 90 minutes as 1小时30分. */
export function sayMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : ''}${hours > 0 ? `${hours}小时` : ''}${rest > 0 || hours === 0 ? `${rest}分${hours > 0 ? '' : '钟'}` : ''}`
}

const UNITS: Readonly<Partial<Record<CardKind, Unit>>> = {
  [CARD_KIND.minutes]: { say: sayMinutes, use: (rule, minutes) => Math.ceil(minutes * rateOf(rule)) },
  [CARD_KIND.visits]: { say: (amount) => `${amount} 次`, use: (rule) => Math.ceil(rateOf(rule)) },
  [CARD_KIND.value]: { say: formatMoney, use: stayPrice },
}

/** Whether a kind of card holds a quota that is used up. */
export const isCounted = (kind: CardKind): boolean => UNITS[kind] !== undefined

/** An amount of a card in words: 12小时30分, 8 次, ¥200.00; nothing is counted on cards that are only bound to time. */
export function sayAmount(kind: CardKind, amount: number): string {
  return UNITS[kind]?.say(amount) ?? '不限'
}

/** What a kind of card brings, in words: 10 次 · 90 天; 30 天. */
export const sayKind = ({ kind, quota, valid_days }: { kind: CardKind; quota: number | null; valid_days: number }): string =>
  [...(isCounted(kind) ? [sayAmount(kind, quota ?? 0)] : []), `有效 ${valid_days} 天`].join(' · ')

/**
 * What a stay takes from a card.
 * @param minutes whole minutes of the stay
 * @returns an amount in the card's unit; 0 for cards that are only bound to time
 */
export function useOf(kind: CardKind, rule: PriceRule, minutes: number): number {
  return UNITS[kind]?.use(rule, minutes) ?? 0
}
