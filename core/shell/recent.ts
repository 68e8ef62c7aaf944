/** A page that a person was on. */
export interface Visit {
  readonly path: string
  readonly title: string
  /** Unix seconds. */
  readonly at: number
}

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** Visits that are remembered; home shows those that may still be opened. */
const KEPT = 20

/** Visits belong to a person: two people may share a computer. */
const keyOf = (staffId: number) => `recent:${staffId}`

/** What is stored of a person's visits, as it stands there. */
export const storedVisits = (store: Store, staffId: number): string => store.getItem(keyOf(staffId)) ?? '[]'

/** Visits from what is stored; whatever is broken is none. */
export function parseVisits(text: string): Visit[] {
  try {
    const stored = JSON.parse(text) as unknown
    return Array.isArray(stored) ? stored.filter((visit: Partial<Visit> | null): visit is Visit => typeof visit?.path === 'string' && typeof visit.title === 'string' && typeof visit.at === 'number') : []
  } catch {
    return []
  }
}

/** Pages that a person was on last, newest first. */
export const readVisits = (store: Store, staffId: number): Visit[] => parseVisits(storedVisits(store, staffId))

/** Visits with one more in front; each page stands there once. */
export function addVisit(visits: readonly Visit[], visit: Visit): Visit[] {
  return [visit, ...visits.filter(({ path }) => path !== visit.path)].slice(0, KEPT)
}

const watchers = new Set<() => void>()

/** Hears of every visit that is remembered. @returns ends it */
export function watchVisits(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Remembers a visit; a full store is no reason to disturb the person. */
export function recordVisit(store: Store, staffId: number, visit: Visit): void {
  try {
    store.setItem(keyOf(staffId), JSON.stringify(addVisit(readVisits(store, staffId), visit)))
  } catch {
    // Nothing is lost but a convenience.
  }
  for (const watcher of watchers) watcher()
}
