/** Tables of answers: a row of numbers above a row of answers, in Word or typed with tabs. */
import { flat, cut, trim, type Flow, type Token } from '../text/flow.ts'
import type { Cell } from '../../../../core/rich-text/rich-doc.ts'

export interface AnswerTable {
  at: number
  end: number
  answers: { n: number; answer: Flow }[]
  /** Numbers above answers that are too few or too many for them. */
  uneven: number[]
}

const NUMBERS = /^\s*题\s*(?:号|目|序|次)?\s*[:：]?\s*$/
const ANSWERS = /^\s*(?:正确|参考)?答\s*案\s*[:：]?\s*$/

const cellFlow = (cell: Cell | undefined): Flow => (cell?.c ?? []).flatMap((block, index): Token[] => [...(index > 0 ? ['\n' as const] : []), ...(block.t === 'p' ? block.c : [{ t: 'block' as const, block }])])
const numberIn = (text: string) => /^\s*(?:第\s*)?(\d{1,3})\s*(?:题)?\s*[.．、]?\s*$/.exec(text)?.[1]

/** Answers below their numbers; undefined when the first row holds no numbers. */
function paired(numbers: readonly string[], answers: readonly Flow[]): Pick<AnswerTable, 'answers' | 'uneven'> | undefined {
  const found = numbers.map(numberIn)
  while (found.length > 0 && found.at(-1) === undefined && (numbers[found.length - 1] ?? '').trim() === '') found.pop()
  if (found.length === 0 || found.some((one) => one === undefined)) return undefined
  const all = found.map(Number)
  const given = answers.map((answer) => trim(answer))
  while (given.length > 0 && flat(given.at(-1) ?? []) === '') given.pop()
  if (given.length === 0) return { answers: [], uneven: [] }
  const letters = given.length === 1 ? flat(given[0] ?? []).replace(/\s/g, '') : ''
  if (all.length > 1 && letters.length === all.length) return { answers: all.map((n, index) => ({ n, answer: [letters[index] ?? ''] })), uneven: [] }
  if (given.length > all.length || (given.length < all.length && given.length === answers.length)) return { answers: [], uneven: all }
  return { answers: all.flatMap((n, index) => (flat(given[index] ?? []) === '' ? [] : [{ n, answer: given[index] ?? [] }])), uneven: [] }
}

function inRows(rows: readonly (readonly Flow[])[], isAnswers: boolean): Pick<AnswerTable, 'answers' | 'uneven'> | undefined {
  const texts = rows.map((row) => row.map((cell) => flat(cell)))
  const result: Pick<AnswerTable, 'answers' | 'uneven'> = { answers: [], uneven: [] }
  let any = false
  const head = texts[0] ?? []
  // 题号 | 答案 as columns.
  if (head.length >= 2 && head.every((text, index) => (index % 2 === 0 ? NUMBERS : ANSWERS).test(text)) && head.length % 2 === 0) {
    for (const [index, row] of texts.slice(1).entries()) {
      for (let at = 0; at + 1 < row.length; at += 2) {
        const n = numberIn(row[at] ?? '')
        if (n && (row[at + 1] ?? '').trim() !== '') result.answers.push({ n: Number(n), answer: rows[index + 1]?.[at + 1] ?? [] })
      }
    }
    return result
  }
  for (let index = 0; index + 1 < rows.length; index++) {
    const [numbers = [], answers = []] = [texts[index], texts[index + 1]]
    const isNamed = NUMBERS.test(numbers[0] ?? '') && ANSWERS.test(answers[0] ?? '')
    const isPlain = isAnswers && !isNamed && numbers.length > 1 && numbers.every((text) => numberIn(text)) && answers.every((text) => /^\s*(?:[A-H]{1,6}|[√×✓✗对错])\s*$/.test(text))
    if (!isNamed && !isPlain) continue
    const from = isNamed ? 1 : 0
    const found = paired(numbers.slice(from), rows[index + 1]?.slice(from) ?? [])
    if (!found) continue
    any = true
    result.answers.push(...found.answers)
    result.uneven.push(...found.uneven)
    index++
  }
  return any ? result : undefined
}

const TYPED = /(?<=^|\n)[ \t\u3000|]*题[ \u3000]*(?:号|目|序)[ \t\u3000|:：][^\n]*\n(?:[ \t|:+-]*\n)?[ \t\u3000|]*(?:正确|参考)?答[ \u3000]*案(?=[ \t\u3000|:：\n]|$)[^\n]*/g

/** Cells of a typed row; an empty cell between tabs or bars is a cell. */
function cellsOf(line: string): string[] {
  const body = line.trim().replace(/^\|/, '').replace(/\|$/, '').replace(/^题\s+([号目序])/, '题$1').replace(/^答\s+案/, '答案')
  return body.split(body.includes('|') ? '|' : body.includes('\t') ? '\t' : /[\s\u3000]+/).map((cell) => cell.trim())
}

/**
 * Tables of answers of a text; those without an answer are room to write in.
 * @param isAnswers whether the text holds nothing but answers, so that rows need no names
 */
export function answerTables(flow: Flow, isAnswers: boolean): AnswerTable[] {
  const text = flat(flow)
  const found: AnswerTable[] = []
  for (const match of text.matchAll(TYPED)) {
    const [numbers = '', ...rest] = match[0].split('\n').filter((line) => !/^[ \t|:+-]*$/.test(line))
    const rows = [cellsOf(numbers), cellsOf(rest.at(-1) ?? '')].map((row) => row.map((cell): Flow => [cell]))
    const table = inRows(rows, isAnswers)
    if (table) found.push({ at: match.index, end: match.index + match[0].length, ...table })
  }
  let at = 0
  for (const token of flow) {
    const length = flat([token]).length
    if (typeof token !== 'string' && token.t === 'block' && token.block.t === 'table') {
      const table = inRows(token.block.rows.map((row) => row.map(cellFlow)), isAnswers)
      if (table) found.push({ at, end: at + length, ...table })
    }
    at += length
  }
  return found.sort((a, b) => a.at - b.at)
}

/** Part of a text without the tables in it. */
export function cutAround(flow: Flow, tables: readonly { at: number; end: number }[], from: number, to: number): Token[] {
  const kept: Token[] = []
  let at = from
  for (const table of tables) {
    if (table.end <= from || table.at >= to) continue
    kept.push(...cut(flow, at, table.at))
    at = table.end
  }
  return [...kept, ...cut(flow, at, to)]
}

/** A text in which its tables are not found. */
export const blanked = (text: string, parts: readonly { at: number; end: number }[]) => parts.reduce((all, { at, end }) => all.slice(0, at) + all.slice(at, end).replace(/[^\n]/g, '\u0000') + all.slice(end), text)
