import { choiceLabel } from '../../core/field/choice.ts'
import { seatState } from './front-seat.ts'
import type { MapSeat, SeatMap } from './map-calls.ts'
import { SEAT_KINDS } from './price-rule.ts'

interface Props {
  map: SeatMap
  now: number
  /** The seat that is proposed or chosen. */
  chosen: number | undefined
  /** The seat of the member who is looked at. */
  own: number | undefined
  onPick: (seat: MapSeat) => void
}

/** Seats of a room zone by zone, with who sits there and for how long. */
export function FrontMap({ map: { room, seats }, now, chosen, own, onPick }: Props) {
  return (
    <div className="front-zones">
      {[...Map.groupBy(seats, ({ area }) => area)].map(([area, ours]) => {
        const usable = ours.filter(({ status }) => status === 1)
        return (
          <section key={area} aria-label={`${area} 区`}>
            <h3>{area} 区 <small>{usable.length} 座，空 {usable.filter(({ sitting }) => !sitting).length}</small></h3>
            <div className="front-seats">
              {ours.map((seat) => {
                const { look, note } = seatState(seat, room.price_rules, now)
                const kind = seat.kind === 1 ? '' : choiceLabel(SEAT_KINDS, seat.kind)
                return (
                  <button key={seat.id} type="button" data-seat={seat.id} data-look={look} {...(seat.id === own && { 'data-own': '' })} aria-pressed={seat.id === chosen} onClick={() => onPick(seat)}
                    aria-label={`${seat.label}，${seat.sitting ? `${seat.sitting.member_name}在座 ${note}` : look === 'off' ? '停用' : '空座'}`}>
                    <span><b>{seat.row}-{seat.no}</b>{kind && <i>{kind}</i>}<em className="figure">{note}</em></span>
                    <span className="front-name">{seat.sitting?.member_name ?? ''}</span>
                  </button>
                )
              })}
            </div>
          </section>
        )
      })}
    </div>
  )
}

/**
 * The nearest of some seats in a direction, as they stand on the screen.
 * @param at the seat to go from
 * @param among seats that can be gone to
 */
export function nextSeat(board: HTMLElement, at: number, among: readonly number[], [dx, dy]: readonly [number, number]): number | undefined {
  const placeOf = (id: number) => board.querySelector(`[data-seat="${id}"]`)?.getBoundingClientRect()
  const from = placeOf(at)
  if (!from) return among[0]
  const ways = among.flatMap((id) => {
    const to = placeOf(id)
    if (!to || id === at) return []
    const [x, y] = [to.left - from.left, to.top - from.top]
    const [along, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)]
    return along > 1 ? [{ id, cost: along + aside * 3 }] : []
  })
  return ways.toSorted((a, b) => a.cost - b.cost)[0]?.id
}
