import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../endpoint/call.tsx'
import { dashboard } from '../module/dashboard.ts'

/** What waits for the person, as numbers: one answer for home, the menu and the inbox, so that they agree. */
export function useWaiting({ every = false as number | false, quiet = false } = {}) {
  return useQuery({ queryKey: ['dashboard'], queryFn: ({ signal }) => call(dashboard, undefined, { signal, quiet }), refetchInterval: every })
}

/** Reads again what waits, after something was done about it. */
export function useWaitingChanged(): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    void client.invalidateQueries({ queryKey: ['waiting'] })
    void client.invalidateQueries({ queryKey: ['dashboard'] })
  }, [client])
}
