import type { ShellRoute } from './routes.ts'

/** An address inside the console, as the router has it. */
interface Address {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

const HOP = '/redirect'

/**
 * The page that an internal refresh leads to: `/redirect/a?x#h` to `/a?x#h`, letter by letter.
 * @returns undefined for every other address
 */
export function redirectTarget<Place extends Address>(place: Place): Place | undefined {
  if (place.pathname !== HOP && !place.pathname.startsWith(`${HOP}/`)) return undefined
  return { ...place, pathname: place.pathname.slice(HOP.length) || '/' }
}

/** The error page at an address of its own, beside the shell (shell.md 131). */
export function outsideError(pathname: string): 404 | 401 | undefined {
  return /^\/404\/?$/.test(pathname) ? 404 : /^\/401\/?$/.test(pathname) ? 401 : undefined
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const patternOf = (path: string) => new RegExp(`^${path.split('/').map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : escaped(part))).join('/')}/*$`, 'i')
const wildness = (path: string) => path.split('/').filter((part) => part === '*' || part.startsWith(':')).length

/**
 * Finds the route of a path. Routes without parameters come before those with; a trailing slash and the case of letters
 * do not matter.
 */
export function routeFinder<Route extends Pick<ShellRoute, 'path'>>(routes: readonly Route[]): (pathname: string) => Route | undefined {
  const ordered = routes.toSorted((a, b) => wildness(a.path) - wildness(b.path)).map((route) => ({ route, pattern: patternOf(route.path === '/' ? '' : route.path) }))
  const known = new Map<string, Route | undefined>()
  return (pathname) => {
    if (!known.has(pathname)) known.set(pathname, ordered.find(({ pattern }) => pattern.test(pathname))?.route)
    return known.get(pathname)
  }
}

/**
 * The one spelling of a page's path, so that it has one tab.
 * @example canonicalPath('/Course/list/', { path: '/course/list' }) // '/course/list'
 */
export function canonicalPath(pathname: string, route: Pick<ShellRoute, 'path'>): string {
  if (wildness(route.path) === 0) return route.path
  return pathname.replace(/\/+$/, '')
}
