import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

export default presentModule(door)({
  '/userManagement/staff': resourceScreen(() => import('./staff.ts').then((file) => file.staff), () => import('./staff-screen.tsx')),
  '/system/role-template': resourceScreen(() => import('./role-template.ts').then((file) => file.roleTemplate), () => import('./role-template-screen.tsx')),
}, {
  finders: [resourceFinder('/userManagement/staff', '员工', () => import('./staff.ts').then((file) => file.staff), ['account', 'name'], ['account', 'department'])],
})
