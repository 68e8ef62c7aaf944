import { Spin } from 'antd'
import { Activity, Suspense, type ComponentType } from 'react'
import { Route, Routes, type Location } from 'react-router'
import { TabContext } from '../form/unsaved.tsx'
import { PageBoundary } from './page-boundary.tsx'
import type { ShellRoute } from './routes.ts'
import { useTabs } from './tabs-context.tsx'

interface Props {
  routeOf: (path: string) => ShellRoute | undefined
  screens: ReadonlyMap<string, ComponentType>
}

/** The pages of all open tabs, each at its own address; those behind are kept as they are. */
export function TabPages({ routeOf, screens }: Props) {
  const { state, active } = useTabs()
  return state.tabs.map((tab) => {
    const route = routeOf(tab.path)
    const Screen = route && screens.get(route.path)
    if (!route || !Screen) return null
    const place: Partial<Location> = { pathname: tab.path, search: tab.search, hash: tab.hash }
    return (
      <Activity key={`${tab.path} ${tab.version}`} mode={tab.path === active ? 'visible' : 'hidden'}>
        <TabContext value={tab.path}>
          <PageBoundary>
            <Suspense fallback={<div className="boot"><Spin delay={200} /></div>}>
              <Routes location={place}><Route path={route.path} element={<Screen />} /></Routes>
            </Suspense>
          </PageBoundary>
        </TabContext>
      </Activity>
    )
  })
}
