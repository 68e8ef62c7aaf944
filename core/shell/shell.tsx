import { KeyOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { App, Button, Drawer, Dropdown, Grid, Menu, Spin, Tooltip, type MenuProps } from 'antd'
import { Activity, lazy, Suspense, useEffect, useMemo, useReducer, useState, type ComponentType } from 'react'
import { Link, matchPath, Route, Routes, useLocation, useNavigate, type Location } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../endpoint/call.tsx'
import { guardUnload, TabContext, unsavedWork, useUnsavedWork } from '../form/unsaved.tsx'
import { LiveEvents } from '../live/live.tsx'
import { closeStreams } from '../live/stream.tsx'
import type { ConsoleModule, ScreenLoader } from '../module/present.tsx'
import { logout } from '../session/calls.ts'
import { useStaff } from '../session/staff-context.tsx'
import type { ScreenGroup } from './console.tsx'
import { ErrorPage } from './error-page.tsx'
import { openScreens } from './open-screens.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { recordVisit } from './recent.ts'
import { leafRoutes, permittedRoutes, type ShellRoute } from './routes.ts'
import { useSettings } from './settings-context.tsx'
import { ShellContext } from './shell-context.tsx'
import * as tabActions from './tabs.ts'

interface ShellProps {
  routes: readonly ShellRoute[]
  groups: readonly ScreenGroup[]
  modules: readonly ConsoleModule[]
}

const SITE = '道远后台'

/** Lazily loaded screens, made once, so that a re-render does not load them anew. */
function screensOf(modules: readonly ConsoleModule[]): ReadonlyMap<string, ComponentType> {
  return new Map<string, ComponentType>([
    ...openScreens.map((screen) => [screen.path, screen.Screen] as const),
    ...modules.flatMap((module) => Object.entries(module.screens)).map(([path, load]: [string, ScreenLoader]) => [path, lazy(load)] as const),
  ])
}

type TabAction = (state: tabActions.TabsState) => tabActions.TabsState

/** The frame around every page: menu, bar, tabs, and the pages of all open tabs kept alive. */
export function Shell({ routes, groups, modules }: ShellProps) {
  const staff = useStaff()
  const { message, modal } = App.useApp()
  const location = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { settings, change, dark } = useSettings()
  // spec 2, 9: below 992 px the device counts as mobile.
  const mobile = Grid.useBreakpoint().lg === false
  const [collapsed, setCollapsed] = useState(() => document.cookie.includes('sidebarStatus=0'))
  // The drawer belongs to the page it was opened on: any navigation closes it.
  const [drawerAt, setDrawerAt] = useState<string>()
  const drawer = drawerAt === location.key
  const [state, dispatch] = useReducer((old: tabActions.TabsState, action: TabAction) => action(old), tabActions.noTabs)
  const unsaved = useUnsavedWork()

  const permitted = useMemo(() => permittedRoutes(routes, new Set(staff.modules)), [routes, staff.modules])
  const leaves = useMemo(() => [...openScreens, ...leafRoutes(permitted)], [permitted])
  const screens = useMemo(() => screensOf(modules), [modules])
  const shell = useMemo(() => ({ routes: permitted, modules, groups }), [permitted, modules, groups])
  const routeOf = (path: string) => leaves.find((route) => matchPath(route.path, path))
  const current = routeOf(location.pathname)
  const known = groups.flatMap((group) => group.screens).find((screen) => matchPath(screen.path, location.pathname))

  useEffect(() => guardUnload(), [])
  useEffect(() => {
    document.title = current ? `${current.title} - ${SITE}` : SITE
    if (current) dispatch((old) => tabActions.visit(old, { path: location.pathname, search: location.search, hash: location.hash, title: current.title, affix: current.path === '/' }))
  }, [current, location.pathname, location.search, location.hash])
  useEffect(() => {
    if (current && current.path !== '/') recordVisit(localStorage, staff.id, { path: location.pathname, title: current.title, at: Math.floor(Date.now() / 1000) })
  }, [current, location.pathname, staff.id])

  /** Asks once before unsaved work of the named tabs is thrown away. */
  const guarded = (concerned: (tab: string) => boolean, go: () => void) => {
    const lost = unsavedWork().filter((work) => concerned(work.tab))
    if (lost.length === 0) return go()
    modal.confirm({ title: '以下内容尚未保存', content: <ul>{lost.map((work) => <li key={`${work.tab} ${work.what}`}>{work.what}</li>)}</ul>, okText: '放弃并继续', okButtonProps: { danger: true }, cancelText: '返回', onOk: go })
  }
  const closing = (action: TabAction, concerned: (tab: string) => boolean, landing?: string) => guarded(concerned, () => {
    const next = action(state)
    dispatch(action)
    if (landing) void navigate(landing)
    else if (!next.tabs.some((tab) => tab.path === location.pathname)) void navigate(tabActions.successor(next))
  })
  const tabMenu = (path: string): MenuProps => ({
    items: [
      { key: 'refresh', label: '刷新' },
      { key: 'close', label: '关闭', disabled: path === '/' },
      { key: 'others', label: '关闭其他' },
      { key: 'all', label: '关闭全部' },
    ],
    onClick: ({ key }) => {
      const tab = state.tabs.find((one) => one.path === path)
      const address = tab ? `${tab.path}${tab.search}${tab.hash}` : path
      const actions: Record<string, () => void> = {
        refresh: () => guarded((one) => one === path, () => { dispatch((old) => tabActions.refresh(old, path)); void navigate(address) }),
        close: () => closing((old) => tabActions.close(old, path), (one) => one === path),
        others: () => closing((old) => tabActions.closeOthers(old, path), (one) => one !== path && one !== '/', address),
        all: () => closing(tabActions.closeAll, (one) => one !== '/'),
      }
      actions[key]?.()
    },
  })
  const leave = () => guarded(() => true, () => {
    void (async () => {
      closeStreams()
      // Whatever the server says, this browser forgets.
      await call(logout).catch(() => message.warning('服务器未确认退出，本机已退出'))
      client.clear()
      void navigate(`/login?redirect=${encodeURIComponent(`${location.pathname}${location.search}`)}`, { replace: true })
    })()
  })
  const toggleSidebar = () => {
    if (mobile) return setDrawerAt(drawer ? undefined : location.key)
    setCollapsed(!collapsed)
    document.cookie = `sidebarStatus=${collapsed ? 1 : 0}; path=/new; max-age=31536000; samesite=lax`
  }

  const menuItems: MenuProps['items'] = [...openScreens.filter((screen) => !screen.hidden), ...permitted].map((route) => (route.children
    ? { key: route.path, label: route.title, children: route.children.filter((child) => !child.hidden).map((child) => ({ key: child.path, label: <Link to={child.path}>{child.title}</Link> })) }
    : { key: route.path, label: <Link to={route.path}>{route.title}</Link> }))
  const group = permitted.find((route) => route.children?.some((child) => child.path === current?.path))
  const menu = (
    <nav className="side-menu" aria-label="主菜单">
      <Link to="/" className="brand"><img src={`${import.meta.env.BASE_URL}logo.svg`} alt="" width={28} height={28} />{(!collapsed || mobile) && <span>{SITE}</span>}</Link>
      <Menu key={collapsed && !mobile ? 'narrow' : 'wide'} mode="inline" theme="dark" inlineCollapsed={collapsed && !mobile} items={menuItems} selectedKeys={[current?.path ?? '']} defaultOpenKeys={group && !collapsed ? [group.path] : []} />
    </nav>
  )

  const active = location.pathname
  return (
    <div className="shell" data-collapsed={collapsed} data-mobile={mobile}>
      <a className="skip" href="#content">跳到主要内容</a>
      <LiveEvents />
      {mobile ? <Drawer open={drawer} placement="left" size={210} closable={false} onClose={() => setDrawerAt(undefined)} classNames={{ body: 'side-drawer' }}>{menu}</Drawer> : <aside className="sidebar">{menu}</aside>}
      <div className="main">
        <header className="topbar">
          <Button type="text" icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />} aria-label={collapsed ? '展开菜单' : '收起菜单'} aria-expanded={mobile ? drawer : !collapsed} onClick={toggleSidebar} />
          <span className="crumbs">{[group?.title, current?.title].filter(Boolean).join(' / ')}</span>
          <span className="topbar-end">
            {!mobile && <a href="/">返回旧版</a>}
            <Button type="text" onClick={() => change({ mode: dark ? 'light' : 'dark' })} aria-label={dark ? '切换到浅色' : '切换到深色'}>{dark ? '浅色' : '深色'}</Button>
            <Tooltip title="账号与安全"><Button type="text" icon={<KeyOutlined />} aria-label="账号与安全" onClick={() => void navigate('/account')} /></Tooltip>
            <Dropdown trigger={['click']} menu={{ items: [{ key: 'home', label: '首页' }, { key: 'leave', label: '退出登录' }], onClick: ({ key }) => (key === 'leave' ? leave() : void navigate('/')) }}>
              <Button type="text" className="person">{staff.name}</Button>
            </Dropdown>
          </span>
        </header>
        {settings.tagsView && (
          <div className="tabs" role="tablist" aria-label="已打开的页面">
            {state.tabs.map((tab) => (
              <Dropdown key={tab.path} trigger={['contextMenu']} menu={tabMenu(tab.path)}>
                <button type="button" className="tab" role="tab" data-active={tab.path === active} aria-selected={tab.path === active} aria-keyshortcuts={tab.affix ? undefined : 'Delete'}
                  onClick={() => void navigate(`${tab.path}${tab.search}${tab.hash}`)}
                  onKeyDown={(event) => { if (event.key === 'Delete' && !tab.affix) closing((old) => tabActions.close(old, tab.path), (one) => one === tab.path) }}
                  onAuxClick={(event) => { if (event.button === 1) closing((old) => tabActions.close(old, tab.path), (one) => one === tab.path) }}>
                  {tab.title}{unsaved.some((work) => work.tab === tab.path) && <span className="dot" title="有未保存的内容" />}
                  {!tab.affix && (
                    <span className="tab-close" aria-hidden title={`关闭${tab.title}`} onClick={(event) => {
                      event.stopPropagation()
                      closing((old) => tabActions.close(old, tab.path), (one) => one === tab.path)
                    }}>×</span>
                  )}
                </button>
              </Dropdown>
            ))}
          </div>
        )}
        <main id="content" className="content" tabIndex={-1}>
          {!current && <ErrorPage code={404} title={known && screens.has(known.path) ? known.title : undefined} />}
          {state.tabs.map((tab) => {
            const route = routeOf(tab.path)
            const Screen = route && screens.get(route.path)
            if (!route || !Screen) return null
            const place: Partial<Location> = { pathname: tab.path, search: tab.search, hash: tab.hash }
            return (
              <Activity key={`${tab.path} ${tab.version}`} mode={tab.path === active ? 'visible' : 'hidden'}>
                <ShellContext value={shell}><TabContext value={tab.path}>
                  <PageBoundary>
                    <Suspense fallback={<div className="boot"><Spin delay={200} /></div>}>
                      <Routes location={place}><Route path={route.path} element={<Screen />} /></Routes>
                    </Suspense>
                  </PageBoundary>
                </TabContext></ShellContext>
              </Activity>
            )
          })}
        </main>
      </div>
    </div>
  )
}
