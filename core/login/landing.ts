/** Only same-origin addresses inside the console are followed after login (shell.md 24). */
export function safeRedirect(target: string | null): string {
  if (!target || !target.startsWith('/') || target.startsWith('//') || target.includes('\\')) return '/'
  return /^\/login(\/|\?|#|$)/.test(target) ? '/' : target
}

/**
 * Where a login leads: the address in `redirect`, with whatever else stood in the login page's own address (shell.md 23, 24).
 * @param search the login page's query
 * @param hash the login page's hash, with its `#`
 * @example landing(new URLSearchParams('redirect=/a?x=1&y=2'), '') // '/a?x=1&y=2'
 */
export function landing(search: URLSearchParams, hash: string): string {
  const target = safeRedirect(search.get('redirect'))
  const rest = new URLSearchParams([...search].filter(([key]) => key !== 'redirect')).toString()
  const [address = '', own] = target.split('#', 2)
  const query = rest ? `${address.includes('?') ? '&' : '?'}${rest}` : ''
  return `${address}${query}${own === undefined ? hash : `#${own}`}`
}
