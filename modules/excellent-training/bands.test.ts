import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandOf, bandProblem } from './bands.ts'

const BANDS = [{ from: 85, level: 'A', class_type: '冲刺班' }, { from: 0, level: 'C', class_type: '基础班' }, { from: 60, level: 'B', class_type: '提高班' }]

test.each([[0, 'C'], [59.5, 'C'], [60, 'B'], [84.9, 'B'], [85, 'A'], [150, 'A']])('%d points are in band %s', (score, level) => {
  expect(bandOf(BANDS, score)?.level).toBe(level)
})

test('every score has a band when nothing is wrong, and bands in another order lead to the same', () => {
  fc.assert(fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 150 }), { maxLength: 8 }), fc.integer({ min: 0, max: 150 }), (starts, score) => {
    const bands = [0, ...starts].map((from) => ({ from }))
    expect(bandProblem(bands)).toBeUndefined()
    expect(bandOf(bands, score)?.from).toBe(Math.max(...bands.map(({ from }) => from).filter((from) => from <= score)))
    expect(bandOf(bands.toReversed(), score)).toEqual(bandOf(bands, score))
  }))
  expect(bandProblem([{ from: 0 }, { from: 60 }, { from: 60 }])).toBe('有两个分数段都从 60 分开始')
  expect(bandOf([{ from: 10 }], 9)).toBeUndefined()
  expect(bandProblem([])).toBeUndefined()
})
