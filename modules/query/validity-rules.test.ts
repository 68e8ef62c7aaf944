import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secondNeeded, type Given } from './validity-rules.ts'
import { ALONE } from './validity.ts'

const give = (user_id: number, days: number, offer_id = 1): Given => ({ user_id, line: 'sync_course', offer_id, days })

test('one person decides up to the limits, and not beyond them', () => {
  expect(secondNeeded([], [give(1, 90)])).toBeUndefined()
  expect(secondNeeded([], [give(1, 91)])).toBe('91 天，超过 90 天')
  const people = (count: number) => Array.from({ length: count }, (_, n) => give(n, 1))
  expect(secondNeeded([], people(50))).toBeUndefined()
  expect(secondNeeded([], people(51))).toBe('51 人，超过 50 人')
})

test('parts of a day count together: for one product its days, for everything its people', () => {
  expect(secondNeeded([give(1, 60)], [give(1, 31)])).toBe('同一产品今天累计 91 天，超过 90 天')
  expect(secondNeeded([give(1, 60)], [give(1, 31, 2), give(2, 31)])).toBeUndefined()
  expect(secondNeeded(Array.from({ length: 30 }, (_, n) => give(n, 1)), Array.from({ length: 21 }, (_, n) => give(100 + n, 1)))).toBe('今天累计 51 人，超过 50 人')
})

test('however a gift is cut into parts, the last of them needs a second person when the whole would', () => {
  const one = fc.record({ user_id: fc.integer({ min: 1, max: 60 }), offer_id: fc.integer({ min: 1, max: 3 }), days: fc.integer({ min: 1, max: 60 }), line: fc.constant('sync_course') })
  fc.assert(fc.property(fc.array(one, { minLength: 1, maxLength: 80 }), fc.nat(), (all, cut) => {
    const sums = Map.groupBy(all, ({ user_id, offer_id }) => `${user_id} ${offer_id}`)
    const whole = [...sums.values()].some((rows) => rows.reduce((sum, { days }) => sum + days, 0) > ALONE.days) || new Set(all.map(({ user_id }) => user_id)).size > ALONE.people
    // Everything before the last was given alone.
    const at = cut % all.length
    const parts = [all.slice(0, at), all.slice(at)]
    const needed = parts.some((part, index) => part.some((_one, n) => secondNeeded([...parts.slice(0, index).flat(), ...part.slice(0, n)], part.slice(n, n + 1)) !== undefined))
    expect(needed).toBe(whole)
  }))
})
