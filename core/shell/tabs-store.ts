import { noTabs, visit, type Tab, type TabsState, type Visit } from './tabs.ts'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Open tabs belong to a person and a window: two people may share a computer, one person may have two windows. */
const PREFIX = 'tabs:'
/** What a person has pinned is in every window of theirs. */
const PINNED = 'pinned-tabs:'

interface Stored {
  tabs: { path: string; search: string; hash: string; title: string; ownTitle?: string; pinned: boolean }[]
  used: string[]
}

const isText = (value: unknown) => typeof value === 'string'

/** Whatever is broken is nothing. */
function read(store: Pick<Storage, 'getItem'>, key: string): Stored {
  try {
    const stored = JSON.parse(store.getItem(key) ?? '{}') as Partial<Stored> | null
    const tabs = Array.isArray(stored?.tabs) ? stored.tabs.filter((tab) => isText(tab?.path) && isText(tab.search) && isText(tab.hash) && isText(tab.title)) : []
    return { tabs, used: Array.isArray(stored?.used) ? stored.used.filter(isText) : [] }
  } catch {
    return { tabs: [], used: [] }
  }
}

const toStored = (tabs: readonly Tab[], used: readonly string[]): Stored => ({
  tabs: tabs.map(({ path, search, hash, title, ownTitle, pinned }) => ({ path, search, hash, title, ...(ownTitle && { ownTitle }), pinned })),
  used: [...used],
})

function write(store: Pick<Storage, 'setItem'>, key: string, stored: Stored): void {
  try {
    store.setItem(key, JSON.stringify(stored))
  } catch {
    // A full store costs a convenience, nothing else.
  }
}

interface Stores {
  /** Lives as long as the window. */
  readonly window: Store
  /** Lives as long as the browser's profile. */
  readonly browser: Store
}

/**
 * The tabs with which the console starts: what is fixed, then those of this window before the reload, else what the
 * person has pinned. What may not be opened any more is left out.
 * @param find what is known of a path; undefined when it may not be opened
 */
export function restoreTabs(stores: Stores, staffId: number, fixed: readonly Visit[], find: (path: string) => Pick<Tab, 'title' | 'noCache'> | undefined): TabsState {
  const own = read(stores.window, `${PREFIX}${staffId}`)
  const { tabs, used } = own.tabs.length > 0 ? own : read(stores.browser, `${PINNED}${staffId}`)
  const start = fixed.reduce((state, page) => visit(state, { ...page, affix: true }), noTabs)
  const restored = tabs.filter((tab) => !fixed.some((page) => page.path === tab.path)).flatMap((tab): Tab[] => {
    const known = find(tab.path)
    return known ? [{ ...tab, ...known, affix: false, pinned: tab.pinned === true, version: 0 }] : []
  })
  const all = [...start.tabs, ...restored]
  const paths = new Set(all.map((tab) => tab.path))
  const before = used.filter((path) => paths.has(path))
  return { tabs: all, used: [...all.map((tab) => tab.path).filter((path) => !before.includes(path)), ...before], alive: [], closed: [] }
}

/** Remembers the open tabs for a reload, and what is pinned for other windows. */
export function storeTabs(stores: Stores, staffId: number, state: TabsState): void {
  write(stores.window, `${PREFIX}${staffId}`, toStored(state.tabs, state.used))
  write(stores.browser, `${PINNED}${staffId}`, toStored(state.tabs.filter((tab) => tab.pinned), []))
}

/** Forgets the tabs of this window, of everybody except the named person. */
export function forgetTabs(window: Store, except?: number): void {
  const keys = Array.from({ length: window.length }, (_, place) => window.key(place) ?? '')
  for (const key of keys) if (key.startsWith(PREFIX) && key !== `${PREFIX}${except ?? ''}`) window.removeItem(key)
}
