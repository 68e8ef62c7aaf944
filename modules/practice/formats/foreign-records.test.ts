/** Records as the sets of other people write them. */
import { expect, test } from 'vitest'
import { answerLetters, type Question } from '../content/question.ts'
import { problemsOf } from '../content/question-rules.ts'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { mapRecords } from './json.ts'
import { guessMapping, openQuestions } from './json-mapping.ts'
import { readJson } from './json-records.ts'

function read(records: readonly unknown[], name = '题.jsonl') {
  const file = readJson(records.map((record) => JSON.stringify(record)).join('\n'))
  const mapping = guessMapping(file.records.map((record) => record.value))
  return { mapping, items: mapRecords(file, mapping, name).items }
}
const key = (question: Question | null | undefined) => (question ? answerLetters(question) : null)
const doubts = (records: readonly unknown[]) => read(records).items.map((item) => item.warnings.filter((one) => one.level === 'problem').map((one) => one.message))

test.each([
  ['options in lists of one, with routes of knowledge points', { problem: '哪个大？', answer_option_list: [[{ aoVal: 'A', content: '$$3$$ ' }], [{ aoVal: 'B', content: '$$4$$ ' }]], answer_value: 'B', answer_analysis: ['比较。'], knowledge_point_routes: ['拓展思维->计算模块->整数'] }],
  ['bracketed letters and a label', { passage: null, question: '哪个大？', options: ['(A)$3$', '(B)$4$'], label: 'B', answer: null }],
  ['columns by letter', { Question: '哪个大？', A: '3', B: '4', Answer: 'B', explanation: '比较。' }],
  ['texts and labels beside each other', { question: '哪个大？', choices: { text: ['3', '4'], label: ['1', '2'] }, answerKey: '2' }],
  ['a stem among the options', { question: { stem: '哪个大？', choices: [{ text: '3', label: 'A' }, { text: '4', label: 'B' }] }, answerKey: 'B' }],
  ['options that say whether they are right', { stem: '哪个大？', options: [{ content: '3', is_correct: false }, { content: '4', is_correct: true }] }],
  ['names of another program', { content: '哪个大？', optionList: [{ optionKey: 'A', optionContent: '3' }, { optionKey: 'B', optionContent: '4' }], rightAnswer: 'B', knowledgePoints: [{ id: 3, name: '整数' }] }],
  ['a list as text', { question: '哪个大？', options: "['3', '4']", answer: 'B' }],
])('%s', (_, record) => {
  const [item] = read([record, record]).items
  expect(item?.warnings).toEqual([])
  expect(item?.question && problemsOf(item.question)).toEqual([])
  expect(item?.question?.options.map((option) => plainText(option.doc))).toEqual(['3', '4'])
  expect(key(item?.question)).toBe('B')
})

test('labels are kept as ways and as names', () => {
  const [item] = read([{ problem: '1+1=____', answer: '2', knowledge_point_routes: ['拓展思维->计算模块->整数', '能力->运算'] }]).items
  expect(item?.question?.labels).toEqual([['拓展思维', '计算模块', '整数'], ['能力', '运算']])
})

test('numbers as answers are places from 0, from 1 or texts, whichever holds for the whole file; else they are doubted', () => {
  const options = ['甲', '乙', '丙', '丁']
  const file = (...answers: unknown[]) => answers.map((answer) => ({ question: '最大的是', options, answer }))
  expect(read(file(0, 3)).items.map(({ question }) => key(question))).toEqual(['A', 'D'])
  expect(read(file(1, 4)).items.map(({ question }) => key(question))).toEqual(['A', 'D'])
  expect(doubts(file(1, 4))).toEqual([[], []])
  expect(doubts(file(1, 3)).flat()).toHaveLength(2)
  const numbers = (answer: unknown) => ({ question: '最大的是', options: ['5', '12', '7', '9'], answer })
  expect(read([numbers('12'), numbers('9')]).items.map(({ question }) => key(question))).toEqual(['B', 'D'])
})

test('lists of questions, options and answers beside each other are the sub-questions of a passage', () => {
  const [item] = read([{ article: 'A boy went to school every day by bus.', questions: ['How?', 'Where?'], options: [['bus', 'car'], ['home', 'school']], answers: ['A', 'B'] }]).items
  expect(item?.warnings).toEqual([])
  expect(item?.question?.children.map((child) => [plainText(child.stem), child.options.length, answerLetters(child)])).toEqual([['How?', 2, 'A'], ['Where?', 2, 'B']])
})

test('difficulty lies on the scale of the file, which is asked', () => {
  const { mapping, items } = read([0, 1, 2, 3, 4].map((difficulty) => ({ question: '1+1=____', answer: '2', difficulty: String(difficulty) })))
  expect(mapping.scale).toEqual({ low: 0, high: 4, rises: true })
  expect(items.map(({ question }) => question?.difficulty)).toEqual([5, 4, 3, 2, 1])
  expect(openQuestions(mapping)).toEqual([expect.stringContaining('0～4')])
  expect(read([{ question: '1+1=____', answer: '2', level: 'Level 5' }]).items[0]?.question?.difficulty).toBe(1)
})

test.each([
  ['a choice without options', { question: '下列正确的是', type: '单选题', answer: 'A' }, '没有找到选项'],
  ['a letter as the answer of nothing', { question: '下列正确的是', answer: 'A' }, '没有找到选项'],
  ['points by option', { question: '最恰当的两项是（5分）\nA. 甲\nB. 乙\nC. 丙\nD. 丁\nE. 戊', answer: '答E给3分，答A给2分，答C给1分' }, '部分分没有保留'],
  ['answers of several places', { question: '属于甲的是 ，属于乙的是 \nA. 一\nB. 二\nC. 三', answer: 'C；AB' }, '几个空的答案'],
  ['a picture elsewhere', { question: '<p>如图<img src="http://x.example/a.png">，求面积____</p>', answer: '5' }, '图片在外部网址'],
  ['an object', { question: '<p>看<object data="a.swf"></object>求面积____</p>', answer: '5' }, '没有导入'],
  ['a line that was lost in the middle', { question: '直线与圆相切于点 B 处，则半径是 个苹果的大小', answer: '5', type: '填空题' }, '空的位置是推测的'],
  ['a column that nobody reads', { question: '下列正确的是', A: '甲', B: '乙', answer: 'A', image_path: 'a.png' }, '没有读入，可能是题目的一部分：image_path'],
  ['the place of a picture', { question: '看 <image 1> 选', A: '甲', B: '乙', answer: 'A' }, '图片没有读入'],
  ['a key that its explanation contradicts', { question: '下列正确的是', A: '甲', B: '乙', answer: 'A', analysis: '甲不对，故选B。' }, '解析中的答案是 B'],
  ['a key beside which the explanation calls another option right', { question: '下列正确的是', A: '甲', B: '乙', C: '丙', answer: 'C', analysis: 'B项正确。' }, '解析中的答案是 B'],
  ['a letter that is the text of another option', { question: '血型', options: ['B', 'A', 'O', 'AB'], answer: 'A' }, '也可能是另一个选项的内容'],
  ['several gaps with one answer', { question: '口算：3+5=   9-2=   4×6=', answer: '8', type: '填空题' }, '像是有'],
])('%s is said', (_, record, message) => {
  expect(doubts([record])[0]?.join('；')).toContain(message)
})

test('a smaller sign before a letter begins no HTML; drawings are kept', () => {
  const [item] = read([{ question: '若 $b a^{c}<a b^{c}$，即 $a b^{c}>b$，则 $c=$____', answer: '1' }]).items
  expect(plainText(item?.question?.stem ?? null)).toContain('b a^{c}<a b^{c} ，即 a b^{c}>b')
  expect(JSON.stringify(read([{ question: '<p>看<svg><path d="M0 0"/></svg>求____</p>', answer: '5' }]).items[0]?.question?.stem)).toContain('"t":"img"')
})

test('how far a number may be off, and formulas without dollars', () => {
  expect(read([{ question: '约____', answer: '3.14', tolerance: 0.01 }]).items[0]?.question?.answer).toMatchObject({ b: [{ match: 'numeric', eps: 0.01 }] })
  expect(JSON.stringify(read([{ problem: 'Convert.', answer: '\\left( 3, \\frac{\\pi}{2} \\right)', solution: '略' }]).items[0]?.question?.answer)).toContain('"t":"tex"')
})

test.each([
  ['wrong answers in fields of their own', { question: '2+2 是几？', correct_answer: '4', distractor1: '3', distractor2: '5', distractor3: '22' }, ['3', '4', '5', '22'], 'B'],
  ['options in numbered fields, places from 0', { premise: '下雨了。', question: '结果', choice1: '湿', choice2: '干', label: 0 }, ['湿', '干'], 'A'],
  ['an answer by the name of its field', { question: '哪个大？', option_a: '3', option_b: '4', correct_option: 'option_b' }, ['3', '4'], 'B'],
  ['options of objects with names of their own', { stem: '哪个大？', options: [{ k: 'A', v: '3' }, { k: 'B', v: '4' }], answer: ['B'] }, ['3', '4'], 'B'],
  ['a prompt that asks for the answer', { prompt: '哪个大？\nA. 3\nB. 4\nAnswer:', completion: ' B' }, ['3', '4'], 'B'],
  ['sums of money as options', { question: 'A pen is $3 and a book is $4. In all?\nA. $7\nB. $8\nC. $1', answer: 'A' }, ['$7', '$8', '$1'], 'A'],
])('%s', (_, record, options, letter) => {
  const [item] = read([record]).items
  const [question = item?.question] = item?.question?.children ?? []
  expect(item?.warnings.filter((one) => one.level === 'problem')).toEqual([])
  expect(question?.options.map((option) => plainText(option.doc))).toEqual(options)
  expect(key(question as Question)).toBe(letter)
})

test('an option that is empty keeps its letter, whether it is a field, an entry or an item', () => {
  for (const options of [{ A: '甲', B: '乙', C: '', D: '丁' }, { options: ['甲', '乙', '', '丁'] }, { options: { A: '甲', B: '乙', C: '', D: '丁' } }]) {
    const [item] = read([{ question: '选出丁', ...options, answer: 'D' }]).items
    expect(key(item?.question)).toBe('D')
    expect(plainText(item?.question?.options[3]?.doc ?? null)).toBe('丁')
    expect(item?.question && problemsOf(item.question).map((one) => one.message)).toEqual(['选项C没有内容'])
  }
})

test('what stands behind #### or in a box is the answer, what is before it explains it', () => {
  const [marked, boxed] = read([{ question: 'How many?', answer: 'In May 48/2=<<48/2=24>>24 for $0.2 each.\n#### 24' }, { question: 'Find $x$.', solution: 'We get $\\boxed{2}$.' }]).items
  expect(marked?.question).toMatchObject({ answer: { k: 'free', parts: [{ ref: { c: [{ c: ['24'] }] } }] } })
  expect(plainText(marked?.question?.analysis.solution ?? null)).toBe('In May 48/2=24 for $0.2 each.')
  expect(JSON.stringify(boxed?.question?.answer)).toContain('"tex":"2"')
})

test('what a person has left out of the mapping is left out', () => {
  const file = readJson(JSON.stringify({ question: '下列正确的是', A: '甲', B: '乙', answer: 'A', image_path: 'a.png' }))
  const mapping = guessMapping(file.records.map((record) => record.value))
  expect(mapRecords(file, mapping, '题.json', true).items[0]?.warnings).toEqual([])
  expect(mapRecords(file, mapping, '题.json').warnings[0]?.message).toContain('image_path')
})
