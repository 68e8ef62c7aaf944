import { MAX_PRICE, OFFER_STATE, PRICE_DROP } from './offer.ts'

/** Ways of setting prices of several courses. */
export const PRICE_WAYS = [
  { way: 'set', label: '统一定价', ask: '新价' }, { way: 'add', label: '加减金额', ask: '加（减为负）' }, { way: 'percent', label: '按比例', ask: '原价的百分之' },
] as const

export type PriceWay = (typeof PRICE_WAYS)[number]['way']

const WORK: Readonly<Record<PriceWay, (value: number, price: number) => number>> = {
  set: (value) => value * 100,
  add: (value, price) => price + value * 100,
  percent: (value, price) => (price * value) / 100,
}

/**
 * The price that comes of another.
 * @param value in yuan, or per cent; undefined while nobody has said
 * @param price in fen
 * @returns in fen, from nothing to the highest price
 */
export function newPrice(way: PriceWay, value: number | null | undefined, price: number): number | undefined {
  return value === null || value === undefined ? undefined : Math.min(MAX_PRICE, Math.max(0, Math.round(WORK[way](value, price))))
}

/** Whether a new price falls so far, while the course is known to learners, that a second person is asked. */
export function asksSecond(row: { readonly price: number; readonly state: number | null }, price: unknown): boolean {
  return typeof price === 'number' && price < row.price * PRICE_DROP && (row.state === OFFER_STATE.selling || row.state === OFFER_STATE.off)
}
