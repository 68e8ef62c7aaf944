import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readable } from './contrast.ts'

test('contrast is that of the standard', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('whatever colour is chosen can be read on light and on dark', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(fc.property(color, fc.constantFrom('#ffffff', '#1a1c1f', '#f5f7fa'), (chosen, background) => {
    expect(contrast(readable(chosen, background), background)).toBeGreaterThanOrEqual(4.5)
  }))
})

test('a colour that can be read stays as it was chosen', () => {
  expect(readable('#304156', '#ffffff')).toBe('#304156')
})
