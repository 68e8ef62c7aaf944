import { useQueries } from '@tanstack/react-query'
import { matchPath } from 'react-router'
import { leafRoutes } from '../../core/shell/routes.ts'
import { useShell } from '../../core/shell/shell-context.tsx'
import type { AuditEntity } from './audit.ts'

/**
 * Screens that open records of some kinds. A part of something else shares the screen of the whole, whose list is of
 * another kind; such records have no screen, nor have those whose screen this person may not open.
 */
export function useRecordPaths(kinds: readonly AuditEntity[], wanted: readonly string[]): ReadonlyMap<string, string> {
  const { modules, routes } = useShell()
  const allowed = leafRoutes(routes)
  const screens = new Map(modules.flatMap((module) => Object.entries(module.screens)))
  const found = useQueries({
    queries: wanted.map((entity) => {
      const path = kinds.find((kind) => kind.entity === entity)?.path ?? ''
      return {
        queryKey: ['record-path', entity, path],
        staleTime: Infinity,
        queryFn: async () => ((await screens.get(path)?.resource?.())?.table === entity ? path : null),
      }
    }),
  })
  return new Map(wanted.flatMap((entity, index) => {
    const path = found[index]?.data
    return path && allowed.some((route) => matchPath(route.path, path)) ? [[entity, path] as const] : []
  }))
}
