import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters, type Question } from '../../content/question.ts'
import { problemsOf, problemText } from '../../content/question-rules.ts'
import { inlinesOf, plainText } from '../../../../core/rich-text/rich-doc.ts'
import type { Warning } from '../item.ts'
import { compose } from './compose.ts'
import type { Raw } from './raw.ts'
import { flowDoc } from './flow.ts'
import { textFlow, unwrap } from './read-text.ts'

interface Given {
  answer?: string | string[]
  analysis?: string
  type?: Raw['type']
  category?: string
  likely?: Raw['likely']
}

function made(text: string, { answer = '', analysis, type, category, likely }: Given = {}): { question: Question; said: string[]; problems: string[] } {
  const warnings: Warning[] = []
  const question = compose({
    text: textFlow(text, warnings), answer: Array.isArray(answer) ? answer.map((one) => textFlow(one, [])) : textFlow(answer, []),
    ...(analysis ? { analysis: { solution: textFlow(analysis, []) } } : {}), type: type ?? null, category: category ?? null, likely: likely ?? null,
  }, warnings)
  return { question, said: warnings.map((warning) => warning.message), problems: problemsOf(question).map(problemText) }
}

const options = (question: Question) => question.options.map((option) => plainText(option.doc))

test.each([
  ['options on lines of their own', '1．下列属于哺乳动物的是（ ）\nA．鲸\nB．鲨鱼\nC．海龟\nD．企鹅'],
  ['options on one line', '1. 下列属于哺乳动物的是（  ）  A. 鲸  B. 鲨鱼  C. 海龟  D. 企鹅'],
  ['two on a line', '第1题 下列属于哺乳动物的是（　　）\nA、鲸　　B、鲨鱼\nC、海龟　　D、企鹅'],
  ['brackets', '（1）下列属于哺乳动物的是（ ）\n(A) 鲸 (B) 鲨鱼 (C) 海龟 (D) 企鹅'],
  ['glued to each other', '1．下列属于哺乳动物的是（）\nA．鲸B．鲨鱼C．海龟D．企鹅'],
  ['full-width letters', '1．下列属于哺乳动物的是（　）\nＡ．鲸\nＢ．鲨鱼\nＣ．海龟\nＤ．企鹅'],
  ['colons', '下列属于哺乳动物的是\nA：鲸\nB：鲨鱼\nC：海龟\nD：企鹅'],
  ['letters alone', '下列属于哺乳动物的是（ ）\nA 鲸\nB 鲨鱼\nC 海龟\nD 企鹅'],
])('a choice with %s', (_, text) => {
  const { question, problems } = made(text, { answer: 'A' })
  expect(problems).toEqual([])
  expect(question.type).toBe(1)
  expect(options(question)).toEqual(['鲸', '鲨鱼', '海龟', '企鹅'])
  expect(plainText(question.stem)).toContain('下列属于哺乳动物的是')
  expect(answerLetters(question)).toBe('A')
})

test.each([['ACD', 'ACD'], ['A、C、D', 'ACD'], ['A,C,D', 'ACD'], ['答案：ＡＣＤ', 'ACD'], ['【答案】A C D', 'ACD'], ['故选：AC。', 'AC'], ['$\\mathrm{BD}$', 'BD'], ['（B）', 'B'], ['B．鲨鱼', 'B'], ['选C', 'C']])('the answer %s is %s', (answer, letters) => {
  const { question, problems } = made('下列说法正确的有\nA．甲\nB．乙\nC．丙\nD．丁', { answer })
  expect(problems).toEqual([])
  expect(answerLetters(question)).toBe(letters)
  expect(question.type).toBe(letters.length > 1 ? 2 : 1)
})

test('points A, B and C of a figure are no options', () => {
  const { question } = made('如图，点 A、B、C、D 在圆 O 上，若 ∠A＝50°，则 ∠C 的度数为（ ）\nA．50° B．100° C．130° D．140°', { answer: 'C' })
  expect(options(question)).toEqual(['50°', '100°', '130°', '140°'])
  expect(plainText(question.stem)).toContain('点 A、B、C、D 在圆 O 上')
})

test('number, points and paper are taken off the stem and kept as facts', () => {
  const { question } = made('12．（5分）（2021·新高考Ⅱ卷·T12）函数的最小值是____。', { answer: '3' })
  expect(question).toMatchObject({ score: 5, source_paper: '2021·新高考Ⅱ卷·T12', source_years: [2021], exam_region: null, source_order: 12, gaokao_type: 1, source: 'college_entrance_exam_paper', type: 3 })
  expect(plainText(question.stem)).toBe('函数的最小值是____。')
})

test('blanks and their answers', () => {
  const two = made('水的化学式是____，它由____种元素组成。', { answer: '$\\mathrm{H_2O}$；2' })
  expect(two.problems).toEqual([])
  expect(two.question.answer).toMatchObject({ k: 'blanks', b: [{ id: 'b1', match: 'tex' }, { id: 'b2', match: 'numeric' }] })
  const either = made('《静夜思》的作者是[[李白|李太白]]。')
  expect(either.problems).toEqual([])
  expect(either.question.answer).toMatchObject({ k: 'blanks', b: [{ accept: [{}, {}] }] })
  const numbered = made('（1）水的沸点是＿＿＿℃。\n（2）冰的熔点是＿＿＿℃，密度比水＿＿＿。', { answer: '（1）100\n（2）0  小', type: 3 })
  expect(numbered.problems).toEqual([])
  expect(numbered.question.answer).toMatchObject({ b: [{}, {}, {}] })
  const lost = made('已知 $f(x)=x^2$，则 $f(3)=$ .', { answer: '$9$' })
  expect(lost.question.type).toBe(3)
  expect(lost.problems).toEqual([])
  expect(lost.said).toEqual(['题干中没有画线，已补上空的位置，请核对'])
})

test('room to write in a formula is room to write in the text', () => {
  const { question } = made('方程的解是 $x=\\underline{\\qquad}$，且 $y=(\\quad)$', { answer: '1；2', type: 3 })
  expect(inlinesOf(question.stem, 'blank').length + inlinesOf(question.stem, 'paren').length).toBeGreaterThan(0)
  expect(inlinesOf(question.stem, 'tex').map((node) => node.tex)).toEqual(['x=', 'y='])
})

test('right and wrong', () => {
  for (const [answer, ok] of [['√', 'o1'], ['错误', 'o2'], ['×', 'o2'], ['正确', 'o1']] as const) expect(made('光在真空中的速度最快。（ ）', { answer }).question).toMatchObject({ type: 1, category: '判断题', answer: { ok } })
  expect(made('地球是平的（ ）', { answer: 'F', category: '判断题' }).question.answer).toEqual({ k: 'one', ok: 'o2' })
  expect(made('一共有多少个____', { answer: '1' }).question.type).toBe(3)
})

test('a free answer has the parts of its numbers, with their points', () => {
  const { question, problems } = made('17．（12分）已知数列。\n（1）求通项公式；（5分）\n（2）求前 n 项和。（7分）', { answer: '解：（1）略。\n（2）由（1）知，略。'.replace('解：', ''), analysis: '先求公差。' })
  expect(problems).toEqual([])
  expect(question).toMatchObject({ type: 4, score: 12, answer: { k: 'free', parts: [{ no: 1, score: 5 }, { no: 2, score: 7 }] } })
})

test('a passage with questions after it', () => {
  const text = '阅读下面的短文，完成 1～3 题。\n春天来了，小河解冻了。\n1．小河为什么解冻（ ）（2分）\nA．冷 B．暖 C．风 D．雨\n2．“春”的部首是（ ）（2分）\nA．日 B．木\nC．人 D．大\n3．用自己的话说说春天的样子。（4分）'
  const { question, problems } = made(text, { answer: '1．B\n2．A\n3．略', analysis: '1．天气变暖。\n2．看下半部分。\n3．言之成理即可。' })
  expect(problems).toEqual([])
  expect(question).toMatchObject({ type: 6, score: 8, children: [{ type: 1, score: 2, answer: { ok: 'o2' } }, { type: 1, answer: { ok: 'o1' } }, { type: 4, score: 4 }] })
  expect(plainText(question.children[1]?.analysis.solution ?? null)).toBe('看下半部分。')
  expect(plainText(question.stem)).toContain('小河解冻了')
})

test('a passage whose lines were run together', () => {
  const { question, problems } = made('某地气候温和。据此完成4～5题。4．该地最可能位于（ ）A．热带 B．温带C．寒带 D．极地5．该地适合种植（ ）A．水稻 B．椰子 C．苔藓 D．可可', { answer: ['B', 'A'] })
  expect(problems).toEqual([])
  expect(question.children.map(answerLetters)).toEqual(['B', 'A'])
})

test('holes with options of their own, and a pool for all of them', () => {
  const cloze = made('The cat sat on the __21__ and looked __22__ the bird. It was __23__.\n21. A. mat B. sky C. sea D. sun\n22. A. at B. of C. in D. by\n23. A. hungry B. green C. wooden D. late', { answer: '21-23 AAA' })
  expect(cloze.problems).toEqual([])
  expect(cloze.question).toMatchObject({ type: 5, category: '完形填空', children: [{ answer: { ok: 'o1' } }, {}, {}] })
  const pool = made('We like spring. __1__ Birds sing. __2__ Then summer comes. __3__\nA. It is warm.\nB. It is cold.\nC. They build nests.\nD. School ends.\nE. Snow falls.', { answer: ['A', 'C', 'D'] })
  expect(pool.problems).toEqual([])
  expect(pool.question).toMatchObject({ type: 5, children: [{ answer: { ok: 'o1' } }, { answer: { ok: 'o3' } }, { answer: { ok: 'o4' } }] })
  expect(pool.question.options).toHaveLength(5)
  const words = made('Tom ___31___ (go) to school by bus. He ___32___ (like) it. It takes ___33___ hour. There are ___34___ (child) on it. He feels ___35___ (happy).', { answer: '31. goes\n32. likes  33. an\n34. children\n35. happy/glad' })
  expect(words.problems).toEqual([])
  expect(words.question).toMatchObject({ type: 5, children: [{ type: 3 }, {}, {}, {}, { answer: { b: [{ accept: [{}, {}] }] } }] })
})

test('what is missing or does not fit is a problem with its words', () => {
  expect(made('选一选（ ）\nA．甲\nB．乙', { answer: 'D' }).said).toEqual(['答案 D 不在选项中'])
  expect(made('选一选（ ）\nA．甲\nB．乙', { answer: '略' }).said).toEqual(['答案「略」不是选项字母'])
  expect(made('求面积。').said).toEqual(['没有答案'])
  expect(made('计算 $\\frac{1}{2$ 的值', { answer: '1' }).said.join()).toContain('公式')
  expect(made('如图，求面积。', { answer: '5' }).said).toContain('题中提到图，但没有图片')
  expect(made('选一选（ ）\nA．甲\nB．乙', { analysis: '因为甲对，故选：A' }).said).toEqual(['没有单独的答案，已取解析中的答案'])
})

test('tables typed as TeX become tables', () => {
  const { question } = made('$\\begin{array}{|c|c|}\\hline \\multicolumn{2}{|c|}{\\text{人数}} \\\\ \\hline \\text{男} & 12 \\\\ \\hline\\end{array}$\n求总人数____', { answer: '12' })
  expect(question.stem?.c[0]).toEqual({ t: 'table', rows: [[{ c: [{ t: 'p', c: ['人数'] }], colspan: 2 }], [{ c: [{ t: 'p', c: ['男'] }] }, { c: [{ t: 'p', c: ['12'] }] }]] })
})

test('lines broken at a margin are joined, others stay', () => {
  const wide = '这一行文字写得很长很长一直写到了纸张的右边缘所以不得不换行才能继续'
  expect(unwrap(`${wide}\n写下去。\n${wide}\n写完。`)).toBe(`${wide}写下去。\n${wide}写完。`)
  expect(unwrap('短行\n短行')).toBe('短行\n短行')
})

test('no text crashes it, and its letters are kept', () => {
  const part = fc.constantFrom('A．', 'B.', 'C、', '(D)', '1．', '（1）', '____', '（ ）', '\n', '  ', '【答案】', '解：', '$x$', '$', '12', '__3__', '文字', 'word ', '（5分）', '[[甲|乙]]', '①', '\uFFFC', '答案：')
  fc.assert(fc.property(fc.array(part, { maxLength: 40 }), fc.array(part, { maxLength: 12 }), fc.constantFrom(undefined, 1, 2, 3, 4, 5, 6), (text, answer, type) => {
    expect(() => made(text.join(''), { answer: answer.join(''), ...(type ? { type: type as Raw['type'] } : {}) })).not.toThrow()
  }), { numRuns: 600 })
})

test('LaTeX around formulas becomes words, room to write and tables; what is left is a problem', () => {
  const read = (text: string) => {
    const warnings: Warning[] = []
    return { doc: flowDoc(textFlow(text, warnings)), problems: warnings.filter((one) => one.level === 'problem').map((one) => one.message) }
  }
  const words = read(String.raw`甲~乙\\ 占\uline{\qquad}，合 50\% \textbf{且}\uline{重点}，则($\quad$)`)
  expect(words.problems).toEqual([])
  expect(words.doc).toMatchObject({ c: [{ c: ['甲 乙'] }, { c: ['占________，合 50% 且', { t: 'text', text: '重点', u: true }, '，则（　　）'] }] })
  expect(read(String.raw`如表\begin{tabular}{|c|c|}\hline 年份 & 产量\\ \hline 2020 & 12\\ \hline\end{tabular}求和`).doc?.c.map((block) => block.t)).toEqual(['p', 'table', 'p'])
  expect(read(String.raw`求\frac{1}{2}的值`).problems).toEqual(['「\\frac」是公式代码，没有写成公式'])
  expect(read(String.raw`文件在 C:\Users 中，~ 表示主目录`)).toMatchObject({ problems: [], doc: { c: [{ c: [String.raw`文件在 C:\Users 中，~ 表示主目录`] }] } })
})
