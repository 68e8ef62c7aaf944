import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import { resourceFinder } from '../../core/module/resource-finder.tsx'
import door from './module.ts'

const users = () => import('./user.ts').then((file) => file.appUser)

export default presentModule(door)({
  '/userManagement/total': resourceScreen(users, () => import('./user-screen.tsx')),
}, {
  finders: [resourceFinder('/userManagement/total', '用户', users, ['mobile', 'number', 'name'], ['real_name', 'mobile', 'school'])],
})
