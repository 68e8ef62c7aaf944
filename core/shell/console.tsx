import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider, theme } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import type { ConsoleModule } from '../module/present.tsx'
import { CallError } from '../endpoint/wire.ts'
import { AuthRedirectPage } from '../session/auth-redirect-page.tsx'
import { LoginPage } from '../session/login-page.tsx'
import { Gate } from './gate.tsx'
import { ErrorPage } from './error-page.tsx'
import { readable } from './contrast.ts'
import { readSettings, writeSettings, type Settings } from './settings.ts'
import { SettingsContext } from './settings-context.tsx'
import './shell.css'

dayjs.locale('zh-cn')

/** A group of screens as the product's own table has them. */
export interface ScreenGroup {
  readonly title: string
  readonly screens: readonly { readonly id: number; readonly path: string; readonly title: string }[]
}

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // What the server refused stays refused; only a lost connection is tried again.
      retry: (count, error) => count < 2 && error instanceof CallError && error.status === 0,
    },
  },
})

const darkQuery = '(prefers-color-scheme: dark)'

function useSystemDark(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(darkQuery)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => window.matchMedia(darkQuery).matches,
  )
}

/** spec 2: four sizes; the component library has three and a compact algorithm. */
const componentSizes = { default: 'large', medium: 'middle', small: 'small', mini: 'small' } as const

function Look({ children }: { children: ReactNode }) {
  const [settings, setSettings] = useState(() => readSettings(localStorage))
  const systemDark = useSystemDark()
  const dark = settings.mode === 'dark' || (settings.mode === 'system' && systemDark)
  const change = (part: Partial<Settings>) => setSettings((old) => {
    const next = { ...old, ...part }
    writeSettings(localStorage, next)
    return next
  })
  useEffect(() => {
    document.documentElement.dataset['mode'] = dark ? 'dark' : 'light'
    document.documentElement.style.setProperty('--primary', settings.themeColor)
    document.documentElement.style.setProperty('--accent', readable(settings.themeColor, '#ffffff'))
    document.documentElement.style.setProperty('--link', readable(settings.themeColor, dark ? '#2a2d31' : '#f0f2f5'))
  }, [dark, settings.themeColor])
  return (
    <SettingsContext value={{ settings, change, dark }}>
      <ConfigProvider locale={zhCN} componentSize={componentSizes[settings.size]} theme={{
        token: {
          // White text stands on the primary colour, links stand on the page: both must be read, whatever was chosen.
          colorPrimary: readable(settings.themeColor, '#ffffff'),
          colorInfo: readable(settings.themeColor, '#ffffff'),
          colorLink: readable(settings.themeColor, dark ? '#242424' : '#f5f7fa'),
          borderRadius: 6,
          ...(dark
            ? { colorTextPlaceholder: '#8c8c8c', colorTextDescription: '#a9b0ba', colorTextTertiary: '#a9b0ba' }
            : { colorTextPlaceholder: '#767676', colorTextDescription: '#5c6370', colorTextTertiary: '#5c6370' }),
        },
        algorithm: [dark ? theme.darkAlgorithm : theme.defaultAlgorithm, ...(settings.size === 'mini' ? [theme.compactAlgorithm] : [])],
      }} form={{ validateMessages: { required: '请填写${label}' } }} button={{ autoInsertSpace: false }}>
        {/* spec 9: toasts stay 1.5 seconds */}
        <App message={{ duration: 1.5, maxCount: 3 }} className="app">{children}</App>
      </ConfigProvider>
    </SettingsContext>
  )
}

/** The whole console. `groups` are all screens with their ids, `modules` what shows them. */
export function Console({ groups, modules }: { groups: readonly ScreenGroup[]; modules: readonly ConsoleModule[] }) {
  return (
    <Look>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter basename="/new">
          <Routes>
            <Route path="/login" element={<LoginPage screens={groups.flatMap((group) => group.screens)} />} />
            <Route path="/auth-redirect" element={<AuthRedirectPage screens={groups.flatMap((group) => group.screens)} />} />
            <Route path="/404" element={<ErrorPage code={404} />} />
            <Route path="/401" element={<ErrorPage code={401} />} />
            <Route path="*" element={<Gate groups={groups} modules={modules} />} />
          </Routes>
        </BrowserRouter>
      </QueryClientProvider>
    </Look>
  )
}
