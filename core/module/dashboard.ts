import { defineEndpoint } from '../endpoint/define.ts'

/** A number of the home page that waits for somebody. */
export interface TileCount {
  name: string
  title: string
  /** Capped like the total of a list. */
  count: number
  /** Path and query of the screen that shows what was counted. */
  to: string
  tone: TileTone
}

/** How much a number that is not zero asks for attention. */
export type TileTone = 'plain' | 'warning' | 'danger'

/** The numbers of the home page for which the caller holds the grant; no other is counted. Tells whether there are trends to ask for. */
export const dashboard = defineEndpoint<{ tiles: TileCount[]; has_trends: boolean }>()({ method: 'GET', path: '/daoyuan/api/end/dashboard', summary: '首页数字', grant: 'staff' })

/** Days that a trend goes back, today included. */
export const TREND_DAYS = 30

/** How something went day by day. */
export interface TrendLine {
  name: string
  title: string
  /** Money is in fen. */
  as: 'number' | 'money'
  /** Screen with the records behind it. */
  to: string
  /** One for each of the days, the oldest first. */
  values: number[]
  /** Sum of as many days before. */
  before: number
}

/** How things went in the last days; like the numbers, only what the caller holds the grant for is read. */
export const trends = defineEndpoint<{ days: number[]; trends: TrendLine[] }>()({ method: 'GET', path: '/daoyuan/api/end/dashboard/trends', summary: '首页趋势', grant: 'staff' })
