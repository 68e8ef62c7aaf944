import { SettingOutlined } from '@ant-design/icons'
import { Drawer } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { usePreference } from '../preference/use-preference.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { afterPaint, useDeferredUntilPaint } from '../ui/after-paint.tsx'
import { settingsPanel } from './open-flag.ts'
import { openScreens } from './open-screens.tsx'
import { routeFinder } from './place.ts'
import { readVisits } from './recent.ts'
import { leafRoutes, type ShellRoute } from './routes.ts'
import { useSettings } from './settings-context.tsx'
import { useShell } from './shell-context.tsx'
import { SidebarFilter } from './sidebar-filter.tsx'
import { activeItem, itemTrail, menuPages, type MenuItem } from './sidebar-items.ts'
import { Group, MenuContext, MenuLevel, walkMenu } from './sidebar-menu.tsx'
import { SidebarResize } from './sidebar-resize.tsx'
import { SITE } from './site.ts'
import type { SidebarState } from './use-sidebar.tsx'
import { useEventCallback } from '../ui/use-event-callback.tsx'
import './sidebar.css'

const FAVOURITES = { path: '/@favourites', title: '收藏', icon: 'star' }
const RECENT = { path: '/@recent', title: '最近访问', icon: 'recent' }
const RECENT_SHOWN = 6

interface Props {
  current: ShellRoute | undefined
  pathname: string
  sidebar: SidebarState
}

/** Pages that the person was on last and may still open, as items. */
function useRecent(pathname: string): MenuItem[] {
  const staff = useStaff()
  const { routes } = useShell()
  const find = useMemo(() => routeFinder([...openScreens, ...leafRoutes(routes)]), [routes])
  return useMemo(() => readVisits(localStorage, staff.id)
    .filter((visit) => visit.path !== pathname && find(visit.path))
    .slice(0, RECENT_SHOWN).map(({ path, title }) => ({ path, title, icon: undefined, external: false })), [staff.id, find, pathname])
}

/** Which groups are open: those above the page in front, and whatever the person has opened since. */
function useOpenGroups(above: readonly string[], collapsed: boolean): [ReadonlySet<string>, (path: string) => void] {
  const [held, setHeld] = useState({ above, collapsed, open: new Set([...above, FAVOURITES.path]) as ReadonlySet<string> })
  if (held.collapsed !== collapsed) setHeld({ above, collapsed, open: new Set([...above, FAVOURITES.path]) })
  else if (held.above.join(' ') !== above.join(' ')) setHeld({ ...held, above, open: new Set([...held.open, ...above]) })
  const toggle = (path: string) => setHeld((old) => {
    const open = new Set(old.open)
    if (!open.delete(path)) open.add(path)
    return { ...old, open }
  })
  return [held.open, toggle]
}

/** Scrolls the menu so that an item is seen. (The browser's own way would also make Tab go on from there.) */
function showInMenu(item: Element, list: Element): void {
  if (!item.isConnected) return
  const [own, around] = [item.getBoundingClientRect(), list.getBoundingClientRect()]
  if (own.top < around.top) list.scrollTop -= around.top - own.top
  else if (own.bottom > around.bottom) list.scrollTop += own.bottom - around.bottom
}

const TAKES_OVER = ['pointerdown', 'wheel', 'keydown']

/**
 * Keeps the item of the page in front in view while the menu still finds its height (groups that were not seen yet are only
 * reckoned), until the person scrolls or presses something in it.
 * @returns ends it
 */
function keepInView(menu: HTMLElement): () => void {
  const item = menu.querySelector('.menu-list [aria-current]')
  const list = item?.closest('.menu-scroll')
  if (!item || !list) return () => {}
  const heights = new ResizeObserver(() => showInMenu(item, list))
  for (const part of [list, ...list.children]) heights.observe(part)
  const end = () => {
    heights.disconnect()
    for (const type of TAKES_OVER) menu.removeEventListener(type, end)
  }
  for (const type of TAKES_OVER) menu.addEventListener(type, end, { passive: true })
  showInMenu(item, list)
  return end
}

function SideMenu({ collapsed, ...step }: { current: ShellRoute | undefined; pathname: string; collapsed: boolean }) {
  const { items, routes } = useShell()
  const { settings } = useSettings()
  const [favourites, setFavourites] = usePreference<string[]>('favourites', [])
  // It is long: it follows a step once the page is painted.
  const current = useDeferredUntilPaint(step.current)
  const pathname = useDeferredUntilPaint(step.pathname)
  const recent = useRecent(pathname)
  const menu = useRef<HTMLElement>(null)
  const active = activeItem(items, routes, current, pathname)
  const above = useMemo(() => itemTrail(items, active ?? '').filter((item) => item.children).map((item) => item.path), [items, active])
  const [open, toggle] = useOpenGroups(above, collapsed)
  const favour = useEventCallback((path: string) => setFavourites(favourites.includes(path) ? favourites.filter((one) => one !== path) : [...favourites, path]))
  const value = useMemo(() => ({ active, open, toggle, collapsed, favourites, favour }), [active, open, toggle, collapsed, favourites, favour])
  const chosen = useMemo(() => {
    const pages = new Map(menuPages(items).map(({ item }) => [item.path, { ...item, title: item.fullTitle ?? item.title, icon: undefined }]))
    return favourites.flatMap((path) => pages.get(path) ?? [])
  }, [items, favourites])
  useEffect(() => {
    let end: (() => void) | undefined
    const giveUp = afterPaint(() => { end = menu.current ? keepInView(menu.current) : undefined })
    return () => {
      giveUp()
      end?.()
    }
  }, [active, collapsed])

  const list = (
    <>
      {(chosen.length > 0 || recent.length > 0) && (
        <ul className="menu-list menu-own">
          {chosen.length > 0 && <Group item={FAVOURITES} items={chosen} icon />}
          {recent.length > 0 && <Group item={RECENT} items={recent} icon star={false} />}
        </ul>
      )}
      <ul className="menu-list"><MenuLevel items={items} /></ul>
    </>
  )
  return (
    <MenuContext value={value}>
      {settings.sidebarLogo && (
        <Link to="/" className="brand" aria-label={SITE}><img src={`${import.meta.env.BASE_URL}logo.svg`} alt="" width={28} height={28} />{!collapsed && <span>{SITE}</span>}</Link>
      )}
      {/* Keys that reach the rows are handled for all of them here. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <nav ref={menu} className="side-menu" aria-label="主菜单" onKeyDown={walkMenu}>
        {collapsed ? <div className="menu-scroll">{list}</div> : <SidebarFilter>{list}</SidebarFilter>}
      </nav>
    </MenuContext>
  )
}

/** The main menu: a column at the left, or a drawer on a mobile device. */
export function Sidebar({ current, pathname, sidebar }: Props) {
  const { mobile, collapsed, drawer, closeDrawer } = sidebar
  if (mobile) {
    return (
      <Drawer open={drawer} placement="left" size={210} closable={false} onClose={closeDrawer} aria-label="主菜单" rootClassName="side-drawer" styles={{ mask: { background: 'rgb(0 0 0 / 30%)' } }}>
        <SideMenu current={current} pathname={pathname} collapsed={false} />
        <button type="button" className="menu-row drawer-settings" onClick={() => { closeDrawer(); settingsPanel.set(true) }}><SettingOutlined className="menu-icon" />系统布局配置</button>
      </Drawer>
    )
  }
  return <aside className="sidebar" aria-label="侧边栏"><SideMenu current={current} pathname={pathname} collapsed={collapsed} />{!collapsed && <SidebarResize />}</aside>
}
