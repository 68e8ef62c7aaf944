import { useQueryClient } from '@tanstack/react-query'

/** Everything that shows chapters reads them again. */
export function useReloadChapters(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all(['tree', 'catalogs', 'chapter-labels', 'unmapped-chapters', 'select-catalogs', 'record', 'history'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  }
}
