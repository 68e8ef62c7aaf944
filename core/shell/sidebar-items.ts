import type { ComponentType } from 'react'
import { firstPage, isExternal, joinPath, type ShellRoute } from './routes.ts'

/** One line of the menu: a page, or a group that opens. */
export interface MenuItem {
  /** Absolute path, or an address outside; names the item. */
  readonly path: string
  readonly title: string
  /** What it is called away from its group. */
  readonly fullTitle?: string
  readonly icon: string | undefined
  /** Stands at the end of its row. */
  readonly mark?: ComponentType
  /** Leads out of the console. */
  readonly external: boolean
  readonly children?: readonly MenuItem[]
}

/**
 * The menu of a tree of routes (shell.md 43-47): hidden ones are left out, a single child takes its parent's place
 * unless it is a group itself, belongs below its parent's title, or the parent is always shown, and nothing leads to an empty page.
 */
export function menuItems(routes: readonly ShellRoute[], parent = ''): MenuItem[] {
  return routes.flatMap((route) => {
    if (route.hidden) return []
    const path = joinPath(parent, route.path)
    const leaf = ({ title, fullTitle, mark }: ShellRoute, at: string, icon: string | undefined): MenuItem[] => (title ? [{ path: at, title, ...(fullTitle !== undefined && { fullTitle }), icon, ...(mark && { mark }), external: isExternal(at) }] : [])
    const shown = (route.children ?? []).filter((child) => !child.hidden)
    const [only, ...others] = shown
    if (!route.alwaysShow) {
      if (only && others.length === 0 && !only.children && !only.inGroup) return leaf(only, joinPath(path, only.path), only.icon ?? route.icon)
      // A group of which only pages with parameters are left has nothing to lead to.
      if (!only) return route.children && route.children.length > 0 && firstPage(route, parent) === undefined ? [] : leaf(route, path, route.icon)
    }
    return [{ path, title: route.title, icon: route.icon, external: false, children: menuItems(shown, path) }]
  })
}

/** Items from the top down to the named one; empty when it is not in the menu. */
export function itemTrail(items: readonly MenuItem[], path: string): MenuItem[] {
  for (const item of items) {
    if (item.path === path) return [item]
    const below = itemTrail(item.children ?? [], path)
    if (below.length > 0) return [item, ...below]
  }
  return []
}

/** The pages of a menu with the titles of the groups above them. */
export function menuPages(items: readonly MenuItem[], above: readonly string[] = []): { item: MenuItem; above: readonly string[] }[] {
  return items.flatMap((item) => (item.children ? menuPages(item.children, [...above, item.title]) : [{ item, above }]))
}

/** The deepest group of routes in which a route stands. */
function groupOf(routes: readonly ShellRoute[], wanted: string, parent = ''): string | undefined {
  for (const route of routes) {
    const path = joinPath(parent, route.path)
    const below = groupOf(route.children ?? [], wanted, path)
    if (below !== undefined) return below
    if (route.children?.some((child) => joinPath(path, child.path) === wanted)) return path
  }
  return undefined
}

const isBelow = (path: string, item: string) => item !== '/' && path.startsWith(`${item}/`)

/**
 * A path with the parameters of an address in it.
 * @example fillPath('/practice/{type}Junior', '/practice/junior/:type/:id', '/practice/junior/official/7') // '/practice/officialJunior'
 */
function fillPath(template: string, route: string, pathname: string): string {
  const values = pathname.split('/')
  const places = new Map(route.split('/').flatMap((part, place) => (part.startsWith(':') ? [[part.slice(1), values[place] ?? '']] : [])))
  return template.replace(/\{(\w+)\}/g, (_, name: string) => places.get(name) ?? '')
}

/**
 * Path of the item that stands for the page in front (shell.md 49): the one its route names, its own, the nearest item
 * above its address, else the group in which it stands.
 * @param current route of the page, undefined for an unknown address
 */
export function activeItem(items: readonly MenuItem[], routes: readonly ShellRoute[], current: ShellRoute | undefined, pathname: string): string | undefined {
  if (!current) return undefined
  const known = (path: string | undefined) => path !== undefined && itemTrail(items, path).length > 0
  const named = current.activeMenu && fillPath(current.activeMenu, current.path, pathname)
  if (known(named)) return named
  if (known(current.path)) return current.path
  const [nearest] = menuPages(items).map(({ item }) => item.path).filter((path) => isBelow(pathname, path)).sort((a, b) => b.length - a.length)
  return nearest ?? groupOf(routes, current.path)
}

/** Characters that stand for an item without a picture. */
const LETTERS = 2

/**
 * What stands for items that have no picture: how each title begins, and for those that begin alike how they go on from
 * where they differ (学校列表, 学校学生: 列表, 学生).
 * @param titles of items that stand together
 */
export function lettersOf(titles: readonly string[]): string[] {
  return titles.map((title) => {
    const begin = title.slice(0, LETTERS)
    const alike = titles.filter((other) => other.startsWith(begin))
    let same = 0
    while (alike.length > 1 && same < title.length && alike.every((other) => other[same] === title[same])) same++
    return title.slice(same, same + LETTERS) || begin
  })
}
