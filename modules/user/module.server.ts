import { listFigure } from '../../core/kernel/figure.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { accessCalls } from './access.server.ts'
import { insertUserDemo } from './demo.server.ts'
import { entitlementOverview, entitlements } from './entitlement.server.ts'
import { mergeCall } from './merge.server.ts'
import door from './module.ts'
import { overviewCall } from './overview.server.ts'
import { users } from './user.server.ts'
import { appUser } from './user.ts'

export default serveModule({
  door,
  after: ['reference', 'agent'],
  services: [users, entitlements],
  calls: (kernel) => [mergeCall(kernel.registry), overviewCall(kernel), ...accessCalls()],
  figures: [listFigure(appUser, { name: 'new_user', title: '新增用户', about: '当天注册的用户', path: '/userManagement/total', at: 'register_at' })],
  overview: [entitlementOverview],
  demo: insertUserDemo,
})
