import { startOfDay } from '../field/time.ts'

const DAY = 86_400
const HOUR = 3600

/** An afternoon in the demo's last days in which nothing could be activated: what watches figures by the hour finds it. */
export function demoOutage(now: number): { from: number; to: number } {
  const day = startOfDay(now) - 9 * DAY
  return { from: day + 13 * HOUR, to: day + 18 * HOUR }
}

/** When something happened that would have fallen into the outage: in the evening after it. */
export function afterOutage(at: number, { from, to }: { from: number; to: number }): number {
  return at >= from && at < to ? to + Math.floor((at - from) / 2) : at
}
