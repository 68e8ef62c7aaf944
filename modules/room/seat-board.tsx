import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { SEAT_KIND, type SeatKind } from './price-rule.ts'
import './room.css'

/** What the board needs to know of a seat. */
export interface BoardSeat {
  readonly key: string
  readonly x: number
  readonly y: number
  readonly kind: SeatKind
  /** Zone of the room. */
  readonly area: string
  readonly row: number
  readonly no: number
  /** Who sits there. */
  readonly name?: string | undefined
  readonly status: number
  /** Read out and shown on hover. */
  readonly title: string
  readonly look?: 'picked' | 'taken' | 'wrong' | undefined
}

/** Width of a square at its natural size, in pixels. */
export const SQUARE = 40

const KIND_CLASS: Readonly<Record<SeatKind, string>> = { [SEAT_KIND.plain]: '', [SEAT_KIND.vip]: 'seat-vip', [SEAT_KIND.booth]: 'seat-booth' }

interface Props {
  label: string
  seats: readonly BoardSeat[]
  zoom: number
  drawing?: boolean
  onPick: (key: string, event: { shiftKey: boolean }) => void
  onKeyDown?: (event: KeyboardEvent) => void
  onGrab?: (key: string, event: PointerEvent) => void
  children?: ReactNode
}

/** Each zone with the corner at which it begins. */
function zonesOf(seats: readonly BoardSeat[]): { area: string; x: number; y: number }[] {
  return [...Map.groupBy(seats, ({ area }) => area)].map(([area, own]) => ({ area, x: Math.min(...own.map(({ x }) => x)), y: Math.min(...own.map(({ y }) => y)) }))
}

/** Seats of a room where they stand, with zones, rows and names: numbers alone repeat. */
export function SeatBoard({ label, seats, zoom, drawing, onPick, onKeyDown, onGrab, children }: Props) {
  const size = SQUARE * zoom
  const [width, height] = [Math.max(8, ...seats.map(({ x }) => x + 2)), Math.max(5, ...seats.map(({ y }) => y + 2))]
  return (
    <div className={`seat-board${drawing ? ' seat-drawing' : ''}`} role="group" aria-label={label}>
      <div className="seat-grid" style={{ width: width * size, height: height * size }}>
        {zonesOf(seats).map(({ area, x, y }) => <span key={area} className="seat-zone" style={{ left: x * size, top: y * size }}>{area} 区</span>)}
        {seats.map((seat) => (
          <button key={seat.key} type="button" data-seat={seat.key} title={seat.title} aria-label={seat.title} {...(drawing && { 'aria-pressed': seat.look === 'picked' })}
            className={['seat', KIND_CLASS[seat.kind], seat.status === 1 ? '' : 'seat-off', seat.look ? `seat-${seat.look}` : ''].filter(Boolean).join(' ')}
            style={{ left: seat.x * size, top: seat.y * size, width: size - 4, height: size - 4 }}
            onClick={(event) => onPick(seat.key, event)} onPointerDown={(event) => onGrab?.(seat.key, event)} onKeyDown={onKeyDown}>
            <b>{seat.row}-{seat.no}</b>{seat.name !== undefined && <small>{seat.name}</small>}
          </button>
        ))}
        {children}
      </div>
    </div>
  )
}
