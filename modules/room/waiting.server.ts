import { sql } from 'drizzle-orm'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { listTrend } from '../../core/module/dashboard.server.ts'
import { pad, PAD_STATUS } from './pad.ts'
import { selfVisit, visit } from './visit.ts'

/** Days within which a pad comes back from repair. */
const REPAIR_DAYS = 14

/** Pads that are being mended. */
export const waiting = [
  listWaiting(pad, {
    name: 'pad_repair', title: '维修中的平板', group: 'watch', verb: '查看', path: '/study-room/pad', query: () => ({ status: String(PAD_STATUS.repair) }), due: { days: REPAIR_DAYS }, since: sql`updated_at`,
  }),
]

/** How many came to study, in partners' rooms and in our own. */
export const trends = [
  listTrend(visit, { name: 'visit', title: '自习室到店', as: 'number', path: '/new-study-room/self-study-room/user', at: 'in_at' }),
  listTrend(selfVisit, { name: 'self_visit', title: '自营自习室到店', as: 'number', path: '/study-room/user', at: 'in_at' }),
]
