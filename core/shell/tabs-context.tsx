import { createContext, useContext, useInsertionEffect } from 'react'
import { TabContext } from '../form/unsaved.tsx'
import { noTabs, type TabsState } from './tabs.ts'

/** The open tabs and what may be done with them; everything that would lose typed work asks first. */
export interface TabsValue {
  readonly state: TabsState
  /** Path of the page in front. */
  readonly active: string
  /** Goes to a tab's last address. */
  readonly open: (path: string) => void
  /** Mounts a page again and brings it to the front. */
  readonly refresh: (path: string) => void
  readonly close: (path: string) => void
  readonly closeOthers: (path: string) => void
  readonly closeLeft: (path: string) => void
  readonly closeRight: (path: string) => void
  readonly closeAll: () => void
  readonly pin: (path: string, pinned: boolean) => void
  /** Puts a tab into another's place. */
  readonly move: (path: string, onto: string) => void
  /** Puts a tab one place to the left (-1) or right (1). */
  readonly shift: (path: string, by: -1 | 1) => void
  /** Opens the tab that was closed last. */
  readonly reopen: () => void
  /** Asks once, naming them, before unsaved work of the concerned tabs is thrown away; then goes on. */
  readonly guarded: (concerned: (tab: string) => boolean, go: () => void) => void
}

const nothing = () => {}

export const TabsContext = createContext<TabsValue>({
  state: noTabs, active: '/', open: nothing, refresh: nothing, close: nothing, closeOthers: nothing, closeLeft: nothing, closeRight: nothing, closeAll: nothing,
  pin: nothing, move: nothing, shift: nothing, reopen: nothing, guarded: nothing,
})

export function useTabs(): TabsValue {
  return useContext(TabsContext)
}

/** Asks before unsaved work is thrown away. Apart from the tabs themselves, for parts that show nothing of them. */
export const GuardContext = createContext<TabsValue['guarded']>(nothing)

/** Gives a tab a name. Apart from the tabs themselves, so that pages need not be drawn again whenever those change. */
export const RenameContext = createContext<(path: string, title: string) => void>(nothing)

/**
 * Names the tab that the calling page stands in, for instance after the record it shows (shell.md 99).
 * @param title the name; empty or undefined leaves the route's
 * @public for pages of one record
 */
export function useTabTitle(title: string | undefined): void {
  const path = useContext(TabContext)
  const rename = useContext(RenameContext)
  // Hidden pages have no effects but these, and they name their own tab all the same. Effects of this kind may not draw.
  useInsertionEffect(() => queueMicrotask(() => rename(path, title ?? '')), [path, rename, title])
}
