import { createContext, useContext } from 'react'
import { defaultSettings, type Settings } from './settings.ts'

interface SettingsValue {
  settings: Settings
  change: (part: Partial<Settings>) => void
  /** Whether it is dark now, also when the system decides. */
  dark: boolean
}

export const SettingsContext = createContext<SettingsValue>({ settings: defaultSettings, change: () => {}, dark: false })

export function useSettings(): SettingsValue {
  return useContext(SettingsContext)
}
