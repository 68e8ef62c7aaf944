import { listTrend } from '../../core/module/dashboard.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { addOrderWatcher } from '../order/door.server.ts'
import { activities, activityCalls, activityWaiting, couponOverview } from './activity.server.ts'
import { couponSweep } from './coupon.server.ts'
import { insertPromotionDemo } from './demo.server.ts'
import { deviceCalls } from './device.server.ts'
import { flashCalls, flashSales } from './flash.server.ts'
import { groupSweep } from './group.server.ts'
import { linkCalls, linkPages, links, linkSweep, linkWaiting } from './link.server.ts'
import { PAYLINK_PATH, activityLink } from './link.ts'
import door from './module.ts'
import { shareCalls, shareOverview, shares, shareWaiting } from './share.server.ts'
import { lostSweep, watchOrder } from './watch.server.ts'

addOrderWatcher({ moved: (tx, before, after) => watchOrder(tx, before, after) })

export default serveModule({
  door,
  after: ['reference', 'agent', 'staff', 'user', 'order', 'offer', 'course-line', 'companion', 'accompany', 'tptrain', 'earning'],
  services: [activities, links, flashSales, shares],
  calls: (kernel) => [...linkCalls(kernel), ...flashCalls(kernel), ...activityCalls(kernel), ...shareCalls(kernel), ...deviceCalls(kernel)],
  publicPages: (kernel) => [linkPages(kernel)],
  waiting: [linkWaiting, shareWaiting, activityWaiting],
  overview: [couponOverview, shareOverview],
  sweeps: ({ db }) => [linkSweep(db), groupSweep(db), couponSweep(db), lostSweep(db)],
  trends: [listTrend(activityLink, { name: 'new_link', title: '新增支付链接', as: 'number', path: PAYLINK_PATH, at: 'created_at' })],
  demo: insertPromotionDemo,
})
