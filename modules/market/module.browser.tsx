import { presentModule, resourceScreen, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const requests = () => import('./market-apply.ts').then(({ marketApply }) => marketApply)
const users = () => import('./opening.ts').then(({ marketUser }) => marketUser)
const charities = () => import('./charity-apply.ts').then(({ charityApply }) => charityApply)
const virtual = () => import('./virtual-order.ts').then(({ virtualOrder }) => virtualOrder)

/** The inbox shows a record by its definition, where the screen has a second list beside it. */
const userScreen: ScreenLoader = Object.assign(() => import('./market-user-screen.tsx'), { resource: users, presentation: () => import('./market-user-screen.tsx').then((file) => file.users) })
const charityScreen: ScreenLoader = Object.assign(() => import('./charity-screen.tsx'), { resource: charities, presentation: () => import('./charity-screen.tsx').then((file) => file.applications) })

export default presentModule(door)({
  '/practiceBook/marketUser': userScreen,
  '/practiceBook/marketVirtual': resourceScreen(requests, () => import('./market-apply-view.tsx')),
  '/practiceBook/order/virtual': resourceScreen(virtual, () => import('./virtual-view.tsx')),
  '/operate/charity/user': charityScreen,
}, {
  finders: [
    resourceFinder('/practiceBook/marketVirtual', '市场申请', requests, ['mobile', 'name'], ['staff_name', 'offer_name']),
    resourceFinder('/practiceBook/marketUser', '市场用户', users, ['mobile'], ['apply_name', 'offer_name']),
    resourceFinder('/practiceBook/order/virtual', '虚拟订单', virtual, ['number'], ['goods']),
    resourceFinder('/operate/charity/user', '公益申请', charities, ['mobile', 'name'], ['offer_name']),
  ],
})
