import type { ComponentType } from 'react'
import { InboxCount } from './inbox-count.tsx'
import { INBOX_PATH } from '../inbox/waiting.ts'
import { RECORD_PATH, SCREEN_PATH } from '../resource/record-path.ts'
import { ErrorPage } from './error-page.tsx'
import { HomePage } from './home-page.tsx'
import type { ShellRoute } from './routes.ts'

interface OpenScreen extends ShellRoute {
  readonly load: () => Promise<{ default: ComponentType }>
}

/** Screens of the shell itself, open to every logged-in person. */
export const openScreens: readonly OpenScreen[] = [
  { path: '/', title: '首页', icon: 'home', affix: true, load: () => Promise.resolve({ default: HomePage }) },
  { path: INBOX_PATH, title: '待我处理', icon: 'inbox', mark: InboxCount, load: () => import('./inbox-page.tsx').then((file) => ({ default: file.InboxPage })) },
  { path: '/account', title: '账号与安全', hidden: true, load: () => import('../login/account-page.tsx').then((file) => ({ default: file.AccountPage })) },
  { path: '/system/jobs', title: '任务中心', icon: 'jobs', load: () => import('./jobs-page.tsx').then((file) => ({ default: file.JobsPage })) },
  { path: RECORD_PATH, title: '详情', hidden: true, load: () => import('./record-page.tsx').then((file) => ({ default: file.RecordPage })) },
  { path: SCREEN_PATH, title: '列表', hidden: true, noCache: true, load: () => import('./record-page.tsx').then((file) => ({ default: file.ScreenPage })) },
  { path: '/error/404', title: '404', hidden: true, noCache: true, load: () => Promise.resolve({ default: () => <ErrorPage code={404} /> }) },
  { path: '/error/401', title: '401', hidden: true, noCache: true, load: () => Promise.resolve({ default: () => <ErrorPage code={401} /> }) },
]
