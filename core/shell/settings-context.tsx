import { createContext, useContext } from 'react'
import { DEFAULT_SIZE, defaultSettings, type Settings, type Size } from './settings.ts'

interface SettingsValue {
  settings: Settings
  change: (part: Partial<Settings>) => void
  size: Size
  changeSize: (size: Size) => void
  /** Whether it is dark now, also when the system decides. */
  dark: boolean
}

export const SettingsContext = createContext<SettingsValue>({ settings: defaultSettings, change: () => {}, size: DEFAULT_SIZE, changeSize: () => {}, dark: false })

export function useSettings(): SettingsValue {
  return useContext(SettingsContext)
}
