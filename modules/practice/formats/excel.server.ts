/** Question sheets: a row for each question, under headers in Chinese; which column is what is mapped as for JSON records. */
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isBlank, type Cell } from '../../../core/sheet/cell.ts'
import { readSheet } from '../../../core/sheet/read.server.ts'
import { writeXlsx } from '../../../core/sheet/write.server.ts'
import { answerLetters, optionLetter, TYPES, type Question } from '../content/question.ts'
import type { RichDoc } from '../content/rich-doc.ts'
import { plainLine } from './aiken.ts'
import { docHtml, type HtmlStyle } from './html-own.ts'
import { lost } from './item.ts'
import type { JsonFile, JsonObject, JsonRecord } from './json-records.ts'

/** Longest text of a cell (Excel). */
const MAX_CELL = 32_000
/** Rows of one file. */
const MAX_ROWS = 20_000

const textOf = (cell: Cell | undefined) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : cell === null || cell === undefined ? '' : String(cell).trim())

/**
 * Rows as records under their headers. The header is the first row with two words in it.
 * @throws SheetError when the file is no sheet
 */
export async function readQuestionSheet(path: string): Promise<JsonFile> {
  let header: string[] | null = null
  const records: JsonRecord[] = []
  for await (const { rowNumber, cells } of readSheet(path)) {
    if (!header) {
      if (cells.filter((cell) => typeof cell === 'string' && cell.trim() !== '').length >= 2) header = cells.map((cell) => textOf(cell).replace(/[*＊\s]/g, ''))
      continue
    }
    const value: Record<string, unknown> = {}
    for (const [index, name] of header.entries()) if (name && !isBlank(cells[index])) value[name] = textOf(cells[index])
    if (Object.keys(value).length > 0) records.push({ value: value as JsonObject, place: `第 ${rowNumber} 行` })
    if (records.length >= MAX_ROWS) return { records, broken: [lost(`第 ${rowNumber + 1} 行`, `一个文件最多 ${MAX_ROWS} 道题，其余没有读取`)], about: {} }
  }
  return { records, broken: records.length === 0 ? [lost('文件', '表格中没有试题')] : [], about: {} }
}

const STYLE: HtmlStyle = { math: 'tex', address: () => '' }
/** Words and formulas as they are; what is more than a line as HTML. */
const cellOf = (doc: RichDoc | null) => (doc ? (plainLine(doc) ?? docHtml(doc, STYLE)) : '')

function answerOf(question: Question): string {
  const { answer } = question
  if (answer.k === 'blanks') return answer.b.map((blank) => blank.accept.map(cellOf).join('|')).join('；')
  if (answer.k === 'free') return answer.parts.map((part) => `${part.no > 0 ? `（${part.no}）` : ''}${cellOf(part.ref)}`).join('\n')
  return answerLetters(question)
}

const OPTIONS = Array.from({ length: 8 }, (_, index) => `选项${optionLetter(index)}`)
const NAMES = ['题号', '学科', '题型', '题干', ...OPTIONS, '正确答案', '解析', '思路', '点评', '分值', '难度', '知识点', '章节', '标签', '年份', '卷区', '来源']

function rowOf(question: Question): Record<string, string> {
  const paths = (all: readonly string[][]) => all.map((path) => path.join('->')).join('；')
  return {
    题号: question.no ?? '', 学科: question.subject ?? '', 题型: question.category ?? TYPES.find((one) => one.value === question.type)?.label ?? '', 题干: cellOf(question.stem), ...Object.fromEntries(question.options.map((option, index) => [OPTIONS[index] ?? '', cellOf(option.doc)])),
    正确答案: answerOf(question), 解析: cellOf(question.analysis.solution), 思路: cellOf(question.analysis.hint), 点评: cellOf(question.analysis.comment), 分值: question.score === null ? '' : String(question.score), 难度: question.difficulty === null ? '' : String(question.difficulty),
    知识点: paths(question.labels), 章节: paths(question.chapters), 标签: question.tags.join('；'), 年份: question.source_years.join('、'), 卷区: question.exam_region ?? '', 来源: question.source_paper ?? '',
  }
}

/** Questions as rows. What a row cannot hold is named and left out. */
export async function writeQuestionSheet(questions: readonly Question[]): Promise<{ bytes: Uint8Array; notes: string[] }> {
  const notes: string[] = []
  const rows = questions.flatMap((question, index) => {
    const row = rowOf(question)
    const why = question.type >= 5 ? '有小题' : /"t":"(?:img|image|audio)"/.test(JSON.stringify(question)) ? '有图片或音频' : Object.values(row).some((text) => text.length > MAX_CELL) ? '文字太长' : null
    if (why) notes.push(`第 ${index + 1} 题（${question.no ?? '无题号'}）${why}，Excel 一行放不下，没有导出`)
    return why ? [] : [row]
  })
  const target = new PassThrough()
  const bytes = buffer(target)
  await writeXlsx(target, { columns: NAMES.map((name) => ({ key: name, label: name, type: 'text' })), sheetName: '试题', rows: (async function* () { yield* rows })() })
  return { bytes: new Uint8Array(await bytes), notes }
}
