import { parseSettings, readLocal, SIZES, sizeOf, writeLocal, type LocalSettings, type Settings, type Size } from './settings.ts'
import { onWindows, broadcast, type WindowMessage } from '../ui/window-sync.ts'

/** Settings and size as they are now, in this window and the others of this browser. */
export interface SettingsState extends LocalSettings {
  readonly size: Size
}

/** A year, in seconds. */
const LONG = 31_536_000

let state: SettingsState | undefined
const watchers = new Set<() => void>()
let deaf: (() => void) | undefined
let keep: ((settings: Settings) => void) | undefined

/** The state; read from this browser when it is first asked for. */
export function settingsState(): SettingsState {
  state ??= { ...readLocal(localStorage), size: sizeOf(document.cookie) }
  return state
}

function set(next: SettingsState): void {
  state = next
  writeLocal(localStorage, next)
  for (const watcher of watchers) watcher()
}

function hear(message: WindowMessage): void {
  const now = settingsState()
  if (message.type === 'settings' && message.owner === now.owner) set({ ...now, settings: parseSettings(message.settings) })
  else if (message.type === 'size') set({ ...now, size: SIZES.find((size) => size === message.size) ?? now.size })
}

/** Watches the state, other windows included. @returns ends it */
export function watchSettings(watcher: () => void): () => void {
  if (watchers.size === 0) deaf = onWindows(hear)
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) deaf?.()
  }
}

/** Changes settings at once, here, in the other windows and, for a logged-in person, on the server. */
export function changeSettings(part: Partial<Settings>): void {
  const now = settingsState()
  const settings = { ...now.settings, ...part }
  set({ ...now, settings })
  broadcast({ type: 'settings', owner: now.owner, settings })
  keep?.(settings)
}

/** Takes over what a person has chosen before. */
export function adoptSettings(settings: Settings, owner: number): void {
  set({ ...settingsState(), settings, owner })
}

/** Changes the size, which a cookie keeps (spec 4). */
export function changeSize(size: Size): void {
  document.cookie = `size=${size}; path=/new; max-age=${LONG}; samesite=lax`
  set({ ...settingsState(), size })
  broadcast({ type: 'size', size })
}

/** Takes over keeping changed settings on the server. @returns gives it back */
export function keepSettings(by: (settings: Settings) => void): () => void {
  keep = by
  return () => { if (keep === by) keep = undefined }
}
