import { expect, test } from 'vitest'
import { healthOf } from './partner-health.ts'

const nothing = { recent: 0, earlier: 0, unused: 0, pads: 0, online: 0, ended: 0, renewed: 0 }

test('what cannot be judged does not count', () => {
  expect(healthOf(nothing).score).toBeNull()
  expect(healthOf({ ...nothing, pads: 10, online: 5 }).score).toBe(50)
})

test('codes that nobody activates are worse than none', () => {
  expect(healthOf({ ...nothing, unused: 100 }).score).toBe(0)
  expect(healthOf({ ...nothing, unused: 100, earlier: 20, recent: 30 }).score).toBe(100)
  expect(healthOf({ ...nothing, unused: 100, earlier: 20, recent: 15 }).score).toBe(50)
})

test('all parts together make a hundred', () => {
  const { score, parts } = healthOf({ recent: 60, earlier: 20, unused: 5, pads: 40, online: 40, ended: 10, renewed: 10 })
  expect(score).toBe(100)
  expect(parts.reduce((sum, { most }) => sum + most, 0)).toBe(100)
})
