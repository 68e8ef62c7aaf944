import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters } from '../../content/question.ts'
import { problemsOf, problemText } from '../../content/question-rules.ts'
import { plainText } from '../../../../core/rich-text/rich-doc.ts'
import { paperItems } from './items.ts'
import { textFlow } from '../text/read-text.ts'

const read = (text: string) => paperItems(textFlow(text, []))
const questions = (text: string) => read(text).flatMap((item) => item.question ?? [])
const problems = (text: string) => questions(text).flatMap((question) => problemsOf(question).map(problemText))

const PAPER = `2023年春季七年级数学期中测试
一、选择题（本题共3小题，每小题4分，共12分）
1．下列各数中是负数的是（　　）
A．0　　B．－3　　C．2　　D．1.5
2. 单项式 $3x^2y$ 的次数是（ ）
A、1 B、2
C、3 D、4
3.下列图形中是轴对称图形的是（ ）
(A) 平行四边形
(B) 等腰三角形
(C) 直角梯形
(D) 任意三角形
二、填空题（每小题5分，共10分）
4．计算 $2+3\\times 4=$ ________．
5．若 $|x|=3$，则 $x=$ ____．
三、解答题（共2小题，共20分）
6．（8分）解方程 $2x+1=7$．
7．（12分）某商店卖出两件商品．
（1）求总价；
（2）求利润．
参考答案
一、1．B　2．C　3．B
二、4．14　5．$\\pm 3$
三、6．解：移项得 $2x=6$，所以 $x=3$．
7．（1）120 元
（2）30 元
`

test('a paper with its answers at the end', () => {
  const all = questions(PAPER)
  expect(problems(PAPER)).toEqual([])
  expect(all.map((one) => [one.type, one.score])).toEqual([[1, 4], [1, 4], [1, 4], [3, 5], [3, 5], [4, 8], [4, 12]])
  expect(all.slice(0, 3).map(answerLetters)).toEqual(['B', 'C', 'B'])
  expect(all.slice(0, 3).map((one) => one.options.length)).toEqual([4, 4, 4])
  expect(plainText(all[3]?.answer.k === 'blanks' ? (all[3].answer.b[0]?.accept[0] ?? null) : null)).toBe('14')
  expect(all[6]?.answer).toMatchObject({ k: 'free', parts: [{ no: 1 }, { no: 2 }] })
})

test.each([['1-3 BCB', '1～3'], ['1．B 2．C 3．B', 'run'], ['1. 【答案】B\n【解析】正负数。\n2. 【答案】C\n3. 【答案】B', 'tags']])('answers at the end as %s', (answers) => {
  const text = `${PAPER.slice(PAPER.indexOf('1．'), PAPER.indexOf('二、填空'))}\n参考答案与解析\n${answers}`
  expect(questions(text).map(answerLetters)).toEqual(['B', 'C', 'B'])
  expect(problems(text)).toEqual([])
})

test('answers, explanations and facts behind each question, under any of their names', () => {
  const text = '1、下列属于哺乳动物的是（ ）\r\nA.鲸 B.鲨鱼 C.海龟 D.企鹅\r\n【答案】A\r\n【解析】鲸用肺呼吸。\r\n【点评】常考。\r\n【难度】0.9\r\n【知识点】动物->脊椎动物；分类\r\n2、【不定项选择题】下列说法正确的有（ ）\r\nA、甲\r\nB、乙\r\nC、丙\r\n答案：A、C\r\n解析：略。\r\n3、《静夜思》的作者是[[李白|李太白]]。\r\n【解析】唐诗。\r\n4、光在真空中最快。\r\n【题型】判断题\r\n【答案】正确\r\n'
  const all = questions(text)
  expect(problems(text)).toEqual([])
  expect(all.map((one) => one.type)).toEqual([1, 2, 3, 1])
  expect(all[0]).toMatchObject({ difficulty: 5, labels: [['动物', '脊椎动物'], ['分类']] })
  expect(plainText(all[0]?.analysis.solution ?? null)).toBe('鲸用肺呼吸。')
  expect(plainText(all[0]?.analysis.comment ?? null)).toBe('常考。')
  expect(answerLetters(all[1] ?? { options: [], answer: { k: 'sub' } })).toBe('AC')
})

test('a passage keeps its questions together', () => {
  const text = '1. 单独一题（ ）\nA．甲 B．乙\n阅读下面的材料，完成 2～3 题。\n春天来了，小河解冻了，柳树发芽了。\n2．小河怎么了（ ）\nA．解冻 B．结冰\n3．柳树怎么了（ ）\nA．落叶 B．发芽\n参考答案\n1．A 2．A 3．B'
  const all = questions(text)
  expect(all.map((one) => one.type)).toEqual([1, 6])
  expect(all[1]?.children.map(answerLetters)).toEqual(['A', 'B'])
  expect(problems(text)).toEqual([])
})

const RESTARTED = `一、选择题（每小题4分）
1．下列各数中是负数的是（　　）
A．0　　B．－3　　C．2　　D．1.5
2．下列各数中最大的是（　　）
A．0　　B．－3　　C．2　　D．1.5
二、填空题（每小题5分）
1．计算 2+3×4= ________．
2．绝对值是 3 的数是____．
三、多选题
1．下列是偶数的有（　　）
A．2　　B．3　　C．4　　D．5
`

test.each([
  ['sections named by number', '参考答案\n一、1．B　2．C\n二、1．14　2．±3\n三、1．AC'],
  ['sections named by kind', '参考答案\n选择题：1-2 BC\n填空题：1．14　2．±3\n多选题：1．AC'],
  ['another order', '参考答案\n三、多选题\n1．AC\n一、选择题\n1．B　2．C\n二、填空题\n1．14\n2．±3'],
  ['tables', '参考答案\n一、选择题\n题号\t1\t2\n答案\tB\tC\n二、填空题\n1．14　2．±3\n三、多选题\n题号\t1\n答案\tAC'],
  ['keys and then explanations', '参考答案\n一、选择题\n1-2 BC\n1．B【解析】负数小于 0。\n2．C【解析】比较大小。\n二、填空题\n1．14　2．±3\n三、多选题\n1．AC'],
])('sections that begin again at 1 take their own answers: %s', (_, answers) => {
  const all = questions(RESTARTED + answers)
  expect(read(RESTARTED + answers).flatMap((item) => item.warnings)).toEqual([])
  expect(all.map(answerLetters)).toEqual(['B', 'C', '', '', 'AC'])
  expect(all.map((one) => one.type)).toEqual([1, 1, 3, 3, 2])
  expect(all.slice(2, 4).map((one) => (one.answer.k === 'blanks' ? plainText(one.answer.b[0]?.accept[0] ?? null) : ''))).toEqual(['14', '±3'])
})

const doubts = (text: string) => read(text).map((item) => item.warnings.filter((one) => one.part !== undefined).map((one) => [one.level, one.part, one.guess]))

test('answers that name no section of numbers that come again are uncertain', () => {
  const items = read(`${RESTARTED}参考答案\n1．B　2．C　3．D`)
  expect(items[0]?.warnings.map((one) => one.message)).toContain('「选择题」「填空题」「多选题」都有第 1 题，答案没有写明大题，可能是「B」')
  expect(items.every((item) => item.warnings.some((one) => one.level === 'problem'))).toBe(true)
  // The numbers of every section in turn: a guess, and said so.
  expect(doubts(`${RESTARTED}参考答案\n1．B　2．C\n1．14　2．±3\n1．AC`)).toEqual([['B'], ['C'], ['14'], ['±3'], ['AC']].map(([guess]) => [['problem', 'answer', guess]]))
})

test('what contradicts itself, is counted wrongly or left out is uncertain where it stands', () => {
  const two = '1．甲（ ）\nA．子 B．丑\n2．乙（ ）\nA．寅 B．卯\n'
  expect(doubts(`${two}参考答案\n1-2 AB\n1．B【解析】略\n2．B【解析】略`)).toEqual([[['problem', 'answer', 'A']], []])
  expect(doubts(`${two}参考答案\n1-2 ABC`)).toEqual([[['problem', 'answer', '']], [['problem', 'answer', '']]])
  expect(doubts('1．甲（ B ）\nA．子 B．丑\n【答案】A')).toEqual([[['problem', 'answer', 'A']]])
  // The third question has no number of its own.
  expect(doubts(`${two}3甲乙丙（ ）\nA．辰 B．巳\n参考答案\n1．A 2．B 3．A`)[1]).toContainEqual(['problem', 'stem', ''])
  expect(doubts(`${two}4．丁（ ）\nA．午 B．未\n参考答案\n1．A 2．B 4．A`)[1]).toContainEqual(['problem', 'stem', ''])
  expect(doubts(`${two}2．丙（ ）\nA．午 B．未\n参考答案\n1．A 2．B 3．A`).slice(1).every((one) => one.length > 0)).toBe(true)
})

test('a key in the brackets of the stem is taken out of it', () => {
  const [first, second] = questions('1．下列属于哺乳动物的是（ A ）\nA．鲸 B．鲨鱼 C．海龟 D．企鹅\n二、判断题\n2．地球是圆的。（√）')
  expect([first, second].map((one) => (one ? answerLetters(one) : ''))).toEqual(['A', 'A'])
  expect(plainText(first?.stem ?? null)).toBe('下列属于哺乳动物的是（　）')
})

test('a number in front of a text that begins with a number', () => {
  const items = read('一、选择题\n1．19世纪中期，许多新词来自（ ）\nA．甲 B．乙\n【答案】A\n2．1688年英国议会迎立国王，目的是（ ）\nA．甲 B．乙\n【答案】B\n3.5千克的苹果重（ ）\nA．甲 B．乙\n【答案】B')
  expect(items.slice(0, 2).map((item) => [plainText(item.question?.stem ?? null), item.question && answerLetters(item.question), item.warnings.length])).toEqual([['19世纪中期，许多新词来自（　）', 'A', 0], ['1688年英国议会迎立国王，目的是（　）', 'B', 0]])
  expect(items[2]?.warnings[0]?.message).toBe('题号 3 后面是数字，可能是小数')
})

test('a section without numbers is not lost', () => {
  const items = read('一、填空题\n1．甲____\n二、作文（60分）\n以“秋天”为题写一篇文章。\n参考答案\n一、1．乙\n二、略')
  expect(items.map((item) => item.place)).toEqual(['第 1 题', '作文'])
  expect(items[1]?.warnings).toMatchObject([{ level: 'hint', message: '「作文」整个大题作为一道题' }])
  expect(items[1]?.question?.answer).toMatchObject({ k: 'free', parts: [{ ref: { c: [{ c: ['略'] }] } }] })
})

test('what is missing is said for that question alone', () => {
  const items = read('1．没有答案的题（ ）\nA．甲 B．乙\n2．有答案的题（ ）\nA．甲 B．乙\n【答案】B')
  expect(items.map((item) => item.warnings.filter((warning) => warning.level === 'problem').length)).toEqual([1, 0])
  expect(read('')).toMatchObject([{ question: null }])
})

test('no text crashes it', () => {
  const part = fc.constantFrom('1．', '2.', '3、', '一、选择题（每小题5分）\n', 'A．甲 ', 'B．乙 ', '\n', '（ ）', '____', '【答案】', '【解析】', '参考答案\n', '1-2 AB', '阅读材料，完成 2～3 题。', '$x$', '文字', '答案：A', '\uFFFC', '第5题')
  fc.assert(fc.property(fc.array(part, { maxLength: 60 }), (parts) => { expect(() => read(parts.join(''))).not.toThrow() }), { numRuns: 500 })
})
