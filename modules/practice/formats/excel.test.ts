import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imageSize } from 'image-size'
import { afterAll, expect, test } from 'vitest'
import { workbook, zip } from '../../../core/sheet/fixture.server.ts'
import { contentTypesXml, rootRelationsXml, workbookRelationsXml } from '../../../core/sheet/workbook-xml.ts'
import { answerLetters, emptyContent, NO_ANALYSIS, NO_FACTS, type Question } from '../content/question.ts'
import { inlineDoc, plainDoc, plainText, type Inline } from '../../../core/rich-text/rich-doc.ts'
import { readQuestions } from '../import/read-file.server.ts'
import { writeQuestionSheet } from './excel.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'sheet-'))
afterAll(() => rmSync(folder, { recursive: true }))

const one: Question = {
  ...emptyContent(1), ...NO_FACTS, category: '单选题', stem: inlineDoc(['设 ', { t: 'tex', tex: 'x^2=4' }, '，则', { t: 'paren' }]), options: ['甲', '乙'].map((text, index) => ({ id: `o${index + 1}`, doc: plainDoc(text) })), option_layout: 2,
  answer: { k: 'one', ok: 'o2' }, analysis: { ...NO_ANALYSIS, solution: plainDoc('开方。') }, score: 5, subject: '数学', labels: [['代数', '方程']], source_years: [2021], exam_region: '浙江', difficulty: 4,
}

const PICTURE = '/daoyuan/api/end/files/0f8fad5b-d9cb-469f-a165-70867728950e'
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=', 'base64')
const assets = new Map([[PICTURE, { name: 'a.png', bytes: new Uint8Array(DOT), type: 'image/png' }]])

async function read(name: string, bytes: Uint8Array) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return readQuestions(path, name, null)
}

test('rows are written and read again; what does not fit is named', async () => {
  const { bytes, notes } = await writeQuestionSheet([one, { ...one, stem: { t: 'doc', v: 1, c: [{ t: 'audio', asset: PICTURE }] } }], assets)
  expect(notes).toEqual(['第 2 题（无题号）有音频，Excel 放不下，没有导出'])
  const { parsed, mapping } = await read('a.xlsx', bytes)
  expect(mapping?.fields).toMatchObject({ stem: ['题干'], answer: ['正确答案'], options: ['选项A', '选项B'] })
  expect(parsed.items).toHaveLength(1)
  const [item] = parsed.items
  expect(item?.warnings).toEqual([])
  expect(item?.question).toMatchObject({ type: 1, score: 5, subject: '数学', labels: [['代数', '方程']], source_years: [2021], exam_region: '浙江', difficulty: 4 })
  expect(item?.question?.stem).toEqual(one.stem)
  expect(item?.question && answerLetters(item.question)).toBe('B')
  expect(plainText(item?.question?.analysis.solution ?? null)).toBe('开方。')
})

test('sub-questions and pictures are written and read again', async () => {
  const image = { t: 'img' as const, asset: PICTURE, w: 120 }
  const pictured: Question = { ...one, no: 'M1-1', stem: inlineDoc(['如图 ', image, '，则', { t: 'paren' }]), options: one.options.map((option) => ({ ...option, doc: inlineDoc([image]) })) }
  const group: Question = {
    ...one, ...emptyContent(6), type: 6, category: '材料题', stem: { t: 'doc', v: 1, c: [{ t: 'p', c: ['阅读材料。'] }, { t: 'image', asset: PICTURE }] }, answer: { k: 'sub' }, score: 9,
    children: [{ ...emptyContent(1), stem: one.stem, options: one.options, answer: one.answer, score: 5, option_layout: 2, category: '单选题' }, { ...emptyContent(4), stem: plainDoc('说明理由。'), answer: { k: 'free', parts: [{ no: 0, ref: plainDoc('略去。'), steps: [] }] }, score: 4, category: '解答题' }],
  }
  const { bytes, notes } = await writeQuestionSheet([pictured, group, one], assets)
  expect(notes).toEqual([])
  const { parsed } = await read('b.xlsx', bytes)
  expect(parsed.items.map(({ warnings }) => warnings)).toEqual([[], [], []])
  const [first, second, third] = parsed.items.map(({ question }) => question)
  const stored = (doc: object | null | undefined) => JSON.parse(JSON.stringify(doc).replaceAll('asset:a.png', PICTURE)) as unknown
  expect(stored(first?.stem)).toEqual(pictured.stem)
  expect(stored(first?.options)).toEqual(pictured.options)
  expect(first?.no).toBe('M1-1')
  expect(stored(second?.stem)).toEqual(group.stem)
  expect(second).toMatchObject({ type: 6, no: null, category: '材料题', score: 9, labels: [['代数', '方程']] })
  expect(second?.children).toMatchObject([{ type: 1, stem: one.stem, score: 5, answer: { k: 'one', ok: 'o2' } }, { type: 4, stem: plainDoc('说明理由。'), score: 4, answer: { k: 'free' } }])
  expect(third?.no).toBeNull()
  expect([...parsed.assets.values()].map(({ name, type, bytes: found }) => ({ name, type, length: found.length }))).toEqual([{ name: 'a.png', type: 'image/png', length: DOT.length }])
})

test('a text with holes, each with its own options or all with one pool, is written and read again', async () => {
  const holes = (n: number) => inlineDoc(Array.from({ length: n }, (_, index): Inline[] => [`When he came ${index}, `, { t: 'subref', n: index + 1 }, ' at noon. ']).flat().concat('Then he slept.'))
  const options = (words: readonly string[]) => words.map((word, index) => ({ id: `o${index + 1}`, doc: plainDoc(word) }))
  const child = (ok: string, own: readonly string[]) => ({ ...emptyContent(1), stem: null, options: options(own), answer: { k: 'one' as const, ok }, score: 1.5, category: '单选题' })
  const cloze: Question = { ...emptyContent(5), ...NO_FACTS, category: '完形填空', stem: holes(3), answer: { k: 'sub' }, score: 4.5, subject: '英语', children: ['o2', 'o1', 'o4'].map((ok) => child(ok, ['work', 'cost', 'open', 'break'])) }
  const pool: Question = {
    ...emptyContent(5), ...NO_FACTS, category: '七选五', stem: holes(5), answer: { k: 'sub' }, score: 7.5, subject: '英语',
    options: options(['It was late.', 'We went home.', 'Nobody knew why.', 'The rain stopped.', 'She smiled.', 'He did not answer.', 'They left.']), children: ['o7', 'o1', 'o3', 'o2', 'o5'].map((ok) => child(ok, [])),
  }
  const { bytes, notes } = await writeQuestionSheet([cloze, pool, one], new Map())
  expect(notes).toEqual([])
  const { parsed } = await read('h.xlsx', bytes)
  expect(parsed.items.map(({ warnings }) => warnings)).toEqual([[], [], []])
  const [first, second, third] = parsed.items.map(({ question }) => question)
  expect(first).toMatchObject({ type: 5, category: '完形填空', score: 4.5, stem: cloze.stem, options: [], children: cloze.children.map(({ options: own, answer }) => ({ type: 1, stem: null, options: own, answer })) })
  expect(second).toMatchObject({ type: 5, category: '七选五', score: 7.5, stem: pool.stem, options: pool.options, children: pool.children.map(({ answer }) => ({ type: 1, stem: null, options: [], answer })) })
  expect(third).toMatchObject({ type: 1, stem: one.stem })
})

/** Made by XlsxWriter 3.2: pictures over cells, pictures placed in cells, sub-questions apart from their question. */
test('a sheet of another program: pictures over and in cells, sub-questions by the number of their question', async () => {
  const { parsed } = await read('c.xlsx', readFileSync(join(import.meta.dirname, 'sheet-with-pictures.xlsx')))
  const sizes = (doc: object | null | undefined) => [...JSON.stringify(doc).matchAll(/"asset:([^"]+)"/g)].map(([, name = '']) => imageSize(parsed.assets.get(name)?.bytes ?? new Uint8Array()).width)
  expect(parsed.items.filter(({ question }) => !question).map(({ place, warnings }) => [place, warnings[0]?.message])).toEqual([['第 7 行', '找不到父题「9」']])
  const [group, choice, blank] = parsed.items.flatMap(({ question }) => question ?? [])
  expect(group).toMatchObject({ type: 6, score: 10, children: [{ type: 1, score: 4, answer: { k: 'one', ok: 'o1' } }, { type: 4, score: 6 }] })
  expect(plainText(group?.stem ?? null)).toContain('某校对400名学生作了调查')
  expect(sizes(group?.stem)).toEqual([80])
  expect(choice).toMatchObject({ type: 1, answer: { k: 'one', ok: 'o2' }, score: 5 })
  expect(sizes(choice?.stem)).toEqual([60])
  expect(choice?.options.map(({ doc }) => sizes(doc))).toEqual([[20], [21], [22], [23]])
  expect(blank).toMatchObject({ type: 3, score: 5 })
})

test('pictures that WPS placed in cells', async () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
  const main = 'http://schemas.openxmlformats.org/drawingml/2006/main'
  const bytes = await zip({
    '[Content_Types].xml': contentTypesXml(1), '_rels/.rels': rootRelationsXml(), 'xl/workbook.xml': workbook('<sheet name="一" sheetId="1" r:id="rId1"/>'), 'xl/_rels/workbook.xml.rels': workbookRelationsXml(1),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1">${['题干', '选项A', '选项B', '答案'].map((text, index) => cell(`${'ABCD'[index]}1`, text)).join('')}</row>
      <row r="2">${cell('A2', '如图是（ ）')}<c r="B2" t="str"><f>_xlfn.DISPIMG("ID_7",1)</f><v>=DISPIMG("ID_7",1)</v></c>${cell('C2', '乙')}${cell('D2', 'A')}</row></sheetData></worksheet>`,
    'xl/cellimages.xml': `<etc:cellImages xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" xmlns:xdr="x" xmlns:a="${main}" xmlns:r="r"><etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="ID_7"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic></etc:cellImage></etc:cellImages>`,
    'xl/_rels/cellimages.xml.rels': '<Relationships><Relationship Id="rId1" Type="http://x/image" Target="media/image1.png"/></Relationships>',
    'xl/media/image1.png': DOT,
  })
  const { parsed } = await read('d.xlsx', bytes)
  expect(parsed.items.map(({ warnings }) => warnings)).toEqual([[]])
  expect(JSON.stringify(parsed.items[0]?.question?.options)).toContain('"asset:cell-1.png"')
  expect(plainText(parsed.items[0]?.question?.options[1]?.doc ?? null)).toBe('乙')
})

test('accepted answers, rules and tolerances come back as they were, whatever signs are in them', async () => {
  const accepted = (...all: Inline[]) => all.flatMap((one) => inlineDoc([one]) ?? [])
  const b = [{ id: 'b1', accept: accepted('|x-1|', { t: 'tex', tex: '|x|;y' }, '1；2'), match: 'exact' as const }, { id: 'b2', accept: accepted('3.14'), match: 'numeric' as const, eps: 0.01 }, { id: 'b3', accept: accepted('color', 'tint/hue 或 shade'), match: 'ci' as const }]
  const filled: Question = { ...one, ...emptyContent(3), no: 'M1-2', category: '填空题', stem: inlineDoc(['距离 ', { t: 'blank', id: 'b1' }, '，又 ', { t: 'blank', id: 'b2' }, '，词 ', { t: 'blank', id: 'b3' }, '。']), answer: { k: 'blanks', b } }
  const { bytes } = await writeQuestionSheet([filled], new Map())
  const { parsed } = await read('r.xlsx', bytes)
  expect(parsed.items[0]?.question).toMatchObject({ no: 'M1-2', answer: { k: 'blanks', b } })
})
