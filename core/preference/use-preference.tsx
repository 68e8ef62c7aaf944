import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../endpoint/call.tsx'
import { readPreferences, writePreference } from './calls.ts'

interface Preferences {
  preferences: Record<string, unknown>
}

const KEY = ['preferences']

/** Everything the logged-in person has chosen; asked for once. */
export function usePreferences(enabled = true) {
  return useQuery<Preferences>({ queryKey: KEY, queryFn: ({ signal }) => call(readPreferences, undefined, { signal }), staleTime: Infinity, enabled })
}

/** Keeps a choice on the server and in this window. */
export function setPreference(client: QueryClient, key: string, value: unknown): void {
  client.setQueryData<Preferences>(KEY, (old) => ({ preferences: { ...old?.preferences, [key]: value } }))
  // An empty list is a choice too. Kept for this visit even when the server cannot be reached; the error toast says so.
  void call(writePreference, { key, value }, { keepEmpty: true, background: true }).catch(() => undefined)
}

/**
 * A choice of the logged-in person, kept on the server, so that it follows them to another computer.
 * @returns the choice, how to change it, and whether the server has been heard; until then the fallback is a guess
 */
export function usePreference<Value>(key: string, fallback: Value): [Value, (value: Value) => void, boolean] {
  const client = useQueryClient()
  const { data, isPending } = usePreferences()
  const value = (data?.preferences[key] as Value | undefined) ?? fallback
  const set = useCallback((next: Value) => setPreference(client, key, next), [client, key])
  return [value, set, !isPending]
}
