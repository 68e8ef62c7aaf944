import { useEffect, useMemo, type ComponentType } from 'react'
import { matchPath, useLocation } from 'react-router'
import { guardUnload } from '../form/unsaved.tsx'
import { LiveEvents } from '../live/live.tsx'
import type { ConsoleModule, ScreenLoader } from '../module/present.tsx'
import { useStaff } from '../session/staff-context.tsx'
import type { ScreenGroup } from './console.tsx'
import { ErrorPage } from './error-page.tsx'
import { Navbar } from './navbar.tsx'
import { MissingParts } from './new-release.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { openScreens } from './open-screens.tsx'
import { recordVisit } from './recent.ts'
import { retryLazy } from './retry-lazy.tsx'
import { leafRoutes, permittedRoutes, type ShellRoute } from './routes.ts'
import { Extras } from './extras.tsx'
import { useSettings } from './settings-context.tsx'
import { ShellContext } from './shell-context.tsx'
import { Sidebar } from './sidebar.tsx'
import { SITE } from './site.ts'
import { TabPages } from './tab-pages.tsx'
import { TabsBar } from './tabs-bar.tsx'
import { TabsContext } from './tabs-context.tsx'
import { useOpenTabs } from './use-open-tabs.tsx'
import { useSidebar } from './use-sidebar.tsx'

interface ShellProps {
  routes: readonly ShellRoute[]
  groups: readonly ScreenGroup[]
  modules: readonly ConsoleModule[]
}

/** Lazily loaded screens, made once, so that a re-render does not load them anew. */
function screensOf(modules: readonly ConsoleModule[]): ReadonlyMap<string, ComponentType> {
  return new Map<string, ComponentType>([
    ...openScreens.map((screen) => [screen.path, screen.Screen] as const),
    ...modules.flatMap((module) => Object.entries(module.screens)).map(([path, load]: [string, ScreenLoader]) => [path, retryLazy(load)] as const),
  ])
}

/** The frame around every page: menu, bar, tabs, and the pages of all open tabs kept alive. */
export function Shell({ routes, groups, modules }: ShellProps) {
  const staff = useStaff()
  const { pathname } = useLocation()
  const { settings } = useSettings()
  const sidebar = useSidebar()

  const permitted = useMemo(() => permittedRoutes(routes, new Set(staff.modules)), [routes, staff.modules])
  const leaves = useMemo(() => [...openScreens, ...leafRoutes(permitted)], [permitted])
  const screens = useMemo(() => screensOf(modules), [modules])
  const shell = useMemo(() => ({ routes: permitted, modules, groups }), [permitted, modules, groups])
  const routeOf = (path: string) => leaves.find((route) => matchPath(route.path, path))
  const current = routeOf(pathname)
  const known = groups.flatMap((group) => group.screens).find((screen) => matchPath(screen.path, pathname))
  const tabs = useOpenTabs(current)

  useEffect(() => guardUnload(), [])
  useEffect(() => {
    document.title = current ? `${current.title} - ${SITE}` : SITE
    if (current && current.path !== '/') recordVisit(localStorage, staff.id, { path: pathname, title: current.title, at: Math.floor(Date.now() / 1000) })
  }, [current, pathname, staff.id])

  return (
    <ShellContext value={shell}><TabsContext value={tabs}>
      <div className="shell" data-collapsed={sidebar.collapsed} data-mobile={sidebar.mobile}>
        <a className="skip" href="#content">跳到主要内容</a>
        <LiveEvents />
        <MissingParts />
        <Sidebar current={current} sidebar={sidebar} />
        <div className="main">
          <OfflineBar />
          <Navbar current={current} sidebar={sidebar} />
          {settings.tagsView && <TabsBar />}
          <main id="content" className="content" tabIndex={-1}>
            {!current && <ErrorPage code={404} title={known && screens.has(known.path) ? known.title : undefined} />}
            <TabPages routeOf={routeOf} screens={screens} />
          </main>
        </div>
        <Extras />
      </div>
    </TabsContext></ShellContext>
  )
}
