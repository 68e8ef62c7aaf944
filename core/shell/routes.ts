/** A screen in the menu's tree. `id` absent or true: open to any logged-in person (spec 2). */
export interface ShellRoute {
  readonly path: string
  readonly title: string
  readonly id?: number | true
  readonly hidden?: boolean
  readonly noCache?: boolean
  readonly icon?: string
  readonly children?: readonly ShellRoute[]
}

/**
 * Routes that a person may open: a route whose id is not granted is dropped, with everything below it (spec 2).
 * A group whose children were all dropped goes too. The table itself stays as it is.
 */
export function permittedRoutes(routes: readonly ShellRoute[], modules: ReadonlySet<number>): ShellRoute[] {
  return routes.flatMap((route) => {
    if (route.id !== undefined && route.id !== true && !modules.has(Number(route.id))) return []
    if (!route.children) return [route]
    const children = permittedRoutes(route.children, modules)
    return children.length > 0 ? [{ ...route, children }] : []
  })
}

/** The pages themselves, without groups. */
export function leafRoutes(routes: readonly ShellRoute[]): ShellRoute[] {
  return routes.flatMap((route) => (route.children ? leafRoutes(route.children) : [route]))
}

/** Only same-origin addresses inside the console are followed after login (shell.md 24). */
export function safeRedirect(target: string | null): string {
  if (!target || !target.startsWith('/') || target.startsWith('//') || target.includes('\\')) return '/'
  return /^\/login(\/|\?|#|$)/.test(target) ? '/' : target
}
