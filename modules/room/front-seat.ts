import { CARD_KIND, sayMinutes, useOf } from './card-kind.ts'
import type { MapSeat, SeatMap } from './map-calls.ts'

/** A card that ends within so many minutes is said so. */
const SOON = 30

export type SeatLook = 'free' | 'taken' | 'soon' | 'late' | 'off'

export const SEAT_LEGEND: readonly { look: SeatLook; label: string }[] = [
  { look: 'free', label: '空' }, { look: 'taken', label: '在座' }, { look: 'soon', label: `${SOON} 分内用完` }, { look: 'late', label: '已用完' }, { look: 'off', label: '停用' },
]

/** Minutes until the card of whoever sits there is used up; undefined where it does not run by minutes or a day's end. */
export function minutesLeft({ kind, sitting }: Pick<MapSeat, 'kind' | 'sitting'>, rules: SeatMap['room']['price_rules'], now: number): number | undefined {
  if (!sitting) return undefined
  const elapsed = Math.max(1, Math.ceil((now - sitting.in_at) / 60))
  const untilEnd = sitting.expire_at === null ? undefined : Math.floor((sitting.expire_at - now) / 60)
  if (sitting.card_kind !== CARD_KIND.minutes) return untilEnd
  const rule = rules?.find((one) => one.kind === kind) ?? { kind, hour: 0 }
  const rate = rule.rate ?? 1
  const byQuota = Math.floor((sitting.remaining - useOf(CARD_KIND.minutes, rule, elapsed)) / rate)
  return untilEnd === undefined ? byQuota : Math.min(byQuota, untilEnd)
}

/** How a seat looks and what stands at its corner. */
export function seatState(seat: MapSeat, rules: SeatMap['room']['price_rules'], now: number): { look: SeatLook; note: string } {
  if (!seat.sitting) return seat.status === 1 ? { look: 'free', note: '' } : { look: 'off', note: '停用' }
  const left = minutesLeft(seat, rules, now)
  if (left !== undefined && left < 0) return { look: 'late', note: `超 ${sayMinutes(-left)}` }
  if (left !== undefined && left <= SOON) return { look: 'soon', note: `剩 ${left} 分` }
  const sat = Math.max(0, Math.floor((now - seat.sitting.in_at) / 60))
  return { look: 'taken', note: `${Math.floor(sat / 60)}:${String(sat % 60).padStart(2, '0')}` }
}
