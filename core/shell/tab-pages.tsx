import { Activity, createElement, memo, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore, type ComponentType } from 'react'
import { NavigationType, UNSAFE_LocationContext as LocationContext, useRoutes, type Location } from 'react-router'
import { TabContext } from '../form/unsaved.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import type { PageQueries } from './page-queries.ts'
import { measurePage } from './page-timing.tsx'
import type { ShellRoute } from './routes.ts'
import type { ScreenStore } from './screen-store.ts'
import type { ScrollMemory } from './scroll-memory.tsx'
import { useTabs } from './tabs-context.tsx'
import { titleOf, type Tab } from './tabs.ts'

/** The code of a screen when it is there, until then a skeleton. */
function useScreen(screens: ScreenStore, path: string): ComponentType | undefined {
  const fetched = useSyncExternalStore(screens.subscribe, () => screens.peek(path))
  useEffect(() => {
    if (!fetched) screens.fetch(path)
  }, [fetched, screens, path])
  if (fetched && 'error' in fetched) throw fetched.error
  return fetched?.Screen
}

function ScreenOf({ path, screens }: { path: string; screens: ScreenStore }) {
  const Screen = useScreen(screens, path)
  const shown = useRef(false)
  useEffect(() => {
    if (!Screen) return
    const visit = shown.current ? 'kept' : 'first'
    shown.current = true
    return measurePage(path, visit)
  }, [Screen, path])
  const routes = useMemo(() => [{ path, element: Screen ? createElement(Screen) : <PageSkeleton /> }], [path, Screen])
  return useRoutes(routes)
}

interface PlaceProps {
  tab: Tab
  children: React.ReactNode
}

/**
 * The address of one tab, for everything in its page. The router's own context is given directly: `useRoutes(routes,
 * location)` would draw every hidden page anew on every navigation, because it listens to the address of the window too.
 */
function Place({ tab: { path, search, hash, state }, children }: PlaceProps) {
  const place = useMemo(() => {
    const location: Location = { pathname: path, search, hash, state, key: path }
    return { location, navigationType: NavigationType.Push }
  }, [path, search, hash, state])
  return <LocationContext value={place}>{children}</LocationContext>
}

/** Moves the focus to a page's heading when it comes to the front, except where the person walks along the tabs or is in a dialog. */
function focusHeading(panel: HTMLElement): void {
  const at = document.activeElement
  if (at?.closest('[role=tablist], [role=dialog], [role=menu]') || panel.contains(at)) return
  const heading = panel.querySelector<HTMLElement>('h1:not(.page-heading)') ?? panel.querySelector<HTMLElement>('.page-heading')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * Lets a page that goes behind keep its boxes. `<Activity>` has just hidden it by `display: none`, after which a browser
 * makes every box of it anew when it comes back: most of what a kept page costs. Skipped content (CSS Containment 2) is
 * as little there for eyes, pointers, focus and screen readers, and costs nothing while it waits.
 */
function keepBoxes(frame: HTMLElement): void {
  // React hides it in the same commit, after the effects of the page have ended.
  queueMicrotask(() => {
    if (!CSS.supports('content-visibility', 'hidden')) return
    frame.dataset['behind'] = ''
    frame.style.removeProperty('display')
  })
}

interface PageProps {
  scroll: ScrollMemory
  pages: PageQueries
  tab: Tab
  route: ShellRoute
  screens: ScreenStore
  /** Whether the focus may be moved: not when the console has just been opened. */
  mayFocus: () => boolean
}

/** One page. Its effects run whenever it comes to the front. */
const KeptPage = memo(function KeptPage({ tab, route, screens, scroll, pages, mayFocus }: PageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { path } = tab
  useLayoutEffect(() => {
    const { current } = frame
    if (!current) return
    delete current.dataset['behind']
    return () => keepBoxes(current)
  }, [])
  const left = useRef(false)
  useLayoutEffect(() => {
    scroll.reveal(path)
    if (left.current) pages.reveal(path)
    else pages.enter(path)
    return () => {
      left.current = true
    }
  }, [scroll, pages, path])
  useEffect(() => {
    if (mayFocus() && panel.current) focusHeading(panel.current)
  }, [mayFocus])
  return (
    <div ref={frame} className="kept-frame">
      <div ref={panel} className="kept-page" data-page={path} role="tabpanel" aria-label={titleOf(tab)}>
        <h1 className="page-heading" tabIndex={-1}>{titleOf(tab)}</h1>
        <TabContext value={path}>
          <PageBoundary onFailed={() => pages.drop(path)} onRetry={() => screens.forget(route.path)}>
            <Suspense fallback={<PageSkeleton />}>
              <Place tab={tab}><ScreenOf path={route.path} screens={screens} /></Place>
            </Suspense>
          </PageBoundary>
        </TabContext>
      </div>
    </div>
  )
})

interface Props {
  scroll: ScrollMemory
  pages: PageQueries
  find: (path: string) => ShellRoute | undefined
  screens: ScreenStore
}

/** The pages of the open tabs, each at its own address; those behind are kept as they are, without timers and effects. */
export function TabPages({ find, screens, scroll, pages }: Props) {
  const { state, active } = useTabs()
  const opened = useRef(false)
  const mayFocus = useCallback(() => {
    const before = opened.current
    opened.current = true
    return before
  }, [])
  const known = useRef<readonly string[]>([])
  useEffect(() => {
    for (const path of known.current) if (!state.alive.includes(path)) scroll.forget(path)
    known.current = state.alive
    pages.keep(state.alive)
  }, [state.alive, scroll, pages])
  return state.tabs.map((tab) => {
    const route = find(tab.path)
    if (!route || !screens.has(route.path) || !state.alive.includes(tab.path)) return null
    return (
      <Activity key={`${tab.path} ${tab.version}`} mode={tab.path === active ? 'visible' : 'hidden'}>
        <KeptPage tab={tab} route={route} screens={screens} scroll={scroll} pages={pages} mayFocus={mayFocus} />
      </Activity>
    )
  })
}
