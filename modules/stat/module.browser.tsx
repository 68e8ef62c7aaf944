import { presentModule, type ScreenLoader } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const load = () => import('./alert.ts').then(({ alert }) => alert)

/** Alerts with their rules; the inbox shows an alert by its definition. */
const monitor: ScreenLoader = Object.assign(() => import('./monitor-screen.tsx'), { resource: load, presentation: () => import('./alert-view.tsx').then((file) => file.default) })

export default presentModule(door)({
  '/operate/monitor/dataCenter': () => import('./data-screen.tsx'),
  '/operate/monitor/index': monitor,
  '/operate/monitor/detail': () => import('./detail-screen.tsx'),
}, { finders: [resourceFinder('/operate/monitor/index', '告警', load, ['name'], ['rule_name'])] })
