import fc from 'fast-check'
import { expect, test } from 'vitest'
import { figuresOf, LEAST_ATTEMPTS, type AnswerRecord } from './figures.ts'

const IDS = ['o1', 'o2', 'o3', 'o4']
/** `n` learners, the first the weakest; what each picks follows from their place, 0 to 1. */
const class_ = (n: number, pick: (strength: number, index: number) => string, right = 'o1'): AnswerRecord[] => Array.from({ length: n }, (_, index) => {
  const strength = index / (n - 1)
  const picked = pick(strength, index)
  return { share: Number(picked === right), rest: strength, picked: [picked], seconds: 60 }
})
const figures = (records: readonly AnswerRecord[]) => figuresOf(records, IDS, ['o1'])

test('few attempts say nothing', () => {
  expect(figures(class_(LEAST_ATTEMPTS - 1, () => 'o1'))).toEqual({ attempts: 29, facility: null, discrimination: null, disc_eff: null, group_gap: null, avg_seconds: 60, options: null, flags: [] })
})

test('a question that the stronger half gets right tells learners apart as well as it can', () => {
  const found = figures(class_(100, (strength, index) => (strength >= 0.5 ? 'o1' : IDS[(index % 3) + 1] ?? 'o2')))
  expect(found.facility).toBe(0.5)
  // 50 of 100 right, the upper half of evenly spread marks: the correlation is √3/2 but for the steps.
  expect(found.discrimination).toBeCloseTo(Math.sqrt(3) / 2, 2)
  expect(found.disc_eff).toBeCloseTo(1, 10)
  expect(found.group_gap).toBe(1)
  expect(found.options?.[0]).toEqual({ id: 'o1', all: 0.5, high: 1, low: 0 })
  expect(found.flags).toEqual([])
})

test('what looks suspicious is named', () => {
  const upside = figures(class_(90, (strength, index) => (strength < 0.5 ? 'o1' : IDS[(index % 3) + 1] ?? 'o2')))
  expect(upside.flags).toEqual(['wrong_key', 'negative_discrimination'])
  expect(figures(class_(90, () => 'o1')).flags).toEqual(['low_discrimination', 'too_easy', 'weak_distractor'])
  expect(figures(class_(90, (_s, index) => IDS[(index % 3) + 1] ?? 'o2')).flags).toContain('too_hard')
  expect(figures(class_(400, (strength, index) => (strength > 0.6 ? 'o1' : index % 2 ? 'o2' : 'o3'))).flags).toEqual(['weak_distractor'])
})

test('without a rest to compare with there are shares, and no judgement of the key', () => {
  const alone = class_(60, () => 'o2').map((record) => ({ ...record, rest: null }))
  expect(figures(alone)).toMatchObject({ facility: 0, discrimination: null, group_gap: null, flags: ['too_hard', 'weak_distractor'] })
})

test('whatever the marks, figures stay in their bounds', () => {
  const record = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), rest: fc.option(fc.double({ min: 0, max: 1, noNaN: true })), picked: fc.option(fc.subarray(IDS)), seconds: fc.option(fc.nat(5000)) })
  fc.assert(fc.property(fc.array(record, { minLength: 30, maxLength: 120 }), (records) => {
    const { facility, discrimination, disc_eff, group_gap, options } = figures(records)
    expect(facility).toBeGreaterThanOrEqual(0)
    expect(facility).toBeLessThanOrEqual(1 + 1e-9)
    for (const value of [discrimination, group_gap]) if (value !== null) expect(Math.abs(value)).toBeLessThanOrEqual(1 + 1e-6)
    if (disc_eff !== null) expect(disc_eff).toBeLessThanOrEqual(1 + 1e-6)
    for (const option of options ?? []) for (const value of [option.all, option.high, option.low]) expect(value >= 0 && value <= 1).toBe(true)
  }))
})
