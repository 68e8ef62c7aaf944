import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Navigate, type Location } from 'react-router'
import { guardUnload } from '../form/unsaved.tsx'
import { LiveEvents } from './live-events.tsx'
import type { ConsoleModule } from '../module/present.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { afterPaint } from '../ui/after-paint.tsx'
import type { ScreenGroup } from './console.tsx'
import { ErrorPage } from './error-page.tsx'
import { Extras } from './extras.tsx'
import { LaidOutSidebar } from './laid-out-sidebar.tsx'
import { Navbar } from './navbar.tsx'
import { MissingParts } from './new-release.tsx'
import { DemoBar } from './demo-bar.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { openScreens } from './open-screens.tsx'
import { PageQueries } from './page-queries.tsx'
import { pageTitle } from './page-title.ts'
import { canonicalPath, routeFinder } from './place.ts'
import { recordVisit } from './recent.ts'
import { firstPage, fullTitle, leafRoutes, permittedRoutes, type ShellRoute } from './routes.ts'
import { createScreenStore } from './screen-store.ts'
import { ScrollMemory } from './scroll-memory.tsx'
import { useSettings } from './settings-context.tsx'
import { ShellContext } from './shell-context.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'
import { menuItems } from './sidebar-items.ts'
import { TabPages } from './tab-pages.tsx'
import { TabsBar } from './tabs-bar.tsx'
import { GuardContext, RenameContext, TabsContext } from './tabs-context.tsx'
import { addressOf } from './tabs.ts'
import { useOpenTabs } from './use-open-tabs.tsx'
import { useSidebar } from './use-sidebar.tsx'
import { useSlide } from './use-slide.tsx'
import { LocationProvider, useWindowLocation } from './window-location.tsx'

interface ShellProps {
  /** Where the person is inside the shell. */
  location: Location
  /** Page that is to be mounted again. */
  hop: Location | undefined
  routes: readonly ShellRoute[]
  groups: readonly ScreenGroup[]
  modules: readonly ConsoleModule[]
}

/** Parts of the frame that no step concerns: made once, so that none draws them again. */
const LISTENERS = <><LiveEvents /><MissingParts /></>
const OFFLINE = <OfflineBar />
const DEMO = <DemoBar />

/**
 * The frame around every page: menu, bar, tabs, and the pages of all open tabs kept alive. The open tabs change with every step, so they
 * are given to the parts that show them, and not to the pages between those (ADR 20).
 */
export function Shell({ location, hop, routes, groups, modules }: ShellProps) {
  const staff = useStaff()
  const { navigationType: navigation } = useWindowLocation()
  const { settings } = useSettings()
  const sidebar = useSidebar()
  const frame = useRef<HTMLDivElement>(null)
  const [scroll] = useState(() => new ScrollMemory())
  const client = useQueryClient()
  const [pages] = useState(() => new PageQueries(client))
  const { pathname, search, hash, key } = location

  const screens = useMemo(() => createScreenStore(new Map([
    ...openScreens.map(({ path, load }) => [path, load] as const), ...modules.flatMap((module) => Object.entries(module.screens)),
  ])), [modules])
  const permitted = useMemo(() => permittedRoutes(routes, staff.modules), [routes, staff.modules])
  const shell = useMemo(() => ({ routes: permitted, items: menuItems([...openScreens, ...permitted]), modules, groups, screens }), [permitted, modules, groups, screens])
  const find = useMemo(() => routeFinder(leafRoutes([...openScreens, ...permitted])), [permitted])
  const findAny = useMemo(() => routeFinder(leafRoutes(routes)), [routes])
  const current = find(pathname)
  const { tabs, rename } = useOpenTabs({ location, hop, find, pages })
  const title = tabs.state.tabs.find((tab) => tab.path === pathname)?.ownTitle ?? (current && fullTitle(current))

  useSlide(frame, sidebar.collapsed, settings.sideWidth)
  useEffect(() => guardUnload(), [])
  useLayoutEffect(() => pages.watch(), [pages])
  useLayoutEffect(() => (frame.current ? scroll.watch(frame.current) : undefined), [scroll])
  const before = useRef({ pathname, address: addressOf({ path: pathname, search, hash }) })
  useLayoutEffect(() => {
    const address = addressOf({ path: pathname, search, hash })
    const samePage = before.current.pathname === pathname
    const kind = !samePage || navigation === 'REPLACE' || (navigation === 'PUSH' && before.current.address === address) ? 'same' : navigation === 'POP' ? 'back' : 'new'
    before.current = { pathname, address }
    scroll.enter(key, kind)
  }, [scroll, key, pathname, search, hash, navigation])
  useEffect(() => {
    if (title) document.title = pageTitle(title)
  }, [title])
  useEffect(() => {
    if (!current || current.hidden || current.path === '/') return
    return afterPaint(() => recordVisit(localStorage, staff.id, { path: pathname, title: fullTitle(current), at: Math.floor(Date.now() / 1000) }))
  }, [current, pathname, staff.id])

  // A page has one address, and a group leads to its first page.
  const group = current ? undefined : permitted.find((route) => route.path === pathname.replace(/\/+$/, ''))
  const better = current ? canonicalPath(pathname, current) : group && firstPage(group)
  const denied = current ? undefined : findAny(pathname)?.title
  return (
    <ShellContext value={shell}><RenameContext value={rename}><GuardContext value={tabs.guarded}>
      {better !== undefined && better !== pathname && <Navigate to={`${better}${search}${hash}`} replace />}
      <div className="shell" data-collapsed={sidebar.collapsed} data-mobile={sidebar.mobile}>
        {/* It moves the focus and leaves the address alone: that is the page's. */}
        <a className="skip" href="#content" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>('#content')?.focus() }}>跳到主要内容</a>
        {LISTENERS}
        <LaidOutSidebar current={current} pathname={pathname} sidebar={sidebar} />
        <div className="main" ref={frame}>
          {OFFLINE}
          {staff.role === 'super' && DEMO}
          <TabsContext value={tabs}>
            <Navbar current={current} sidebar={sidebar} />
            {settings.tagsView && <TabsBar />}
          </TabsContext>
          <main id="content" className="content" tabIndex={-1}>
            {!current && <LocationProvider key={pathname}><ErrorPage code={404} denied={denied} /></LocationProvider>}
            <TabPages state={tabs.state} active={tabs.active} find={find} screens={screens} scroll={scroll} pages={pages} />
          </main>
        </div>
        <TabsContext value={tabs}>
          <Extras mobile={sidebar.mobile} />
          <ShortcutKeys sidebar={sidebar} />
        </TabsContext>
      </div>
    </GuardContext></RenameContext></ShellContext>
  )
}
