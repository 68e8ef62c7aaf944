import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters } from '../content/question.ts'
import { problemsOf } from '../content/question-rules.ts'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { mapRecords } from './json.ts'
import { fieldsOf, guessMapping, mappingSchema } from './json-mapping.ts'
import { readJson } from './json-records.ts'

const parsed = (source: string, name = '试题.json') => {
  const file = readJson(source)
  return mapRecords(file, guessMapping(file.records.map((record) => record.value)), name)
}
const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join('\n')

test.each([
  ['letters in the text', { question: '地球绕什么转？\nA. 月亮\nB. 太阳', answer: 'B' }],
  ['a list', { stem: '地球绕什么转？', options: ['月亮', '太阳'], answer: 'B' }],
  ['lettered strings', { 题干: '地球绕什么转？', 选项: ['A. 月亮', 'B. 太阳'], 答案: 'B' }],
  ['an object', { question: '地球绕什么转？', choices: { A: '月亮', B: '太阳' }, ans: 'B' }],
  ['fields by letter', { question: '地球绕什么转？', A: '月亮', B: '太阳', answer: 'B' }],
  ['objects with content', { title: '地球绕什么转？', options: [{ label: 'A', content: '月亮' }, { label: 'B', content: '太阳' }], answer: ['B'] }],
  ['the words of the option', { question: '地球绕什么转？', choices: ['月亮', '太阳'], answer: '太阳' }],
  ['a text of options', { question: '地球绕什么转？', options: 'A. 月亮\nB. 太阳', correct_answer: 'B' }],
  ['HTML', { content: '<p>地球绕什么转？</p>', options: ['<p>月亮</p>', '<p>太阳</p>'], answer: '<b>B</b>' }],
])('a choice as %s', (_, record) => {
  const [item] = parsed(lines(record, record)).items
  expect(item?.warnings).toEqual([])
  expect(item?.question && problemsOf(item.question)).toEqual([])
  expect(item?.question?.options.map((option) => plainText(option.doc))).toEqual(['月亮', '太阳'])
  expect(item?.question && answerLetters(item.question)).toBe('B')
})

test('passages with questions of their own', () => {
  const record = { article: 'Tom has a cat.', questions: [{ question: 'Who has a cat?', options: ['Tom', 'Ann'], answer: 'A' }, { question: 'What is it?', options: ['A dog', 'A cat'], answer: 'B' }] }
  const question = parsed(lines(record, record)).items[0]?.question
  expect(question).toMatchObject({ type: 6, children: [{ type: 1 }, { type: 1 }] })
  expect(question && problemsOf(question)).toEqual([])
})

test.each([
  ['one answer for all', { answer: 'CADEB' }],
  ['a list of answers', { answer: ['C', 'A', 'D', 'E', 'B'] }],
  ['questions of their own', { sub_questions: ['C', 'A', 'D', 'E', 'B'].map((answer, index) => ({ no: 36 + index, answer })) }],
])('options for all holes of a text, with %s', (_, answered) => {
  const options = ['First, rest.', 'Then eat.', 'Begin slowly.', 'Ask a friend.', 'Never stop.', 'It is 1 p.m.', 'Go home.']
  const record = { type: '七选五', content: 'In 2010 I ran. __36__ It was hard. __37__ Some fell. __38__ Others won. __39__ We met. __40__ The end.', options, ...answered }
  const [item] = parsed(lines(record, record)).items
  expect(item?.warnings).toEqual([])
  expect(item?.question).toMatchObject({ type: 5, category: '七选五', children: ['o3', 'o1', 'o4', 'o5', 'o2'].map((ok) => ({ stem: null, options: [], answer: { k: 'one', ok } })) })
  expect(item?.question?.options.map((option) => plainText(option.doc))).toEqual(options)
  expect(item?.question && problemsOf(item.question)).toEqual([])
})

test('facts under many names', () => {
  const record = { 题目: '1+1=____', 答案: '2', 解析: '略', 题型: '填空题', 难度: '0.9', 知识点: '数与式->整数->加法;数与式', 年份: '2021', 省份: '江苏省', 学科: '初中数学', 分值: '3分', 编号: 'X-1' }
  expect(parsed(lines(record, record)).items[0]?.question).toMatchObject({ type: 3, difficulty: 5, coef: 0.9, labels: [['数与式', '整数', '加法'], ['数与式']], source_years: [2021], exam_region: '江苏', subject: '数学', score: 3, no: 'X-1' })
})

test('a file of one passage is one question; what a file says about itself is none', () => {
  const questions = [{ question: 'Who has a cat?', options: ['Tom', 'Ann'], answer: 'A' }, { question: 'What is it?', options: ['A dog', 'A cat'], answer: 'B' }]
  const passage = parsed(JSON.stringify({ title: 'Reading', article: 'Tom has a cat. '.repeat(20), questions })).items
  expect(passage).toMatchObject([{ question: { type: 6, children: [{ type: 1 }, { type: 1 }] } }])
  expect(passage[0]?.question && problemsOf(passage[0].question)).toEqual([])
  expect(parsed(JSON.stringify({ title: 'Reading', description: 'Questions about cats. '.repeat(20), questions })).items).toMatchObject([{ question: { type: 1 } }, { question: { type: 1 } }])
})

test('records anywhere in the file', () => {
  const record = { question: '甲（ ）\nA．1\nB．2', answer: 'A' }
  for (const source of [JSON.stringify([record]), JSON.stringify({ title: '语文', data: { list: [record, record] } }), JSON.stringify(record), `\uFEFF${lines(record, record)}`]) expect(parsed(source).items[0]?.question?.options).toHaveLength(2)
  expect(parsed(JSON.stringify({ about: '历史真题', rows: [record] })).items[0]?.question?.subject).toBe('历史')
})

test('a broken record is named with its line, and the others are read', () => {
  const good = '{"question":"甲____","answer":"乙"}'
  const inLines = parsed(`${good}\n{"question":"丙\n${good}`)
  expect(inLines.items.map((item) => [item.place, item.question !== null])).toEqual([['第 1 行', true], ['第 3 行', true], ['第 2 行', false]])
  expect(inLines.items[2]?.warnings[0]?.message).toBe('内容没有写完')
  const inList = parsed(`[\n${good},\n{"question": 丙},\n${good}\n]`)
  expect(inList.items.filter((item) => item.question)).toHaveLength(2)
  expect(inList.items.find((item) => !item.question)).toMatchObject({ place: '第 2 条（第 3 行）' })
  expect(parsed('').items[0]?.warnings[0]?.message).toBe('文件是空的')
  expect(parsed('not json').items[0]?.question).toBeNull()
})

test('TeX that was not escaped, line breaks in strings and commas at the end are mended', () => {
  const [item] = parsed('[{"question":"求 $\\sin x$ 与 $\\alpha$\n的值____","answer":"1",},]').items
  expect(item?.question && plainText(item.question.stem)).toBe('求 \\sin x 与 \\alpha\n的值____')
})

test('points of one sub-question are known by their being the same for two and for five', () => {
  const of = (count: number) => ({ question: `文章\n${Array.from({ length: count }, (_, index) => `${index + 1}．问（ ）\nA．甲\nB．乙`).join('\n')}`, answer: Array.from({ length: count }, () => 'A'), score: 4 })
  const items = parsed(lines(of(2), of(3))).items
  expect(items.map((item) => item.question?.score)).toEqual([8, 12])
})

test('fields are shown with a sample, and a mapping is checked', () => {
  expect(fieldsOf([{ q: { text: '  题\n干 ' }, n: null }])).toEqual([{ path: 'q', sample: '{"text":" 题\\n干 "}', filled: 1 }, { path: 'q.text', sample: '题 干', filled: 1 }, { path: 'n', sample: '', filled: 0 }])
  expect(mappingSchema.safeParse({ fields: { stem: ['a'] }, subject: null, type: null, score_of_each: null, scale: null }).success).toBe(true)
  expect(mappingSchema.safeParse({ fields: { stem: 'a' } }).success).toBe(false)
})

test('no input crashes the reader', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\n', 'question', '\\', '题', '1', 'null'), { maxLength: 60 }).map((parts) => parts.join(''))), (source) => {
    expect(() => parsed(source)).not.toThrow()
  }), { numRuns: 400 })
  fc.assert(fc.property(fc.array(fc.dictionary(fc.constantFrom('question', 'options', 'answer', 'analysis', 'type', 'score', 'children', 'passage', 'year', 'A', 'B'), fc.jsonValue()), { minLength: 1, maxLength: 4 }), (records) => {
    expect(() => parsed(JSON.stringify(records))).not.toThrow()
  }), { numRuns: 300 })
})
