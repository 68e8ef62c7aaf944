import { lazy, type ComponentType } from 'react'
import { HomePage } from './home-page.tsx'
import type { ShellRoute } from './routes.ts'

/** Screens of the shell itself, open to every logged-in person. */
export const openScreens: readonly (ShellRoute & { readonly Screen: ComponentType })[] = [
  { path: '/', title: '首页', Screen: HomePage },
  { path: '/account', title: '账号与安全', hidden: true, Screen: lazy(() => import('../session/account-page.tsx').then((file) => ({ default: file.AccountPage }))) },
  { path: '/system/jobs', title: '任务中心', Screen: lazy(() => import('../job/jobs-page.tsx').then((file) => ({ default: file.JobsPage }))) },
]
