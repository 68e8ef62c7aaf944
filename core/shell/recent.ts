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

/** Pages that a person was on last, newest first; whatever is broken is none. */
export function readVisits(store: Store, staffId: number): Visit[] {
  try {
    const stored = JSON.parse(store.getItem(keyOf(staffId)) ?? '[]') as unknown
    return Array.isArray(stored) ? stored.filter((visit: Partial<Visit> | null): visit is Visit => typeof visit?.path === 'string' && typeof visit.title === 'string' && typeof visit.at === 'number') : []
  } catch {
    return []
  }
}

/** Visits with one more in front; each page stands there once. */
export function addVisit(visits: readonly Visit[], visit: Visit): Visit[] {
  return [visit, ...visits.filter(({ path }) => path !== visit.path)].slice(0, KEPT)
}

/** Remembers a visit; a full store is no reason to disturb the person. */
export function recordVisit(store: Store, staffId: number, visit: Visit): void {
  try {
    store.setItem(keyOf(staffId), JSON.stringify(addVisit(readVisits(store, staffId), visit)))
  } catch {
    // Nothing is lost but a convenience.
  }
}
