import fc from 'fast-check'
import { expect, test } from 'vitest'
import { between, isSilent, moved, nextSilent, overlapping, regionsSchema, resized, type Region } from './region.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const point = fc.record({ x: share, y: share })
const region = (values: Partial<Region>): Region => ({ key: 'a', x: 0.1, y: 0.1, w: 0.2, h: 0.2, text: '', from: null, to: null, ...values })

test('whatever is drawn, moved and made larger stays inside the page and is taken', () => {
  const by = fc.double({ min: -2, max: 2, noNaN: true })
  fc.assert(fc.property(point, point, by, by, by, by, (from, to, dx, dy, dw, dh) => {
    const drawn = between('a', from, to)
    if (!drawn) return
    for (const one of [drawn, moved(drawn, dx, dy), resized(drawn, dw, dh), moved(resized(drawn, dw, dh), dx, dy)]) {
      expect(one.x).toBeGreaterThanOrEqual(0)
      expect(one.x + one.w).toBeLessThanOrEqual(1.0001)
      expect(one.y + one.h).toBeLessThanOrEqual(1.0001)
      expect(regionsSchema.safeParse([one]).success).toBe(true)
    }
  }))
})

test('regions beyond the page, and sounds that end before they begin, are refused', () => {
  expect(regionsSchema.safeParse([region({ x: 0.9 })]).success).toBe(false)
  expect(regionsSchema.safeParse([region({ from: 3, to: 2 })]).success).toBe(false)
  expect(regionsSchema.safeParse([region({ from: 2, to: 3 })]).success).toBe(true)
})

test('what has no sound is found one behind the other, and around the end', () => {
  const list = [region({ key: 'a' }), region({ key: 'b', from: 0, to: 1 }), region({ key: 'c', from: 1 })]
  expect(list.map(isSilent)).toEqual([true, false, true])
  expect(nextSilent(list, undefined)).toBe('a')
  expect(nextSilent(list, 'a')).toBe('c')
  expect(nextSilent(list, 'c')).toBe('a')
})

test('regions that cover each other are named, neighbours are not', () => {
  expect(overlapping([region({ key: 'a' }), region({ key: 'b', x: 0.15 }), region({ key: 'c', x: 0.6 })])).toEqual([['a', 'b']])
  expect(overlapping([region({ key: 'a' }), region({ key: 'b', x: 0.3 })])).toEqual([])
})
