import { useSyncExternalStore, type ReactNode } from 'react'
import { createPath, Router, UNSAFE_createBrowserHistory as createBrowserHistory, UNSAFE_LocationContext as LocationContext, type Location, type NavigationType, type Navigator, type To } from 'react-router'

/** Path that the console is served under. */
const BASE = '/new'

/** Where the window is, and what led there. */
export interface WindowLocation {
  readonly location: Location
  readonly navigationType: NavigationType
}

const history = createBrowserHistory({ window, v5Compat: true })

function currentLocation(): WindowLocation {
  const { location, action } = history
  const inside = location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : location.pathname
  return { location: { ...location, pathname: inside || '/' }, navigationType: action }
}

let place = currentLocation()
const watchers = new Set<() => void>()
history.listen(() => {
  place = currentLocation()
  for (const watcher of watchers) watcher()
})

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Where the window is now, for what happens after drawing. */
export const windowLocation = (): WindowLocation => place

/** The window's address, inside the console. */
export function useWindowLocation(): WindowLocation {
  return useSyncExternalStore(watch, () => place)
}

/** An address as the window shows it: home is `/new/` (spec 2: base path, then `/`); the library leaves its slash away. */
const shown = (to: To): string => (typeof to === 'string' ? to : createPath(to)).replace(/^\/new(?=$|[?#])/, `${BASE}/`)

const isHere = (to: string) => createPath(history.location) === to

/** How to go somewhere. A step to where one is already leaves nothing to go back over. */
const navigator: Navigator = {
  createHref: (to) => history.createHref(shown(to)), encodeLocation: history.encodeLocation, go: history.go,
  replace: (to, state) => history.replace(shown(to), state),
  push: (to, state) => (isHere(shown(to)) ? history.replace(shown(to), state) : history.push(shown(to), state)),
}
/** No page's address: what stands at none is at no link's either. */
const NOWHERE = `${BASE}/@`

/**
 * The router of the console. It says how to navigate, and not where the window is: a component that has to know stands in `LocationProvider`.
 * The library's own keeps the address in a context above everything, and each change of it draws again every part of every
 * kept page that asks for an address, though the page has one of its own (ADR 20).
 */
export function ConsoleRouter({ children }: { children: ReactNode }) {
  return <Router basename={BASE} navigator={navigator} location={NOWHERE}>{children}</Router>
}

/** Parts that stand at the window's address: what is around the pages, and what is shown instead of them. */
export function LocationProvider({ children }: { children: ReactNode }) {
  const here = useWindowLocation()
  return <LocationContext value={here}>{children}</LocationContext>
}
