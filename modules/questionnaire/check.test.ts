import { expect, test } from 'vitest'
import type { SurveyItem } from '../../core/public-page/survey.ts'
import { careless, itemProblems, keepsMeaning, publishProblems, runBranches } from './check.ts'

const options = (...ids: string[]) => ids.map((id) => ({ id, label: `选项 ${id}` }))
const single = (id: string, more: Partial<SurveyItem> = {}): SurveyItem => ({ id, type: 'single', title: `题 ${id}`, required: true, options: options('1', '2'), ...more })
const words = (items: SurveyItem[]) => publishProblems(items).map((one) => `${one.id} ${one.words}`)

test('jumps back, conditions ahead and options that are gone are said where they are', () => {
  expect(words([])).toEqual([' 至少要有一道题'])
  expect(words([single('a'), single('b', { jumps: [{ any: ['1'], to: 'a' }] })])).toEqual(['b 只能跳到后面的题'])
  expect(words([single('a', { show: { question: 'b', any: ['1'] } }), single('b')])).toEqual(['a 显示条件只能看前面的题'])
  expect(words([single('a', { jumps: [{ any: ['9'], to: 'gone' }] })])).toEqual(['a 跳转的选项不存在', 'a 跳转到的题已被删除'])
  expect(words([single('a', { title: ' ', options: [{ id: '1', label: '好' }, { id: '2', label: '好' }] })])).toEqual(['a 没有题目文字', 'a 有相同的选项'])
  expect(itemProblems([{ id: 'm', type: 'matrix', title: '矩阵', options: options('1', '2') }]).map((one) => one.words)).toEqual(['至少要有 1 行'])
})

test('what no answer leads to stops publishing', () => {
  const ends = single('a', { jumps: [{ any: ['1', '2'], to: 'end' }] })
  expect(words([ends, single('b')])).toEqual(['b 没有任何回答能到达这里'])
  // Somebody who may leave it out comes further.
  expect(words([{ ...ends, required: false }, single('b')])).toEqual([])
  // Shown only if the question before was skipped over: nobody has both.
  expect(words([single('a', { jumps: [{ any: ['1'], to: 'c' }] }), single('b', { show: { question: 'a', any: ['1'] } }), single('c')])).toEqual(['b 没有任何回答能到达这里'])
})

test('every way through the questions is walked once', () => {
  const items = [single('a', { jumps: [{ any: ['2'], to: 'c' }] }), { ...single('b'), type: 'multi' as const }, single('c', { show: { question: 'b', any: ['1'] } }), single('d')]
  const { ways, unreachable } = runBranches(items)
  expect(ways.map(({ ids }) => ids.join('')).toSorted()).toEqual(['abcd', 'abd', 'ad'])
  expect(unreachable).toEqual([])
})

test('after publishing words change and options are added, and nothing else', () => {
  const before = [single('a'), single('b')]
  expect(keepsMeaning(before, [single('a', { title: '改了文字', options: options('1', '2', '3') }), single('b')])).toBe(true)
  expect(keepsMeaning(before, [single('a', { options: options('2', '1') }), single('b')])).toBe(false)
  expect(keepsMeaning(before, [single('b'), single('a')])).toBe(false)
  expect(keepsMeaning(before, [single('a', { required: false }), single('b')])).toBe(false)
})

test('who is faster than reading, or marks everything alike, is told apart', () => {
  const rate = (id: string): SurveyItem => ({ id, type: 'rate', title: id })
  const items = ['a', 'b', 'c', 'd'].map(rate)
  const all = (mark: string) => Object.fromEntries(items.map(({ id }) => [id, [mark]]))
  expect(careless(items, { ...all('5'), a: ['4'] }, 4, 7)).toBe('平均每题 1.8 秒')
  expect(careless(items, all('5'), 4, 16)).toBe('所有评分都相同')
  // Somebody who thought about it may be content with everything.
  expect(careless(items, all('5'), 4, 60)).toBeUndefined()
  expect(careless(items, { ...all('5'), a: ['4'] }, 4, 8)).toBeUndefined()
})
