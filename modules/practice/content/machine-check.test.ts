import { expect, test } from 'vitest'
import { machineCheck } from './machine-check.ts'
import { emptyContent, NO_ANALYSIS, type QuestionContent } from './question.ts'
import { inlineDoc, plainDoc } from '../../../core/rich-text/rich-doc.ts'

const good: QuestionContent = {
  ...emptyContent(1), stem: inlineDoc(['若 ', { t: 'tex', tex: 'x>0' }, '，则（甲）正确的是', { t: 'paren' }]),
  options: ['甲', '乙'].map((text, index) => ({ id: `o${index}`, doc: plainDoc(text) })), answer: { k: 'one', ok: 'o0' }, analysis: { ...NO_ANALYSIS, solution: plainDoc('略') },
}
const said = (content: QuestionContent, setting = {}) => machineCheck(content, setting).map(({ place, message }) => `${place}：${message}`)

test('a good question has no findings', () => {
  expect(said(good, { facts: { difficulty: 3, labels: [['函数']] } })).toEqual([])
})

test('each thing is found, with its place', () => {
  expect(said({ ...good, stem: inlineDoc([{ t: 'tex', tex: '\\frac{1}{2' }]) })).toEqual(['题干：公式有误：公式没有写完，可能缺少「}」（第 11 个字符「c{1}{2」处）'])
  expect(said({ ...good, options: [good.options[0]!, { id: 'o1', doc: inlineDoc([{ t: 'img', asset: 'x', pending: true }]) }] })).toEqual(['选项B：有公式图片待补成公式'])
  expect(said({ ...good, stem: plainDoc('设集合（甲，求《史记') })).toEqual(['题干：括号不成对，缺少「》）」'])
  expect(said({ ...good, stem: plainDoc('今天,明天和Ａ') })).toEqual(['题干：中文之间用了半角标点', '题干：用了全角字母或数字'])
  expect(said({ ...good, stem: plainDoc('结果是\\frac{1}{2}') })).toEqual(['题干：「\\frac」是公式代码，没有写成公式'])
  expect(said({ ...good, stem: plainDoc('文件在C:\\Users中，换行写作\\n') })).toEqual([])
  expect(said({ ...good, analysis: NO_ANALYSIS })).toEqual(['解析：没有解析'])
  expect(said(good, { banned: ['甲'] })).toEqual(['题干：含有禁用词「甲」', '选项A：含有禁用词「甲」'])
  expect(said(good, { facts: { difficulty: null, labels: [] } })).toEqual(['标签：至少需要 1 个知识点标签', '难度：请选择难度'])
  expect(said({ ...good, answer: { k: 'one', ok: null } })).toEqual(['答案：请选择正确答案'])
})

test('numbers of a list are no brackets', () => {
  expect(said({ ...good, stem: plainDoc('回答下列问题：1）甲；2）乙 a) 丙') })).toEqual([])
})
