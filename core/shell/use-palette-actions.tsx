import { App } from 'antd'
import { useNavigate } from 'react-router'
import { settingsPanel } from './open-flag.ts'
import type { PaletteItem } from './palette-items.ts'
import { SIZES } from './settings.ts'
import { useDark } from '../ui/dark.tsx'
import { useSettings } from './settings-context.tsx'
import { useTabs } from './tabs-context.tsx'
import { useLogout } from './use-logout.tsx'

/** What the palette can do beside leading somewhere. */
export function usePaletteActions(): PaletteItem[] {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const leave = useLogout()
  const { active, refresh, close, closeOthers, closeAll } = useTabs()
  const { settings, change, size, changeSize } = useSettings()
  const dark = useDark()
  return [
    { key: 'refresh', title: '刷新当前页面', run: () => refresh(active) },
    { key: 'close', title: '关闭当前页面', run: () => close(active) },
    { key: 'others', title: '关闭其它页面', run: () => closeOthers(active) },
    { key: 'all', title: '关闭所有页面', run: closeAll },
    { key: 'mode', title: dark ? '切换到浅色' : '切换到深色', run: () => change({ mode: dark ? 'light' : 'dark' }) },
    { key: 'tags', title: settings.tagsView ? '隐藏标签页' : '显示标签页', run: () => change({ tagsView: !settings.tagsView }) },
    ...SIZES.filter((one) => one !== size).map((one) => ({ key: `size ${one}`, title: `尺寸 ${one}`, run: () => { changeSize(one); void message.success('Switch Size Success') } })),
    { key: 'settings', title: '系统布局配置', run: () => settingsPanel.set(true) },
    { key: 'account', title: '账号与安全', run: () => void navigate('/account') },
    { key: 'old', title: '返回旧版', run: () => window.location.assign('/') },
    { key: 'leave', title: '退出登录', run: leave },
  ]
}
