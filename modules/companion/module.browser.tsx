import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const SCREEN = '/accompany/operation/teacher'
const load = () => import('./teacher.ts').then((file) => file.companionTeacher)

export default presentModule(door)({
  [SCREEN]: resourceScreen(load, () => import('./teacher-view.tsx')),
}, { finders: [resourceFinder(SCREEN, '伴学教师', load, ['mobile', 'name'], ['mobile'])] })
