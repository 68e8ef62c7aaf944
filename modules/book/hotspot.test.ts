import * as fc from 'fast-check'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { between, MIN_SIDE, newSpot, nextUnbound, resized, spotsSchema, warningsOf, within, type Box } from './hotspot.ts'

const number = fc.double({ min: -2, max: 3, noNaN: true })
const box = fc.record({ x: number, y: number, w: number, h: number })
const step = fc.integer({ min: -1, max: 1 }) as fc.Arbitrary<-1 | 0 | 1>
const fits = (one: Box) => z.safeParse(spotsSchema, [newSpot(one)]).success

test('a place lies inside the page whatever is done to it', () => {
  fc.assert(fc.property(box, number, number, step, step, (wild, x, y, dx, dy) => {
    const placed = within(wild)
    expect(fits(placed)).toBe(true)
    expect(fits(between({ x, y }, { x: wild.x, y: wild.y }))).toBe(true)
    const sized = resized(placed, { dx, dy }, { x, y })
    expect(fits(sized)).toBe(true)
    // The edges that are not held stay where they are.
    if (dx >= 0) expect(sized.x).toBe(placed.x)
    if (dx === 0) expect(sized.w).toBeCloseTo(placed.w, 4)
  }))
})

test('a place that is moved within the page keeps its size', () => {
  expect(within({ x: 0.95, y: -0.2, w: 0.3, h: 0.1 })).toEqual({ x: 0.7, y: 0, w: 0.3, h: 0.1 })
  expect(within({ x: 0.5, y: 0.5, w: 0, h: 0 })).toEqual({ x: 0.5, y: 0.5, w: MIN_SIDE, h: MIN_SIDE })
})

test('the next place that leads nowhere is the next one to be read, and the first again after the last', () => {
  const low = { ...newSpot({ x: 0, y: 0.8, w: 0.1, h: 0.1 }), key: 'low' }
  const high = { ...newSpot({ x: 0, y: 0.1, w: 0.1, h: 0.1 }), key: 'high' }
  const done = { ...newSpot({ x: 0, y: 0.5, w: 0.1, h: 0.1 }), key: 'done', kind: 'micro' as const, ref_id: 1 }
  const spots = [low, done, high]
  expect(nextUnbound(spots, undefined)?.key).toBe('high')
  expect(nextUnbound(spots, 'high')?.key).toBe('low')
  expect(nextUnbound(spots, 'low')?.key).toBe('high')
  expect(nextUnbound([done], 'done')).toBeUndefined()
})

test('what leads nowhere, overlaps or has a number twice is said', () => {
  const spot = { ...newSpot({ x: 0.1, y: 0.1, w: 0.3, h: 0.3 }), no: '1', kind: 'practice' as const, ref_id: 1 }
  expect(warningsOf([spot])).toEqual([])
  expect(warningsOf([spot, { ...spot, key: 'b', x: 0.2, ref_id: null, kind: null }]).map(({ words }) => words)).toEqual(['「1」没有绑定内容', '题号「1」在本页重复', '「1」与同层的其他热区重叠'])
  expect(warningsOf([spot, { ...spot, key: 'b', no: '2', layer: 2 }])).toEqual([])
})
