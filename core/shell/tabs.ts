/** One visited page. Its identity is the path; its address is the last one seen there. */
export interface Tab {
  readonly path: string
  readonly search: string
  readonly hash: string
  /** What navigation brought along for the page; not kept over a reload. */
  readonly state?: unknown
  /** Title of the route. */
  readonly title: string
  /** What the page calls itself, such as 编辑-12. */
  readonly ownTitle?: string
  /** There from the start and for good. */
  readonly affix: boolean
  /** Held by the person: at the left, and closed only when let go. */
  readonly pinned: boolean
  /** Its page is mounted again on every visit. */
  readonly noCache: boolean
  /** Counts up when the page is to be mounted again. */
  readonly version: number
}

export interface TabsState {
  readonly tabs: readonly Tab[]
  /** Paths in the order of their last use, newest last. */
  readonly used: readonly string[]
  /** Paths whose pages are kept in memory, in the order of their last use, newest last. */
  readonly alive: readonly string[]
  /** Tabs that were closed, newest last. */
  readonly closed: readonly Tab[]
}

export type Visit = Pick<Tab, 'path' | 'search' | 'hash' | 'title'> & Partial<Pick<Tab, 'state' | 'affix' | 'noCache'>>

/** Pages that are kept in memory; the one unused for longest makes room. */
export const MAX_ALIVE = 15
/** Tabs that may be open; the one unused for longest makes room. */
export const MAX_TABS = 50
/** Closed tabs that can be opened again. */
const MAX_CLOSED = 10

export const noTabs: TabsState = { tabs: [], used: [], alive: [], closed: [] }

/** Address of a tab, as a link. */
export const addressOf = (tab: Pick<Tab, 'path' | 'search' | 'hash'>): string => `${tab.path}${tab.search}${tab.hash}`
/** What a tab is called. */
export const titleOf = (tab: Pick<Tab, 'title' | 'ownTitle'>): string => tab.ownTitle || tab.title || 'no-name'
/** Whether a tab can be closed at once. */
export const isClosable = (tab: Pick<Tab, 'affix' | 'pinned'>): boolean => !tab.affix && !tab.pinned

const rank = (tab: Tab) => (tab.affix ? 0 : tab.pinned ? 1 : 2)
/** What is fixed stands at the left, then what is pinned. */
const arranged = (tabs: readonly Tab[]) => tabs.toSorted((a, b) => rank(a) - rank(b))
const last = (paths: readonly string[], path: string) => [...paths.filter((one) => one !== path), path]
const change = (state: TabsState, path: string, part: Partial<Tab>): TabsState => ({ ...state, tabs: state.tabs.map((tab) => (tab.path === path ? { ...tab, ...part } : tab)) })

/**
 * Records a visit: a new tab, or the newest address of a known one. Pages beyond what is kept in memory are given up,
 * those unused for longest first.
 * @param busy whether a page holds work that must not be given up
 */
export function visit(state: TabsState, page: Visit, busy: (path: string) => boolean = () => false): TabsState {
  const known = state.tabs.find((tab) => tab.path === page.path)
  const fresh = { ...page, affix: page.affix ?? false, noCache: page.noCache ?? false }
  const tab: Tab = known ? { ...known, ...fresh, affix: known.affix || fresh.affix, state: page.state } : { ...fresh, pinned: false, version: 0 }
  const tabs = known ? state.tabs.map((one) => (one === known ? tab : one)) : arranged([...state.tabs, tab])
  const cached = new Set(tabs.filter((one) => !one.noCache).map((one) => one.path))
  const alive = last(state.alive.filter((path) => cached.has(path)), page.path)
  const spare = alive.filter((path) => path !== page.path && !busy(path)).slice(0, Math.max(0, alive.length - MAX_ALIVE))
  return { ...state, tabs, used: last(state.used, page.path), alive: alive.filter((path) => !spare.includes(path)) }
}

/** What a navigation carries whose page stands for the one before it: what was new has an address of its own once it is saved. */
export const inPlaceOf = (path: string) => ({ in_place_of: path })

/** Path of the page for which the one to come stands; undefined where it is there already, so that coming back to it closes nothing. */
export function replacedBy(state: TabsState, page: Visit): string | undefined {
  const carried = page.state as Partial<ReturnType<typeof inPlaceOf>> | null | undefined
  const path = carried?.in_place_of
  return state.tabs.some((tab) => tab.path === page.path) || !state.tabs.some((tab) => tab.path === path) ? undefined : path
}

/** Gives a page's place to another, and drops its tab for good: there is nothing to open again. */
export function takePlace(state: TabsState, path: string, of: string): TabsState {
  const next = close(move(state, path, of), of)
  return { ...next, closed: next.closed.filter((tab) => tab.path !== of) }
}

/** The tab that makes room when there are too many: the one unused for longest that can be closed and holds no work. */
export function surplus(state: TabsState, busy: (path: string) => boolean): Tab | undefined {
  if (state.tabs.length <= MAX_TABS) return undefined
  const free = state.tabs.filter((tab) => isClosable(tab) && tab.path !== state.used.at(-1) && !busy(tab.path))
  return free.toSorted((a, b) => state.used.indexOf(a.path) - state.used.indexOf(b.path))[0]
}

/** Drops tabs; what is fixed or pinned stays. */
function keep(state: TabsState, wanted: (tab: Tab, place: number) => boolean): TabsState {
  const tabs = state.tabs.filter((tab, place) => !isClosable(tab) || wanted(tab, place))
  const gone = state.tabs.filter((tab) => !tabs.includes(tab)).map((tab) => ({ ...tab, state: undefined }))
  const open = new Set(tabs.map((tab) => tab.path))
  const here = (path: string) => open.has(path)
  return {
    tabs,
    used: state.used.filter(here),
    alive: state.alive.filter(here),
    closed: [...state.closed.filter((tab) => !gone.some((one) => one.path === tab.path)), ...gone].slice(-MAX_CLOSED),
  }
}

const placeOf = (state: TabsState, path: string) => state.tabs.findIndex((tab) => tab.path === path)

export const close = (state: TabsState, path: string): TabsState => keep(state, (tab) => tab.path !== path)
export const closeOthers = (state: TabsState, path: string): TabsState => keep(state, (tab) => tab.path === path)
export const closeLeft = (state: TabsState, path: string): TabsState => keep(state, (_tab, place) => place >= placeOf(state, path))
export const closeRight = (state: TabsState, path: string): TabsState => keep(state, (_tab, place) => place <= placeOf(state, path))
export const closeAll = (state: TabsState): TabsState => keep(state, () => false)

/** Mounts a tab's page again. */
export function refresh(state: TabsState, path: string): TabsState {
  const version = (state.tabs.find((tab) => tab.path === path)?.version ?? 0) + 1
  return change(state, path, { version })
}

/** Gives a tab the name that its page wants; empty takes it back. */
export function rename(state: TabsState, path: string, title: string): TabsState {
  const tab = state.tabs.find((one) => one.path === path)
  return !tab || (tab.ownTitle ?? '') === title ? state : change(state, path, { ownTitle: title })
}

/** Holds a tab at the left, or lets it go. */
export function pin(state: TabsState, path: string, pinned: boolean): TabsState {
  const next = change(state, path, { pinned })
  return { ...next, tabs: arranged(next.tabs) }
}

/** Puts a tab into another's place. What is fixed or pinned stays at the left of everything else. */
export function move(state: TabsState, path: string, onto: string): TabsState {
  const from = state.tabs[placeOf(state, path)]
  const to = placeOf(state, onto)
  if (!from || to < 0 || from.affix) return state
  const tabs = state.tabs.filter((tab) => tab !== from)
  tabs.splice(to, 0, from)
  return { ...state, tabs: arranged(tabs) }
}

/** Puts a tab one place to the left (-1) or right (1). */
export function shift(state: TabsState, path: string, by: -1 | 1): TabsState {
  const neighbour = state.tabs[placeOf(state, path) + by]
  return neighbour ? move(state, path, neighbour.path) : state
}

/** Opens the tab that was closed last. The caller goes to its address. */
export function reopen(state: TabsState): { state: TabsState; tab: Tab | undefined } {
  const tab = state.closed.at(-1)
  return { state: { ...state, closed: state.closed.slice(0, -1) }, tab }
}

/** Drops whatever may not be opened any more, also from what can be opened again. */
export function prune(state: TabsState, allowed: (path: string) => boolean): TabsState {
  if ([...state.tabs, ...state.closed].every((tab) => allowed(tab.path))) return state
  const here = (path: string) => allowed(path)
  return { tabs: state.tabs.filter((tab) => here(tab.path)), used: state.used.filter(here), alive: state.alive.filter(here), closed: state.closed.filter((tab) => here(tab.path)) }
}

/** Where to go when the active tab is gone: the one used most recently, else home (shell.md, decided). */
export function successor(state: TabsState): string {
  const path = state.used.at(-1)
  const tab = state.tabs.find((one) => one.path === path) ?? state.tabs.at(-1)
  return tab ? addressOf(tab) : '/'
}

/** The next tab in the bar, around its ends. */
export function neighbour(state: TabsState, path: string, by: -1 | 1): Tab | undefined {
  const count = state.tabs.length
  return state.tabs[(placeOf(state, path) + by + count) % count]
}
