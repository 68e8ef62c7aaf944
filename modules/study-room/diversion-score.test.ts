import { expect, test } from 'vitest'
import { DIVERSION_LINE, divertedScore } from './diversion-score.ts'

const quiet = { away: 5, used: 1000, burst: 1, price: null, usual: null, seen: 0, there: 0 }

test('a few codes elsewhere are no suspicion, and parts that cannot be judged give nothing', () => {
  const { score, parts } = divertedScore(quiet)
  expect(score).toBeLessThan(DIVERSION_LINE)
  expect(parts.map(({ points }) => points)).toEqual([0, 0, 0, 0])
})

test('a quarter of a batch elsewhere is enough to ask, and all four together make a hundred', () => {
  expect(divertedScore({ ...quiet, away: 250 }).score).toBe(DIVERSION_LINE)
  expect(divertedScore({ away: 60, used: 100, burst: 40, price: 60, usual: 100, seen: 8, there: 8 }).score).toBe(100)
})

test('a higher price never speaks for it', () => {
  expect(divertedScore({ ...quiet, price: 200, usual: 100 }).parts.find(({ key }) => key === 'price')).toMatchObject({ points: 0, why: '结算价不低于同套餐中位数' })
})
