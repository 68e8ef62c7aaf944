import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters, type Question } from '../content/question.ts'
import { problemsOf, problemText } from '../content/question-rules.ts'
import { plainText } from '../content/rich-doc.ts'
import { isAiken, readAiken, writeAiken } from './aiken.ts'
import { isGift, readGift, writeGift } from './gift.ts'
import { someQuestion } from './testing.ts'

const problems = (all: readonly Question[]) => all.flatMap((question) => problemsOf(question).map(problemText))

test('GIFT: what was written is read again as it was', () => {
  const limits = { blocks: ['p', 'table', 'math', 'list', 'poem', 'dialogue', 'lines'] } as const
  fc.assert(fc.property(fc.array(someQuestion(limits), { minLength: 1, maxLength: 3 }), (all) => {
    const questions = all.filter((question) => !JSON.stringify(question).includes('"t":"img"'))
    const { text, notes } = writeGift(questions)
    expect(notes).toEqual([])
    expect(readGift(text).items.map((item) => item.question)).toEqual(questions)
  }), { numRuns: 40 })
})

test('GIFT of others: escapes, feedback, weights, numbers, pairs', () => {
  const text = `\uFEFF// 注释\r\n$CATEGORY: 高中数学/集合\r\n\r\n::一:: 2\\=1+1 对吗？{T#对####因为如此}\r\n\r\n::二:: 选一个 { =对的 ~错的\\~一 #不对 ~%-50%更错 }\r\n\r\n选两个{~%50%甲 ~%50%乙 ~%-100%丙}\r\n\r\n法国的首都是 {=巴黎 =Paris} 。\r\n\r\n圆周率{#3.14:0.01}\r\n\r\n论述{}\r\n\r\n配对{=猫 -> 哺乳类 =鹰 -> 鸟类}\r\n\r\n::坏:: 没有写完 {=甲\r\n\r\n::好:: 还在吗{F}\r\n`
  expect(isGift(text)).toBe(true)
  expect(isGift('1．集合 {x|x=1}，则（ ）\nA．甲 B．乙')).toBe(false)
  const items = readGift(text).items
  const all = items.flatMap((item) => item.question ?? [])
  expect(all.map((one) => one.type)).toEqual([1, 1, 2, 3, 3, 4, 6, 1])
  expect(plainText(all[0]?.stem ?? null)).toBe('2=1+1 对吗？')
  expect(plainText(all[1]?.options[1]?.doc ?? null)).toBe('错的~一')
  expect(plainText(all[1]?.analysis.solution ?? null)).toContain('不对')
  expect(all[0]?.labels).toEqual([['高中数学', '集合']])
  expect(all[3]?.answer).toMatchObject({ b: [{ accept: [{}, {}] }] })
  expect(all[4]?.answer).toMatchObject({ b: [{ match: 'numeric', eps: 0.01 }] })
  expect(items.filter((item) => item.question === null).map((item) => item.warnings[0]?.message)).toEqual(['花括号没有写完'])
  expect(problems(all.filter((one) => one.type !== 4))).toEqual([])
})

test('Aiken: what fits is read again as it was, what does not is named', () => {
  fc.assert(fc.property(fc.array(someQuestion({ types: [1, 4], rich: false, blocks: ['p'] }), { minLength: 1, maxLength: 4 }), (questions) => {
    const { text, notes } = writeAiken(questions)
    const items = readAiken(text)
    expect(items.length + notes.length).toBe(questions.length)
    expect(problems(items.flatMap((item) => item.question ?? [])).filter((one) => !one.includes('相同'))).toEqual([])
  }), { numRuns: 60 })
  const question = readAiken('1+1 等于几（ ）\nA. $2$\nB. 3\nANSWER: A\n')[0]?.question as Question
  expect(readAiken(writeAiken([question]).text)[0]?.question).toEqual(question)
})

test('Aiken of others: the line of what is wrong, the rest read', () => {
  const text = '第一题\r\nA) 甲\r\nB) 乙\r\nANSWER: B\r\n\r\n第二题没有答案\r\nA. 甲\r\nB. 乙\r\n第三题\r\nA. 甲\r\nB. 乙\r\nANSWER: D\r\n'
  expect(isAiken(text)).toBe(true)
  const items = readAiken(text)
  expect(items.map((item) => [item.place, item.warnings.map((warning) => warning.message)])).toEqual([['第 1 行', []], ['第 6 行', ['第 9 行前没有 ANSWER']], ['第 9 行', ['答案 D 不在选项中']]])
  expect(answerLetters(items[0]?.question as Question)).toBe('B')
})
