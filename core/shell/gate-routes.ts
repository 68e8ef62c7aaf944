import type { ScreenGroup } from './console.tsx'
import { joinPath, type ShellRoute } from './routes.ts'

/**
 * The tree of routes out of the table of screens: every screen that some module shows, below its group.
 * @param shown paths of the screens that modules show
 */
export function routesOf(groups: readonly ScreenGroup[], shown: ReadonlySet<string>): ShellRoute[] {
  return groups.flatMap(({ title, icon, screens }) => {
    const children = screens.filter((screen) => shown.has(screen.path)).map((screen): ShellRoute => ({ ...screen, hidden: screen.path.includes(':') }))
    return children.length > 0 ? [{ path: joinPath('', children[0]?.path.split('/', 2).join('/') ?? ''), title, ...(icon && { icon }), children }] : []
  })
}
