import type { PointerEvent, ThHTMLAttributes } from 'react'

const MIN = 60
const MAX = 800
/** What the arrow keys do to the width, in pixels. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -10, ArrowRight: 10 }

/** A table header whose right edge can be dragged, or moved by arrow keys. */
export function ResizableHeader({ width, onResized, children, ...rest }: ThHTMLAttributes<HTMLTableCellElement> & { width?: number; onResized?: (width: number) => void }) {
  if (!width || !onResized) return <th {...rest}>{children}</th>
  const clamp = (value: number) => Math.round(Math.min(MAX, Math.max(MIN, value)))
  const drag = (start: PointerEvent<HTMLElement>) => {
    start.preventDefault()
    start.stopPropagation()
    const handle = start.currentTarget
    handle.setPointerCapture(start.pointerId)
    const from = start.clientX
    const end = (event: globalThis.PointerEvent) => {
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
      onResized(clamp(width + event.clientX - from))
    }
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  }
  return (
    <th {...rest}>
      {children}
      <span className="resize-handle" role="separator" aria-orientation="vertical" aria-label="调整列宽" aria-valuenow={width} aria-valuemin={MIN} aria-valuemax={MAX} tabIndex={0}
        onPointerDown={drag} onClick={(event) => event.stopPropagation()} onKeyDown={(event) => {
          const step = STEPS[event.key]
          if (!step) return
          event.preventDefault()
          event.stopPropagation()
          onResized(clamp(width + step))
        }} />
    </th>
  )
}
