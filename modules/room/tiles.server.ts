import { listTile, listTrend } from '../../core/module/dashboard.server.ts'
import { pad, PAD_STATUS } from './pad.ts'
import { selfVisit, visit } from './visit.ts'

/** Pads that wait to be mended. */
export const tiles = [
  listTile(pad, { name: 'pad_repair', title: '维修中的平板', tone: 'warning', path: '/study-room/pad', query: () => ({ status: String(PAD_STATUS.repair) }) }),
]

/** How many came to study, in partners' rooms and in our own. */
export const trends = [
  listTrend(visit, { name: 'visit', title: '自习室到店', as: 'number', path: '/new-study-room/self-study-room/user', at: 'in_at' }),
  listTrend(selfVisit, { name: 'self_visit', title: '自营自习室到店', as: 'number', path: '/study-room/user', at: 'in_at' }),
]
