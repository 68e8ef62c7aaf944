import type { ComponentType } from 'react'

/** A screen or a group of screens in the menu's tree. `id` absent or true: open to any logged-in person (spec 2). */
export interface ShellRoute {
  /** Absolute, or relative to the parent's; `https:`, `mailto:` and `tel:` lead out of the console. */
  readonly path: string
  /** Empty: nothing of it is shown in menu and breadcrumb. */
  readonly title: string
  /** What it is called where its group does not stand beside it, such as in a tab: 自营·会员卡. The title by default. */
  readonly fullTitle?: string
  /** Title of the group in which it stands. */
  readonly group?: string
  readonly id?: number | true
  /** Neither it nor what is below it is in the menu; it may be opened all the same. */
  readonly hidden?: boolean
  /** Its page is mounted again on every visit. */
  readonly noCache?: boolean
  /** Its tab is there from the start and cannot be closed. */
  readonly affix?: boolean
  readonly icon?: string
  /** Stands at the end of its row in the menu, such as how much waits there. */
  readonly mark?: ComponentType
  /** Stays a submenu with one child or none. */
  readonly alwaysShow?: boolean
  /** Its title says too little without its group's: it never takes the group's place in the menu. */
  readonly inGroup?: boolean
  /** Menu item that stands for it, when it has none of its own. */
  readonly activeMenu?: string
  readonly breadcrumb?: false
  /** Where a group leads; `noRedirect` leads nowhere. Without it a group leads to its first permitted page. */
  readonly redirect?: string
  readonly children?: readonly ShellRoute[]
}

/** What a page is called where its group does not stand beside it. */
export const fullTitle = (route: Pick<ShellRoute, 'title' | 'fullTitle'>): string => route.fullTitle ?? route.title

const EXTERNAL = /^(https?:|mailto:|tel:)/i

/** Whether a path leads out of the console. */
export const isExternal = (path: string): boolean => EXTERNAL.test(path)

/** A child's path below its parent's: absolute ones and those that lead out stand for themselves. */
export function joinPath(parent: string, path: string): string {
  if (isExternal(path) || path.startsWith('/')) return path
  return `${parent.replace(/\/$/, '')}/${path}`.replace(/\/+$/, '') || '/'
}

/**
 * Routes that a person may open: a route whose id is not granted is dropped, with everything below it (spec 2).
 * A group whose children were all dropped goes too. The table itself stays as it is.
 * @param modules module ids of the person; the server may write them as text
 */
export function permittedRoutes(routes: readonly ShellRoute[], modules: Iterable<number | string>): ShellRoute[] {
  const granted = new Set([...modules].map(Number))
  const permitted = (some: readonly ShellRoute[]): ShellRoute[] => some.flatMap((route) => {
    if (route.id !== undefined && route.id !== true && !granted.has(Number(route.id))) return []
    if (!route.children) return [route]
    const children = permitted(route.children)
    return children.length > 0 || route.children.length === 0 ? [{ ...route, children }] : []
  })
  return permitted(routes)
}

/** The pages themselves, without groups, with absolute paths. */
export function leafRoutes(routes: readonly ShellRoute[], parent = ''): ShellRoute[] {
  return routes.flatMap((route) => {
    const path = joinPath(parent, route.path)
    return route.children && route.children.length > 0 ? leafRoutes(route.children, path) : [{ ...route, path }]
  })
}

/** Whether an address can be written down without knowing more: no parameters in it. */
const isPlain = (path: string) => !path.includes(':') && !path.includes('*')

/**
 * Where a group leads: its own `redirect` when that is permitted, else the first permitted page, preferably one of the menu.
 * @returns undefined when there is no page to lead to
 */
export function firstPage(route: ShellRoute, parent = ''): string | undefined {
  const path = joinPath(parent, route.path)
  const pages = leafRoutes(route.children ?? [], path).filter((page) => isPlain(page.path) && !isExternal(page.path))
  const redirect = route.redirect !== undefined && pages.some((page) => page.path === route.redirect) ? route.redirect : undefined
  return redirect ?? (pages.find((page) => !page.hidden) ?? pages[0])?.path
}
