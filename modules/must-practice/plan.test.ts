import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysOf, evenDays, setDay } from './plan.ts'

const papers = fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }).map((counts) => counts.map((count, index) => ({ id: index + 1, name: `卷 ${index + 1}`, count })))
const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)

test('every question stands on one day, in the order of the papers', () => {
  fc.assert(fc.property(papers, fc.integer({ min: 1, max: 60 }), (list, days) => {
    const total = sum(list.map(({ count }) => count))
    const counts = evenDays(total, days)
    expect(sum(counts)).toBe(total)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    const shown = daysOf(list, counts).flat().flatMap(({ paper_id, from, to }) => Array.from({ length: to - from + 1 }, (_, index) => `${paper_id}:${from + index}`))
    expect(shown).toEqual(list.flatMap(({ id, count }) => Array.from({ length: count }, (_, index) => `${id}:${index + 1}`)))
  }))
})

test('a day that is given another number leaves the days before it as they are, and the sum', () => {
  fc.assert(fc.property(fc.array(fc.nat(30), { minLength: 1, maxLength: 20 }), fc.nat(19), fc.nat(700), (counts, at, count) => {
    const day = at % counts.length
    const next = setDay(counts, day, count)
    expect(sum(next)).toBe(sum(counts))
    expect(next.slice(0, day)).toEqual(counts.slice(0, day))
    expect(next.every((one) => one >= 0)).toBe(true)
  }))
  expect(setDay([10, 10, 10], 0, 4)).toEqual([4, 13, 13])
})
