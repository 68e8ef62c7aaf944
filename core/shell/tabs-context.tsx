import { createContext, useContext } from 'react'
import { noTabs, type TabsState } from './tabs.ts'

/** The open tabs and what may be done with them; everything that would lose typed work asks first. */
export interface TabsValue {
  readonly state: TabsState
  /** Path of the page in front. */
  readonly active: string
  readonly refresh: (path: string) => void
  readonly close: (path: string) => void
  readonly closeOthers: (path: string) => void
  readonly closeAll: () => void
  /** Asks once, naming them, before unsaved work of the concerned tabs is thrown away; then goes on. */
  readonly guarded: (concerned: (tab: string) => boolean, go: () => void) => void
}

const nothing = () => {}

export const TabsContext = createContext<TabsValue>({ state: noTabs, active: '/', refresh: nothing, close: nothing, closeOthers: nothing, closeAll: nothing, guarded: nothing })

export function useTabs(): TabsValue {
  return useContext(TabsContext)
}
