import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distance, LINE, PARTS, rulesOf, scoreOf, type Facts, type Part } from './score.ts'

/** A Wednesday, midnight in Beijing. */
const START = Date.UTC(2026, 10, 3, 16) / 1000
const HOUR = 3600
const DAY = 86_400
const PLACES = { suzhou: { region: '320508', lat: 31.3, lng: 120.6 }, beijing: { region: '110108', lat: 39.9, lng: 116.4 }, nanjing: { region: '320104', lat: 32.1, lng: 118.8 }, chengdu: { region: '510107', lat: 30.6, lng: 104.1 } } as const
let ids = 0
const at = (place: keyof typeof PLACES, device: string, day: number, from: number, hours: number, more: Partial<Facts> = {}): Facts => ({ id: ++ids, device, began: START + day * DAY + from * HOUR, ended: START + day * DAY + (from + hours) * HOUR, network: 'home', pages: 20, answers: 10, fast: 0, ...PLACES[place], ...more })
const name = (region: string | null) => region ?? '未知'
const score = (facts: Facts[], homes: string[] = []) => scoreOf(facts, name, homes)

test('a family on four devices in one city is no case, however many learn at once and however long', () => {
  const family = Array.from({ length: 14 }, (_, day) => ['a', 'b', 'c', 'd'].map((device) => at('suzhou', device, day, 8, 10))).flat()
  expect(score(family)).toMatchObject({ score: 0, devices: 4, cities: 1, together: 4, family: true, evidence: [] })
})

test('two cities at once on several days, with moves that nobody makes, are a case with proof', () => {
  const shared = Array.from({ length: 10 }, (_, day) => [at('suzhou', 'a', day, 18, 2), at('beijing', 'b', day, 19, 2), at('chengdu', 'c', day, 21.2, 1)]).flat()
  const { score: points, parts, evidence, family } = score(shared)
  expect(points).toBeGreaterThanOrEqual(LINE)
  expect([parts.concurrent, parts.travel, family]).toEqual([PARTS.concurrent.most, PARTS.travel.most, false])
  expect(evidence[0]?.words).toBe('320508 与 110108 同时在线 60 分钟')
  expect(evidence.some(({ words }) => words.includes('公里'))).toBe(true)
  expect(rulesOf(score(shared))).toEqual(['share'])
})

test('school networks and our own pads do not count, nor what was short', () => {
  const facts = Array.from({ length: 10 }, (_, day) => [at('suzhou', 'a', day, 18, 2), at('beijing', 'b', day, 19, 2, { network: 'school' }), at('chengdu', 'c', day, 19, 2, { network: 'pad' }), at('nanjing', 'd', day, 19, 0.05)]).flat()
  expect(score(facts).score).toBe(0)
})

test('somebody who takes a train is in two cities and no case', () => {
  const facts = [at('suzhou', 'a', 0, 8, 1), at('nanjing', 'b', 0, 11, 1), at('suzhou', 'a', 0, 15, 1)]
  expect(score(facts)).toMatchObject({ score: 0, cities: 2 })
  expect(Math.round(distance(PLACES.suzhou, PLACES.beijing) ?? 0)).toBeCloseTo(1027, -2)
})

test('cities that somebody confirmed to be one family’s are one place', () => {
  const facts = Array.from({ length: 10 }, (_, day) => [at('suzhou', 'a', day, 18, 2), at('nanjing', 'b', day, 19, 2), at('nanjing', 'c', day, 18, 3)]).flat()
  expect(score(facts).score).toBeGreaterThan(0)
  expect(score(facts, ['3205', '3201'])).toMatchObject({ score: 0, family: true })
})

test('who answers faster than reading, or turns pages like a machine, is told apart', () => {
  const farm = Array.from({ length: 10 }, (_, day) => at('suzhou', 'a', day, 18, 1, { answers: 100, fast: 90 }))
  expect([score(farm).parts.fast, rulesOf(score(farm))]).toEqual([PARTS.fast.most, ['farm']])
  const crawl = Array.from({ length: 4 }, (_, day) => at('suzhou', 'a', day, 1, 1, { pages: 3000 }))
  expect([score(crawl).parts.pages, rulesOf(score(crawl))]).toEqual([32, ['crawl']])
})

test('no part reaches the line alone, whatever the sessions are, and the sum is theirs', () => {
  const one = fc.record({ place: fc.constantFrom(...Object.keys(PLACES) as (keyof typeof PLACES)[]), device: fc.constantFrom(...'abcdefghijkl'), day: fc.nat({ max: 13 }), from: fc.nat({ max: 23 }), hours: fc.constantFrom(0.05, 0.5, 2, 8, 20), pages: fc.nat({ max: 5000 }), answers: fc.nat({ max: 300 }), share: fc.float({ min: 0, max: 1, noNaN: true }) })
  fc.assert(fc.property(fc.array(one, { maxLength: 60 }), (list) => {
    const { score: points, parts } = score(list.map(({ place, device, day, from, hours, pages, answers, share }) => at(place, device, day, from, hours, { pages, answers, fast: Math.floor(answers * share) })))
    for (const part of Object.keys(PARTS) as Part[]) {
      expect(parts[part]).toBeLessThanOrEqual(PARTS[part].most)
      expect(parts[part]).toBeLessThan(LINE)
    }
    expect(points).toBe(Math.min(100, Object.values(parts).reduce((sum, n) => sum + n, 0)))
  }))
})
