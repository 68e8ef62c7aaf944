import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import type { ConsoleModule } from '../module/present.tsx'
import { CallError } from '../endpoint/wire.ts'
import { AuthRedirectPage } from '../login/auth-redirect-page.tsx'
import { LoginPage } from '../login/login-page.tsx'
import { Gate } from './gate.tsx'
import { Look } from './look.tsx'
import { LocationProvider, ConsoleRouter, useWindowLocation } from './window-location.tsx'
import './shell.css'

dayjs.locale('zh-cn')

/** A group of screens as the product's own table has them. */
export interface ScreenGroup {
  readonly title: string
  /** What stands for it before the titles of its screens, where other groups have screens of the same title; `title` by default. */
  readonly short?: string
  /** Name of its picture in the menu. */
  readonly icon?: string
  readonly screens: readonly { readonly id: number; readonly path: string; readonly title: string; readonly activeMenu?: string }[]
}

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A kept page finds what it had read for as long as most are left alone; with the page it goes at once (page-queries.tsx).
      gcTime: 3_600_000,
      refetchOnWindowFocus: false,
      // What the server refused stays refused; only a lost connection is tried again.
      retry: (count, error) => count < 2 && error instanceof CallError && error.status === 0,
    },
  },
})

interface Props {
  groups: readonly ScreenGroup[]
  modules: readonly ConsoleModule[]
}

/** What the window's address means before anybody has logged in: the two pages that are open to everybody, and the gate to all others. */
function RootPage({ groups, modules }: Props) {
  const pathname = useWindowLocation().location.pathname.replace(/\/+$/, '').toLowerCase()
  const screens = groups.flatMap((group) => group.screens)
  if (pathname === '/login') return <LocationProvider><LoginPage screens={screens} /></LocationProvider>
  if (pathname === '/auth-redirect') return <LocationProvider><AuthRedirectPage screens={screens} /></LocationProvider>
  return <Gate groups={groups} modules={modules} />
}

/** The whole console. `groups` are all screens with their ids, `modules` what shows them. */
export function Console(props: Props) {
  return (
    <Look>
      <QueryClientProvider client={queryClient}>
        <ConsoleRouter><RootPage {...props} /></ConsoleRouter>
      </QueryClientProvider>
    </Look>
  )
}
