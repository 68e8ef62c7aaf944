import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forecast, LOOK_BACK } from './forecast.ts'

const flow = { stock: 0, transit: 0, lead: 10, floor: 0 }

test('a steady outflow runs out when it should, and is ordered for the delivery and no more', () => {
  expect(forecast({ ...flow, out: Array.from({ length: LOOK_BACK }, () => 4), stock: 100 })).toEqual({ daily: 4, reorderAt: 40, lasts: 25, suggest: 0 })
  expect(forecast({ ...flow, out: Array.from({ length: LOOK_BACK }, () => 4), stock: 30 })).toEqual({ daily: 4, reorderAt: 40, lasts: 7, suggest: 130 })
  expect(forecast({ ...flow, out: Array.from({ length: LOOK_BACK }, () => 4), stock: 30, transit: 200 }).suggest).toBe(0)
})

test('younger days weigh more, scatter asks for a reserve, and what nobody wants never runs out', () => {
  const rising = Array.from({ length: LOOK_BACK }, (_, day) => (day < 42 ? 0 : 8))
  const even = Array.from({ length: LOOK_BACK }, () => 2)
  expect(forecast({ ...flow, out: rising, stock: 50 }).daily).toBeGreaterThan(forecast({ ...flow, out: even, stock: 50 }).daily)
  expect(forecast({ ...flow, out: rising, stock: 50 }).reorderAt).toBeGreaterThan(forecast({ ...flow, out: rising, stock: 50 }).daily * flow.lead)
  expect(forecast({ ...flow, out: [0, 0, 0], stock: 5 })).toEqual({ daily: 0, reorderAt: 0, lasts: null, suggest: 0 })
  expect(forecast({ ...flow, out: [], stock: 5, floor: 10 })).toEqual({ daily: 0, reorderAt: 10, lasts: null, suggest: 5 })
})

test('more stock never lasts shorter, and an order lifts stock above the level at which one is due', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: -5, max: 200 }), { maxLength: LOOK_BACK }), fc.nat(5000), fc.nat(500), fc.integer({ min: 1, max: 90 }), fc.nat(300), (out, stock, transit, lead, floor) => {
    const now = forecast({ out, stock, transit, lead, floor })
    const more = forecast({ out, stock: stock + 10, transit, lead, floor })
    expect(more.lasts ?? Infinity).toBeGreaterThanOrEqual(now.lasts ?? Infinity)
    if (now.suggest > 0) expect(stock + transit + now.suggest).toBeGreaterThanOrEqual(now.reorderAt)
    expect(now.daily).toBeGreaterThanOrEqual(0)
  }))
})
