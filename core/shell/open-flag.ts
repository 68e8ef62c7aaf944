/** Something that stands open or not, and can be opened from wherever there is a button for it. */
export interface OpenFlag {
  readonly isOpen: () => boolean
  readonly set: (open: boolean) => void
  /** @returns ends it */
  readonly watch: (watcher: () => void) => () => void
}

function openFlag(): OpenFlag {
  let open = false
  const watchers = new Set<() => void>()
  return {
    isOpen: () => open,
    set: (next) => {
      open = next
      for (const watcher of watchers) watcher()
    },
    watch: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

/** The command palette. */
export const palette = openFlag()
/** The panel of settings. */
export const settingsPanel = openFlag()
