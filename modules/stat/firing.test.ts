import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMPARE, episodes, GOOD_READINGS, isQuiet, median, readingAt, walk, type Firing, type HourSeries } from './firing.ts'

const HOUR = 3600
const WEEKS = 6 * 7 * 24
const drop: Firing = { compare: COMPARE.dropped, limit_value: 80, recover_value: 40, window_hours: 2, for_n: 2, min_base: 2 }

/** Weeks with the same number in every hour, some hours of which are told otherwise, counted from the end. */
function series(usual: number, other: Readonly<Record<number, number>> = {}): HourSeries {
  const values = Array.from({ length: WEEKS }, (_, at) => other[WEEKS - at] ?? usual)
  return { from: 0, values }
}
const end = WEEKS * HOUR

test('a drop is held against the median of the same weekday, and small numbers say nothing', () => {
  expect(readingAt(series(5, { 1: 0, 2: 0 }), drop, end)).toMatchObject({ value: 0, expected: 10, is: 'bad' })
  expect(readingAt(series(5, { 1: 2, 2: 2 }), drop, end).is).toBe('between')
  expect(readingAt(series(5), drop, end).is).toBe('good')
  // One week that was as bad does not make it usual.
  expect(readingAt(series(5, { 1: 0, 2: 0, 169: 0, 170: 0 }), drop, end)).toMatchObject({ expected: 10, is: 'bad' })
  expect(readingAt(series(0), drop, end).is).toBe('unknown')
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
})

test('it fires after so many bad readings and is over after three good ones', () => {
  const outage = series(5, Object.fromEntries([10, 11, 12, 13, 14].map((hour) => [hour, 0])))
  const moves = walk(outage, drop, end - 30 * HOUR, end, false)
  expect(moves.filter(({ kind }) => kind !== 'still').map(({ kind }) => kind)).toEqual(['fire', 'recover'])
  const [fired, over] = [moves[0], moves.at(-1)]
  expect(fired?.at).toBe((fired?.began ?? 0) + HOUR)
  // The last bad hour ends nine hours before the end; two hours later no window holds it, and three readings are good.
  expect(over?.at).toBe(end - (10 - 2 - (GOOD_READINGS - 1) - 1) * HOUR - HOUR + HOUR)
})

test('what comes back within an hour goes on', () => {
  const rule: Firing = { compare: COMPARE.below, limit_value: 1, recover_value: 1, window_hours: 1, for_n: 1, min_base: 0 }
  expect(episodes(series(5, { 10: 0, 6: 0 }), rule, end - 20 * HOUR, end)).toHaveLength(1)
  expect(episodes(series(5, { 12: 0, 6: 0 }), rule, end - 20 * HOUR, end)).toHaveLength(2)
})

test('looked at hour by hour or at once, the same happens', () => {
  fc.assert(fc.property(fc.array(fc.nat(8), { minLength: 60, maxLength: 60 }), fc.constantFrom(1, 2, 4), fc.integer({ min: 1, max: 4 }), fc.constantFrom(...Object.values(COMPARE)), (last, window_hours, for_n, compare) => {
    const values = [...Array.from({ length: WEEKS }, () => 4), ...last]
    const rule: Firing = { compare, limit_value: compare === COMPARE.below ? 2 : compare === COMPARE.above ? 12 : 60, recover_value: compare === COMPARE.below ? 4 : compare === COMPARE.above ? 8 : 20, window_hours, for_n, min_base: 1 }
    const [from, to] = [WEEKS * HOUR, (WEEKS + 60) * HOUR]
    const whole = walk({ from: 0, values }, rule, from, to, false)
    const steps: typeof whole = []
    let open = false
    for (let at = from; at < to; at += HOUR) {
      const some = walk({ from: 0, values }, rule, at, at + HOUR, open)
      for (const move of some) open = move.kind === 'recover' ? false : true
      steps.push(...some)
    }
    expect(steps).toEqual(whole)
    // It is never opened twice, nor closed without being open.
    expect(whole.filter(({ kind }) => kind !== 'still').every(({ kind }, index) => kind === (index % 2 === 0 ? 'fire' : 'recover'))).toBe(true)
  }))
})

test('the night lies between two days', () => {
  expect([21, 22, 3, 6, 7].map((hour) => isQuiet(hour, 22, 7))).toEqual([false, true, true, true, false])
  expect(isQuiet(12, null, 7)).toBe(false)
  expect(isQuiet(12, 12, 14)).toBe(true)
})
