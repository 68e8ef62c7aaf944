import { expect, test } from 'vitest'
import { assetsOf, docOf, formulasOf, inlineDoc, inlinesOf, paragraph, plainDoc, plainText, rewriteDoc, textOf, walk, withAssets, type RichDoc } from './rich-doc.ts'
import { readDoc, richDoc } from './rich-schema.ts'

const FILE = '/daoyuan/api/end/files/0f8fad5b-d9cb-469f-a165-70867728950e'

const doc: RichDoc = {
  t: 'doc', v: 1,
  c: [
    { t: 'p', c: ['设 ', { t: 'tex', tex: 'x>0' }, '，则', { t: 'paren' }] },
    { t: 'table', rows: [[{ c: [{ t: 'p', c: ['甲', textOf('乙', { dot: true })] }] }, { c: [{ t: 'p', c: [{ t: 'blank', id: 'b1' }] }], head: true }]] },
    { t: 'image', asset: FILE, caption: '图1' },
    { t: 'math', tex: 'y=x^2' },
    { t: 'poem', lines: [['床前明月光'], ['疑是地上霜']] },
    { t: 'dialogue', turns: [{ who: 'A', c: ['Hi', { t: 'subref', n: 1 }] }] },
    { t: 'list', style: 'decimal', items: [[{ t: 'p', c: ['一'] }]] },
  ],
}

test('a document is read in order', () => {
  expect(plainText(doc)).toBe('设 x>0 ，则（　）\n甲乙 ____\n[图1]\ny=x^2\n床前明月光\n疑是地上霜\nA：Hi(1)\n一')
  expect(formulasOf(doc)).toEqual(['x>0', 'y=x^2'])
  expect(inlinesOf(doc, 'blank').map((blank) => blank.id)).toEqual(['b1'])
  expect(assetsOf(doc)).toEqual([FILE])
  const kinds: string[] = []
  walk(doc, { block: (block) => kinds.push(block.t) })
  expect(kinds).toEqual(['p', 'table', 'p', 'p', 'image', 'math', 'poem', 'dialogue', 'list', 'p'])
})

test('nothing to read is null, and runs that look alike are one', () => {
  expect(docOf([])).toBeNull()
  expect(plainDoc(' \n\t')).toBeNull()
  expect(inlineDoc(['', textOf('')])).toBeNull()
  expect(docOf([paragraph(['']), paragraph(['甲', '乙', textOf('丙', { b: true }), textOf('丁', { b: true })]), paragraph([])])?.c).toEqual([{ t: 'p', c: ['甲乙', { t: 'text', text: '丙丁', b: true }] }])
  expect(inlineDoc([textOf('中', { ruby: 'zhōng' }), textOf('国', { ruby: 'guó' })])?.c).toEqual([{ t: 'p', c: [{ t: 'text', text: '中', ruby: 'zhōng' }, { t: 'text', text: '国', ruby: 'guó' }] }])
})

test('rewriting keeps what it does not name', () => {
  expect(rewriteDoc(doc, {})).toEqual(doc)
  expect(assetsOf(withAssets(doc, (asset) => `${asset}x`))).toEqual([`${FILE}x`])
  expect(rewriteDoc(inlineDoc(['a']), { inline: () => [] })).toBeNull()
})

test('what is stored passes a whitelist', () => {
  expect(readDoc(doc)).toEqual(doc)
  expect(readDoc(null)).toBeNull()
  const dirty = { t: 'doc', v: 1, c: [{ t: 'p', onclick: 'alert(1)', c: ['甲\u0000\u200B乙\uD800', { t: 'text', text: '丙', b: true, style: 'x' }] }] }
  expect(readDoc(dirty)).toEqual({ t: 'doc', v: 1, c: [{ t: 'p', c: ['甲乙', { t: 'text', text: '丙', b: true }] }] })
})

test.each([
  [{ t: 'doc', v: 1, c: [{ t: 'script', c: ['x'] }] }],
  [{ t: 'doc', v: 1, c: [{ t: 'image', asset: 'javascript:alert(1)' }] }],
  [{ t: 'doc', v: 1, c: [{ t: 'image', asset: 'https://example.com/a.png' }] }],
  [{ t: 'doc', v: 1, c: [{ t: 'p', c: [{ t: 'img', asset: 'data:image/svg+xml,<svg onload=alert(1)>' }] }] }],
  [{ t: 'doc', v: 2, c: [] }],
  ['<p>文字</p>'],
  [Array.from({ length: 3000 }).reduce((inner: unknown) => ({ t: 'doc', v: 1, c: [{ t: 'list', style: 'bullet', items: [[inner]] }] }), null)],
])('and is refused: %#', (value) => {
  const read = richDoc.safeParse(value)
  expect(read.success).toBe(false)
  expect(read.error?.issues[0]?.message).toMatch(/[\u4e00-\u9fff]|Invalid/)
})
