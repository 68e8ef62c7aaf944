import type { ComponentType } from 'react'
import { PartMissing } from '../ui/part-missing.ts'

/** A screen's code: on its way, here, or not to be had. */
export type Fetched = { readonly Screen: ComponentType } | { readonly error: Error }

type Load = () => Promise<{ default: ComponentType }>

/**
 * The code of the screens, fetched once each: when a screen is opened, or before, when it looks as if it will be.
 * (React's own lazy keeps a failure for good, and shows what comes within 300 ms only after 300 ms.)
 */
export interface ScreenStore {
  has(path: string): boolean
  /** What there is of a screen; undefined while it is on its way. */
  peek(path: string): Fetched | undefined
  /** Fetches a screen's code unless it is here or on its way. */
  fetch(path: string): void
  /** Forgets a failure, so that it can be tried again. */
  forget(path: string): void
  subscribe(changed: () => void): () => void
}

/** Makes the store. `loaders` fetch the screens' code by their paths. */
export function createScreenStore(loaders: ReadonlyMap<string, Load>): ScreenStore {
  const fetched = new Map<string, Fetched>()
  const underway = new Set<string>()
  const watchers = new Set<() => void>()
  const keep = (path: string, result: Fetched) => {
    underway.delete(path)
    fetched.set(path, result)
    for (const watcher of watchers) watcher()
  }
  return {
    has: (path) => loaders.has(path),
    peek: (path) => fetched.get(path),
    fetch(path) {
      const load = loaders.get(path)
      if (!load || underway.has(path) || fetched.has(path)) return
      underway.add(path)
      load().then(
        (file) => keep(path, { Screen: file.default }),
        (error: unknown) => keep(path, { error: new PartMissing(error) }),
      )
    },
    forget(path) {
      if (!('error' in (fetched.get(path) ?? {}))) return
      fetched.delete(path)
      for (const watcher of watchers) watcher()
    },
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}
