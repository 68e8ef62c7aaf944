import { App, ConfigProvider, theme } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import { useLayoutEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { lookTokens, paintOf, tableTokens, type Paint } from './look-tokens.ts'
import { SettingsContext } from './settings-context.tsx'
import { changeSettings, changeSize, settingsState, watchSettings } from './settings-store.ts'
import { DarkContext } from '../ui/dark.tsx'
import { TOAST_MS } from '../ui/toast.ts'
import { useTabLeavesSelects } from '../ui/use-tab-leaves-selects.tsx'
import { useMedia } from '../ui/use-media.tsx'
import './look.css'

/** Where `public/first-paint.js` looks: how light and dark look, and which of them was asked for. */
const PAINT = 'daoyuan-paint'

function apply({ data, vars }: Paint): void {
  const root = document.documentElement
  Object.assign(root.dataset, data)
  for (const [name, value] of Object.entries(vars)) root.style.setProperty(name, value)
}

/** Everything about how the console looks, from the person's settings; a change shows at once and drops nothing. */
export function Look({ children }: { children: ReactNode }) {
  const { settings, size } = useSyncExternalStore(watchSettings, settingsState)
  const systemDark = useMedia('(prefers-color-scheme: dark)')
  const calm = useMedia('(prefers-reduced-motion: reduce)') || settings.calm
  const dark = settings.mode === 'dark' || (settings.mode === 'system' && systemDark)
  useLayoutEffect(() => {
    const seen = { ...settings, calm }
    apply(paintOf(seen, size, dark))
    try {
      localStorage.setItem(PAINT, JSON.stringify({ mode: settings.mode, light: paintOf(seen, size, false), dark: paintOf(seen, size, true) }))
    } catch {
      // Without it the next visit begins light.
    }
  }, [settings, size, dark, calm])
  useTabLeavesSelects()
  const value = useMemo(() => ({ settings, change: changeSettings, size, changeSize }), [settings, size])
  const tokens = useMemo(() => {
    const token = lookTokens({ ...settings, calm }, size, dark)
    return {
      token, algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
      // What is chosen stands on the page, as links do, not on the primary colour.
      components: {
        Table: tableTokens(dark),
        Tabs: { itemSelectedColor: token.colorLink, itemHoverColor: token.colorLink, itemActiveColor: token.colorLink },
        Menu: { itemSelectedColor: token.colorLink, horizontalItemSelectedColor: token.colorLink, horizontalItemHoverColor: token.colorLink, subMenuItemSelectedColor: token.colorLink },
      },
    }
  }, [settings, calm, size, dark])
  return (
    <SettingsContext value={value}>
      <DarkContext value={dark}>
        <ConfigProvider locale={zhCN} theme={tokens} form={{ validateMessages: { required: '请填写${label}' } }} button={{ autoInsertSpace: false }}>
          <App message={{ duration: TOAST_MS / 1000, maxCount: 3 }} className="app">{children}</App>
        </ConfigProvider>
      </DarkContext>
    </SettingsContext>
  )
}
