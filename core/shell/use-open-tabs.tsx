import { useEffect, useReducer } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ShellRoute } from './routes.ts'
import type { TabsValue } from './tabs-context.tsx'
import * as tabs from './tabs.ts'
import { useUnsavedQuestion } from './use-unsaved-question.tsx'

type Action = (state: tabs.TabsState) => tabs.TabsState

/** Keeps the open tabs in step with the address. `current` is the route of the page in front, when there is one. */
export function useOpenTabs(current: ShellRoute | undefined): TabsValue {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [state, dispatch] = useReducer((old: tabs.TabsState, action: Action) => action(old), tabs.noTabs)
  const guarded = useUnsavedQuestion()

  useEffect(() => {
    if (current) dispatch((old) => tabs.visit(old, { path: pathname, search, hash, title: current.title, affix: current.path === '/' }))
  }, [current, pathname, search, hash])

  const closing = (action: Action, concerned: (tab: string) => boolean, landing?: string) => guarded(concerned, () => {
    const next = action(state)
    dispatch(action)
    if (landing) void navigate(landing)
    else if (!next.tabs.some((tab) => tab.path === pathname)) void navigate(tabs.successor(next))
  })
  const addressOf = (path: string) => {
    const tab = state.tabs.find((one) => one.path === path)
    return tab ? `${tab.path}${tab.search}${tab.hash}` : path
  }
  return {
    state,
    active: pathname,
    guarded,
    refresh: (path) => guarded((one) => one === path, () => { dispatch((old) => tabs.refresh(old, path)); void navigate(addressOf(path)) }),
    close: (path) => closing((old) => tabs.close(old, path), (one) => one === path),
    closeOthers: (path) => closing((old) => tabs.closeOthers(old, path), (one) => one !== path && one !== '/', addressOf(path)),
    closeAll: () => closing(tabs.closeAll, (one) => one !== '/'),
  }
}
