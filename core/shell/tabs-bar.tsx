import { PushpinFilled } from '@ant-design/icons'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type MouseEvent } from 'react'
import { useUnsavedWork } from '../form/unsaved.tsx'
import { afterPaint } from '../ui/after-paint.tsx'
import { useTabs } from './tabs-context.tsx'
import { TabsMenu, type MenuSpot } from './tabs-menu.tsx'
import { TabsOverflow } from './tabs-overflow.tsx'
import { isClosable, neighbour, titleOf, type Tab } from './tabs.ts'
import { useTabDrag } from './use-tab-drag.tsx'
import './tabs.css'

/** Room that is left beside a neighbour that was brought into view, in pixels (shell.md 115). */
const GAP = 4
const MIDDLE = 1

interface TabButtonProps {
  tab: Tab
  active: boolean
  /** Tab leads into the bar here. */
  reachable: boolean
  unsaved: boolean
  /** It is being drawn to another place. */
  drawn: boolean
  style: CSSProperties
  onPress: (event: MouseEvent) => void
  /** Called for at the tab, at a place of the window. */
  onMenu: (spot: MenuSpot) => void
}

/** One tab: a click goes there, the middle button and Delete close it, it can be drawn to another place. */
function TabButton({ tab, active, reachable, unsaved, drawn, style, onPress, onMenu }: TabButtonProps) {
  const { state, open, close, shift } = useTabs()
  const title = titleOf(tab)
  const closable = isClosable(tab)
  const button = useRef<HTMLButtonElement>(null)
  // A browser lays the whole page out to find out whether the focus may stay where this changes: not in the way of a step.
  useEffect(() => afterPaint(() => { if (button.current) button.current.tabIndex = reachable ? 0 : -1 }), [reachable])
  const keyDown = (event: KeyboardEvent<HTMLElement>) => {
    const focus = (path: string | undefined) => event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(path ?? '')}"]`)?.focus()
    const moves: Readonly<Record<string, () => void>> = {
      ArrowRight: () => (event.ctrlKey && event.shiftKey ? shift(tab.path, 1) : focus(neighbour(state, tab.path, 1)?.path)),
      ArrowLeft: () => (event.ctrlKey && event.shiftKey ? shift(tab.path, -1) : focus(neighbour(state, tab.path, -1)?.path)),
      Home: () => focus(state.tabs[0]?.path),
      End: () => focus(state.tabs.at(-1)?.path),
      Delete: () => {
        if (!closable) return
        focus((neighbour(state, tab.path, 1) ?? neighbour(state, tab.path, -1))?.path)
        close(tab.path)
      },
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  return (
    <button ref={button} type="button" className="tab" role="tab" data-tab={tab.path} data-active={active} data-dragging={drawn} data-fixed={tab.affix} aria-selected={active} tabIndex={-1}
      aria-keyshortcuts={closable ? 'Delete' : undefined} title={title} style={style}
      onMouseDown={(event) => {
        // The middle button would begin to scroll the page.
        if (event.button === MIDDLE) event.preventDefault()
        if (!tab.affix) onPress(event)
      }}
      onClick={() => open(tab.path)}
      onAuxClick={(event) => { if (event.button === MIDDLE && closable) close(tab.path) }}
      onKeyDown={keyDown}
      onContextMenu={(event: MouseEvent<HTMLElement>) => {
        event.preventDefault()
        // The key for it has no place of its own.
        const box = event.currentTarget.getBoundingClientRect()
        const byKey = event.clientX === 0 && event.clientY === 0
        onMenu({ path: tab.path, x: byKey ? box.left : event.clientX, y: byKey ? box.bottom : event.clientY, from: event.currentTarget })
      }}>
      {tab.pinned && <PushpinFilled className="tab-pin" aria-label="已固定" />}
      <span className="tab-title">{title}</span>
      {unsaved && <span className="dot" role="img" aria-label="有未保存的内容" title="有未保存的内容" />}
      {closable && <span className="tab-close" aria-hidden title={`关闭${title}`} onMouseDown={(event) => event.stopPropagation()} onClick={(event) => { event.stopPropagation(); close(tab.path) }}>×</span>}
    </button>
  )
}

/** Scrolls a bar so that a tab is in view with a bit of its neighbours; the first and the last go to the ends. */
function bringIntoView(bar: HTMLElement, path: string): void {
  const tabs = [...bar.querySelectorAll<HTMLElement>('.tab')]
  const place = tabs.findIndex((tab) => tab.dataset['tab'] === path)
  if (place < 0) return
  if (place === 0) bar.scrollLeft = 0
  else if (place === tabs.length - 1) bar.scrollLeft = bar.scrollWidth
  else {
    const box = bar.getBoundingClientRect()
    const left = (tabs[place - 1]?.getBoundingClientRect().left ?? 0) - GAP - box.left
    const right = (tabs[place + 1]?.getBoundingClientRect().right ?? 0) + GAP - box.right
    if (right > 0) bar.scrollLeft += right
    if (left < 0) bar.scrollLeft += left
  }
}

/** The bar of open tabs. */
export function TabsBar() {
  const { state, active, move } = useTabs()
  const unsaved = useUnsavedWork()
  const [menu, setMenu] = useState<MenuSpot>()
  const bar = useRef<HTMLDivElement>(null)
  const closeMenu = useCallback(() => setMenu(undefined), [])
  const drag = useTabDrag({ bar, move, onStart: closeMenu })

  const paths = state.tabs.map((tab) => tab.path)
  const entry = paths.includes(active) ? active : paths[0]
  const order = paths.join(' ')
  useLayoutEffect(() => {
    if (bar.current) bringIntoView(bar.current, active)
  }, [active, order])
  useEffect(() => {
    const element = bar.current
    if (!element) return
    // React listens to the wheel passively; a listener that may hold the page still is set by hand.
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      element.scrollLeft += event.deltaY || event.deltaX
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [])
  return (
    <div className="tabs-line">
      <div ref={bar} className="tabs" role="tablist" aria-label="已打开的页面" onScroll={closeMenu}>
        {state.tabs.map((tab) => (
          <TabButton key={tab.path} tab={tab} active={tab.path === active} reachable={tab.path === entry} unsaved={unsaved.some((work) => work.tab === tab.path)}
            drawn={drag.isDrawn(tab.path)} style={drag.styleOf(tab.path)} onPress={(event) => drag.press(tab.path, event)} onMenu={setMenu} />
        ))}
      </div>
      <TabsOverflow bar={bar} />
      {menu && <TabsMenu key={`${menu.path} ${menu.x} ${menu.y}`} spot={menu} onClose={closeMenu} />}
    </div>
  )
}
