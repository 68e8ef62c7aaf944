import { createContext, useContext } from 'react'
import { DEFAULT_SIZE, defaultSettings, type Settings, type Size } from './settings.ts'

interface SettingsValue {
  settings: Settings
  change: (part: Partial<Settings>) => void
  size: Size
  changeSize: (size: Size) => void
}

export const SettingsContext = createContext<SettingsValue>({ settings: defaultSettings, change: () => {}, size: DEFAULT_SIZE, changeSize: () => {} })

export function useSettings(): SettingsValue {
  return useContext(SettingsContext)
}
