import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { emptyContent, NO_ANALYSIS, type QuestionContent } from './question.ts'
import { docOf, inlineDoc, plainDoc, textOf, type Block } from '../../../core/rich-text/rich-doc.ts'
import { QuestionView } from './render.tsx'

const shown = (content: QuestionContent, answer: 'shown' | 'folded' | 'none' = 'shown') => renderToStaticMarkup(createElement(QuestionView, { content, number: 3, answer }))

test('every kind of block and inline has a view', () => {
  const blocks: Block[] = [
    { t: 'p', c: ['文', textOf('点', { dot: true }), textOf('中', { ruby: 'zhōng' }), { t: 'tex', tex: 'x^2' }, { t: 'img', asset: '/a', alt: '图', pending: true }, { t: 'blank', id: 'b1', style: 'paren' }, { t: 'paren' }, { t: 'subref', n: 7 }, { t: 'br' }], align: 'center', indent: 2 },
    { t: 'table', rows: [[{ c: [{ t: 'p', c: ['甲'] }], head: true, colspan: 2 }]] },
    { t: 'image', asset: '/b', caption: '图1' },
    { t: 'math', tex: 'y' },
    { t: 'audio', asset: '/c', title: '听力' },
    { t: 'list', style: 'circle', start: 2, items: [[{ t: 'p', c: ['项'] }]] },
    { t: 'poem', lines: [['诗']] },
    { t: 'dialogue', turns: [{ who: 'Tom', c: ['Hi'] }] },
    { t: 'lines', n: 2, style: 'grid' },
  ]
  const html = shown({ ...emptyContent(4), stem: docOf(blocks) }, 'none')
  for (const part of ['doc-dot', '<ruby>中<rt>zhōng</rt></ruby>', 'x^2', '待补公式', 'doc-blank-paren', '（　　）', 'doc-hole">7<', '<th colSpan="2">', '图1', '<audio', 'start="2"', '诗', 'Tom：', 'doc-grid']) expect(html).toContain(part)
})

test('the answer is shown, folded or kept back', () => {
  const content: QuestionContent = { ...emptyContent(1), stem: plainDoc('问'), options: [{ id: 'a', doc: plainDoc('甲') }, { id: 'b', doc: plainDoc('乙') }], answer: { k: 'one', ok: 'b' }, analysis: { ...NO_ANALYSIS, solution: plainDoc('因为') } }
  expect(shown(content)).toMatch(/question-option-right.*乙.*答案.*<span>B<\/span>.*因为/)
  expect(shown(content, 'folded')).toMatch(/查看答案/)
  expect(shown(content, 'folded')).not.toContain('因为')
  expect(shown(content, 'none')).not.toContain('答案')
})

const EVIL = ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>', 'javascript:alert(1)', '</textarea><iframe>', '\\href{javascript:alert(1)}{x}', "'-alert(1)-'", '<math><mi//xlink:href="data:x,<script>alert(4)</script>">']

test.each(EVIL)('markup stays words: %s', (evil) => {
  const doc = docOf([{ t: 'p', c: [evil, { t: 'tex', tex: evil }, textOf(evil, { b: true, ruby: evil }), { t: 'img', asset: evil, alt: evil }] }, { t: 'dialogue', turns: [{ who: evil, c: [evil] }] }, { t: 'image', asset: '/a', caption: evil }])
  const html = shown({ ...emptyContent(1), stem: doc, options: [{ id: 'a', doc: inlineDoc([evil]) }], analysis: { ...NO_ANALYSIS, hint: doc } })
  // Between quotes anything may stand.
  expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<(script|iframe|svg|math|textarea)|<[^>]+\son\w+=/i)
})
