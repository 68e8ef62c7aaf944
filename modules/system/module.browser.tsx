import { presentModule, resourceScreen } from '../../core/module/present.tsx'
import door from './module.ts'

export default presentModule(door)({
  '/system/api': () => import('./api-screen.tsx'),
  '/system/audit': () => import('./audit-screen.tsx'),
  '/system/errors': () => import('./errors-screen.tsx'),
  '/system/health': () => import('./system-screen.tsx'),
  '/system/recycle': () => import('./recycle-screen.tsx'),
  '/system/security': resourceScreen(() => import('./security.ts').then((file) => file.securityLog), () => import('./security-view.tsx')),
  '/system/app-client': resourceScreen(() => import('./app-client.ts').then((file) => file.appClient), () => import('./app-client-view.tsx')),
  '/system/announcement': resourceScreen(() => import('./announcement.ts').then((file) => file.announcement)),
}, {
  home: [() => import('./announcement-home.tsx')],
  notices: [{ name: 'announcement', title: '公告', load: (signal) => import('./announcement-notices.tsx').then((file) => file.announcementNotices(signal)) }],
})
