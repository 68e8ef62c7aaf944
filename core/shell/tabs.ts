/** One visited page. Its identity is the path; its address is the last one seen there. */
export interface Tab {
  readonly path: string
  readonly search: string
  readonly hash: string
  readonly title: string
  /** Cannot be closed. */
  readonly affix: boolean
  /** Counts up when the page is to be made anew. */
  readonly version: number
}

export interface TabsState {
  readonly tabs: readonly Tab[]
  /** Paths in the order of their last use, newest last. */
  readonly used: readonly string[]
}

export const noTabs: TabsState = { tabs: [], used: [] }

/** Records a visit: a new tab, or the newest address of a known one. */
export function visit(state: TabsState, page: Omit<Tab, 'version'>): TabsState {
  const known = state.tabs.some((tab) => tab.path === page.path)
  return {
    tabs: known
      ? state.tabs.map((tab) => (tab.path === page.path ? { ...tab, search: page.search, hash: page.hash, title: page.title } : tab))
      : [...state.tabs, { ...page, version: 0 }],
    used: [...state.used.filter((path) => path !== page.path), page.path],
  }
}

/** Drops tabs; pinned ones stay. */
function keep(state: TabsState, wanted: (tab: Tab) => boolean): TabsState {
  const tabs = state.tabs.filter((tab) => tab.affix || wanted(tab))
  const paths = new Set(tabs.map((tab) => tab.path))
  return { tabs, used: state.used.filter((path) => paths.has(path)) }
}

export const close = (state: TabsState, path: string): TabsState => keep(state, (tab) => tab.path !== path)
export const closeOthers = (state: TabsState, path: string): TabsState => keep(state, (tab) => tab.path === path)
export const closeAll = (state: TabsState): TabsState => keep(state, () => false)

/** Makes a tab's page anew. */
export function refresh(state: TabsState, path: string): TabsState {
  return { ...state, tabs: state.tabs.map((tab) => (tab.path === path ? { ...tab, version: tab.version + 1 } : tab)) }
}

/** Where to go when the active tab is gone: the one used most recently, else home (shell.md, decided). */
export function successor(state: TabsState): string {
  const path = state.used.at(-1)
  const tab = state.tabs.find((one) => one.path === path) ?? state.tabs.at(-1)
  return tab ? `${tab.path}${tab.search}${tab.hash}` : '/'
}
