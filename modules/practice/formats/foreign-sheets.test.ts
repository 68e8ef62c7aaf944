/** Sheets as other people lay them out. */
import { afterAll, expect, test } from 'vitest'
import { fixtureFolder, workbook, workbookOf } from '../../../core/sheet/fixture.server.ts'
import { answerLetters } from '../content/question.ts'
import { problemsOf } from '../content/question-rules.ts'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { readQuestions } from '../import/read-file.server.ts'
import { writeQuestionSheet } from './excel.server.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())

const cell = (row: number, column: number, text: string) => (text === '' ? '' : `<c r="${String.fromCodePoint(65 + column)}${row + 1}" t="inlineStr"><is><t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`)
const sheetOf = (rows: readonly (readonly string[])[], merges: readonly string[] = []) => `<sheetData>${rows.map((row, index) => `<row r="${index + 1}">${row.map((text, column) => cell(index, column, text)).join('')}</row>`).join('')}</sheetData>${merges.length > 0 ? `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>` : ''}`

let count = 0
async function read(rows: readonly (readonly string[])[], merges: readonly string[] = [], parts = {}) {
  const { parsed } = await readQuestions(folder.write(`${++count}.xlsx`, await workbookOf(sheetOf(rows, merges), parts)), `${count}.xlsx`, null)
  return parsed.items
}
const seen = (items: Awaited<ReturnType<typeof read>>) => items.map(({ question, warnings }) => [question ? plainText(question.stem) : null, question?.options.map(({ doc }) => plainText(doc)).join('/') ?? '', question ? answerLetters(question) : '', [...warnings.filter((one) => one.level === 'problem').map((one) => one.message), ...(question ? problemsOf(question).map((one) => one.message) : [])].length])

test('a header below a title and a line of instructions', async () => {
  const items = await read([['高一数学题库', '', '', '', ''], ['填写说明：带 * 的必填，题型请从下拉中选择', '', '', '', ''], ['题干*', 'A', 'B', 'C', '正确答案*'], ['最大的是', '1', '2', '3', 'C']], ['A1:E1', 'A2:E2'])
  expect(seen(items)).toEqual([['最大的是', '1/2/3', 'C', 0]])
})

test('one row per option, the stem merged over them, repeated or only in the first', async () => {
  const rows = (repeat: boolean) => [['题干', '题型', '选项标号', '选项内容', '是否正确', '解析'], ['最大的是', '单选题', 'A', '1', '否', '比较'], [repeat ? '最大的是' : '', '', 'B', '2', '是', ''], ['偶数有', '多选题', 'A', '2', '是', ''], [repeat ? '偶数有' : '', '', 'B', '3', '否', ''], [repeat ? '偶数有' : '', '', 'C', '4', '是', '']]
  const expected = [['最大的是', '1/2', 'B', 0], ['偶数有', '2/3/4', 'AC', 0]]
  expect(seen(await read(rows(true)))).toEqual(expected)
  expect(seen(await read(rows(false)))).toEqual(expected)
  expect(seen(await read(rows(false), ['A2:A3', 'B2:B3', 'A4:A6', 'B4:B6']))).toEqual(expected)
})

test('answers of blanks in the columns of the options', async () => {
  const items = await read([['题型', '题干', '选项A', '选项B', '选项C', '答案'], ['填空题', '首都是____，大河是____。', '北京', '长江', '', ''], ['填空题', '首都是____。', '北京', '', '', ''], ['单选题', '首都是', '北京', '南京', '西京', 'A']])
  expect(items.map(({ question }) => question?.answer.k === 'blanks' ? question.answer.b.map(({ accept }) => accept.map(plainText).join('|')) : question && answerLetters(question))).toEqual([['北京', '长江'], ['北京'], 'A'])
  expect(items.flatMap(({ warnings }) => warnings.filter((one) => one.level === 'problem'))).toEqual([])
})

test('a column called A is an option, and a choice without options is a problem', async () => {
  const items = await read([['question', 'A', 'B', 'C', 'D', 'answer', 'explanation'], ['最大的是', '1', '2', '3', '4', 'D', '比较'], ['最小的是', '', '', '', '', 'A', '']])
  expect(seen(items)).toEqual([['最大的是', '1/2/3/4', 'D', 0], ['最小的是____', '', '', 1]])
})

test('a passage merged over its questions is one question with parts', async () => {
  const items = await read([['材料', '题干', 'A', 'B', '答案'], ['春天来了，花开了。', '季节是', '春', '秋', 'A'], ['', '开的是', '叶', '花', 'B'], ['', '冬天是', '冷', '热', 'A']], ['A2:A3'])
  expect(items.map(({ question }) => [question?.type, question?.children.length, question?.children.map(answerLetters).join('')])).toEqual([[6, 2, 'AB'], [1, 0, '']])
})

test('材料题 with parts that say so keeps them; rows that say nothing are doubted', async () => {
  const header = ['题型', '题干', '选项A', '选项B', '正确答案']
  const [group] = await read([header, ['材料题', '阅读材料：春天来了。', '', '', ''], ['子题-单选题', '季节是', '春', '秋', 'A'], ['子题-判断题', '天冷。', '', '', '错误'], ['单选题', '一加一', '2', '3', 'A']])
  expect(group?.question).toMatchObject({ type: 6, children: [{ type: 1, answer: { ok: 'o1' } }, { type: 1, category: '判断题', answer: { ok: 'o2' } }] })
  const loose = await read([header, ['材料题', '阅读材料：春天来了。', '', '', ''], ['单选题', '季节是', '春', '秋', 'A']])
  expect(loose.some(({ warnings }) => warnings.some(({ message }) => message.includes('不能确定')))).toBe(true)
})

test('other sheets are named', async () => {
  const more = { 'xl/workbook.xml': workbook('<sheet name="一" sheetId="1" r:id="rId1"/><sheet name="二" sheetId="2" r:id="rId9"/>'), 'xl/_rels/workbook.xml.rels': '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/></Relationships>', 'xl/worksheets/sheet2.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${sheetOf([['题干', '答案'], ['一', '二']])}</worksheet>` }
  const items = await read([['题干', 'A', 'B', '答案'], ['最大的是', '1', '2', 'B']], [], more)
  expect(items.map(({ place }) => place)).toEqual(['第 2 行', '工作表「二」'])
})

test('match rules, tolerance, several answers and identity come round', async () => {
  const [item] = await read([['题干', '题型', '答案', '误差'], ['约____', '填空题', '3.14', '0.01']])
  const question = item?.question
  expect(question?.answer).toMatchObject({ b: [{ match: 'numeric', eps: 0.01 }] })
  if (!question || question.answer.k !== 'blanks') throw new Error('no blanks')
  const [blank] = question.answer.b
  const rich = { ...question, no: 'M1-7', answer: { k: 'blanks' as const, b: blank ? [{ ...blank, accept: [...blank.accept, ...blank.accept].map((doc, index) => (index === 0 ? doc : { ...doc, c: [{ t: 'p' as const, c: ['3.1416'] }] })), match: 'numeric' as const }] : [] } }
  const { bytes } = await writeQuestionSheet([rich], new Map())
  const { parsed } = await readQuestions(folder.write('back.xlsx', bytes), 'back.xlsx', null)
  expect(parsed.items[0]?.question).toMatchObject({ no: 'M1-7', answer: { b: [{ match: 'numeric', eps: 0.01, accept: [{}, {}] }] } })
})
