import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTabs } from './tabs-context.tsx'
import { isClosable, neighbour } from './tabs.ts'
import { shortcutOf, type ShortcutName } from './shortcuts.ts'
import type { SidebarState } from './use-sidebar.tsx'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((file) => ({ default: file.ShortcutHelp })))

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, [role=textbox], math-field'))

/** Hears the console's keys; shows the help sheet when it is asked for. */
export function ShortcutKeys({ sidebar }: { sidebar: SidebarState }) {
  const { state, active, open, close, refresh, reopen } = useTabs()
  const [help, setHelp] = useState(false)
  const goBy = (by: -1 | 1) => {
    const tab = neighbour(state, active, by)
    if (tab) open(tab.path)
  }
  const here = state.tabs.find((tab) => tab.path === active)
  const actions: { readonly [Name in ShortcutName]: () => void } = {
    previous: () => goBy(-1),
    next: () => goBy(1),
    close: () => { if (here && isClosable(here)) close(active) },
    refresh: () => { if (here) refresh(active) },
    reopen,
    sidebar: sidebar.toggle,
    filter: () => {
      if (sidebar.mobile ? !sidebar.drawer : sidebar.collapsed) sidebar.toggle()
      // A menu that has just been opened is there after the next frame.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.menu-filter input')?.focus())
    },
    help: () => setHelp(true),
  }
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return
    const name = shortcutOf(event, isTyping(event.target))
    // A question that waits for an answer comes first.
    if (!name || document.querySelector('.ant-modal-wrap:not([style*="display: none"])')) return
    event.preventDefault()
    actions[name]()
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => pressed(event)
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
  return help ? <Suspense><ShortcutHelp onClose={() => setHelp(false)} /></Suspense> : null
}
