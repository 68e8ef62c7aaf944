import fc from 'fast-check'
import { expect, test } from 'vitest'
import { docOf, textOf, type Block, type Inline, type RichDoc } from './rich-doc.ts'
import { readDoc } from './rich-schema.ts'
import { fromEditor, toEditor } from './rich-convert.ts'
import { canonical } from './canonical.ts'

const FILE = '/daoyuan/api/end/files/0b6a4e0c-7d1c-4c5e-9a57-0d7c5d7a1c11'
const words = fc.string({ unit: fc.constantFrom(..."求函数 abc123,。（）'\"<&".split('')), minLength: 1, maxLength: 12 })
const on = fc.constantFrom({}, { b: true as const }, { dot: true as const, u: true as const }, { sub: true as const }, { sup: true as const }, { wave: true as const, i: true as const }, { ruby: 'pīn' })
const inline: fc.Arbitrary<Inline> = fc.oneof(
  words, fc.record({ text: words, marks: on }).map(({ text, marks }): Inline => textOf(text, marks)), fc.constantFrom<Inline>({ t: 'tex', tex: '\\frac{1}{2}' }, { t: 'paren' }, { t: 'br' }, { t: 'subref', n: 3 }, { t: 'img', asset: FILE, w: 40, alt: '图' }),
  fc.record({ id: fc.constantFrom('b1', 'b2', 'b3'), width: fc.integer({ min: 1, max: 30 }), style: fc.constantFrom('line', 'paren', 'box') }).map(({ id, width, style }): Inline => ({ t: 'blank', id, width, ...(style !== 'line' && { style: style as 'box' }) })),
)
const run = fc.array(inline, { maxLength: 6 })
const leaf: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ c: run, align: fc.constantFrom('left', 'center', 'right', undefined), indent: fc.constantFrom(2, undefined) }).map(({ c, align, indent }): Block => ({ t: 'p', c, ...(align && { align: align as 'left' }), ...(indent && { indent }) })),
  fc.constantFrom<Block>({ t: 'math', tex: 'x^2' }, { t: 'image', asset: FILE, w: 200, align: 'center', caption: '图 1' }, { t: 'audio', asset: FILE, title: '听力' }, { t: 'lines', n: 8, style: 'grid' }, { t: 'lines', n: 3 }),
  fc.array(run, { minLength: 1, maxLength: 3 }).map((lines): Block => ({ t: 'poem', lines })), fc.array(fc.record({ who: words, c: run }), { minLength: 1, maxLength: 3 }).map((turns): Block => ({ t: 'dialogue', turns })),
)
const block: fc.Arbitrary<Block> = fc.oneof({ weight: 4, arbitrary: leaf },
  fc.record({ style: fc.constantFrom('bullet', 'decimal', 'paren', 'circle', 'letter'), start: fc.constantFrom(3, undefined), items: fc.array(fc.array(leaf, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }) }).map(({ style, start, items }): Block => ({ t: 'list', style: style as 'bullet', ...(start && { start }), items })),
  fc.array(fc.array(fc.record({ c: fc.array(leaf, { minLength: 1, maxLength: 2 }), head: fc.boolean(), span: fc.constantFrom(1, 2) }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((rows): Block => ({ t: 'table', rows: rows.map((row) => row.map(({ c, head, span }) => ({ c, ...(head && { head: true as const }), ...(span > 1 && { colspan: span, rowspan: span }) }))) })))

/** Cells and items without a paragraph hold an empty one in the editor; nobody sees the difference. */
const seen = (doc: RichDoc | null) => canonical(JSON.parse(JSON.stringify(doc, (_key, value: unknown) => (Array.isArray(value) && value.length === 1 && JSON.stringify(value[0]) === '{"t":"p","c":[]}' ? [] : value))))

test('whatever may be stored comes back from the editor as it was', () => {
  fc.assert(fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
    const doc = docOf(blocks)
    expect(seen(fromEditor(toEditor(doc)))).toBe(seen(doc))
    expect(readDoc(fromEditor(toEditor(doc)))).not.toBeUndefined()
  }), { numRuns: 300, seed: 20261122 })
})

test('nothing is an empty paragraph in the editor and null in the store', () => {
  expect(toEditor(null)).toEqual({ type: 'doc', content: [{ type: 'paragraph' }] })
  expect(fromEditor({ type: 'doc', content: [{ type: 'paragraph' }, { type: 'paragraph', content: [{ type: 'text', text: '  ' }] }] })).toBeNull()
})

test('what the editor may hold and rich text has no word for is left out', () => {
  expect(fromEditor({ type: 'doc', content: [{ type: 'script' }, { type: 'paragraph', content: [{ type: 'text', text: '题' }, { type: 'tex', attrs: { tex: '' } }, { type: 'iframe' }] }] })).toEqual({ t: 'doc', v: 1, c: [{ t: 'p', c: ['题'] }] })
})
