import { expect, test } from 'vitest'
import { afterQuiet, nextTime, weekdayOf, whenWords } from './when.ts'

const at = (text: string) => Date.parse(`${text}+08:00`) / 1000

test('the next time is the first one of the chosen days that is still to come, in Shanghai', () => {
  expect(weekdayOf(at('2026-11-26T00:30'))).toBe(4)
  expect(nextTime(at('2026-11-26T08:59'), 9, [4])).toBe(at('2026-11-26T09:00'))
  expect(nextTime(at('2026-11-26T09:00'), 9, [4])).toBe(at('2026-12-03T09:00'))
  expect(nextTime(at('2026-11-27T10:00'), 9, [1, 2, 3, 4, 5])).toBe(at('2026-11-30T09:00'))
})

test('quiet hours end when they end, over midnight too', () => {
  expect(afterQuiet(at('2026-11-26T23:10'), 22, 8)).toBe(at('2026-11-27T08:00'))
  expect(afterQuiet(at('2026-11-26T07:59'), 22, 8)).toBe(at('2026-11-26T08:00'))
  expect(afterQuiet(at('2026-11-26T08:00'), 22, 8)).toBe(at('2026-11-26T08:00'))
  expect(afterQuiet(at('2026-11-26T12:30'), 12, 14)).toBe(at('2026-11-26T14:00'))
  expect(afterQuiet(at('2026-11-26T12:30'), null, 14)).toBe(at('2026-11-26T12:30'))
})

test('days are said as people say them', () => {
  expect(whenWords(9, [1, 2, 3, 4, 5, 6, 7])).toBe('每天 09:00')
  expect(whenWords(18, [1, 2, 3, 4, 5])).toBe('工作日（周一至周五） 18:00')
  expect(whenWords(7, [2, 6])).toBe('每周二、六 07:00')
})
