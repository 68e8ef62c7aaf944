import type { ComponentType } from 'react'
import { HomePage } from './home-page.tsx'
import { retryLazy } from './retry-lazy.tsx'
import type { ShellRoute } from './routes.ts'

/** Screens of the shell itself, open to every logged-in person. */
export const openScreens: readonly (ShellRoute & { readonly Screen: ComponentType })[] = [
  { path: '/', title: '首页', Screen: HomePage },
  { path: '/account', title: '账号与安全', hidden: true, Screen: retryLazy(async () => ({ default: (await import('../session/account-page.tsx')).AccountPage })) },
  { path: '/system/jobs', title: '任务中心', Screen: retryLazy(async () => ({ default: (await import('../job/jobs-page.tsx')).JobsPage })) },
]
