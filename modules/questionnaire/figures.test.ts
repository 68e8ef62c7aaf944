import { expect, test } from 'vitest'
import { association, npsOf, strength } from './figures.ts'

test('what goes together is told from what does not', () => {
  expect(association([[10, 10], [20, 20]])).toEqual({ chi2: 0, v: 0, df: 1 })
  expect(association([[50, 0], [0, 50]])).toEqual({ chi2: 100, v: 1, df: 1 })
  // A textbook's table: 60 and 40 against 30 and 70.
  const { chi2, v } = association([[60, 40], [30, 70]])
  expect([chi2.toFixed(2), v.toFixed(2), strength(v)]).toEqual(['18.18', '0.30', '中等相关'])
  expect(association([[5, 5]])).toEqual({ chi2: 0, v: 0, df: 0 })
})

test('NPS is promoters less detractors', () => {
  expect(npsOf({ 10: 5, 9: 1, 8: 2, 6: 1, 0: 1 })).toEqual({ score: 40, promoters: 6, passives: 2, detractors: 2 })
  expect(npsOf({})).toBeNull()
})
