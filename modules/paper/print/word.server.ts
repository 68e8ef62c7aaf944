import { toBuffer } from 'qrcode'
import { AlignmentType, BorderStyle, Footer, Header, HeightRule, HorizontalPositionAlign, HorizontalPositionRelativeFrom, ImageRun, TextWrappingSide, TextWrappingType, PageNumber, PageOrientation, Paragraph, Table, TableCell, TableRow, TextRun, VerticalPositionRelativeFrom, WidthType, convertMillimetersToTwip, type FileChild, type ISectionOptions } from 'docx'
import { ShapeRun } from 'docx/shapes'
import { TextWatermark } from 'docx/watermarks'
import type { FileStore } from '../../../core/file/store.server.ts'
import { docsOf, loadAssets, textRun, withHolesFrom, wordAnswer, wordPictures, wordQuestion, WordWriter } from '../../practice/door.server.ts'
import type { PracticeCard } from '../../practice/module.ts'
import type { PaperContent } from '../calls.ts'
import { isInner, totalScore } from '../compose/body.ts'
import { numbered } from '../compose/heading.ts'
import { fitted } from './fit.ts'
import { frontOf, markColumns, NOTICES, noticesOf, SEAL } from './front.ts'
import { EDITIONS, SHEETS, watermarkSize, type Edition, type PrintOptions, type Sheet } from './edition.ts'
import { LINE_HEIGHT, pointsOf, slotsOf, WRITTEN } from './slots.ts'

/** Side of a code, in pixels of 96 to the inch, and how far the text keeps from it, in EMU. */
const CODE = 68
const CODE_AIR = 72_000

type Placed = ReturnType<typeof sectionsOf>[number]['items'][number]

/** Sections with their headings, and their questions with numbers; a question that is gone is left out. */
function sectionsOf(content: PaperContent) {
  const cards = new Map(content.practices.map((card) => [card.id, card]))
  return numbered(content.body, ({ practice_id }) => cards.get(practice_id)?.content.children.length || 1).map(({ section, heading, even, items }) => ({
    section, heading,
    items: items.flatMap(({ item, from, to }) => {
      const card: PracticeCard | undefined = cards.get(item.practice_id)
      return card ? [{ item, from, to, even, inner: isInner(section), card: { ...card, content: fitted(isInner(section) ? card.content : withHolesFrom(card.content, from)) } }] : []
    }),
  }))
}

/** 3．, or 3～5． for a passage whose questions have numbers of their own. */
const numberOf = ({ from, to }: Placed) => `${from === to ? from : `${from}～${to}`}．`
/** How the questions of a passage are numbered. */
const childrenOf = ({ inner, from, card }: Placed) => (inner || card.content.children.length < 2 ? {} : { childNumber: (index: number) => `${from + index}．` })

/** A code that leads to an address, at the right edge of the text. */
async function codeRun(address: string): Promise<ImageRun> {
  return new ImageRun({
    type: 'png', data: await toBuffer(address, { margin: 1, width: CODE * 4 }), transformation: { width: CODE, height: CODE }, altText: { name: '讲解二维码', description: address, title: '扫码看讲解' },
    floating: {
      horizontalPosition: { align: HorizontalPositionAlign.RIGHT }, verticalPosition: { offset: 0 },
      wrap: { type: TextWrappingType.SQUARE, side: TextWrappingSide.LEFT }, margins: { top: 0, bottom: 0, left: CODE_AIR, right: 0 },
    },
  })
}

/** Height of the place for the code that says who writes, in millimetres. */
const BARCODE = 22
const SOLID = { style: BorderStyle.SINGLE, size: 4, color: '000000' } as const
const FRAME = { top: SOLID, bottom: SOLID, left: SOLID, right: SOLID }

/** A box to write in; `mm` is its least height. */
function box(word: WordWriter, text: string, mm: number): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [new TableRow({ cantSplit: true, height: { value: convertMillimetersToTwip(mm), rule: HeightRule.ATLEAST }, children: [new TableCell({ borders: FRAME, children: [word.line([textRun(text)])] })] })],
  })
}

type Write = (word: WordWriter, items: readonly Placed[], options: PrintOptions, codes: ReadonlyMap<number, ImageRun>) => FileChild[]

const questions = (answers: boolean): Write => (word, items, { blankLines }, codes) => items.flatMap((one) => [
  ...wordQuestion(word, one.card.content, { number: numberOf(one), ...childrenOf(one), ...(!one.even && pointsOf(one.card.content, one.item)), ...(codes.has(one.card.id) && { beside: [codes.get(one.card.id) as ImageRun] }) }),
  ...(answers ? wordAnswer(word, one.card.content, childrenOf(one)) : WRITTEN.has(one.card.type) ? Array.from({ length: blankLines }, () => word.line([])) : []),
])

/** What stands below a section's heading. */
const WRITERS: Readonly<Record<Edition, Write>> = {
  student: questions(false),
  teacher: questions(true),
  answers: (word, items) => items.flatMap((one) => wordAnswer(word, one.card.content, { number: numberOf(one), ...childrenOf(one), short: true })),
  sheet: (word, items) => {
    const slots = items.flatMap(({ item, from, card, inner }) => slotsOf(card.content, from, item, inner))
    return slots.flatMap((slot): FileChild[] => (slot.kind === 'letters'
      ? [new Paragraph({ children: [new TextRun({ text: `${slot.number.padStart(2)}  ${Array.from({ length: slot.letters }, (_, at) => `[${String.fromCodePoint(65 + at)}]`).join(' ')}`, font: 'Courier New' })] })]
      : [box(word, `${slot.number}．（${slot.score} 分）`, slot.kind === 'box' ? slot.height : slot.lines * LINE_HEIGHT), word.line([])]))
  },
}

/** CSS pixels, and EMU (ECMA-376 20.1.2.1), of a millimetre. */
const PIXELS = 96 / 25.4
const EMU = 36_000
/** Between the sealing line and the text, in millimetres. */
const AIR = 4

const sheetOf = ({ sheet }: PrintOptions): Sheet => SHEETS.find(({ value }) => value === sheet) ?? SHEETS[0]
/** Whether somebody writes on it, whose name is not to be seen by a person who marks. */
const isSealed = ({ edition, seal }: PrintOptions): boolean => seal && (edition === 'student' || edition === 'sheet')

/** The strip at the left edge that is folded away, and the line along which it is: they read upwards. Who writes is asked on the first page. */
function sealRuns({ margin, seal, height }: Sheet, first: boolean): ShapeRun[] {
  const wide = margin + seal - AIR
  const centred = (text: string) => new Paragraph({ alignment: AlignmentType.CENTER, spacing: { before: 60, after: 60 }, children: [new TextRun({ text, size: 20 })] })
  const place = (left: number) => ({
    horizontalPosition: { relative: HorizontalPositionRelativeFrom.PAGE, offset: Math.round(left * EMU) }, verticalPosition: { relative: VerticalPositionRelativeFrom.PAGE, offset: 0 },
    wrap: { type: TextWrappingType.NONE }, allowOverlap: true,
  })
  return [
    new ShapeRun({
      type: 'rectangle', transformation: { width: wide * PIXELS, height: height * PIXELS }, line: 'none', floating: place(0), textOptions: { direction: 'bottomToTop' },
      children: [...(first ? [centred(SEAL.person)] : []), centred(SEAL.line)],
    }),
    new ShapeRun({ type: 'line', transformation: { width: 0, height: height * PIXELS }, line: { color: '000000', width: 0.75, dash: 'dash' }, floating: place(wide) }),
  ]
}

/** The page: its size, columns, the line of page numbers, and pale words across it. */
function page(options: PrintOptions, title: string): Omit<ISectionOptions, 'children'> {
  const sheet = sheetOf(options)
  const { width, height, margin, columns, gap } = sheet
  const mm = convertMillimetersToTwip
  const wide = width > height
  const { watermark } = options
  const size = watermarkSize(watermark)
  const sealed = isSealed(options)
  // It stands on every sheet, so that no loose one says whose it is.
  const header = (first: boolean) => new Header({ children: [new Paragraph({ children: [
    ...(sealed ? sealRuns(sheet, first) : []), ...(watermark ? [new TextWatermark({ text: watermark, font: 'SimSun', width: size * watermark.length, height: size })] : []),
  ] })] })
  const footer = () => new Footer({ children: [new Paragraph({ alignment: AlignmentType.CENTER, children: [new TextRun({ size: 18, children: [`${title}　第 `, PageNumber.CURRENT, ' 页（共 ', PageNumber.TOTAL_PAGES, ' 页）'] })] })] })
  return {
    properties: {
      titlePage: true,
      // Word turns the sides of a page that lies across by itself.
      page: { size: { width: mm(wide ? height : width), height: mm(wide ? width : height), ...(wide && { orientation: PageOrientation.LANDSCAPE }) }, margin: { top: mm(margin), bottom: mm(margin), left: mm(margin + (isSealed(options) ? sheet.seal : 0)), right: mm(margin) } },
      ...(columns > 1 && { column: { count: columns, space: mm(gap), separate: true } }),
    },
    ...((watermark || sealed) && { headers: { default: header(false), first: header(true) } }),
    footers: { default: footer(), first: footer() },
  }
}

const CENTRED = { alignment: AlignmentType.CENTER }
/** Editions that a learner gets: what the paper says of itself is for them. */
const FOR_LEARNERS: ReadonlySet<Edition> = new Set(['student', 'teacher'])
/** Height of a school's sign, in pixels. */
const SIGN = 42

/** A row of the table for the marks. */
const markRow = (word: WordWriter, cells: readonly string[]) => new TableRow({ cantSplit: true, children: cells.map((text) => new TableCell({ borders: FRAME, children: [word.line([textRun(text)], undefined, CENTRED)] })) })

/** What stands above the first section: secrecy, school, title, facts, the table for the marks, the notices. */
async function frontLines(word: WordWriter, { name, body }: PaperContent, { edition }: PrintOptions, files: Pick<FileStore, 'find' | 'open'>, facts: string): Promise<FileChild[]> {
  const front = frontOf(body)
  const title = word.line([new TextRun({ text: name, bold: true, size: 36 })], undefined, { ...CENTRED, spacing: { after: 120 } })
  if (!FOR_LEARNERS.has(edition)) return [title, word.line([textRun(facts)], undefined, CENTRED)]
  const signs = front.logo === null ? undefined : wordPictures(await loadAssets(files, [{ t: 'doc', v: 1, c: [{ t: 'image', asset: front.logo }] }])).get(front.logo)
  const sign = signs && (signs.type === 'image/png' || signs.type === 'image/jpeg')
    ? [new ImageRun({ type: signs.type === 'image/png' ? 'png' : 'jpg', data: signs.bytes, transformation: { width: Math.round((SIGN * signs.width) / Math.max(1, signs.height)), height: SIGN } }), textRun('　')] : []
  const columns = markColumns(body)
  const notices = noticesOf(front)
  return [
    ...(front.secret ? [word.line([textRun(front.secret, { b: true })], undefined, { keepNext: true })] : []),
    ...(front.school || sign.length > 0 ? [word.line([...sign, new TextRun({ text: front.school, size: 28 })], undefined, { ...CENTRED, keepNext: true })] : []),
    title,
    word.line([textRun(facts)], undefined, CENTRED),
    ...(front.marks && columns.length > 1 ? [
      new Table({ alignment: AlignmentType.CENTER, width: { size: Math.min(100, 12 * (columns.length + 1)), type: WidthType.PERCENTAGE }, rows: [markRow(word, ['题号', ...columns]), markRow(word, ['得分', ...columns.map(() => '')])] }),
      word.line([]),
    ] : []),
    ...(notices.length > 0 ? [word.line([textRun(NOTICES, { b: true })], undefined, { keepNext: true }), ...notices.map((text) => word.line([textRun(text)], undefined, { keepLines: true, indent: { left: 420, hanging: 420 } }))] : []),
  ]
}

/**
 * A paper as a Word document.
 * @param files where its pictures lie
 * @param site where addresses of videos begin
 * @returns the bytes of a .docx file
 */
export async function writePaperWord(content: PaperContent, options: PrintOptions, files: Pick<FileStore, 'find' | 'open'>, site: URL): Promise<Uint8Array> {
  const assets = await loadAssets(files, content.practices.flatMap((card) => docsOf(card.content).map(({ doc }) => doc)))
  const word = new WordWriter(wordPictures(assets))
  const { edition } = options
  const filmed = options.codes ? content.practices.flatMap(({ id, video }) => (video ? [{ id, address: new URL(video, site).href }] : [])) : []
  const codes = new Map(await Promise.all(filmed.map(async ({ id, address }) => [id, await codeRun(address)] as const)))
  const facts = [...(edition === 'student' ? [] : [EDITIONS.find(({ value }) => value === edition)?.label ?? '']), `满分 ${totalScore(content.body)} 分`, ...(content.duration ? [`考试用时 ${content.duration} 分钟`] : [])].join('　')
  const children = [
    ...await frontLines(word, content, options, files, facts),
    ...(edition === 'sheet' ? [box(word, '贴条形码区', BARCODE), word.line([textRun('选择题用 2B 铅笔填涂，其他题用 0.5 毫米黑色签字笔写在题号对应的框内，框外作答无效。')])] : []),
    ...sectionsOf(content).flatMap(({ section, heading, items }) => [
      ...(section.part ? [word.line([textRun(section.part, { b: true })], undefined, { ...CENTRED, keepNext: true, spacing: { before: 240, after: 80 } })] : []),
      word.line([textRun(heading, { b: true })], undefined, { keepNext: true, keepLines: true, spacing: { before: 200, after: 80 } }),
      ...(section.instruction ? [word.line([textRun(section.instruction)], undefined, { keepNext: true, indent: { firstLineChars: 200, firstLine: 420 } })] : []),
      ...WRITERS[edition](word, items, options, codes),
    ]),
  ]
  return word.pack({ title: content.name, sections: [{ ...page(options, content.name), children }] })
}
