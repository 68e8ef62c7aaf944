import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters, type Question } from '../content/question.ts'
import { problemsOf, problemText } from '../content/question-rules.ts'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
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
  expect(all[0]?.labels).toEqual([['集合']])
  expect(all[3]?.answer).toMatchObject({ b: [{ accept: [{}, {}] }] })
  expect(all[4]?.answer).toMatchObject({ b: [{ match: 'numeric', eps: 0.01 }] })
  expect(items.filter((item) => item.question === null).map((item) => item.warnings[0]?.message)).toEqual(['花括号没有写完'])
  expect(problems(all.filter((one) => one.type !== 4))).toEqual([])
})

const gift = (text: string) => readGift(text).items.map(({ question, warnings }) => ({ question: question as Question, said: warnings.map((warning) => warning.message), levels: warnings.map((warning) => warning.level) }))
const accepted = ({ answer }: Question) => (answer.k === 'blanks' ? answer.b.flatMap((blank) => blank.accept.map(plainText)) : [])

test('GIFT as its documentation writes it: the best credit is the key, other credits are said', () => {
  const [one, hometown, people, word, year, ranges, pi, many, wild] = gift([
    "Who's buried in Grant's tomb?{=Grant ~no one ~Napoleon}",
    "::Jesus' hometown::Jesus Christ was from {\n ~Jerusalem#This was an important city, but the wrong answer.\n ~%25%Bethlehem#He was born here, but not raised here.\n ~%50%Galilee#You need to be more specific.\n =Nazareth#Yes! That's right!\n}.",
    "What two people are entombed in Grant's tomb? {\n ~%-100%No one\n ~%50%Grant\n ~%50%Grant's wife\n ~%-100%Grant's father\n}",
    "::Jesus' hometown::Jesus Christ was from {=Nazareth#Yes! =%75%Nazereth#Right, but misspelled. =%25%Bethlehem#He was born here.}",
    'When was Ulysses S. Grant born? {#\n =1822:0 #Correct! 100% credit\n =%50%1822:2 #He was born in 1822. You get 50% credit for being close.\n}',
    'What is the value of pi (to 3 decimal places)? {#3.141..3.142}.',
    'What is the value of pi (to 3 decimal places)? {#3.1415:0.0005}',
    'Which are even? {~%60%2 ~%40%4 ~5}',
    'Name a colour {=red =blu*}',
  ].join('\n\n'))
  expect(one?.said).toEqual([])
  expect(answerLetters(hometown?.question as Question)).toBe('D')
  expect(hometown).toMatchObject({ said: ['选项 B 得 25%、C 得 50%，单选题没有部分分，没有保留'], levels: ['problem'] })
  expect(people?.question).toMatchObject({ type: 2, answer: { k: 'many', ok: ['o2', 'o3'], rule: 'gaokao' } })
  expect(people?.said).toEqual([])
  expect(accepted(word?.question as Question)).toEqual(['Nazareth'])
  expect(word).toMatchObject({ said: ['答案「Nazereth」得 75%、「Bethlehem」得 25%，填空题没有部分分，没有保留'], levels: ['problem'] })
  expect(accepted(year?.question as Question)).toEqual(['1822'])
  expect(year?.said).toEqual(['答案「1822:2」得 50%，填空题没有部分分，没有保留'])
  expect([ranges, pi].map((given) => given?.question.answer)).toMatchObject([{ b: [{ accept: [{}], eps: 0.0005 }] }, { b: [{ eps: 0.0005 }] }])
  expect(accepted(ranges?.question as Question)).toEqual(['3.1415'])
  expect(answerLetters(many?.question as Question)).toBe('AB')
  expect(many?.said).toEqual(['选项 A 得 60%、B 得 40%，各项的分值不能保留'])
  expect(accepted(wild?.question as Question)).toEqual(['red'])
  expect(wild?.said).toEqual(['答案「blu*」用 * 代表任意文字，没有保留'])
})

test('GIFT: two full credits, no full credit', () => {
  const [two, none, either] = gift('选一个 {=甲 =乙 ~丙}\n\n选一个 {~%50%甲 ~%25%乙}\n\n选 {~%100%甲 ~%50%乙 ~丙}')
  expect(two?.said).toEqual(['单选题中选项 A、B 都得 100%，只能记一个答案'])
  expect(none?.said).toEqual(['选项 A 得 50%、B 得 25%，各项的分值不能保留'])
  expect(answerLetters(either?.question as Question)).toBe('A')
  expect(either?.said).toEqual(['选项 A 得 100%、B 得 50%，选一项即可得满分，只记了 A'])
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

test('GIFT: feedback of right and wrong, a second pair of braces, Markdown', () => {
  const [truth, two, bold, list] = readGift('::一::对吗{T#错了#对了}\n\n::二::填 {=一} 和 {=二}\n\n::三::[markdown]**粗**体 $a*b*c$ 是{=甲 ~乙}\n\n::四::[markdown]看\\n- 一\\n- 二{=甲 ~乙}\n').items
  expect(plainText(truth?.question?.analysis.solution ?? null)).toContain('选对：\n对了')
  expect(two?.warnings.map((one) => one.message).join()).toContain('几处花括号')
  expect(JSON.stringify(bold?.question?.stem)).toContain('"text":"粗"')
  expect(JSON.stringify(bold?.question?.stem)).toContain('"tex":"a*b*c"')
  expect(list?.warnings.map((one) => one.message).join()).toContain('Markdown')
})
