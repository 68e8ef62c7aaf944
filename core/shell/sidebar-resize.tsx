import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { SIDE_WIDTH } from './settings.ts'
import { useSettings } from './settings-context.tsx'

/** How far a key moves the edge, in pixels. */
const STEP = 10
const within = (width: number) => Math.round(Math.max(SIDE_WIDTH.min, Math.min(SIDE_WIDTH.max, width)))

/** The menu's edge: drawn with the pointer or moved with the arrow keys; a double click makes it as wide as usual. */
export function SidebarResize() {
  const { settings, change } = useSettings()
  const [drawn, setDrawn] = useState(false)
  const from = useRef(0)
  const width = settings.sideWidth
  // While it is drawn nothing is stored; the page is changed directly.
  const show = (next: number) => document.documentElement.style.setProperty('--side-width', `${next}px`)
  const at = (event: PointerEvent) => within(event.clientX - from.current)
  const keyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowLeft: width - STEP, ArrowRight: width + STEP, Home: SIDE_WIDTH.min, End: SIDE_WIDTH.max, Enter: SIDE_WIDTH.usual }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    change({ sideWidth: within(next) })
  }
  return (
    <div className="side-resize" role="separator" aria-orientation="vertical" aria-label="菜单宽度" aria-valuenow={width} aria-valuemin={SIDE_WIDTH.min} aria-valuemax={SIDE_WIDTH.max}
      title="拖动调整宽度，双击恢复" tabIndex={0} data-drawn={drawn} onKeyDown={keyDown} onDoubleClick={() => change({ sideWidth: SIDE_WIDTH.usual })}
      // Else the browser would draw the link that comes to lie under the pointer as the edge moves away.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = event.clientX - width
        setDrawn(true)
      }}
      onPointerMove={(event) => { if (drawn) show(at(event)) }}
      onPointerUp={(event) => {
        if (!drawn) return
        setDrawn(false)
        if (at(event) !== width) change({ sideWidth: at(event) })
      }}
      onPointerCancel={() => { setDrawn(false); show(width) }} />
  )
}
