import { useQueries } from '@tanstack/react-query'
import type { FoundRecord, RecordFinder } from '../module/find.ts'
import { leafRoutes } from './routes.ts'
import { useShell } from './shell-context.tsx'

interface Found {
  readonly label: string
  readonly records: readonly FoundRecord[]
}

/** How long an answer is good for the same words, in milliseconds; then it is forgotten, never replaced under somebody's eyes. */
const FRESH = 30_000

/** Records that fit what was typed, from every module that knows such, as far as the person may open their screen; what came first stands first. */
export function useFoundRecords(words: string): { found: Found[]; loading: boolean } {
  const { modules, routes } = useShell()
  const allowed = new Set(leafRoutes(routes).map((route) => route.path))
  const asked = modules.flatMap((module) => module.finders).filter((finder: RecordFinder) => allowed.has(finder.screen) && finder.takes(words))
  const queries = useQueries({
    queries: asked.map((finder) => ({
      queryKey: ['find', finder.screen, words],
      queryFn: ({ signal }: { signal: AbortSignal }) => finder.find(words, signal),
      staleTime: FRESH,
      gcTime: FRESH,
    })),
  })
  return {
    found: asked.map(({ label }, place) => ({ label, records: queries[place]?.data ?? [], at: queries[place]?.dataUpdatedAt ?? 0 })).toSorted((a, b) => a.at - b.at),
    loading: queries.some((query) => query.isLoading),
  }
}
