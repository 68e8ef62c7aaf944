/** Question sheets: a row for each question, rows of its sub-questions beside it; which column is what is mapped as for JSON records. */
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isBlank, type Cell } from '../../../core/sheet/cell.ts'
import type { PlacedPicture } from '../../../core/sheet/drawing-xml.ts'
import { isPictureText, pictureType, readPictures, type SheetPicture } from '../../../core/sheet/read-pictures.server.ts'
import { otherSheets, readSheet } from '../../../core/sheet/read.server.ts'
import { writeXlsx } from '../../../core/sheet/write.server.ts'
import { escapeXml } from '../../../core/sheet/xml-text.ts'
import { answerLetters, optionLetter, TYPES, type Question, type QuestionContent } from '../content/question.ts'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { plainLine } from './aiken.ts'
import { joinAccepted, matchWords, toleranceWords } from './answer-rules.ts'
import { wordPictures } from './assets.server.ts'
import { docHtml, type HtmlStyle } from './html-own.ts'
import { looksLikeHtml } from './html.ts'
import { lost, type Asset, type ParsedItem } from './item.ts'
import { TARGETS } from './json-mapping.ts'
import type { JsonFile, JsonRecord } from './json-records.ts'
import { CHILDREN, groupMaterials, groupOptions, groupPassages, headerRow, LOOKED, PARENT, rowPlace, type Row } from './sheet-rows.ts'

/** Longest text of a cell (Excel). */
const MAX_CELL = 32_000
/** Rows of one file. */
const MAX_ROWS = 20_000

/** Columns by which a question is named that has rows of its own, the usual one first (domain 3.9). */
const NUMBERS = ['序号', '题号', '编号', '大题序号', 'no', 'index', 'id']
const STEM = new Set<string>(TARGETS.find(({ key }) => key === 'stem')?.names)

const textOf = (cell: Cell | undefined) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : cell === null || cell === undefined ? '' : String(cell).trim())

/**
 * Rows as records under their headers, with the pictures that lie in them. The header may stand below titles.
 * A row that names a parent (父题序号) is a sub-question of that row, wherever the two stand.
 * @throws SheetError when the file is no sheet
 */
export async function readQuestionSheet(path: string): Promise<JsonFile> {
  const all: { rowNumber: number; cells: readonly Cell[] }[] = []
  const broken: ParsedItem[] = []
  for await (const { rowNumber, cells } of readSheet(path)) {
    all.push({ rowNumber, cells: [...cells] })
    if (all.length > MAX_ROWS + LOOKED) break
  }
  const top = headerRow(all.slice(0, LOOKED).map(({ cells }) => cells.map(textOf)))
  const header = all[top]?.cells.map((cell) => textOf(cell).replace(/[*＊\s]/g, '')) ?? null
  const rows: Row[] = []
  for (const { rowNumber, cells } of header ? all.slice(top + 1) : []) {
    const value: Record<string, unknown> = {}
    for (const [index, name] of header?.entries() ?? []) if (name && !isBlank(cells[index])) value[name] = textOf(cells[index])
    if (Object.keys(value).length > 0) rows.push({ rowNumber, value })
    if (rows.length >= MAX_ROWS) {
      broken.push(lost(`第 ${rowNumber + 1} 行`, `一个文件最多 ${MAX_ROWS} 道题，其余没有读取`))
      break
    }
  }
  const files = header ? putPictures(rows, header, await readPictures(path)) : new Map<string, Asset>()
  const kept = groupMaterials(groupPassages(groupOptions(rows, header ?? []), header ?? []), header ?? [], broken)
  const records = group(kept, header ?? [], broken)
  for (const name of (await otherSheets(path))) broken.push(lost(`工作表「${name}」`, '只读第一张工作表，这一张没有读取；请把试题放到第一张，或分成几个文件'))
  if (records.length === 0 && broken.length === 0) broken.push(lost('文件', '表格中没有试题'))
  return { records, broken, about: {}, files }
}

/** Puts the sub-questions into the questions that they name. Those that name none are listed. */
function group(rows: readonly Row[], header: readonly string[], broken: ParsedItem[]): JsonRecord[] {
  const place = rowPlace
  const parent = header.find((name) => PARENT.test(name))
  if (parent === undefined || rows.every(({ value }) => value[parent] === undefined)) return rows.map((row) => ({ value: row.value, place: place(row) }))
  const number = NUMBERS.find((name) => name !== parent && rows.some(({ value }) => value[name] !== undefined))
  const heads = new Map(rows.filter(({ value }) => value[parent] === undefined).map((row) => [String(number === undefined ? row.rowNumber : row.value[number] ?? ''), row.value]))
  for (const row of rows) {
    const wanted = row.value[parent]
    if (wanted === undefined) continue
    const head = heads.get(String(wanted))
    delete row.value[parent]
    if (head) ((head[CHILDREN] ??= []) as unknown[]).push(row.value)
    else broken.push(lost(place(row), `找不到父题「${String(wanted).slice(0, 20)}」`))
  }
  // A number that only ties the rows together is no number of a question.
  if (number === '序号' && header.includes('题号')) for (const { value } of rows) delete value[number]
  const children = new Set(rows.flatMap(({ value }) => (value[CHILDREN] ?? []) as unknown[]))
  const missing = new Set(broken.map((one) => one.place))
  return rows.filter((row) => !children.has(row.value) && !missing.has(place(row))).map((row) => ({ value: row.value, place: place(row) }))
}

/** Puts each picture into the text of its cell; one that lies over a column without texts belongs to the stem. */
function putPictures(rows: readonly Row[], header: readonly string[], pictures: readonly SheetPicture[]): Map<string, Asset> {
  const files = new Map<string, Asset>()
  const stem = header.find((name) => STEM.has(name.toLowerCase()))
  for (const [index, picture] of pictures.entries()) {
    // A picture in a row of its own lies below its question.
    const row = rows.findLast(({ rowNumber }) => rowNumber <= picture.rowNumber)
    const own = header[picture.column] ?? ''
    const column = own === '' || (/图/.test(own) && own !== stem) ? stem : own
    if (!row || column === undefined) continue
    const before = row.value[column] === undefined ? '' : String(row.value[column])
    const named = picture.name !== '' && before.includes(`src="${escapeXml(picture.name)}"`)
    const name = named ? picture.name : `cell-${index + 1}.${picture.part.split('.').at(-1)?.toLowerCase() ?? 'png'}`
    // One that no browser shows is named in the text, and said because it is not there.
    if (picture.bytes.length > 0) files.set(name, { name, bytes: picture.bytes, type: pictureType(picture.part) })
    if (named) continue
    const words = isPictureText(before) ? '' : looksLikeHtml(before) ? before : escapeXml(before).replaceAll('\n', '<br/>')
    const image = `<img src="${name}"/>`
    row.value[column] = words === '' ? image : column === stem ? `<div>${words}</div><p>${image}</p>` : `${words} ${image}`
    if (own !== column && isPictureText(String(row.value[own] ?? ''))) delete row.value[own]
  }
  return files
}

/** What a cell holds: words and formulas as they are; what is more than a line as HTML. */
type CellOf = (doc: RichDoc | null) => string

function answerOf({ answer, options }: QuestionContent, pool: QuestionContent['options'], cellOf: CellOf): string {
  if (answer.k === 'blanks') return joinAccepted(answer.b.map((blank) => blank.accept.map(cellOf)))
  if (answer.k === 'free') return answer.parts.map((part) => `${part.no > 0 ? `（${part.no}）` : ''}${cellOf(part.ref)}`).join('\n')
  return answerLetters({ answer, options: options.length > 0 ? options : pool })
}

const OPTIONS = Array.from({ length: 8 }, (_, index) => `选项${optionLetter(index)}`)
const [NUMBER, PARENT_NUMBER] = ['序号', '父题序号']
const NAMES = [NUMBER, PARENT_NUMBER, '题号', '学科', '题型', '题干', ...OPTIONS, '正确答案', '匹配方式', '误差', '解析', '思路', '点评', '分值', '难度', '知识点', '章节', '标签', '年份', '卷区', '来源']

function contentRow(content: QuestionContent, pool: QuestionContent['options'], cellOf: CellOf): Record<string, string> {
  return {
    题型: content.category || (TYPES.find((one) => one.value === content.type)?.label ?? ''), 题干: cellOf(content.stem), ...Object.fromEntries(content.options.map((option, index) => [OPTIONS[index] ?? '', cellOf(option.doc)])),
    正确答案: answerOf(content, pool, cellOf), 匹配方式: matchWords(content.answer), 误差: toleranceWords(content.answer), 解析: cellOf(content.analysis.solution), 思路: cellOf(content.analysis.hint), 点评: cellOf(content.analysis.comment), 分值: content.score === null ? '' : String(content.score),
  }
}

function rowsOf(question: Question, number: number, cellOf: CellOf): Record<string, string>[] {
  const paths = (all: readonly string[][]) => all.map((path) => path.join('->')).join('；')
  return [
    {
      ...contentRow(question, [], cellOf), [NUMBER]: String(number), 题号: question.no ?? '', 学科: question.subject ?? '', 难度: question.difficulty === null ? '' : String(question.difficulty), 知识点: paths(question.labels), 章节: paths(question.chapters),
      标签: question.tags.join('；'), 年份: question.source_years.join('、'), 卷区: question.exam_region ?? '', 来源: question.source_paper ?? '',
    },
    ...question.children.map((child) => ({ ...contentRow(child, question.options, cellOf), [PARENT_NUMBER]: String(number) })),
  ]
}

/** Questions as rows, their sub-questions as rows below them, pictures over the cells that name them. What rows cannot hold is named and left out. */
export async function writeQuestionSheet(questions: readonly Question[], assets: ReadonlyMap<string, Asset>): Promise<{ bytes: Uint8Array; notes: string[] }> {
  const notes: string[] = []
  const style: HtmlStyle = { math: 'tex', address: (address) => assets.get(address)?.name ?? '' }
  const cellOf: CellOf = (doc) => (doc ? (plainLine(doc) ?? docHtml(doc, style)) : '')
  const shown = new Map([...wordPictures(assets)].flatMap(([address, picture]) => {
    const name = assets.get(address)?.name
    return name === undefined ? [] : [[name, picture] as const]
  }))
  const rows: Record<string, string>[] = []
  for (const [index, question] of questions.entries()) {
    const own = rowsOf(question, index + 1, cellOf)
    const why = /"t":"audio"/.test(JSON.stringify(question)) ? '有音频' : own.some((row) => Object.values(row).some((text) => text.length > MAX_CELL)) ? '文字太长' : question.options.length > OPTIONS.length ? `选项多于 ${OPTIONS.length} 个` : null
    if (why) notes.push(`第 ${index + 1} 题（${question.no ?? '无题号'}）${why}，Excel 放不下，没有导出`)
    else rows.push(...own)
  }
  const pictures = rows.flatMap((row, index) => NAMES.flatMap((column, place) => [...(row[column] ?? '').matchAll(/<img [^>]*?src="([^"]+)"/g)].flatMap(([, name = '']): PlacedPicture[] => {
    const picture = shown.get(name)
    return picture ? [{ ...picture, name, rowNumber: index + 2, column: place }] : []
  })))
  const target = new PassThrough()
  const bytes = buffer(target)
  await writeXlsx(target, { columns: NAMES.map((name) => ({ key: name, label: name, type: 'text' })), sheetName: '试题', pictures, rows: (async function* () { yield* rows })() })
  return { bytes: new Uint8Array(await bytes), notes }
}
