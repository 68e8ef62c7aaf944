import type { FastifyInstance } from 'fastify'

/** Every `METHOD /path` that the HTTP server answers, no matter who registered it; parameters as `{name}`. HEAD goes with GET. */
export function registeredRoutes(http: FastifyInstance): string[] {
  const routes: string[] = []
  const above: string[] = []
  for (const line of http.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^((?:[│ ] {3})*)[├└]── (\S*?)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (!match) continue
    const [, indent = '', part = '', methods = ''] = match
    const depth = indent.length / 4
    above.length = depth
    above.push(part)
    const path = above.join('').replace(/:(\w+)/g, '{$1}')
    const named = methods.split(', ').filter(Boolean)
    for (const method of named) if (method !== 'HEAD' || !named.includes('GET')) routes.push(`${method} ${path}`)
  }
  return routes
}
