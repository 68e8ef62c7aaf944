/** What a person has chosen about the console itself. Kept in the browser for the first paint and on the server per person. */
export interface Settings {
  mode: 'light' | 'dark' | 'system'
  themeColor: string
  size: Size
  tagsView: boolean
  fixedHeader: boolean
  sidebarLogo: boolean
}

/** spec 2, 9: the four sizes, medium unless chosen. */
export const SIZES = ['default', 'medium', 'small', 'mini'] as const
export type Size = (typeof SIZES)[number]

/** Theme colour and switches start as shell.md 123 and 126 decide. */
export const defaultSettings: Settings = {
  mode: 'light', themeColor: '#1890ff', size: 'medium', tagsView: true, fixedHeader: false, sidebarLogo: true,
}

const STORE = 'daoyuan-settings'

/** Settings of the last visit in this browser; whatever is broken falls back. */
export function readSettings(storage: Pick<Storage, 'getItem'>): Settings {
  try {
    const stored = JSON.parse(storage.getItem(STORE) ?? '{}') as Partial<Settings>
    return { ...defaultSettings, ...stored, size: SIZES.includes(stored.size as Size) ? (stored.size as Size) : defaultSettings.size }
  } catch {
    return defaultSettings
  }
}

export function writeSettings(storage: Pick<Storage, 'setItem'>, settings: Settings): void {
  storage.setItem(STORE, JSON.stringify(settings))
}
