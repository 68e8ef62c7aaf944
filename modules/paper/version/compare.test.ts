import { expect, test } from 'vitest'
import type { PaperBody } from '../compose/body.ts'
import { compare } from './compare.ts'

const body = (...sections: [key: string, name: string, ...ids: (number | [id: number, score: number, version: number])[]][]): PaperBody => ({
  sections: sections.map(([key, name, ...ids]) => ({ key, name, title: '', instruction: '', items: ids.map((one) => {
    const [practice_id, score, version_no] = typeof one === 'number' ? [one, 5, 1] as const : one
    return { practice_id, score, version_no, sub_scores: [] }
  }) })),
})
const differences = (from: PaperBody, to: PaperBody) => compare(from, to, () => 1).questions.map(({ practice_id, kinds }) => [practice_id, ...kinds])

test('equal papers differ in nothing', () => {
  const paper = body(['a', '单选题', 1, 2], ['b', '解答题', 3])
  expect(compare(paper, structuredClone(paper), () => 1)).toEqual({ questions: [], sections: [], count: [3, 3], points: [15, 15] })
})

test('what came, what went, other points, another version of a question', () => {
  const from = body(['a', '单选题', 1, 2, 3], ['b', '解答题', 4])
  const to = body(['a', '选择题', 1, [3, 8, 1], 5], ['c', '综合题', [4, 5, 2]])
  expect(differences(from, to)).toEqual([[3, 'rescored'], [5, 'added'], [4, 'updated', 'moved'], [2, 'removed']])
  const { sections, points, questions } = compare(from, to, () => 1)
  expect(sections).toEqual(['大题「单选题」改名为「选择题」', '新增大题「综合题」', '删除大题「解答题」'])
  expect(points).toEqual([20, 23])
  expect(questions[0]).toMatchObject({ from: { number: 3, section: '单选题', score: 5 }, to: { number: 2, section: '选择题', score: 8 } })
})

test('one question taken to the end is one that moved, not all the others; coming and going moves nobody', () => {
  expect(differences(body(['a', '题', 1, 2, 3, 4, 5]), body(['a', '题', 2, 3, 4, 5, 1]))).toEqual([[1, 'moved']])
  expect(differences(body(['a', '题', 1, 2, 3]), body(['a', '题', 9, 2, 3]))).toEqual([[9, 'added'], [1, 'removed']])
  expect(differences(body(['a', '题', 1, 2], ['b', '题', 3]), body(['a', '题', 1], ['b', '题', 2, 3]))).toEqual([[2, 'moved']])
})
