/** What is bound to a second of an asset. */
export interface Timed {
  readonly sec: number
  readonly back_to?: number | null | undefined
}

const moved = (sec: number, by: number): number => Math.max(0, Math.round(sec + by))

/** Moves what is bound to seconds; nothing is lost at the beginning. */
export function shiftTimed<T extends Timed>(list: readonly T[], by: number): T[] {
  return list.map((one) => ({ ...one, sec: moved(one.sec, by), ...(typeof one.back_to === 'number' && { back_to: moved(one.back_to, by) }) }))
}

/**
 * What lies behind the end, as after a shorter file took the place of a longer one. It is shown as out of place, never dropped.
 * @param seconds length; null while nobody knows
 */
export const beyondEnd = <T extends Timed>(list: readonly T[], seconds: number | null): T[] => (seconds === null ? [] : list.filter(({ sec, back_to }) => sec > seconds || (back_to ?? 0) > seconds))

/** Seconds as people read them: 3:05, 1:02:07. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
