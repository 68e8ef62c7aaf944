import { expect, test } from 'vitest'
import { formatTime, readTime } from '../field/time.ts'
import { DAYS, stretchOf, stretchWords } from './days.ts'

const at = (text: string) => Number(readTime(text))
/** A stretch as Shanghai's clock says it. */
const said = (word: string, now: number) => {
  const { from, to } = stretchOf(word, now) ?? {}
  return [from, to].map((end) => (end === undefined ? '' : formatTime(end)))
}

// Wednesday; the last minute of a day and the first of another are asked for too.
test.each([
  ['today', '2026-11-25 23:59', '2026-11-25 00:00:00', '2026-11-25 23:59:59'],
  ['today', '2026-11-25 00:00', '2026-11-25 00:00:00', '2026-11-25 23:59:59'],
  ['yesterday', '2026-12-01 08:00', '2026-11-30 00:00:00', '2026-11-30 23:59:59'],
  ['this_week', '2026-11-25 12:00', '2026-11-23 00:00:00', '2026-11-29 23:59:59'],
  ['this_week', '2026-11-29 23:59', '2026-11-23 00:00:00', '2026-11-29 23:59:59'],
  ['this_week', '2026-11-23 00:00', '2026-11-23 00:00:00', '2026-11-29 23:59:59'],
  ['last_week', '2026-11-25 12:00', '2026-11-16 00:00:00', '2026-11-22 23:59:59'],
  ['this_month', '2026-12-31 23:59', '2026-12-01 00:00:00', '2026-12-31 23:59:59'],
  ['this_month', '2028-02-01 00:30', '2028-02-01 00:00:00', '2028-02-29 23:59:59'],
  ['last_month', '2027-01-01 00:00', '2026-12-01 00:00:00', '2026-12-31 23:59:59'],
  ['past_7', '2026-11-25 12:00', '2026-11-19 00:00:00', '2026-11-25 23:59:59'],
  ['past_1', '2026-11-25 12:00', '2026-11-25 00:00:00', '2026-11-25 23:59:59'],
  ['next_30', '2026-11-25 12:00', '2026-11-25 00:00:00', '2026-12-25 23:59:59'],
  ['before_today', '2026-11-25 12:00', '', '2026-11-24 23:59:59'],
])('%s at %s is %s to %s', (word, now, from, to) => {
  expect(said(word, at(now))).toEqual([from, to])
})

test('what is offered is understood and has words; nothing else does', () => {
  for (const [word, label] of Object.entries(DAYS)) {
    expect(stretchOf(word, 0), word).toBeDefined()
    expect(stretchWords(word)).toBe(label)
  }
  expect(stretchWords('past_14')).toBe('近 14 天')
  for (const word of ['', 'past_0', 'past_99999', 'next_-1', 'next_', 'past_1.5', 'constructor', '__proto__', 'Today']) {
    expect(stretchOf(word, 0), word).toBeUndefined()
    expect(stretchWords(word), word).toBeUndefined()
  }
})
