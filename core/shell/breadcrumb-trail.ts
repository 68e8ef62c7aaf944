import { firstPage, joinPath, type ShellRoute } from './routes.ts'

/** A step from home to the page in front; without `to` it is plain text. */
export interface Crumb {
  readonly title: string
  readonly to?: string
}

/** Routes from the top down to one, with the paths of their parents. */
function matched(routes: readonly ShellRoute[], wanted: string, parent = ''): { route: ShellRoute; parent: string }[] {
  for (const route of routes) {
    const path = joinPath(parent, route.path)
    if (path === wanted && (!route.children || route.children.length === 0)) return [{ route, parent }]
    const below = matched(route.children ?? [], wanted, path)
    if (below.length > 0) return [{ route, parent }, ...below]
  }
  return []
}

const HOME = '/'

/**
 * The breadcrumb of a page (shell.md 70-72): home first, one crumb for each matched route with a title, the list that a
 * page of one record belongs to before it; the last is plain text, a group leads to its first permitted page.
 * @param menu path of the menu item that stands for the page
 * @param title what the page calls itself
 */
export function breadcrumbTrail(routes: readonly ShellRoute[], current: ShellRoute | undefined, menu: string | undefined, title?: string): Crumb[] {
  if (!current) return []
  const home: Crumb = { title: '首页', to: HOME }
  const trail = matched(routes, current.path)
  const list = menu !== undefined && menu !== current.path && menu !== HOME ? matched(routes, menu).at(-1) : undefined
  const steps = [
    ...trail.slice(0, -1).filter(({ route }) => route.title && route.breadcrumb !== false).map(({ route, parent }): Crumb => {
      const to = route.redirect === 'noRedirect' ? undefined : firstPage(route, parent)
      return { title: route.title, ...(to !== undefined && { to }) }
    }),
    ...(list && list.route.title && list.route.children === undefined ? [{ title: list.route.title, to: joinPath(list.parent, list.route.path) }] : []),
  ]
  const own = title ?? current.title
  const last = own && current.breadcrumb !== false ? [{ title: own }] : []
  if (current.path === HOME) return last
  const [end, ...before] = [...steps, ...last].reverse()
  // A page that wants no crumb leaves the one above it as the last.
  return end ? [home, ...before.reverse(), { title: end.title }] : [{ title: home.title }]
}
