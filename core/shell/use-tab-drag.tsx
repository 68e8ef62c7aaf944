import { useEffect, useEffectEvent, useState, type CSSProperties, type MouseEvent, type RefObject } from 'react'
import { dropPlace, shiftOf, type Box } from './tab-drag.ts'

/** Pixels that a pressed tab is drawn before it moves: less is a click. */
const GRIP = 6
/** Share of the bar at each end where it scrolls along with a drawn tab, and how far each time, in pixels. */
const EDGE = 0.1
const ALONG = 12

interface Drag {
  readonly path: string
  /** All tabs as they stood when it was pressed, in their order. */
  readonly boxes: readonly Box[]
  /** Where it was pressed, from the beginning of what the bar holds. */
  readonly from: number
  /** How far it is drawn; undefined while it is only pressed. */
  readonly by?: number
}

interface TabDrag {
  /** How a tab stands while one is drawn. */
  readonly styleOf: (path: string) => CSSProperties
  readonly isDrawn: (path: string) => boolean
  /** For a tab that can be moved: the mouse's first button takes hold of it. */
  readonly press: (path: string, event: MouseEvent) => void
}

interface Options {
  bar: RefObject<HTMLElement | null>
  /** Puts a tab into another's place. */
  move: (path: string, onto: string) => void
  /** A tab begins to move. */
  onStart: () => void
}

/** Draws tabs along their bar with the mouse; Escape lets the tab go back. */
export function useTabDrag({ bar, move, onStart }: Options): TabDrag {
  const [drag, setDrag] = useState<Drag>()
  const at = (x: number) => x + (bar.current?.scrollLeft ?? 0)

  const draw = useEffectEvent((event: globalThis.MouseEvent) => {
    const element = bar.current
    if (!drag || !element) return
    const box = element.getBoundingClientRect()
    if (drag.by !== undefined) {
      if (event.clientX > box.right - box.width * EDGE) element.scrollBy({ left: ALONG })
      else if (event.clientX < box.left + box.width * EDGE) element.scrollBy({ left: -ALONG })
    }
    const by = at(event.clientX) - drag.from
    if (drag.by === undefined && Math.abs(by) < GRIP) return
    if (drag.by === undefined) onStart()
    setDrag({ ...drag, by })
  })
  const drop = useEffectEvent(() => {
    if (drag?.by !== undefined) {
      const onto = drag.boxes[dropPlace(drag.boxes, drag.path, drag.by)]
      if (onto && onto.path !== drag.path) move(drag.path, onto.path)
      // The click that ends it is no wish to go there.
      const swallow = (event: Event) => event.stopPropagation()
      window.addEventListener('click', swallow, { capture: true, once: true })
      window.setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
    }
    setDrag(undefined)
  })
  const key = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && drag?.by !== undefined) setDrag(undefined)
  })
  const held = drag !== undefined
  useEffect(() => {
    if (!held) return undefined
    const listeners = { mousemove: (event: globalThis.MouseEvent) => draw(event), mouseup: () => drop(), keydown: (event: KeyboardEvent) => key(event) }
    for (const [type, listener] of Object.entries(listeners)) window.addEventListener(type, listener as EventListener)
    return () => {
      for (const [type, listener] of Object.entries(listeners)) window.removeEventListener(type, listener as EventListener)
    }
  }, [held])

  const isDrawn = (path: string) => drag?.by !== undefined && drag.path === path
  return {
    isDrawn,
    styleOf: (path) => {
      if (drag?.by === undefined) return {}
      const shift = shiftOf(drag.boxes, drag.path, drag.by, path)
      return { transform: `translate3d(${Math.round(shift)}px, 0, 0)`, transition: isDrawn(path) ? 'none' : 'transform 0.2s' }
    },
    press: (path, event) => {
      if (event.button !== 0 || !bar.current) return
      const boxes = [...bar.current.querySelectorAll<HTMLElement>('.tab')].map((tab) => ({ path: tab.dataset['tab'] ?? '', left: tab.offsetLeft, width: tab.offsetWidth, fixed: tab.dataset['fixed'] === 'true' }))
      setDrag({ path, boxes, from: at(event.clientX) })
    },
  }
}
