import { expect, test } from 'vitest'
import { dueWords, urgency, waitedWords } from './words.ts'

/** Shanghai's clock on 2026-11-23. */
const at = (clock: string, day = 23) => Date.parse(`2026-11-${day}T${clock}:00+08:00`) / 1000
const now = at('16:00')

test('how long something has waited is said in its largest unit', () => {
  expect([0, 59, 5 * 60, 3 * 3600 + 12 * 60, 50 * 3600].map((seconds) => waitedWords(now - seconds, now))).toEqual(['1 分钟', '1 分钟', '5 分钟', '3 小时', '2 天'])
})

test.each([
  [at('10:00'), '超时 6 小时', 'late'], [at('16:00', 21), '超时 2 天', 'late'], [at('20:00'), '今天 20:00', 'today'], [at('00:00', 24), '今天 24:00', 'today'],
  [at('00:01', 24), '明天', 'later'], [at('00:00', 25), '明天', 'later'], [at('09:00', 26), '11-26', 'later'], [null, '', 'later'],
])('due at %s: %s', (due, words, group) => {
  expect(dueWords(due, now)).toBe(words)
  expect(urgency({ due }, now)).toBe(group)
})
