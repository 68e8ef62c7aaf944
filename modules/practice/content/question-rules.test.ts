import { expect, test } from 'vitest'
import { inlineDoc, plainDoc, type Inline } from '../../../core/rich-text/rich-doc.ts'
import { contentSchema, emptyContent, type QuestionContent } from './question.ts'
import { difficultyOf, fittingLayout, problemsOf, problemText } from './question-rules.ts'

const options = (...texts: string[]) => texts.map((text, index) => ({ id: `o${index + 1}`, doc: plainDoc(text) }))
const single: QuestionContent = { ...emptyContent(1), stem: plainDoc('1+1='), options: options('1', '2', '3', '4'), answer: { k: 'one', ok: 'o2' } }
const said = (content: QuestionContent) => problemsOf(content).map(problemText)
const holes = (...inlines: Inline[]) => inlineDoc(inlines)

test('a choice has one right option of its own', () => {
  expect(said(single)).toEqual([])
  expect(said({ ...single, stem: null })).toEqual(['题干不能为空'])
  expect(said({ ...single, answer: { k: 'one', ok: 'o9' } })).toEqual(['正确答案不在选项中'])
  expect(said({ ...single, options: options('1') , answer: { k: 'one', ok: 'o1' } })).toEqual(['至少需要 2 个选项'])
  expect(said({ ...single, options: options('1', '2', '1', '') })).toEqual(['选项A与选项C相同', '选项D没有内容'])
  expect(said({ ...single, options: options(...'123456789') })).toEqual(['选项最多 8 个'])
  expect(said({ ...single, answer: { k: 'sub' } })).toEqual(['请选择正确答案'])
})

test('several right options are two at least, unless any number is allowed', () => {
  const many: QuestionContent = { ...single, type: 2, answer: { k: 'many', ok: ['o1'], rule: 'gaokao' } }
  expect(said(many)).toEqual(['多选题至少有 2 个正确答案'])
  expect(said({ ...many, category: '不定项选择题' })).toEqual([])
  expect(said({ ...many, answer: { k: 'many', ok: ['o1', 'o1'], rule: 'all' } })).toEqual(['正确答案重复'])
})

test('every blank has an answer', () => {
  const blank: QuestionContent = { ...emptyContent(3), stem: holes('x=', { t: 'blank', id: 'b1' }, 'y=', { t: 'blank', id: 'b2' }), answer: { k: 'blanks', b: [{ id: 'b1', accept: [plainDoc('1')!], match: 'nospace', score: 2 }, { id: 'b2', accept: [plainDoc('2')!], match: 'nospace', score: 3 }] }, score: 5 }
  expect(said(blank)).toEqual([])
  expect(said({ ...blank, score: 4 })).toEqual(['各空分值之和与题目分值不符'])
  expect(said({ ...blank, stem: plainDoc('x=') })).toEqual(['题干中没有空'])
  expect(said({ ...blank, stem: holes({ t: 'blank', id: 'b1' }) })).toEqual(['答案有 2 个，题干有 1 空'])
  expect(said({ ...blank, answer: { k: 'blanks', b: [] } })).toEqual(['第 1 空没有答案', '第 2 空没有答案'])
})

test('points of steps, parts and children add up', () => {
  const free: QuestionContent = { ...emptyContent(4), stem: plainDoc('证明'), score: 10, answer: { k: 'free', parts: [{ no: 1, score: 4, ref: plainDoc('略'), steps: [] }, { no: 2, score: 6, ref: null, steps: [{ text: plainDoc('设')!, score: 2 }] }] } }
  expect(said(free)).toEqual(['第（2）问步骤分之和与分值不符'])
  expect(said({ ...free, answer: { k: 'free', parts: [] } })).toEqual(['请填写参考答案'])
  expect(said({ ...emptyContent(6), stem: plainDoc('文章'), score: 3, children: [{ ...single, score: 2 }] })).toEqual(['各小题分值之和与题目分值不符'])
  expect(said({ ...emptyContent(6), stem: plainDoc('文章') })).toEqual(['至少需要 1 道小题'])
})

test('holes and children belong together, in order', () => {
  const hole = (ok: string): QuestionContent => ({ ...emptyContent(1), answer: { k: 'one', ok } })
  const cloze: QuestionContent = { ...emptyContent(5), stem: holes('a', { t: 'subref', n: 1 }, 'b', { t: 'subref', n: 2 }), options: options('P', 'Q', 'R'), children: [hole('o1'), hole('o3')] }
  expect(said(cloze)).toEqual([])
  expect(said({ ...cloze, children: [hole('o1')] })).toEqual(['短文中有 2 空，小题有 1 道'])
  expect(said({ ...cloze, children: [hole('o1'), hole('o7')] })).toEqual(['第 2 小题：正确答案不在选项中'])
  expect(said({ ...cloze, stem: holes({ t: 'subref', n: 2 }, { t: 'subref', n: 1 }) })).toEqual(['短文中的空没有按顺序编号'])
  expect(said({ ...cloze, children: [hole('o1'), { ...emptyContent(4), stem: plainDoc('x') }] })).toContain('第 2 小题：小题不能是这种题型')
})

test('the schema keeps a question as it is and refuses nested children', () => {
  const reading: QuestionContent = { ...emptyContent(6), stem: plainDoc('文章'), children: [single] }
  expect(contentSchema.parse(reading)).toEqual(reading)
  expect(contentSchema.safeParse({ ...reading, children: [reading] }).success).toBe(false)
})

test('layout and difficulty follow domain 3.2', () => {
  expect([options('1', '2'), options('一二三四五六七八九', '1'), options('一二三四五六七八九十一二三四五六七')].map(fittingLayout)).toEqual([2, 3, 1])
  expect([0.9, 0.85, 0.7, 0.5, 0.3, 0.1].map(difficultyOf)).toEqual([5, 5, 4, 3, 2, 1])
})
