import { KeyOutlined, MenuFoldOutlined, MoonOutlined, SearchOutlined, SunOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { memo, Suspense } from 'react'
import { Link, useNavigate } from 'react-router'
import { ErrorLogButton } from '../report/error-log-button.tsx'
import { AvatarMenu } from './avatar-menu.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { FullscreenButton } from './fullscreen-button.tsx'
import { MenuSearchButton } from './menu-search-button.tsx'
import { Notifications } from './notifications.tsx'
import { palette } from './open-flag.ts'
import { retryLazy } from '../ui/retry-lazy.tsx'
import type { ShellRoute } from './routes.ts'
import { useDark } from '../ui/dark.tsx'
import { useSettings } from './settings-context.tsx'
import { SITE } from './site.ts'
import { SizePicker } from './size-picker.tsx'
import type { SidebarState } from './use-sidebar.tsx'
import './navbar.css'

// Few have their menu at the top.
const TopMenu = retryLazy(async () => ({ default: (await import('./top-menu.tsx')).TopMenu }))

function AccountButton() {
  const navigate = useNavigate()
  return <Button type="text" icon={<KeyOutlined />} aria-label="账号与安全" title="账号与安全" onClick={() => void navigate('/account')} />
}

/** What the bar offers on every page; navigation does not concern it. */
const Tools = memo(function Tools({ mobile }: { mobile: boolean }) {
  const { change } = useSettings()
  const dark = useDark()
  if (mobile) {
    return (
      <>
        <Button type="text" icon={<SearchOutlined />} aria-label="搜索或跳转" onClick={() => palette.set(true)} />
        <Notifications />
      </>
    )
  }
  return (
    <>
      <a className="old-console" href="/">返回旧版</a>
      <MenuSearchButton />
      <ErrorLogButton />
      <FullscreenButton />
      <SizePicker />
      <Button type="text" icon={dark ? <SunOutlined /> : <MoonOutlined />} aria-label={dark ? '切换到浅色' : '切换到深色'} title={dark ? '切换到浅色' : '切换到深色'} onClick={() => change({ mode: dark ? 'light' : 'dark' })} />
      <AccountButton />
      <Notifications />
    </>
  )
})

const Hamburger = memo(function Hamburger({ open, toggle }: { open: boolean; toggle: () => void }) {
  return <Button type="text" className="hamburger" icon={<MenuFoldOutlined />} aria-label={open ? '收起菜单' : '展开菜单'} aria-expanded={open} onClick={toggle} />
})

/** The bar at the top. A phone has room for the menu, where one is, the search for everything, what is new and who one is. */
export function Navbar({ current, sidebar }: { current: ShellRoute | undefined; sidebar: SidebarState }) {
  const { settings } = useSettings()
  const { mobile, collapsed, drawer, toggle } = sidebar
  const open = mobile ? drawer : !collapsed
  const layout = mobile ? 'side' : settings.layout
  return (
    <header className="topbar">
      {layout === 'top'
        ? <Link to="/" className="top-brand" aria-label={SITE}><img src={`${import.meta.env.BASE_URL}logo.svg`} alt="" width={28} height={28} /></Link>
        : <Hamburger open={open} toggle={toggle} />}
      {layout === 'side' ? <Breadcrumb current={current} /> : <Suspense fallback={<span className="top-menu" />}><TopMenu current={current} /></Suspense>}
      <span className="topbar-end">
        <Tools mobile={mobile} />
        <AvatarMenu named={!mobile} />
      </span>
    </header>
  )
}
