import { createContext, useContext, useId, useInsertionEffect, useSyncExternalStore } from 'react'

/** Path of the tab that a component stands in, so that unsaved work can be named. */
export const TabContext = createContext<string>('')

const unsaved = new Map<string, { tab: string; what: string }>()
const watchers = new Set<() => void>()
let snapshot: readonly { tab: string; what: string }[] = []

function changed(): void {
  snapshot = [...unsaved.values()]
  // Insertion effects may not draw anything themselves.
  queueMicrotask(() => {
    for (const watcher of watchers) watcher()
  })
}

/** Everything typed and not yet saved, in all tabs. */
export function unsavedWork(): readonly { tab: string; what: string }[] {
  return snapshot
}

/** Lets go of everything unsaved: the person has decided so, or the page goes to somebody else. */
export function forgetUnsaved(): void {
  unsaved.clear()
  changed()
}

/** Tells the shell that this form holds work that would be lost. */
export function useUnsaved(dirty: boolean, what: string): void {
  const id = useId()
  const tab = useContext(TabContext)
  // The pages of the other tabs are hidden and have no effects, yet their work is unsaved all the same. Effects of this
  // kind end only with the form itself.
  useInsertionEffect(() => {
    if (!dirty) return
    unsaved.set(id, { tab, what })
    changed()
    return () => {
      unsaved.delete(id)
      changed()
    }
  }, [dirty, id, tab, what])
}

/** Unsaved work as a value that re-renders. */
export function useUnsavedWork(): readonly { tab: string; what: string }[] {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }, unsavedWork)
}

/** The browser's own question before the page is left with unsaved work. */
export function guardUnload(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (unsaved.size > 0) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}
