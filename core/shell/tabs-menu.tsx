import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { useHref } from 'react-router'
import { useTabs } from './tabs-context.tsx'
import { addressOf, closeAll, closeLeft, closeOthers, closeRight, isClosable, type Tab, type TabsState } from './tabs.ts'
import { useWindowLocation } from './window-location.tsx'

/** Where the menu of a tab was called for. */
export interface MenuSpot {
  readonly path: string
  readonly x: number
  readonly y: number
  /** Gets the focus back. */
  readonly from: HTMLElement
}

/** Pixels between the pointer and the menu (shell.md 104). */
const BESIDE = 15

interface Line {
  readonly key: string
  readonly label: string
  readonly run: () => void
  readonly off?: boolean
}

/** What can be done with a tab; what would do nothing is off. */
function useLines(tab: Tab): readonly (Line | undefined)[] {
  const tabs = useTabs()
  const { path } = tab
  const href = useHref(addressOf(tab))
  const same = (action: (state: TabsState) => TabsState) => action(tabs.state).tabs.length === tabs.state.tabs.length
  return [
    { key: 'refresh', label: '刷新', run: () => tabs.refresh(path) },
    { key: 'pin', label: tab.pinned ? '取消固定' : '固定', run: () => tabs.pin(path, !tab.pinned), off: tab.affix },
    { key: 'window', label: '在新窗口打开', run: () => window.open(href, '_blank', 'noopener') },
    undefined,
    { key: 'close', label: '关闭', run: () => tabs.close(path), off: !isClosable(tab) },
    { key: 'left', label: '关闭左侧', run: () => tabs.closeLeft(path), off: same((state) => closeLeft(state, path)) },
    { key: 'right', label: '关闭右侧', run: () => tabs.closeRight(path), off: same((state) => closeRight(state, path)) },
    { key: 'others', label: '关闭其它', run: () => tabs.closeOthers(path), off: same((state) => closeOthers(state, path)) && path === tabs.active },
    { key: 'all', label: '关闭所有', run: tabs.closeAll, off: same(closeAll) },
    undefined,
    { key: 'reopen', label: '重新打开关闭的页面', run: tabs.reopen, off: tabs.state.closed.length === 0 },
  ]
}

/** The menu of one tab, beside the pointer and inside the window; whatever happens elsewhere closes it. */
export function TabsMenu({ spot, onClose }: { spot: MenuSpot; onClose: () => void }) {
  const { state } = useTabs()
  const tab = state.tabs.find((one) => one.path === spot.path)
  return tab ? <Lines tab={tab} spot={spot} onClose={onClose} /> : null
}

function Lines({ tab, spot, onClose }: { tab: Tab; spot: MenuSpot; onClose: () => void }) {
  const { location: { key } } = useWindowLocation()
  const menu = useRef<HTMLDivElement>(null)
  const lines = useLines(tab)
  const opened = useRef(key)
  useLayoutEffect(() => {
    const box = menu.current
    if (!box) return
    const edge = spot.from.closest('.tabs-line')?.getBoundingClientRect().right ?? window.innerWidth
    box.style.left = `${Math.max(0, Math.min(spot.x + BESIDE, edge - box.offsetWidth))}px`
    box.style.top = `${Math.min(spot.y, window.innerHeight - box.offsetHeight)}px`
    box.querySelector<HTMLElement>('button:not(:disabled)')?.focus({ preventScroll: true })
  }, [spot])
  useEffect(() => {
    if (opened.current !== key) onClose()
  }, [key, onClose])
  useEffect(() => {
    const outside = (event: Event) => { if (!(event.target instanceof Node && menu.current?.contains(event.target))) onClose() }
    document.addEventListener('pointerdown', outside)
    window.addEventListener('blur', onClose)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', outside)
      window.removeEventListener('blur', onClose)
      window.removeEventListener('resize', onClose)
    }
  }, [onClose])
  const leave = () => {
    onClose()
    spot.from.focus({ preventScroll: true })
  }
  const keyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      return leave()
    }
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
    const at = buttons.findIndex((button) => button === document.activeElement)
    const to: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 + buttons.length, Home: 0, End: buttons.length - 1 }
    const next = to[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons[next % buttons.length]?.focus()
  }
  return createPortal(
    <div ref={menu} className="tabs-menu" role="menu" tabIndex={-1} aria-label={`${tab.ownTitle ?? tab.title}的操作`} onKeyDown={keyDown} onContextMenu={(event) => event.preventDefault()}>
      {lines.map((line, place) => (line
        ? <button key={line.key} type="button" role="menuitem" disabled={line.off} onClick={() => { leave(); line.run() }}>{line.label}</button>
        : <hr key={`line ${lines[place - 1]?.key ?? ''}`} />))}
    </div>,
    document.body,
  )
}
