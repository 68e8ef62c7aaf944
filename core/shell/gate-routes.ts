import type { ScreenGroup } from './console.tsx'
import { joinPath, type ShellRoute } from './routes.ts'

/** Titles that screens of several groups have: beside each other they say nothing without their groups. */
function sharedTitles(groups: readonly ScreenGroup[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(groups.flatMap(({ screens }) => screens.map(({ title }) => title)).filter((title) => seen.has(title) || !seen.add(title)))
}

/**
 * The tree of routes out of the table of screens: every screen that some module shows, below its group.
 * @param shown paths of the screens that modules show
 */
export function routesOf(groups: readonly ScreenGroup[], shown: ReadonlySet<string>): ShellRoute[] {
  const shared = sharedTitles(groups)
  return groups.flatMap(({ title, short = title, icon, screens }) => {
    const children = screens.filter((screen) => shown.has(screen.path)).map((screen): ShellRoute => ({ ...screen, hidden: screen.path.includes(':'), group: title, ...(shared.has(screen.title) && { inGroup: true, fullTitle: `${short}·${screen.title}` }) }))
    return children.length > 0 ? [{ path: joinPath('', children[0]?.path.split('/', 2).join('/') ?? ''), title, ...(icon && { icon }), children }] : []
  })
}
