import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const load = () => import('./account-monitor.ts').then(({ accountMonitor }) => accountMonitor)

export default presentModule(door)({ '/operate/accountMonitoring': resourceScreen(load, () => import('./monitor-view.tsx')) }, { finders: [resourceFinder('/operate/accountMonitoring', '账号监控', load, ['mobile', 'number'], ['user_name'])] })
