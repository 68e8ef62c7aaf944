import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import type { WaitingSum } from '../inbox/waiting.ts'

const BASE = '/daoyuan/api/end/dashboard'

/** What waits for the caller, as far as they hold the grants; nothing else is counted. Tells whether there are trends to ask for. */
export const dashboard = defineEndpoint<{ waiting: WaitingSum[]; has_trends: boolean }>()({ method: 'GET', path: BASE, summary: '首页数字', grant: 'staff' })

/** Stretches that a card shows, in days, today included. */
export const CARD_DAYS = { 1: '今天', 7: '近 7 天', 30: '近 30 天' } as const
export type CardDays = keyof typeof CARD_DAYS
/** Of a card that nobody has chosen. */
export const USUAL_DAYS = 30
/** Cards that a person may have. */
export const MOST_CARDS = 16

/** A trend that a person may put onto their home page. */
export interface TrendOffer {
  name: string
  title: string
  /** List that it leads to. */
  list: string
}

/** How something went, beside as many days before that end at the same hour. */
export interface TrendCard extends TrendOffer {
  days: CardDays
  /** The less, the better. */
  less?: true
  /** Money is in fen. */
  as: 'number' | 'money'
  /** Address of the list with exactly what was counted. */
  to: string
  value: number
  before: number
  /** One for each day, or for each hour of a single day, the oldest first. */
  values: number[]
  before_values: number[]
}

/** How a card is written down: its trend and its days. */
export const cardKey = ({ name, days }: Pick<TrendCard, 'name' | 'days'>): string => `${name}@${days}`

/** Reads what `cardKey` wrote; undefined for what is no card. */
export function readCardKey(key: string): { name: string; days: CardDays } | undefined {
  const [, name, days] = /^([\w.:-]{1,80})@(1|7|30)$/.exec(key) ?? []
  return name !== undefined && days !== undefined ? { name, days: Number(days) as CardDays } : undefined
}

/** What a person may choose among; nothing is counted for it. */
export const trendOffers = defineEndpoint<{ items: TrendOffer[]; total: number }>()({ method: 'GET', path: `${BASE}/trends/offers`, summary: '可放在首页的指标', grant: 'staff' })

/** Cards as they are asked for, or those that a person begins with; like the numbers, only what the caller holds the grant for is read. */
export const trends = defineEndpoint<{ trends: TrendCard[] }>()({
  method: 'GET', path: `${BASE}/trends`, summary: '首页指标', grant: 'staff',
  input: z.object({ card: z.optional(z.union([z.string(), z.array(z.string()).check(z.maxLength(MOST_CARDS, `最多 ${MOST_CARDS} 个指标`))])) }),
})
