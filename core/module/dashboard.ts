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

/** The numbers of the home page for which the caller holds the grant; no other is counted. */
export const dashboard = defineEndpoint<{ tiles: TileCount[] }>()({ method: 'GET', path: '/daoyuan/api/end/dashboard', summary: '首页数字', grant: 'staff' })
