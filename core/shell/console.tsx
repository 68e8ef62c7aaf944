import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { BrowserRouter, Route, Routes } from 'react-router'
import type { ConsoleModule } from '../module/present.tsx'
import { CallError } from '../endpoint/wire.ts'
import { AuthRedirectPage } from '../session/auth-redirect-page.tsx'
import { LoginPage } from '../session/login-page.tsx'
import { Gate } from './gate.tsx'
import { Look } from './look.tsx'
import './shell.css'

dayjs.locale('zh-cn')

/** A group of screens as the product's own table has them. */
export interface ScreenGroup {
  readonly title: string
  /** Name of its picture in the menu. */
  readonly icon?: string
  readonly screens: readonly { readonly id: number; readonly path: string; readonly title: string; readonly activeMenu?: string }[]
}

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A kept page finds what it had read for as long as most are left alone; with the page it goes at once (page-queries.ts).
      gcTime: 3_600_000,
      refetchOnWindowFocus: false,
      // What the server refused stays refused; only a lost connection is tried again.
      retry: (count, error) => count < 2 && error instanceof CallError && error.status === 0,
    },
  },
})

/** The whole console. `groups` are all screens with their ids, `modules` what shows them. */
export function Console({ groups, modules }: { groups: readonly ScreenGroup[]; modules: readonly ConsoleModule[] }) {
  return (
    <Look>
      <QueryClientProvider client={queryClient}>
        {/* A page that is there is shown with the click: what is done next must not meet the page before. */}
        <BrowserRouter basename="/new" useTransitions={false}>
          <Routes>
            <Route path="/login" element={<LoginPage screens={groups.flatMap((group) => group.screens)} />} />
            <Route path="/auth-redirect" element={<AuthRedirectPage screens={groups.flatMap((group) => group.screens)} />} />
            <Route path="*" element={<Gate groups={groups} modules={modules} />} />
          </Routes>
        </BrowserRouter>
      </QueryClientProvider>
    </Look>
  )
}
