import { expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import { daysOf, hoursOfLast, stretchOf, termStart, untilHour } from './stretch.ts'

const DAY = 86_400
/** 2026-11-23 14:00 in China. */
const until = Date.UTC(2026, 10, 23, 6) / 1000

test('a stretch stands beside one before it that is exactly as long and ends at the same hour', () => {
  for (const [range, days] of [['today', 1], ['week', 7], ['month', 30], ['term', 84]] as const) {
    const stretch = stretchOf(range, until)
    expect(stretch.days, range).toBe(days)
    expect(stretch.to - stretch.from).toBe(stretch.before.to - stretch.before.from)
    expect(stretch.from - stretch.before.from).toBe(days * DAY)
    expect(hoursOfLast(stretch)).toBe(14)
    expect(daysOf(stretch).at(-1)).toBe(startOfDay(until))
  }
})

test('days of one\'s own are whole where they are over', () => {
  const day = startOfDay(until)
  const past = stretchOf('custom', until, { from: day - 3 * DAY, to: day - 2 * DAY })
  expect(past).toMatchObject({ days: 2, from: day - 3 * DAY, to: day - DAY })
  expect(hoursOfLast(past)).toBe(24)
  expect(stretchOf('custom', until, { from: day - DAY, to: day })).toMatchObject({ days: 2, to: until })
})

test('terms begin in February and September, and January belongs to the one before', () => {
  const first = (year: number, month: number) => Date.UTC(year, month - 1, 1) / 1000 - 8 * 3600
  expect(termStart(until)).toBe(first(2026, 9))
  expect(termStart(first(2027, 1) + 5 * DAY)).toBe(first(2026, 9))
  expect(termStart(first(2027, 2))).toBe(first(2027, 2))
  expect(termStart(first(2027, 8) + 20 * DAY)).toBe(first(2027, 2))
})

test('what of a day had happened before an hour', () => {
  expect(untilHour({ 9: 3, 13: 2, 14: 7 }, 14)).toBe(5)
  expect(untilHour(null, 14)).toBe(0)
})
