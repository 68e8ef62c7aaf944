import { Readable } from 'node:stream'
import { DOMParser, type Element, type Node } from '@xmldom/xmldom'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { describe, expect, test } from 'vitest'
import type { PaperContent } from '../calls.ts'
import { EDITIONS, type PrintOptions } from './edition.ts'
import { writePaperWord } from './word.server.ts'

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64')
const FILE = '11111111-2222-4333-8444-555555555555'
const files = {
  find: async () => ({ id: FILE, name: '图.png', type: 'image/png', bytes: PNG.length, staffId: 1, grant: null, screens: [] }),
  open: async () => Readable.from([PNG]),
} as unknown as Parameters<typeof writePaperWord>[2]

const p = (...c: unknown[]) => ({ t: 'doc', v: 1, c: [{ t: 'p', c }] })
const tex = (source: string) => ({ t: 'tex', tex: source })
const analysis = (solution: unknown) => ({ hint: null, solution, comment: null, pitfall: null })
const question = (type: number, more: object) => ({ type, options: [], option_layout: 1, score: 5, category: null, children: [], ...more })
const option = (id: string, doc: unknown) => ({ id, doc })

/** A choice of numbers, a question with a picture that is answered in words, and one passage with two children. */
const CARDS = [
  { id: 1, type: 1, video: '/daoyuan/api/end/files/video', content: question(1, { stem: p('若', tex('x^2=4'), '，则'), options: [option('o1', p(tex('x=2'))), option('o2', p(tex('x=\\pm 2')))], answer: { k: 'one', ok: 'o2' }, analysis: analysis(p('两边开方得', tex('x=\\pm\\sqrt{4}'))) }) },
  { id: 2, type: 4, content: question(4, { stem: p('如图', { t: 'img', asset: `/daoyuan/api/end/files/${FILE}` }, '，求面积．'), answer: { k: 'free', parts: [{ no: 0, ref: p(tex('\\frac{1}{2}')), steps: [] }] }, analysis: analysis(null) }) },
  { id: 3, type: 5, content: question(5, { stem: p('阅读短文'), answer: { k: 'none' }, analysis: analysis(null), children: [0, 1].map((n) => question(1, { stem: p(`第${n + 1}问`), options: [option('a', p('甲')), option('b', p('乙'))], answer: { k: 'one', ok: 'a' }, analysis: analysis(null) })) }) },
]
const content = {
  id: 1, name: '期中考试', duration: 90, practices: CARDS,
  body: { sections: [
    { key: 'a', name: '单选题', title: '', instruction: '每题只有一个答案。', items: [{ practice_id: 1, version_no: 1, score: 5, sub_scores: [] }] },
    { key: 'b', name: '解答题', title: '', instruction: '', items: [{ practice_id: 2, version_no: 1, score: 12, sub_scores: [] }, { practice_id: 3, version_no: 1, score: 10, sub_scores: [] }] },
  ] },
} as unknown as PaperContent

/** The document as a program that knows nothing of ours reads it. */
async function open(edition: PrintOptions['edition'], more: Partial<PrintOptions> = {}, paper: PaperContent = content) {
  const bytes = await writePaperWord(paper, { edition, sheet: 'a4', seal: true, blankLines: 6, codes: false, watermark: '', ...more }, files, new URL('https://example.com'))
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
  const read = async (name: RegExp) => {
    const part = entries.find(({ filename }) => name.test(filename))
    return part && !part.directory ? new TextDecoder().decode(await part.getData(new Uint8ArrayWriter())) : ''
  }
  const headers = (await Promise.all(entries.map(({ filename }) => filename).filter((name) => /^word\/header\d*\.xml$/.test(name)).map((name) => read(new RegExp(`^${name.replaceAll('.', '\\.')}$`))))).join('')
  const xml = await read(/^word\/document\.xml$/)
  const document = new DOMParser({ onError: (level, message) => { throw new Error(`${level} ${message}`) } }).parseFromString(xml, 'text/xml')
  const all = (name: string) => [...document.getElementsByTagName(name)]
  /** Which paragraph a run stands in; those of a shape stand within another. */
  const lineOf = (at: Node | null): Node | null => (at === null || at.nodeName === 'w:p' ? at : lineOf(at.parentNode))
  const wordsOf = (line: Element) => [...line.getElementsByTagName('*')].filter((run) => (run.tagName === 'w:t' || run.tagName === 'm:t') && lineOf(run) === line).map((run) => run.textContent).join('')
  return { all, headers, lines: all('w:p').map((node) => ({ node, text: wordsOf(node) })), media: entries.filter(({ filename }) => filename.startsWith('word/media/') && !filename.endsWith('/')).length, text: all('w:p').map(wordsOf) }
}

describe('a paper as a Word document', () => {
  test('the student gets headings, numbers, every formula and picture, room to write, and no answer', async () => {
    const { all, text, media } = await open('student')
    expect(text[0]).toBe('期中考试')
    expect(text).toContain('满分 27 分　考试用时 90 分钟')
    expect(text).toContain('一、单选题（本题共1小题，每小题5分，共5分）')
    expect(text).toContain('每题只有一个答案。')
    // Points stand at a question where those of its section differ.
    expect(text.filter((line) => /^(1．若|2．（12分）如图|3～4．（10分）阅读|3．（5分）第1问|4．（5分）第2问)/.test(line)).length).toBe(5)
    expect(all('m:oMath').length).toBe(3)
    expect([all('a:blip').length, media]).toEqual([1, 1])
    expect(text.join('')).not.toContain('【')
  })

  test('whoever writes their name does so behind the sealing line, for which the text makes room', async () => {
    const { headers } = await open('student')
    // On every sheet the line, on the first one who writes.
    expect(headers.match(/密　　封　　线/g)).toHaveLength(2)
    expect(headers.match(/学校＿/g)).toHaveLength(1)
    expect(headers).toContain('vert="vert270"')
    const left = async (more: Partial<PrintOptions>) => Number((await open('student', more)).all('w:pgMar')[0]?.getAttribute('w:left'))
    expect(await left({})).toBeGreaterThan(await left({ seal: false }))
    expect((await open('student', { seal: false })).headers).not.toContain('学校')
    expect((await open('teacher')).headers).not.toContain('学校')
  })

  test('a question stays on one page with its options, and a passage ends beside the first that is asked of it', async () => {
    const { all, lines } = await open('student')
    const kept = lines.map(({ text, node }) => [text.slice(0, 6), node.getElementsByTagName('w:keepNext').length, node.getElementsByTagName('w:keepLines').length])
    const at = kept.findIndex(([text]) => String(text).startsWith('1．若'))
    expect(kept.slice(at, at + 2).map(([, next, whole]) => [next, whole])).toEqual([[1, 1], [0, 1]])
    expect(kept.find(([text]) => String(text).startsWith('3～4'))?.[1]).toBe(1)
    // Short options stand in one line, with the fractions of full size.
    expect(lines.some(({ text }) => text === 'A．x=2B．x=±2')).toBe(true)
    expect(all('m:argSz').length).toBe(0)
  })

  test('options of a cloze stand beside their number, as narrow as they fit; fractions in options have full size', async () => {
    const hole = (...words: unknown[]) => question(1, { stem: null, options: words.map((word, index) => option(`o${index}`, p(word))), answer: { k: 'one', ok: 'o0' }, analysis: analysis(null) })
    const cloze = { id: 9, type: 5, content: question(5, { stem: { t: 'doc', v: 1, c: ['阅读短文。', 'It was late.', 'He left.'].map((text) => ({ t: 'p', c: [text] })) }, answer: { k: 'sub' }, analysis: analysis(null), children: [hole('won', 'lost', 'left', 'ran'), hole('a long expression of it', 'b', 'c', 'd')] }) }
    const fraction = { id: 8, type: 1, content: question(1, { stem: p('值为'), options: [tex('\\frac{1}{2}'), tex('\\frac{1}{\\frac{2}{3}}'), '3', '4'].map((one, index) => option(`o${index}`, p(one))), answer: { k: 'one', ok: 'o0' }, analysis: analysis(null) }) }
    const { all, lines } = await open('student', {}, { ...content, practices: [cloze, fraction], body: { sections: [{ key: 'a', name: '完形填空', title: '', instruction: '', items: [9, 8].map((practice_id) => ({ practice_id, version_no: 1, score: 5, sub_scores: [] })) }] } } as unknown as PaperContent)
    const texts = lines.map(({ text }) => text)
    expect(texts).toContain('1．（2.5分）A．wonB．lostC．leftD．ran')
    expect(texts.filter((text) => /^2．（2.5分）A．a long.*B．b$|^C．cD．d$/.test(text))).toHaveLength(2)
    // The outer fractions of two options.
    expect(all('m:argSz').length).toBe(4)
    expect(lines.find(({ text }) => text === 'It was late.')?.node.getElementsByTagName('w:ind')[0]?.getAttribute('w:firstLineChars')).toBe('200')
  })

  test('what the paper says of itself stands above its questions, for learners only', async () => {
    const front = { secret: '绝密★启用前', school: '道远中学', logo: `/daoyuan/api/end/files/${FILE}`, notices: '答卷前填写姓名。\n用黑色签字笔作答。', marks: true }
    const paper = { ...content, body: { front, sections: content.body.sections.map((section, index) => (index === 0 ? { ...section, part: '第Ⅰ卷（选择题）' } : section)) } }
    const { all, text, media } = await open('student', {}, paper)
    expect(text.slice(0, 3)).toEqual(['绝密★启用前', '　道远中学', '期中考试'])
    expect(text).toEqual(expect.arrayContaining(['注意事项：', '1．答卷前填写姓名。', '2．用黑色签字笔作答。', '第Ⅰ卷（选择题）', '得分', '总分']))
    // The sign of the school, and the picture of a question; they are the same file here.
    expect([all('a:blip').length, all('w:tbl').length]).toEqual([2, 1])
    expect(media).toBeGreaterThan(0)
    expect((await open('answers', {}, paper)).text.join('')).not.toContain('绝密')
  })

  test('a watermark stands in the header of every page, and nowhere without one', async () => {
    expect((await open('student', { watermark: '道远中学' })).headers.match(/string="道远中学"/g)).toHaveLength(2)
    expect((await open('student')).headers).not.toContain('string=')
    expect((await open('teacher')).headers).toBe('')
  })

  test('the teacher also gets the answers and explanations', async () => {
    const { all, text } = await open('teacher')
    expect(text).toContain('【答案】B')
    expect(text.some((line) => line.startsWith('【详解】两边开方得'))).toBe(true)
    expect(all('m:oMath').length).toBe(5)
  })

  test('codes lead to the explanation videos, where a question has one', async () => {
    const { all, media } = await open('teacher', { codes: true })
    expect([all('wp:anchor').length, media]).toEqual([1, 2])
    expect(all('wp:docPr').map((one) => one.getAttribute('descr'))).toContain('https://example.com/daoyuan/api/end/files/video')
  })

  test('answers stand alone behind their numbers', async () => {
    const { text } = await open('answers')
    expect(text).toContain('1．【答案】B')
    expect(text).toContain('4．【答案】A')
    expect(text.join('')).not.toContain('若')
    expect(text.join('')).not.toContain('详解')
  })

  test('the answer sheet has letters for choices and boxes for what is written', async () => {
    const { all, text } = await open('sheet')
    expect(text).toContain(' 1  [A] [B] [C] [D]')
    expect(text).toContain('2．（12 分）')
    // Each question of the passage has letters of its own.
    expect(text.filter((line) => /^ [34]  \[A\]/.test(line))).toHaveLength(2)
    // The place for the code, and the box of question 2.
    expect(all('w:tbl').length).toBe(2)
  })

  test.each(EDITIONS.map(({ value }) => value))('%s on A3 lies across in two columns', async (edition) => {
    const { all } = await open(edition, { sheet: 'a3' })
    const [size] = all('w:pgSz')
    expect([size?.getAttribute('w:orient'), Number(size?.getAttribute('w:w')) > Number(size?.getAttribute('w:h'))]).toEqual(['landscape', true])
    expect(all('w:cols')[0]?.getAttribute('w:num')).toBe('2')
  })
})
