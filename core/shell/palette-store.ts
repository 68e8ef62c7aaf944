let open = false
const watchers = new Set<() => void>()

function set(next: boolean): void {
  open = next
  for (const watcher of watchers) watcher()
}

/** Whether the command palette stands open. */
export const isPaletteOpen = (): boolean => open

/** Watches it. @returns ends it */
export function watchPalette(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Opens the palette, from wherever there is no room for the search of the navbar. */
export const openPalette = (): void => set(true)

export const closePalette = (): void => set(false)
