import { defaultTreeAdapter as tree, parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import type { PracticeDetail } from '../bank/calls.ts'
import { startWritten } from '../edit/written.ts'
import { EXPORT_FORMATS } from '../export/formats.ts'
import { WRITERS } from '../export/write.server.ts'
import { readMoodle } from '../formats/moodle/read.ts'
import { NO_FACTS, type QuestionContent } from './question.ts'
import { inlineDoc, paragraph, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { richDoc } from '../../../core/rich-text/rich-schema.ts'
import { QuestionView } from './render.tsx'
import { texToHtml } from '../../../core/rich-text/tex-compile.ts'

/** Markup that would run something, were it ever taken for markup. Each calls `alarm`. */
const MARKUP = [
  '<script>alarm(1)</script>', '"><script src=//evil.test/a.js></script>', '<img src=x onerror=alarm(2)>', '<svg/onload=alarm(3)>', '<svg><animate onbegin=alarm(4) attributeName=x dur=1s>', '<iframe srcdoc="<script>alarm(5)</script>"></iframe>',
  '<a href="javascript:alarm(6)">x</a>', '<a href="java&#10;script:alarm(7)">x</a>', '<math><mi xlink:href="javascript:alarm(8)">x</mi></math>', '<body onload=alarm(9)>', '<details open ontoggle=alarm(10)>', '<video><source onerror=alarm(11)></video>',
  '<form action="javascript:alarm(12)"><button>x</button></form>', '<style>@import "//evil.test/a.css"</style>', '<div style="background:url(javascript:alarm(13))">x</div>', '<object data="data:text/html,<script>alarm(14)</script>"></object>', '<base href="//evil.test/">',
  '<meta http-equiv=refresh content="0;url=javascript:alarm(15)">', "';alarm(16);//", '{{constructor.constructor("alarm(17)")()}}', '${alarm(18)}', ']]><script>alarm(19)</script><![CDATA[', '<!--><script>alarm(20)</script>-->', '<template><script>alarm(21)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alarm(22)>">', '<p onclick="alarm(23)" onmouseover=alarm(23)>正文</p>', '&lt;script&gt;alarm(24)&lt;/script&gt;', '\u0000<scr\u0000ipt>alarm(25)</script>', '<table background="javascript:alarm(26)"><td onfocus=alarm(26) tabindex=1>x',
  '<input autofocus onfocus=alarm(27)>', '<embed src="data:image/svg+xml,<svg onload=alarm(28)>">', '<link rel=stylesheet href="javascript:alarm(29)">', '<button formaction="javascript:alarm(30)">x</button>',
]

/** Formulas that try to leave the formula. */
const FORMULAS = [
  '\\href{javascript:alarm(1)}{x}', '\\url{javascript:alarm(2)}', '\\htmlData{onclick=alarm(3)}{x}', '\\htmlStyle{background:url(//evil.test)}{x}', '\\htmlId{x" onload="alarm(4)}{x}', '\\htmlClass{x" onclick="alarm(5)}{x}', '\\includegraphics{https://evil.test/x.png}',
  '\\text{<img src=x onerror=alarm(6)>}', '<script>alarm(7)</script>', '\\unicode{60}script', '\\color{"><script>alarm(8)</script>}{x}', '\\def\\a{\\a\\a}\\a',
]

/** Addresses that no picture may have. */
const ADDRESSES = [
  'javascript:alarm(1)', 'data:text/html,<script>alarm(2)</script>', 'data:image/svg+xml,<svg onload=alarm(3)>', 'https://evil.test/x.png', '//evil.test/x.png', '/daoyuan/api/end/files/../../evil', '/daoyuan/api/end/files/0f8fad5b-d9cb-469f-a165-70867728950e" onerror="alarm(4)',
  'JaVaScRiPt:alarm(5)', ' javascript:alarm(6)', 'vbscript:alarm(7)', 'file:///etc/passwd',
]

/** Elements that texts are drawn with; KaTeX draws with the last two rows. */
const ELEMENTS = new Set(`article section div span p br b i u em strong sub sup ruby rt ol ul li table tbody tr td th figure figcaption img audio track dl dt dd code button h4 small
  math semantics mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose annotation svg path line g rect`.split(/\s+/))
const URLS = /^(?:\/daoyuan\/api\/end\/files\/[0-9a-f-]{36})$/

/** Everything in a piece of markup that could run or fetch something. */
function dangers(html: string): string[] {
  const found: string[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if (tree.isElementNode(node)) {
      if (!ELEMENTS.has(node.tagName)) found.push(`<${node.tagName}>`)
      for (const { name, value } of node.attrs) {
        if (/^on/i.test(name)) found.push(`${name}=${value}`)
        if (['src', 'href', 'xlink:href', 'action', 'formaction', 'data', 'srcdoc', 'background'].includes(name) && !URLS.test(value)) found.push(`${name}=${value}`)
        if (name === 'style' && /url\(|expression|@import|javascript/i.test(value)) found.push(`style=${value}`)
      }
    }
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parseFragment(html))
  return found
}

const drawn = (content: QuestionContent) => renderToStaticMarkup(createElement(QuestionView, { content, answer: 'shown' }))

/** A question with one text in every place that takes text. */
function everywhere(text: string): QuestionContent {
  const doc: RichDoc = {
    t: 'doc', v: 1, c: [
      paragraph([text, { t: 'text', text, b: true, ruby: text.slice(0, 100) }, { t: 'tex', tex: text }, { t: 'img', asset: '/daoyuan/api/end/files/0f8fad5b-d9cb-469f-a165-70867728950e', alt: text.slice(0, 100) }]),
      { t: 'table', rows: [[{ c: [paragraph([text])] }]] }, { t: 'math', tex: text }, { t: 'list', style: 'bullet', items: [[paragraph([text])]] }, { t: 'poem', lines: [[text]] }, { t: 'dialogue', turns: [{ who: text.slice(0, 100), c: [text] }] },
      { t: 'image', asset: '/daoyuan/api/end/files/0f8fad5b-d9cb-469f-a165-70867728950e', caption: text.slice(0, 100) },
    ],
  }
  const start = startWritten(1).content
  return { ...start, stem: doc, options: [{ id: 'o1', doc }, { id: 'o2', doc: inlineDoc([text, '二']) }], answer: { k: 'one', ok: 'o1' }, analysis: { hint: doc, solution: doc, comment: doc, pitfall: doc }, category: text.slice(0, 20) }
}

let app: TestApp
let writer: Caller
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

test('the look at markup sees what it should', () => {
  for (const html of MARKUP.filter((one) => one.startsWith('<') && !one.startsWith('<!--') && !one.includes('<math>') && !one.startsWith('<noscript') && !one.startsWith('<body'))) expect(dangers(html), html).not.toEqual([])
  expect(dangers('<p>正文 <span style="color:red">x</span></p>')).toEqual([])
})

test('whatever is written as text is drawn as text', () => {
  for (const text of [...MARKUP, ...FORMULAS]) {
    const html = drawn(everywhere(text))
    expect(dangers(html), text).toEqual([])
  }
})

test('formulas neither link, fetch nor set attributes', () => {
  for (const tex of [...FORMULAS, ...MARKUP]) {
    for (const display of [false, true]) {
      let html = ''
      try {
        html = texToHtml(tex, display)
      } catch {
        // Refused: its source is shown instead.
      }
      expect(dangers(html), tex).toEqual([])
    }
  }
})

test('no address but that of a stored file is stored, and unknown kinds are refused', () => {
  for (const asset of ADDRESSES) {
    for (const block of [paragraph([{ t: 'img', asset }]), { t: 'image', asset }, { t: 'audio', asset }]) expect(richDoc.safeParse({ t: 'doc', v: 1, c: [block] }).success, asset).toBe(false)
  }
  for (const node of [{ t: 'html', html: '<b>x</b>' }, { t: 'iframe', src: '/' }, { t: 'script', text: 'alarm(1)' }]) expect(richDoc.safeParse({ t: 'doc', v: 1, c: [node] }).success).toBe(false)
  const read = richDoc.parse({ t: 'doc', v: 1, c: [{ t: 'p', c: [{ t: 'text', text: 'x', onclick: 'alarm(1)', style: 'x' }], onload: 'alarm(2)', class: 'x' }], evil: 1 })
  expect(JSON.stringify(read)).not.toMatch(/alarm|evil|class/)
})

test('questions keep their words through the store, and stay harmless when they are read again', async () => {
  for (const text of MARKUP) {
    const content = everywhere(text)
    const without = JSON.parse(JSON.stringify(content), (_key, value: unknown) => {
      // Pictures belong to somebody; those of this test were never uploaded.
      if (!Array.isArray(value)) return value
      return (value as { t?: string }[]).filter((one) => one?.t !== 'img' && one?.t !== 'image')
    }) as QuestionContent
    const start = startWritten(1)
    const facts = { ...start.facts, source_paper: text.replaceAll('\u0000', '').slice(0, 100), tags: [text.replaceAll('\u0000', '').slice(0, 20)] }
    const { status, body } = await writer.post<PracticeDetail>('/daoyuan/api/dou_practice/end/practice', { ...start, content: without, facts, level: 0 })
    expect(status, JSON.stringify(body)).toBe(200)
    const again = (await writer.get<PracticeDetail>(`/daoyuan/api/dou_practice/end/practice/${body.id}`)).body
    expect(dangers(drawn(again.content)), text).toEqual([])
    expect(JSON.stringify(again.content)).not.toContain('\\u0000')
  }
})

test('markup of a file becomes text or nothing', () => {
  const quiz = (html: string) => `<?xml version="1.0"?><quiz><question type="multichoice"><questiontext format="html"><text><![CDATA[<p>题干${html.replaceAll(']]>', ']]]]><![CDATA[>')}</p>]]></text></questiontext><single>true</single><answer fraction="100" format="html"><text><![CDATA[对${html.replaceAll(']]>', '')}]]></text></answer><answer fraction="0"><text>错</text></answer></question></quiz>`
  for (const html of MARKUP.filter((one) => !one.includes('\u0000'))) {
    for (const item of readMoodle(quiz(html))?.items ?? []) {
      if (!item.question) continue
      expect(dangers(drawn(item.question)), html).toEqual([])
      expect(JSON.stringify(item.question), html).not.toMatch(/"(?:asset|href|src)":"(?:javascript|data|https?:|\/\/)/i)
    }
  }
})

test('what is exported to be shown elsewhere carries no markup of its own making', async () => {
  for (const text of MARKUP.filter((one) => !one.includes('\u0000'))) {
    const question = { ...everywhere(text), ...NO_FACTS }
    const { bytes } = await WRITERS.moodle([question], new Map())
    const xml = new TextDecoder().decode(bytes)
    // The HTML that a Moodle would show: what stands in its texts.
    const shown = [...xml.matchAll(/<text>([\s\S]*?)<\/text>/g)].map(([, body = '']) => body.replaceAll(']]]]><![CDATA[>', ']]>').replace(/^<!\[CDATA\[([\s\S]*)\]\]>$/, '$1'))
    for (const html of shown.filter((one) => one.startsWith('<'))) expect(dangers(html).filter((danger) => !danger.startsWith('src=@@PLUGINFILE@@')), `${text} in ${html}`).toEqual([])
  }
  const simple = MARKUP.filter((one) => !/[\u0000\n]/.test(one)).map((text) => ({ ...startWritten(1).content, ...NO_FACTS, stem: inlineDoc([text]), options: [{ id: 'o1', doc: inlineDoc([text]) }, { id: 'o2', doc: inlineDoc(['二']) }], answer: { k: 'one' as const, ok: 'o1' } }))
  for (const { value } of EXPORT_FORMATS) expect((await WRITERS[value](simple, new Map())).bytes.length, value).toBeGreaterThan(0)
})
