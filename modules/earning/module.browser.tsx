import { presentModule } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import type { ScreenLoader } from '../../core/module/present.tsx'
import type { Resource } from '../../core/resource/define.ts'
import door from './module.ts'

const ORDERS = '/distribution/order'
const AGENTS = '/distribution/account/proxy'

const lines = () => import('./agent-lines.ts')
const agents = () => import('../agent/module.ts').then(({ agent }) => agent)

/** A screen whose first list is that of a resource, for what opens a record by its address. */
const over = (screen: ScreenLoader, resource: () => Promise<Resource>): ScreenLoader => Object.assign(async () => screen(), { resource })

export default presentModule(door)({
  [ORDERS]: over(() => import('./order-screen.tsx'), () => lines().then(({ agentEarning }) => agentEarning)),
  [AGENTS]: over(() => import('./proxy-screen.tsx'), agents),
  '/accompany/operation/teacher/amount/:amountType': () => import('./amount-screen.tsx'),
}, {
  finders: [
    resourceFinder(AGENTS, '代理', agents, ['mobile', 'name'], ['mobile', 'invite_code']),
    resourceFinder(ORDERS, '佣金', () => lines().then(({ agentEarning }) => agentEarning), ['number'], ['account_name', 'order_no']),
  ],
  records: {
    agent_settlement: { resource: () => lines().then(({ agentSettlement }) => agentSettlement), presentation: () => import('./order-screen.tsx').then(({ agentSettlementView }) => agentSettlementView) },
    teacher_settlement: { resource: () => import('./teacher-lines.ts').then(({ teacherSettlement }) => teacherSettlement), presentation: () => import('./amount-screen.tsx').then(({ teacherSettlementView }) => teacherSettlementView) },
    agent_statement: { resource: () => import('./statement.ts').then(({ agentStatement }) => agentStatement), presentation: () => import('./statement-view.tsx').then((file) => file.default) },
    agent_target: { resource: () => import('./target.ts').then(({ agentTarget }) => agentTarget), presentation: () => import('./target-view.tsx').then((file) => file.default) },
    withdrawal: { resource: () => lines().then(({ withdrawal }) => withdrawal) },
  },
})
