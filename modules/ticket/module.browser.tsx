import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const load = () => import('./ticket.ts').then(({ ticket }) => ticket)

export default presentModule(door)({
  '/operate/feedback': resourceScreen(load, () => import('./ticket-view.tsx')),
  '/operate/feedbackDetail': () => import('./detail-screen.tsx'),
}, { finders: [resourceFinder('/operate/feedback', '反馈', load, ['name'], ['user_name', 'assignee_name'])] })
