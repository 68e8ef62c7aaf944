import { App } from 'antd'
import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate, type Location } from 'react-router'
import { unsavedWork } from '../form/unsaved.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { afterPaint } from '../ui/after-paint.tsx'
import { openScreens } from './open-screens.tsx'
import type { PageQueries } from './page-queries.tsx'
import { canonicalPath } from './place.ts'
import { fullTitle, type ShellRoute } from './routes.ts'
import type { TabsValue } from './tabs-context.tsx'
import { forgetTabs, restoreTabs, storeTabs } from './tabs-store.ts'
import * as tabs from './tabs.ts'
import { useEventCallback } from '../ui/use-event-callback.tsx'
import { useUnsavedQuestion } from './use-unsaved-question.tsx'

type Action = (state: tabs.TabsState) => tabs.TabsState
type Find = (path: string) => ShellRoute | undefined

interface Where {
  /** Where the person is, inside the shell. */
  readonly location: Location
  /** Address of a page that is to be made again (shell.md 29). */
  readonly hop: Location | undefined
  readonly find: Find
  /** What each page has read. */
  readonly pages: PageQueries
}

/** Tabs that are there from the start (shell.md 100). */
const FIXED = openScreens.filter((screen) => screen.affix).map(({ path, title }): tabs.Visit => ({ path, title, search: '', hash: '' }))
const stores = { window: sessionStorage, browser: localStorage }
const busy = (path: string) => unsavedWork().some((work) => work.tab === path)
const visitOf = (route: ShellRoute, { pathname, search, hash, state }: Location): tabs.Visit => ({
  path: pathname, search, hash, state: state as unknown, title: fullTitle(route), affix: route.affix ?? false, noCache: route.noCache ?? false,
})

interface Held extends Partial<Omit<Where, 'pages'>> {
  readonly state: tabs.TabsState
  /** Tab that has just made room for another. */
  readonly surplus?: tabs.Tab | undefined
  /** Tabs with unsaved work that the person may no longer open. */
  readonly revoked?: readonly tabs.Tab[]
}

/** Keeps the open tabs in step with the address, over a reload, and with what the person may open. */
export function useOpenTabs({ location, hop, find, pages }: Where): { tabs: TabsValue; rename: (path: string, title: string) => void } {
  const staff = useStaff()
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [held, setHeld] = useState<Held>(() => ({
    state: restoreTabs(stores, staff.id, FIXED, (path) => {
      const route = find(path)
      return route && { title: fullTitle(route), noCache: route.noCache ?? false }
    }),
  }))
  let { state } = held
  // Reckoned while drawing, so that the page of a new address is there in the same frame as its tab.
  if (held.location !== location || held.find !== find || held.hop !== hop) {
    const route = find(location.pathname)
    const revoked = state.tabs.filter((tab) => find(tab.path) === undefined && busy(tab.path))
    state = tabs.prune(state, (path) => find(path) !== undefined)
    if (hop && held.hop !== hop) state = tabs.refresh(state, hop.pathname)
    // Another spelling of a page's address is about to be replaced by the one it has.
    if (route && canonicalPath(location.pathname, route) === location.pathname) {
      const visit = visitOf(route, location)
      const replaced = tabs.replacedBy(state, visit)
      state = tabs.visit(state, visit, busy)
      if (replaced !== undefined) state = tabs.takePlace(state, visit.path, replaced)
    }
    const surplus = tabs.surplus(state, busy)
    if (surplus) state = tabs.close(state, surplus.path)
    setHeld({ state, location, find, hop, surplus, ...(revoked.length > 0 && { revoked }) })
  }
  const act = useCallback((action: Action) => setHeld((old) => ({ ...old, state: action(old.state) })), [])

  useEffect(() => forgetTabs(sessionStorage, staff.id), [staff.id])
  useEffect(() => afterPaint(() => storeTabs(stores, staff.id, state)), [staff.id, state])
  const { surplus, revoked } = held
  useEffect(() => {
    // One notice: the next takes the place of the one before, however many pages are opened in a row.
    if (surplus) void message.info({ key: 'tabs-surplus', content: `最多同时打开 ${tabs.MAX_TABS} 个页面，已关闭最久未用的「${tabs.titleOf(surplus)}」`, duration: 4 })
  }, [surplus, message])
  useEffect(() => {
    if (revoked) void message.warning(`您不再有${revoked.map((tab) => `「${tabs.titleOf(tab)}」`).join('、')}的权限，其中未保存的内容没有提交`, 8)
  }, [revoked, message])

  const active = location.pathname
  // The page that is mounted again is to find that what it has read is old. Layout effects run before the new page asks.
  useLayoutEffect(() => {
    if (!hop) return
    pages.invalidate(hop.pathname)
    void navigate(tabs.addressOf({ path: hop.pathname, search: hop.search, hash: hop.hash }), { replace: true, state: hop.state as unknown })
  }, [hop, pages, navigate])

  const tabOf = (path: string) => state.tabs.find((tab) => tab.path === path)
  const addressAt = (path: string) => {
    const tab = tabOf(path)
    return tab ? tabs.addressOf(tab) : path
  }
  const guarded = useEventCallback(useUnsavedQuestion((path) => tabs.titleOf(tabOf(path) ?? { title: fullTitle(find(path) ?? { title: path }) })))
  /** Closes tabs after a question for what would be lost with them; when the page in front is gone, goes on to `landing` or the last used one. */
  const closing = (action: Action, landing?: string) => {
    const next = action(state)
    const gone = new Set(state.tabs.filter((tab) => !next.tabs.some((one) => one.path === tab.path)).map((tab) => tab.path))
    guarded((tab) => gone.has(tab), () => {
      act(action)
      if (landing !== undefined) void navigate(landing)
      else if (!next.tabs.some((tab) => tab.path === active)) void navigate(tabs.successor(next))
    })
  }
  const rename = useCallback((path: string, title: string) => act((old) => tabs.rename(old, path, title)), [act])

  return {
    rename,
    tabs: {
      state,
      active,
      guarded,
      open: (path) => void navigate(addressAt(path), { state: tabOf(path)?.state }),
      refresh: (path) => guarded((one) => one === path, () => void navigate(`/redirect${addressAt(path)}`, { replace: true, state: tabOf(path)?.state })),
      close: (path) => closing((old) => tabs.close(old, path)),
      closeOthers: (path) => closing((old) => tabs.closeOthers(old, path), path === active ? undefined : addressAt(path)),
      closeLeft: (path) => closing((old) => tabs.closeLeft(old, path)),
      closeRight: (path) => closing((old) => tabs.closeRight(old, path)),
      closeAll: () => closing(tabs.closeAll),
      pin: (path, pinned) => act((old) => tabs.pin(old, path, pinned)),
      move: (path, onto) => act((old) => tabs.move(old, path, onto)),
      shift: (path, by) => act((old) => tabs.shift(old, path, by)),
      reopen: () => {
        const { state: next, tab } = tabs.reopen(state)
        if (!tab) return
        act(() => next)
        void navigate(tabs.addressOf(tab))
      },
    },
  }
}
