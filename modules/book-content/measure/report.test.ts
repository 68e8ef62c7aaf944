import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { answersOf, bandsOf, bandsSchema, FIRST_BANDS, LEARNERS, reportOf, weightOf, type Asked } from './report.ts'

const asked = (practice_id: number, label_id: number, difficulty: number | null): Asked => ({ practice_id, label_id, difficulty })

test('who solves what is hard has shown more than who solves what is easy', () => {
  const questions = [asked(1, 1, 5), asked(2, 1, 1)]
  const easy = reportOf(questions, new Map([[1, 1]]), FIRST_BANDS)
  const hard = reportOf(questions, new Map([[2, 1]]), FIRST_BANDS)
  expect([easy.mastery, hard.mastery]).toEqual([30, 70])
  expect([weightOf(5), weightOf(null), weightOf(1)]).toEqual([0.6, 1, 1.4])
  expect(reportOf([], new Map(), FIRST_BANDS)).toMatchObject({ mastery: 0, count: 0, labels: [] })
})

test('the weakest knowledge is what to begin with, and a question without an answer got nothing', () => {
  const questions = [asked(1, 1, 3), asked(2, 1, 3), asked(3, 2, 3), asked(4, 3, 3)]
  const report = reportOf(questions, new Map([[1, 1], [2, 0.5], [4, 1]]), FIRST_BANDS)
  expect(report.labels.map(({ label_id, mastery, band }) => [label_id, mastery, band.name])).toEqual([[1, 75, '基本掌握'], [2, 0, '薄弱'], [3, 100, '掌握']])
  expect(report.weak.map(({ label_id }) => label_id)).toEqual([2])
})

test('mastery is a share, rises with every answer, and the invented learners stand in their order', () => {
  const question = fc.record({ practice_id: fc.nat(), label_id: fc.integer({ min: 1, max: 4 }), difficulty: fc.option(fc.integer({ min: 1, max: 5 })) })
  fc.assert(fc.property(fc.uniqueArray(question, { selector: ({ practice_id }) => practice_id, minLength: 1, maxLength: 30 }), fc.nat(29), (questions, more) => {
    const [strong, middle, weak] = LEARNERS.map(({ value }) => reportOf(questions, answersOf(value, questions), FIRST_BANDS).mastery)
    for (const one of [strong, middle, weak]) expect(one).toBeGreaterThanOrEqual(0)
    expect(strong).toBeLessThanOrEqual(100)
    const answers = answersOf('weak', questions)
    const before = reportOf(questions, answers, FIRST_BANDS).mastery
    answers.set(questions[more % questions.length]?.practice_id ?? 0, 1)
    expect(reportOf(questions, answers, FIRST_BANDS).mastery).toBeGreaterThanOrEqual(before)
  }))
})

test('rules of scoring begin high and end at nothing', () => {
  expect(bandsSchema.safeParse([...FIRST_BANDS]).success).toBe(true)
  expect(bandsOf([])).toBe(FIRST_BANDS)
  for (const wrong of [FIRST_BANDS.slice(2), FIRST_BANDS.slice(0, 2), [...FIRST_BANDS].reverse(), [FIRST_BANDS[0], FIRST_BANDS[0], FIRST_BANDS[2]]]) expect(bandsSchema.safeParse(wrong).success).toBe(false)
})
