import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { setPreference, usePreferences } from '../preference/use-preference.tsx'
import { settingsOf } from './settings.ts'
import { adoptSettings, keepSettings, settingsState, watchSettings } from './settings-store.ts'

const KEY = 'shell'

/**
 * Brings the person's settings from the server and keeps their changes there.
 * @param staffId the logged-in person; undefined while nobody may read settings yet
 * @returns whether the console may be painted: on a computer that the person has used before at once, else when the
 *   server has been heard, so that nothing flashes
 */
export function useOwnSettings(staffId: number | undefined): boolean {
  const client = useQueryClient()
  const { owner } = useSyncExternalStore(watchSettings, settingsState)
  const { data, isPending } = usePreferences(staffId !== undefined)
  const adopted = useRef<number>(undefined)

  const known = staffId !== undefined && !isPending
  useEffect(() => {
    if (!known || adopted.current === staffId) return
    adopted.current = staffId
    adoptSettings(settingsOf(staffId, data?.preferences[KEY], settingsState()), staffId)
  }, [known, staffId, data])
  useEffect(() => {
    if (staffId === undefined) return undefined
    return keepSettings((settings) => setPreference(client, KEY, settings))
  }, [client, staffId])
  return staffId !== undefined && owner === staffId
}
