import { expect, test } from 'vitest'
import { MOBILE } from '../field/mobile.ts'
import { isRegion } from '../field/region.server.ts'
import { PEOPLE, person } from './people.ts'
import { PLACES } from './places.ts'
import { seasonalMoment, seededRandom } from './random.ts'

test('people of different numbers have different mobiles, all of them possible', () => {
  const mobiles = Object.values(PEOPLE).flatMap((first) => Array.from({ length: 9000 }, (_unused, index) => person(first + index, 'child').mobile))
  expect(new Set(mobiles.map((mobile) => mobile.slice(3))).size).toBe(mobiles.length)
  expect(mobiles.filter((mobile) => !MOBILE.test(mobile))).toEqual([])
})

test('a number always means the same person', () => {
  expect(person(42, 'adult')).toEqual(person(42, 'adult'))
  expect(person(42, 'adult').mobile).toBe(person(42, 'child').mobile)
})

test('every place is in a district that exists', () => {
  expect(PLACES.filter(({ code }) => !isRegion(code) || code.length !== 6)).toEqual([])
  expect(new Set(PLACES.map(({ code }) => code)).size).toBe(40)
})

test('the same seed gives the same sequence', () => {
  const draw = () => {
    const random = seededRandom(9)
    return [random.next(), random.int(1, 6), random.pick(['a', 'b', 'c']), random.weighted([['x', 1], ['y', 2]])]
  }
  expect(draw()).toEqual(draw())
})

test('moments stay inside their span and gather where terms begin', () => {
  const random = seededRandom(1)
  const [from, to] = [Date.UTC(2025, 5, 1) / 1000, Date.UTC(2026, 11, 1) / 1000]
  const months = Array.from({ length: 4000 }, () => seasonalMoment(random, from, to)).map((moment) => {
    expect(moment).toBeGreaterThanOrEqual(from)
    expect(moment).toBeLessThanOrEqual(to)
    return new Date(moment * 1000).getUTCMonth()
  })
  const count = (month: number) => months.filter((other) => other === month).length
  expect(count(8)).toBeGreaterThan(2 * count(4))
  expect(count(1)).toBeGreaterThan(count(3))
  expect(seasonalMoment(random, from, from)).toBe(from)
})
