import { expect, test } from 'vitest'
import { emptyContent, NO_ANALYSIS, type QuestionContent } from '../../content/question.ts'
import { inlineDoc, plainDoc, type Block, type RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { texToOmml } from '../math/omml-write.ts'
import { wordAnswer, wordQuestion } from './question.ts'
import { formulaRun, textRun } from './runs.ts'
import { openWord, PNG } from './testing.ts'
import { WordWriter } from './writer.ts'

const pictures = new Map([['/files/a', { bytes: PNG, type: 'image/png', width: 40, height: 20 }]])
const doc = (...c: Block[]): RichDoc => ({ t: 'doc', v: 1, c })

async function opened(make: (word: WordWriter) => Parameters<WordWriter['pack']>[0]['sections'][number]['children']) {
  const word = new WordWriter(pictures)
  const bytes = await word.pack({ title: '测试', sections: [{ children: make(word) }] })
  return { word, ...(await openWord(bytes)) }
}

const words = (elements: readonly { textContent: string | null }[]) => elements.map((one) => one.textContent).join('')

test('every kind of block stands in the file', async () => {
  const { all, pictures: shown, body } = await opened((word) => word.blocks(doc(
    { t: 'p', align: 'center', indent: 2, c: ['甲', { t: 'text', text: '乙', b: true, dot: true }, { t: 'text', text: '拼', ruby: 'pīn' }, { t: 'tex', tex: '\\frac{1}{2}' }, { t: 'blank', id: 'b1' }, { t: 'paren' }, { t: 'subref', n: 3 }, { t: 'br' }, { t: 'img', asset: '/files/a', alt: '点 <1>' }] },
    { t: 'table', rows: [[{ c: [{ t: 'p', c: ['一'] }], colspan: 2, head: true }], [{ c: [{ t: 'p', c: ['二'] }], rowspan: 2 }, { c: [{ t: 'math', tex: 'x^2' }] }], [{ c: [] }]] },
    { t: 'table', plain: true, rows: [[{ c: [{ t: 'p', c: ['无线'] }] }]] },
    { t: 'image', asset: '/files/a', caption: '图 1', w: 30 },
    { t: 'math', tex: '\\begin{cases}x=1\\\\y=2\\end{cases}' },
    { t: 'list', style: 'circle', start: 3, items: [[{ t: 'p', c: ['项'] }, { t: 'list', style: 'letter', items: [[{ t: 'p', c: ['内'] }]] }], [{ t: 'p', c: ['二'] }]] },
    { t: 'poem', lines: [['床前明月光'], ['疑是地上霜']] },
    { t: 'dialogue', turns: [{ who: '甲', c: ['你好'] }] },
    { t: 'lines', n: 3 }, { t: 'lines', n: 2, style: 'grid' },
  )))
  expect(all('m:oMath')).toHaveLength(3)
  expect(all('m:f')).toHaveLength(1)
  expect(shown).toEqual([PNG, PNG])
  expect(all('w:tbl')).toHaveLength(3)
  expect(all('w:ruby')).toHaveLength(1)
  expect(all('w:em')).toHaveLength(1)
  expect(all('w:numId').length).toBe(3)
  expect(words([body.documentElement ?? { textContent: '' }])).toContain('床前明月光疑是地上霜')
})

test('a question, its options in their layout, its answer', async () => {
  const content: QuestionContent = {
    ...emptyContent(1), stem: inlineDoc(['设 ', { t: 'tex', tex: 'x^2=4' }, '，则', { t: 'paren' }]), option_layout: 2,
    options: ['1', '2', '3', '4'].map((text, index) => ({ id: `o${index + 1}`, doc: plainDoc(text) })), answer: { k: 'one', ok: 'o2' }, analysis: { ...NO_ANALYSIS, solution: plainDoc('开方。') },
  }
  const { all } = await opened((word) => [...wordQuestion(word, content, { number: '1．', points: 5 }), ...wordAnswer(word, content)])
  const lines = all('w:p').map((one) => one.textContent)
  expect(lines).toEqual([`1．（5分）设 x2=4，则（${'\u00A0'.repeat(8)}）`, 'A．1B．2C．3D．4', '【答案】B', '【详解】开方。'])
})

test('what cannot be written is said, and the rest is written', async () => {
  const { word, all } = await opened((word) => word.blocks(doc({ t: 'image', asset: '/files/gone' }, { t: 'audio', asset: '/files/b', title: '录音' }, { t: 'p', c: ['后'] })))
  expect(word.notes).toEqual(['有图片已不存在，没有导出', 'Word 文件不能带音频，只保留了名称'])
  expect(words(all('w:t'))).toContain('后')
})

test.each([
  ['\\left(\\frac{a}{b}\\right)^{2}', ['m:d', 'm:f', 'm:sSup']], ['\\sum_{i=1}^{n}i', ['m:nary']], ['\\sqrt[3]{x}', ['m:rad']], ['\\overrightarrow{AB}', ['m:acc']], ['\\overline{z}', ['m:bar']],
  ['\\overset{\\frown}{AB}', ['m:groupChr']], ['\\begin{cases}a\\\\b\\end{cases}', ['m:d', 'm:m']], ['\\begin{aligned}a&=b\\\\&=c\\end{aligned}', ['m:eqArr']], ['\\lim_{x\\to0}\\sin x', ['m:func', 'm:limLow']],
  ['{}_{2}^{4}\\mathrm{He}', ['m:sPre']], ['\\ce{CO2 + H2O <=> H2CO3}', ['m:sSub']], ['\\boxed{x}', ['m:borderBox']], ['\\xrightarrow{\\text{加热}}', ['m:limUpp']], ['\\text{速度 }v', ['m:nor']],
])('%s is a formula of Word', (tex, names) => {
  const omml = texToOmml(tex) ?? ''
  for (const name of names) expect(omml).toContain(`<${name}`)
  // No operand is missing: Word would show a dotted box.
  expect(omml).not.toMatch(/<m:(e|num|den|lim)><\/m:\1>/)
})

test('a line grows with what is on it: every height of lines names its rule', async () => {
  const { parts } = await opened((word) => [word.line([formulaRun('\\frac{1}{2}')]), ...word.blocks(doc({ t: 'lines', n: 2 }))])
  const spacings = [...parts].filter(([name]) => name.endsWith('.xml')).flatMap(([, bytes]) => new TextDecoder().decode(bytes).match(/<w:spacing [^>]*w:line=[^>]*>/g) ?? [])
  expect(spacings.length).toBeGreaterThan(2)
  expect(spacings.filter((one) => !/w:lineRule="(?:auto|exact)"/.test(one))).toEqual([])
  expect(new TextDecoder().decode(parts.get('word/styles.xml'))).toMatch(/<w:pPrDefault>.*?w:lineRule="auto"/)
})

test('a formula that does not compile stays text', async () => {
  const { all } = await opened((word) => [word.line([formulaRun('\\frac{1'), textRun('；')])])
  expect(words(all('w:t'))).toBe('$\\frac{1$；')
})
