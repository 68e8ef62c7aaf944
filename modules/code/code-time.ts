import { startOfDay } from '../../core/field/time.ts'

const DAY = 86_400

/** Last second of the Shanghai day that holds `seconds`: a code that is good until a day is good on that day. */
export function endOfDay(seconds: number): number {
  return startOfDay(seconds) + DAY - 1
}

/** Offset of Asia/Shanghai in seconds. */
const SHANGHAI = 8 * 3600

/**
 * Last second of a time that begins on the day of `from` and lasts so many calendar months: from 22 November, twelve
 * months end with 21 November. Where the month is too short it ends with the month.
 */
export function endAfterMonths(from: number, months: number): number {
  const day = new Date((startOfDay(from) + SHANGHAI) * 1000)
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + months]
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day.getUTCDate(), length)) / 1000 - SHANGHAI - 1
}
