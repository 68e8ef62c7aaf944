import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { between, MAX_SPOTS, newSpot, resized, within, type Box, type Hotspot } from '../hotspot.ts'
import type { SpotEditing } from './use-spots.tsx'

/** What an arrow moves a place by, as a share of the page; with Shift ten times as much. */
const NUDGE = 0.001
const EDGES = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]] as const
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
/** A press that moves less than this share of the page is a click. */
const CLICK = 0.008

interface Props {
  readonly image: string
  readonly alt: string
  readonly editing: SpotEditing
  readonly editable: boolean
  readonly layer: number
  readonly chosen: string | undefined
  readonly onChoose: (key: string | undefined) => void
  readonly nameOf: (spot: Hotspot) => string
}

/** A page with its places: drawn, moved and resized by the mouse, and by the keys of whichever has the focus. */
export function PageCanvas({ image, alt, editing, editable, layer, chosen, onChoose, nameOf }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { spots, change } = editing
  const at = (event: PointerEvent) => {
    const frame = place.current?.getBoundingClientRect()
    return frame ? { x: (event.clientX - frame.left) / frame.width, y: (event.clientY - frame.top) / frame.height } : { x: 0, y: 0 }
  }
  const put = (list: readonly Hotspot[], key: string, box: Box) => list.map((spot) => (spot.key === key ? { ...spot, ...box } : spot))
  /** Follows the pointer until it is let go; the whole way is one step back. */
  const follow = (event: PointerEvent, base: readonly Hotspot[], key: string, boxAt: (to: { x: number; y: number }) => Box, end?: (moved: boolean) => void) => {
    event.preventDefault()
    event.stopPropagation()
    const from = at(event)
    let moved = false
    const target = event.currentTarget as HTMLElement
    target.setPointerCapture(event.pointerId)
    const move = (next: globalThis.PointerEvent) => {
      const to = at(next as unknown as PointerEvent)
      if (!moved && Math.hypot(to.x - from.x, to.y - from.y) < CLICK) return
      change(put(base, key, boxAt(to)), !moved)
      moved = true
    }
    const done = () => {
      target.removeEventListener('pointermove', move)
      target.removeEventListener('pointerup', done)
      target.removeEventListener('pointercancel', done)
      end?.(moved)
    }
    target.addEventListener('pointermove', move)
    target.addEventListener('pointerup', done)
    target.addEventListener('pointercancel', done)
  }
  const draw = (event: PointerEvent) => {
    if (!editable || event.button !== 0 || spots.length >= MAX_SPOTS) return
    const from = at(event)
    const fresh = newSpot(within({ ...from, w: 0, h: 0 }), layer)
    onChoose(undefined)
    follow(event, [...spots, fresh], fresh.key, (to) => between(from, to), (moved) => moved && onChoose(fresh.key))
  }
  const drag = (event: PointerEvent, spot: Hotspot) => {
    event.stopPropagation()
    onChoose(spot.key)
    ;(event.currentTarget as HTMLElement).focus()
    if (!editable || event.button !== 0) return
    const from = at(event)
    const copy = event.altKey && spots.length < MAX_SPOTS ? { ...newSpot(spot, spot.layer), w: spot.w, h: spot.h } : undefined
    const moved = copy ?? spot
    follow(event, copy ? [...spots, copy] : spots, moved.key, (to) => within({ ...spot, x: spot.x + to.x - from.x, y: spot.y + to.y - from.y }), (went) => went && onChoose(moved.key))
  }
  const keys = (event: KeyboardEvent, spot: Hotspot) => {
    if (!editable) return
    const arrow = ARROWS[event.key]
    const by = NUDGE * (event.shiftKey ? 10 : 1)
    if (arrow) {
      const [x, y] = [arrow[0] * by, arrow[1] * by]
      change(put(spots, spot.key, event.altKey ? resized(spot, { dx: 1, dy: 1 }, { x, y }) : within({ ...spot, x: spot.x + x, y: spot.y + y })))
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      change(spots.filter(({ key }) => key !== spot.key))
      onChoose(undefined)
    } else if (event.key === 'Escape') onChoose(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="page-canvas" ref={place} onPointerDown={draw} data-editable={editable}>
      <img src={image} alt={alt} draggable={false} />
      {spots.map((spot) => (
        <div key={spot.key} role="button" tabIndex={0} aria-pressed={spot.key === chosen} aria-label={nameOf(spot)} className="page-spot" data-layer={spot.layer} data-bound={spot.ref_id !== null} data-chosen={spot.key === chosen} title={nameOf(spot)}
          style={{ left: `${spot.x * 100}%`, top: `${spot.y * 100}%`, width: `${spot.w * 100}%`, height: `${spot.h * 100}%` }} onPointerDown={(event) => drag(event, spot)} onFocus={() => onChoose(spot.key)} onKeyDown={(event) => keys(event, spot)}>
          {spot.no !== '' && <span className="page-spot-no">{spot.no}</span>}
          {editable && spot.key === chosen && EDGES.map(([dx, dy]) => <i key={`${dx} ${dy}`} data-dx={dx} data-dy={dy} onPointerDown={(event) => {
            const from = at(event)
            follow(event, spots, spot.key, (to) => resized(spot, { dx, dy }, { x: to.x - from.x, y: to.y - from.y }))
          }} />)}
        </div>
      ))}
    </div>
  )
}
