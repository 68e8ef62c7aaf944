import { sql } from 'drizzle-orm'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { listTrend } from '../../core/module/dashboard.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { APPLY_STATUS } from '../apply/module.ts'
import { addOrderWatcher } from '../order/door.server.ts'
import { charities, charityCalls, charityUsers, freeOffers } from './charity.server.ts'
import { CHARITY_PATH, charityApply } from './charity-apply.ts'
import { insertMarketDemo } from './demo.server.ts'
import { marketCalls, marketUsers, requests } from './market.server.ts'
import door from './module.ts'
import { marketUser } from './opening.ts'
import { openingOverview } from './overview.server.ts'
import { quotaCalls, quotas } from './quota.server.ts'
import { watchOrder } from './recall.server.ts'
import { virtualCalls, virtualOrders } from './virtual.server.ts'

const DAY = 86_400
/** Days before its end in which somebody speaks with a school. */
const SOON = 30

addOrderWatcher({ moved: (tx, before, after) => watchOrder(tx, before, after) })

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'order', 'offer', 'book', 'apply', 'course-line'],
  services: [requests.service, charities.service, quotas, marketUsers, charityUsers, freeOffers, virtualOrders],
  calls: (kernel) => [...marketCalls(kernel), ...quotaCalls(), ...charityCalls(), ...virtualCalls()],
  waiting: [requests.waiting, charities.waiting, listWaiting(charityApply, {
    name: 'charity_ending', title: '即将到期的公益', group: 'act', verb: '续期', path: CHARITY_PATH, query: ({ now }) => ({ status: String(APPLY_STATUS.passed), due_at_end: String(now + SOON * DAY) }),
    grant: charityApply.rights.id('audit'), due: { at: 'due_at' }, since: sql`audited_at`, notes: ['offer_id', 'region_code'],
  })],
  overview: [charities.overview, ...openingOverview],
  sweeps: ({ db }) => [requests.sweep(db), charities.sweep(db)],
  trends: [listTrend(marketUser, { name: 'market_opened', title: '市场开通', as: 'number', path: '/practiceBook/marketUser', at: 'start_at' })],
  demo: insertMarketDemo,
})
