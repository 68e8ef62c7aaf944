import { defineEndpoint } from '../endpoint/define.ts'
import type { WaitingSum } from '../inbox/waiting.ts'

/** What waits for the caller, as far as they hold the grants; nothing else is counted. Tells whether there are trends to ask for. */
export const dashboard = defineEndpoint<{ waiting: WaitingSum[]; has_trends: boolean }>()({ method: 'GET', path: '/daoyuan/api/end/dashboard', summary: '首页数字', grant: 'staff' })

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
  /** The same of as many days before. */
  before: number[]
}

/** How things went in the last days; like the numbers, only what the caller holds the grant for is read. */
export const trends = defineEndpoint<{ days: number[]; trends: TrendLine[] }>()({ method: 'GET', path: '/daoyuan/api/end/dashboard/trends', summary: '首页趋势', grant: 'staff' })
