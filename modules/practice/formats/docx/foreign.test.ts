import { expect, test } from 'vitest'
import { answerLetters, type Question } from '../../content/question.ts'
import { problemsOf, problemText } from '../../content/question-rules.ts'
import { assetsOf, formulasOf, inlinesOf, plainText } from '../../../../core/rich-text/rich-doc.ts'
import { texToOmml } from '../math/omml-write.ts'
import { zip } from '../zip.server.ts'
import { readDocx } from './read.server.ts'
import { PNG } from './testing.ts'

const NAMESPACES = 'xmlns:w="w" xmlns:m="m" xmlns:r="r" xmlns:wp="wp" xmlns:a="a" xmlns:pic="pic" xmlns:v="v" xmlns:o="o" xmlns:mc="mc" xmlns:c="c"'
const t = (text: string, properties = '') => `<w:r>${properties ? `<w:rPr>${properties}</w:rPr>` : ''}<w:t xml:space="preserve">${text}</w:t></w:r>`
const p = (...inner: string[]) => `<w:p>${inner.map((one) => (one.startsWith('<') ? one : t(one))).join('')}</w:p>`
const numbered = (id: number, level: number, ...inner: string[]) => `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${inner.map((one) => (one.startsWith('<') ? one : t(one))).join('')}</w:p>`
const math = (tex: string) => texToOmml(tex) ?? ''
const picture = (id: string) => `<w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="476250"/><wp:docPr id="1" name="图片 1" descr="无用的说明"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
const cell = (...inner: string[]) => `<w:tc>${inner.join('')}</w:tc>`
const table = (...rows: string[][]) => `<w:tbl>${rows.map((row) => `<w:tr>${row.join('')}</w:tr>`).join('')}</w:tbl>`

const LEVELS = (levels: readonly [format: string, text: string][]) => levels.map(([format, text], index) => `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`).join('')
const NUMBERING = `<w:numbering ${NAMESPACES}><w:abstractNum w:abstractNumId="0">${LEVELS([['decimal', '%1．'], ['upperLetter', '%2．'], ['decimal', '（%3）']])}</w:abstractNum><w:abstractNum w:abstractNumId="1">${LEVELS([['chineseCounting', '%1、']])}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`

async function read(body: string, more: Record<string, string | Uint8Array> = {}) {
  const parts: [string, string | Uint8Array][] = [
    ['_rels/.rels', '<Relationships><Relationship Id="rId1" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>'],
    ['word/document.xml', `<?xml version="1.0" encoding="UTF-8"?><w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`],
    ['word/numbering.xml', NUMBERING],
    ['word/_rels/document.xml.rels', '<Relationships><Relationship Id="rId5" Type="image" Target="media/image1.png"/><Relationship Id="rId6" Type="image" Target="media/image2.wmf"/></Relationships>'],
    ['word/media/image1.png', PNG], ['word/media/image2.wmf', PNG], ...Object.entries(more),
  ]
  return readDocx(await zip(parts))
}

const questions = async (body: string): Promise<Question[]> => (await read(body)).items.flatMap((item) => item.question ?? [])
const problems = (all: readonly Question[]) => all.flatMap((question) => problemsOf(question).map(problemText))
const options = (question: Question | undefined) => question?.options.map((option) => plainText(option.doc))

test('automatic lists of Word are numbers and letters', async () => {
  const all = await questions([
    numbered(2, 0, '选择题（每小题5分）'),
    numbered(1, 0, '设', math('x^{2}=4'), '，则（　　）'), numbered(1, 1, 'x＝1'), numbered(1, 1, 'x＝2'), numbered(1, 1, 'x＝±2'), numbered(1, 1, '无解'), p('【答案】C'),
    numbered(1, 0, '下列最大的是（　　）'), numbered(1, 1, '1'), numbered(1, 1, '2'), p('【答案】B'),
  ].join(''))
  expect(problems(all)).toEqual([])
  expect(all.map((one) => [one.type, one.score, answerLetters(one)])).toEqual([[1, 5, 'C'], [1, 5, 'B']])
  expect(formulasOf(all[0]?.stem ?? null)).toEqual(['x^{2}=4'])
  expect(options(all[0])).toEqual(['x＝1', 'x＝2', 'x＝±2', '无解'])
})

test('options on one line with tabs, in a table, as pictures', async () => {
  const all = await questions([
    p('1．下列属于哺乳动物的是（　　）'), p('A．鲸', '<w:r><w:tab/></w:r>', 'B．鲨鱼', '<w:r><w:tab/></w:r>', 'C．海龟', '<w:r><w:tab/></w:r>', 'D．企鹅'), p('【答案】A'),
    p('2．下列属于鸟类的是（　　）'), table([cell(p('A．鲸')), cell(p('B．鲨鱼'))], [cell(p('C．海龟')), cell(p('D．企鹅'))]), p('【答案】D'),
    p('3．下列图形对称的是（　　）'), p('A．', picture('rId5'), 'B．', picture('rId5'), 'C．', picture('rId5'), 'D．', picture('rId5')), p('【答案】B'),
  ].join(''))
  expect(options(all[0])).toEqual(['鲸', '鲨鱼', '海龟', '企鹅'])
  expect(options(all[1])).toEqual(['鲸', '鲨鱼', '海龟', '企鹅'])
  expect(all[2]?.options.map((option) => assetsOf(option.doc).length)).toEqual([1, 1, 1, 1])
  expect(all.map(answerLetters)).toEqual(['A', 'D', 'B'])
})

test('answers at the end, room to write, tables, points, marks, embedded formulas', async () => {
  const underline = '<w:u w:val="single"/>'
  const { items, assets } = await read([
    p('一、填空题'), p('1．（4分）水的化学式是', t('        ', underline), '，读作“', t('水', '<w:em w:val="dot"/>'), '”。'),
    p('二、解答题'), p('2．（8分）看表。'), table([cell(p('年份')), cell(p('产量'))], [cell(p('2020')), cell(p('12'))]), p('（1）求平均数；'), p('（2）结合', '<w:r><w:object><v:shape style="width:30pt"><v:imagedata r:id="rId6"/></v:shape><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>', '说明。'),
    p('参考答案'), p('1．H', t('2', '<w:vertAlign w:val="subscript"/>'), 'O'), p('2．（1）12'), p('（2）略'),
  ].join(''))
  const all = items.flatMap((item) => item.question ?? [])
  expect(problems(all)).toEqual([])
  expect(all.map((one) => [one.type, one.score])).toEqual([[3, 4], [4, 8]])
  expect(inlinesOf(all[0]?.stem ?? null, 'blank')).toHaveLength(1)
  expect(inlinesOf(all[0]?.stem ?? null, 'text')).toEqual([{ t: 'text', text: '水', dot: true }])
  expect(all[1]?.stem?.c.some((block) => block.t === 'table')).toBe(true)
  expect(inlinesOf(all[1]?.stem ?? null, 'img')).toMatchObject([{ pending: true, alt: '公式', w: 40 }])
  expect([...assets.keys()]).toEqual(['word/media/image2.wmf'])
})

test('a formula between brackets, limits, matrices and words of Word is TeX', async () => {
  const source = ['\\begin{cases}x=1 \\\\ y=2\\end{cases}', '\\sum_{i=1}^{n}a_{i}', '\\lim_{x\\rightarrow0}\\sin x', '\\left|x\\right|', '\\overset{\\frown}{AB}', '\\text{速度}']
  const all = await questions(p('1．求', ...source.map(math), '的值．') + p('【答案】1'))
  expect(formulasOf(all[0]?.stem ?? null)).toEqual(source)
})

const field = (instruction: string) => `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`

test('formulas of old fields, ticks of symbol fonts and TeX between dollars are read', async () => {
  const all = await questions(p('1．化简', field('EQ \\F(1,\\R(3))'), '加$\\frac{1}', '{2}$，得____。') + p('【答案】1') + p('2．它是对的。（', '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>', '）'))
  expect(formulasOf(all[0]?.stem ?? null)).toEqual(['\\frac{1}{\\sqrt{3}}', '\\frac{1}{2}'])
  expect(all[1] && answerLetters(all[1])).toBe('A')
})

test.each([
  ['a field', field('EQ \\I(0,1,x)'), '域公式'], ['a chart', '<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="rId9"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>', '图形'],
  ['a formula without a picture', '<w:r><w:object><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>', '公式'], ['a sign of an unknown font', '<w:r><w:sym w:font="Marlett" w:char="F0FF"/></w:r>', '符号'], ['a footnote', '<w:r><w:footnoteReference w:id="2"/></w:r>', '脚注'],
])('what cannot be read is said at its place: %s', async (_, lost, name) => {
  const { items } = await read(p('1．如右，求值', lost, '（　　）') + p('A．1  B．2') + p('【答案】A'))
  expect(items[0]?.warnings.filter((one) => one.level === 'problem').map((one) => one.message)).toEqual([expect.stringContaining(`「〔未读出的${name}`)])
  expect(plainText(items[0]?.question?.stem ?? null)).toContain(`求值〔未读出的${name}`)
})

test('what is broken is named, and the rest is read', async () => {
  const text = p('1．求值（　　）') + p('A．1  B．2') + p('【答案】A')
  const damaged = await read(text, { 'word/styles.xml': '<w:styles><w:style>' })
  expect(damaged.warnings.map((warning) => warning.message)).toEqual(['「word/styles.xml」已损坏，没有读取'])
  expect(damaged.items[0]?.question?.options).toHaveLength(2)
  await expect(readDocx(Buffer.from('PK\u0003\u0004 not a zip'))).rejects.toThrow('不是完整的压缩文件')
  await expect(readDocx(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toThrow('另存为 .docx')
  await expect(readDocx(await zip([['a.txt', 'x']]))).rejects.toThrow('不是有效的 Word 文件')
  await expect(read('<w:p><w:r>')).rejects.toThrow('已损坏')
  expect((await read('')).items[0]).toMatchObject({ question: null })
})
