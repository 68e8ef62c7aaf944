/** Dates in steps: every Tuesday and Thursday at seven. Pure. */

/** Days of the week, by what `Date` calls them. */
export const WEEKDAYS = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'] as const
const DAY = 86_400

/**
 * The next moments on certain days of the week.
 * @param from start of the first day that may be one, unix seconds of where the person is
 * @param minutes after midnight
 * @returns unix seconds; none where no day is named
 */
export function inSteps(from: number, days: readonly number[], minutes: number, count: number): number[] {
  const found: number[] = []
  if (days.length === 0) return found
  for (let at = from; found.length < count; at += DAY) if (days.includes(new Date(at * 1000).getDay())) found.push(at + minutes * 60)
  return found
}
