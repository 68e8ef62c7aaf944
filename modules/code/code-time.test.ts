import { expect, test } from 'vitest'
import { formatTime } from '../../core/field/time.ts'
import { endAfterMonths, endOfDay } from './code-time.ts'

const at = (text: string) => Date.parse(`${text}+08:00`) / 1000

test('a day ends with its last second in Shanghai', () => {
  expect(formatTime(endOfDay(at('2026-11-22T00:00:00')))).toBe('2026-11-22 23:59:59')
  expect(formatTime(endOfDay(at('2026-11-22T23:59:59')))).toBe('2026-11-22 23:59:59')
})

test('months are counted by the calendar', () => {
  const end = (text: string, months: number) => formatTime(endAfterMonths(at(text), months))
  expect(end('2026-11-22T15:30:00', 12)).toBe('2027-11-21 23:59:59')
  expect(end('2026-12-31T08:00:00', 2)).toBe('2027-02-27 23:59:59')
  expect(end('2027-11-30T08:00:00', 3)).toBe('2028-02-28 23:59:59')
  expect(end('2026-03-01T00:00:00', 1)).toBe('2026-03-31 23:59:59')
})
