import { QueryClientContext } from '@tanstack/react-query'
import { Activity, createElement, memo, Suspense, useCallback, useEffect, useInsertionEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type ComponentType } from 'react'
import { NavigationType, UNSAFE_LocationContext as LocationContext, useRoutes, type Location } from 'react-router'
import { TabContext } from '../form/unsaved.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import type { PageQueries } from './page-queries.tsx'
import { measurePage } from './page-timing.tsx'
import { canSkip, createFront, FrontContext, somethingAbove } from '../ui/front.tsx'
import type { ShellRoute } from './routes.ts'
import type { ScreenStore } from './screen-store.ts'
import type { ScrollMemory } from './scroll-memory.tsx'
import { titleOf, type Tab, type TabsState } from './tabs.ts'

/** The code of a screen when it is there, until then a skeleton. */
function useScreen(screens: ScreenStore, path: string): ComponentType | undefined {
  const fetched = useSyncExternalStore(screens.subscribe, () => screens.peek(path))
  useEffect(() => {
    if (!fetched) screens.fetch(path)
  }, [fetched, screens, path])
  if (fetched && 'error' in fetched) throw fetched.error
  return fetched?.Screen
}

const ScreenOf = memo(function ScreenOf({ path, screens }: { path: string; screens: ScreenStore }) {
  const Screen = useScreen(screens, path)
  const routes = useMemo(() => [{ path, element: Screen ? createElement(Screen) : <PageSkeleton /> }], [path, Screen])
  return useRoutes(routes)
})

/** Measures how long a page takes to come to the front once its code is there. Apart from the page, which it does not concern. */
function PageTiming({ path, front, screens }: { path: string; front: boolean; screens: ScreenStore }) {
  const there = useSyncExternalStore(screens.subscribe, () => screens.peek(path) !== undefined)
  const shown = useRef(false)
  useEffect(() => {
    if (!there || !front) return
    const visit = shown.current ? 'kept' : 'first'
    shown.current = true
    return measurePage(path, visit)
  }, [there, front, path])
  return null
}

interface TabLocationProps {
  tab: Tab
  children: React.ReactNode
}

/**
 * The address of one tab, for everything in its page. The router's own context is given directly: the window's address is
 * not above the pages (window-place.tsx), and `useRoutes(routes, location)` would put none there for those who only ask for one.
 */
function TabLocation({ tab: { path, search, hash, state }, children }: TabLocationProps) {
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
 * What was clicked keeps a caret in its words that nobody sees. While it stands there, a browser looks for a place to show it
 * in every frame, and through the boxes of all kept pages: more work than all else of a step.
 */
function clearSelection(): void {
  const selection = window.getSelection()
  const at = document.activeElement
  const writes = at instanceof HTMLElement && (at.isContentEditable || at.matches('input, textarea, math-field'))
  if (selection?.isCollapsed && !writes) selection.removeAllRanges()
}

/**
 * Lets a page whose effects end keep its boxes. `<Activity>` has just hidden it by `display: none`, after which a browser
 * makes every box of it again when it comes back. Skipped content (CSS Containment 2) is as little there for eyes, pointers,
 * focus and screen readers, and costs nothing while it waits.
 */
function preserveLayout(frame: HTMLElement): void {
  // React hides it in the same commit, after the effects of the page have ended.
  queueMicrotask(() => {
    if (!canSkip()) return
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

/** What stands in a page's frame. Coming to the front draws nothing of it again. */
function Page({ tab, route, screens, pages }: Pick<PageProps, 'tab' | 'route' | 'screens' | 'pages'>) {
  const client = useMemo(() => pages.clientOf(tab.path), [pages, tab.path])
  return (
    // Not the provider of the library, which would listen to the window once more for every page.
    <QueryClientContext value={client}>
      <TabContext value={tab.path}>
        <PageBoundary onFailed={() => pages.drop(tab.path)} onRetry={() => screens.forget(route.path)}>
          <Suspense fallback={<PageSkeleton />}>
            <TabLocation tab={tab}><ScreenOf path={route.path} screens={screens} /></TabLocation>
          </Suspense>
        </PageBoundary>
      </TabContext>
    </QueryClientContext>
  )
}

/** The frame of one page: what happens whenever it comes to the front or goes behind. */
function Frame({ tab, route, screens, scroll, pages, mayFocus, front }: PageProps & { front: boolean }) {
  const frame = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { path } = tab
  useLayoutEffect(() => {
    const { current } = frame
    return () => { if (current) preserveLayout(current) }
  }, [])
  // Set by hand: what is drawn while a page is hidden comes late. A page that rests is set before anything measures, so that
  // one layout is made for both, the one that goes and the one that comes; one that was hidden, when it has its effects again.
  useInsertionEffect(() => {
    frame.current?.toggleAttribute('data-behind', !front)
  }, [front])
  useLayoutEffect(() => {
    frame.current?.toggleAttribute('data-behind', !front)
  }, [front])
  const [place] = useState(() => createFront(front))
  useLayoutEffect(() => place.set(front), [place, front])
  const left = useRef(false)
  useLayoutEffect(() => {
    if (!front) return
    scroll.reveal(path)
    if (left.current) pages.reveal(path)
    else pages.enter(path)
    return () => {
      left.current = true
    }
  }, [front, scroll, pages, path])
  useEffect(() => {
    if (!front || !panel.current) return
    if (mayFocus()) focusHeading(panel.current)
    clearSelection()
  }, [front, mayFocus])
  return (
    <div ref={frame} className="kept-frame">
      <div ref={panel} className="kept-page" data-page={path} role="tabpanel" aria-label={titleOf(tab)}>
        <h1 className="page-heading" tabIndex={-1}>{titleOf(tab)}</h1>
        <FrontContext value={place}><Page tab={tab} route={route} screens={screens} pages={pages} /></FrontContext>
        <PageTiming path={route.path} front={front} screens={screens} />
      </div>
    </div>
  )
}

/**
 * One page. Behind it rests with all its effects, unless something was left open above it: then it has none, and what is
 * open goes with it. What acts by itself in a page stops behind (ui/front.tsx).
 */
const KeptPage = memo(function KeptPage({ front, ...page }: PageProps & { front: boolean }) {
  const [encumbered, setEncumbered] = useState(false)
  if (front && encumbered) setEncumbered(false)
  const resting = !front && !encumbered
  useLayoutEffect(() => {
    // What is open shows only now, and both are drawn before anything of this is painted.
    // oxlint-disable-next-line react/set-state-in-effect
    if (resting && (!canSkip() || somethingAbove())) setEncumbered(true)
  }, [resting])
  return (
    <Activity mode={front || resting ? 'visible' : 'hidden'}><Frame {...page} front={front} /></Activity>
  )
})

interface Props {
  state: TabsState
  /** Path of the page in front. */
  active: string
  scroll: ScrollMemory
  pages: PageQueries
  find: (path: string) => ShellRoute | undefined
  screens: ScreenStore
}

/** The pages of the open tabs, each at its own address; those behind are kept as they are. */
export function TabPages({ state, active, find, screens, scroll, pages }: Props) {
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
      <KeptPage key={`${tab.path} ${tab.version}`} front={tab.path === active} tab={tab} route={route} screens={screens} scroll={scroll} pages={pages} mayFocus={mayFocus} />
    )
  })
}
