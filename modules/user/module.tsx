import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import door from './module.ts'

export default presentModule(door)({
  '/userManagement/total': resourceScreen(() => import('./user.ts').then((file) => file.appUser), () => import('./user-screen.tsx')),
})
