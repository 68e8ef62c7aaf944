import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { request } from '../endpoint/call.tsx'

const PATH = '/daoyuan/api/end/preferences'

/**
 * A choice of the logged-in person, kept on the server, so that it follows them to another computer.
 * @returns the choice, how to change it, and whether the server has been heard; until then the fallback is a guess
 */
export function usePreference<Value>(key: string, fallback: Value): [Value, (value: Value) => void, boolean] {
  const client = useQueryClient()
  const { data, isPending } = useQuery({
    queryKey: ['preferences'],
    queryFn: ({ signal }) => request<{ preferences: Record<string, unknown> }>('GET', PATH, {}, { signal }),
    staleTime: Infinity,
  })
  const value = (data?.preferences[key] as Value | undefined) ?? fallback
  const set = useCallback((next: Value) => {
    client.setQueryData<{ preferences: Record<string, unknown> }>(['preferences'], (old) => ({ preferences: { ...old?.preferences, [key]: next } }))
    // An empty list is a choice too. Kept for this visit even when the server cannot be reached; the error toast says so.
    void request('PUT', PATH, { key, value: next }, { keepEmpty: true }).catch(() => undefined)
  }, [client, key])
  return [value, set, !isPending]
}
