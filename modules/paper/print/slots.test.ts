import { expect, test } from 'vitest'
import type { PracticeCard } from '../../practice/module.ts'
import { slotsOf } from './slots.ts'

type Content = PracticeCard['content']
const content = (answer: Content['answer'], more: Partial<Content> = {}): Content => ({
  type: 1, stem: null, options: [], option_layout: 1, answer, analysis: { hint: null, solution: null, comment: null, pitfall: null }, score: null, category: null, children: [], ...more,
})
const options = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index), doc: { t: 'doc' as const, v: 1 as const, c: [] } }))
const points = (score: number, ...sub_scores: number[]) => ({ score, sub_scores })

test('letters for choices, lines for blanks, a box for what is written, each at its number', () => {
  expect(slotsOf(content({ k: 'one', ok: null }, { options: options(5) }), 3, points(5))).toEqual([{ kind: 'letters', number: '3', score: 5, letters: 5 }])
  expect(slotsOf(content({ k: 'blanks', b: [{ id: 'a', accept: [] }, { id: 'b', accept: [] }] as never }), 4, points(5))).toEqual([{ kind: 'lines', number: '4', score: 5, lines: 2 }])
  expect(slotsOf(content({ k: 'free', parts: [] }), 5, points(12))).toEqual([{ kind: 'box', number: '5', score: 12, height: 72 }])
})

test('a passage has a place for each of its questions, letters from its own pool, points that add up', () => {
  const passage = content({ k: 'sub' }, { type: 5, options: options(7), children: [content({ k: 'one', ok: null }), content({ k: 'one', ok: null }), content({ k: 'free', parts: [] })] })
  expect(slotsOf(passage, 21, points(10))).toEqual([{ kind: 'letters', number: '21', score: 3.5, letters: 7 }, { kind: 'letters', number: '22', score: 3.5, letters: 7 }, { kind: 'box', number: '23', score: 3, height: 18 }])
  expect(slotsOf(passage, 21, points(10, 1, 1, 8))[2]).toMatchObject({ score: 8, height: 48 })
  expect(slotsOf(passage, 21, points(10), true).map(({ number }) => number)).toEqual(['21（1）', '21（2）', '21（3）'])
})
