/** How the menus stand: a column at the left, a row at the top, or groups at the top and their pages at the left. */
export const LAYOUTS = ['side', 'top', 'mixed'] as const
/** Light, dark, or as the computer is set. */
export const MODES = ['light', 'dark', 'system'] as const
/** Minutes without a movement after which the screen is covered; 0 is never. */
export const LOCK_AFTER = [0, 5, 15, 30] as const

/** What a person has chosen about the console itself. Kept on the server per person, and in the browser for the first paint. */
export interface Settings {
  mode: (typeof MODES)[number]
  themeColor: string
  tagsView: boolean
  fixedHeader: boolean
  sidebarLogo: boolean
  layout: (typeof LAYOUTS)[number]
  /** Width of the open menu, in pixels. */
  sideWidth: number
  watermark: boolean
  /** Other shades for good and bad, for eyes that do not tell red from green. */
  colorWeak: boolean
  grey: boolean
  /** Pages slide in. */
  transition: boolean
  /** Nothing moves that need not, whatever the computer says. */
  calm: boolean
  lockAfter: (typeof LOCK_AFTER)[number]
}

/** spec 9: the menu is 210 px wide; a person may draw it to something between these. */
export const SIDE_WIDTH = { min: 180, usual: 210, max: 360 } as const

/** Theme colour and switches start as shell.md 123 and 126 decide. */
export const defaultSettings: Settings = {
  mode: 'light', themeColor: '#1890ff', tagsView: true, fixedHeader: false, sidebarLogo: false, layout: 'side', sideWidth: SIDE_WIDTH.usual,
  watermark: false, colorWeak: false, grey: false, transition: true, calm: false, lockAfter: 0,
}

/** shell.md 127: colours that are offered. */
export const THEME_COLORS = ['#409EFF', '#1890ff', '#304156', '#212121', '#11a983', '#13c2c2', '#6959CD', '#f5222d'] as const

/** spec 2, 9: the four sizes, medium unless chosen. */
export const SIZES = ['default', 'medium', 'small', 'mini'] as const
export type Size = (typeof SIZES)[number]
export const DEFAULT_SIZE: Size = 'medium'

const oneOf = <Value>(values: readonly Value[]) => (value: unknown) => values.includes(value as Value)
const flag = (value: unknown) => typeof value === 'boolean'

const valid: { readonly [Key in keyof Settings]: (value: unknown) => boolean } = {
  mode: oneOf(MODES),
  themeColor: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
  tagsView: flag,
  fixedHeader: flag,
  sidebarLogo: flag,
  layout: oneOf(LAYOUTS),
  sideWidth: (value) => typeof value === 'number' && value >= SIDE_WIDTH.min && value <= SIDE_WIDTH.max,
  watermark: flag,
  colorWeak: flag,
  grey: flag,
  transition: flag,
  calm: flag,
  lockAfter: oneOf(LOCK_AFTER),
}

/** Settings out of something stored, no matter who wrote it; what is missing or broken is as it usually is. */
export function parseSettings(stored: unknown): Settings {
  const given = typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {}
  const kept = Object.entries(valid).filter(([key, isValid]) => isValid(given[key])).map(([key]) => [key, given[key]])
  return { ...defaultSettings, ...(Object.fromEntries(kept) as Partial<Settings>) }
}

/** Settings in this browser, and whose they are: two people may share a computer. */
export interface LocalSettings {
  readonly settings: Settings
  /** Undefined until somebody has logged in here. */
  readonly owner: number | undefined
}

const STORE = 'daoyuan-settings'

/** Settings of the last visit in this browser; whatever is broken falls back. */
export function readLocal(storage: Pick<Storage, 'getItem'>): LocalSettings {
  try {
    const stored = JSON.parse(storage.getItem(STORE) ?? '{}') as { owner?: unknown } | null
    return { settings: parseSettings(stored), owner: typeof stored?.owner === 'number' ? stored.owner : undefined }
  } catch {
    return { settings: defaultSettings, owner: undefined }
  }
}

/** Keeps settings for the next visit; a browser that keeps nothing is no reason to disturb the person. */
export function writeLocal(storage: Pick<Storage, 'setItem'>, { settings, owner }: LocalSettings): void {
  try {
    storage.setItem(STORE, JSON.stringify({ ...settings, owner }))
  } catch {
    // They are on the server too.
  }
}

/**
 * Settings with which a person begins: those that the server keeps; else those of this browser, unless they are
 * somebody else's.
 */
export function settingsOf(staffId: number, onServer: unknown, local: LocalSettings): Settings {
  if (onServer) return parseSettings(onServer)
  return local.owner === undefined || local.owner === staffId ? local.settings : defaultSettings
}

/** The size in a cookie text; what is no size is medium (shell.md 89, 91). */
export function sizeOf(cookies: string): Size {
  const value = cookies.split('; ').find((part) => part.startsWith('size='))?.slice('size='.length)
  return SIZES.find((size) => size === value) ?? DEFAULT_SIZE
}
