const NAME = 'sidebarStatus'
/** A year, in seconds. */
const KEPT = 365 * 86_400

/** Whether the sidebar is open: yes, unless the cookie says 0 (spec 4). */
export function isSidebarOpen(cookies: string): boolean {
  return !cookies.split(/;\s*/).includes(`${NAME}=0`)
}

/** The cookie to be written: 1 for open, 0 for collapsed; kept beyond the browser's end, for the console only. */
export function sidebarCookie(open: boolean): string {
  return `${NAME}=${open ? 1 : 0}; path=/new; max-age=${KEPT}; samesite=lax`
}
