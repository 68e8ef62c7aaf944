/** Answers of several questions in one text: 1-5 ABCDA, 1．B 2．C, a paragraph for each, a table. */
import { cut, flat, isBlank, trim, type Flow } from '../text/flow.ts'
import type { Mark } from '../text/markers.ts'
import { answerTables, blanked } from './answer-table.ts'
import { analysisIn, tagsIn, type AnalysisFlows } from './tags.ts'

/** An answer as it stands under a number. */
export interface Reading {
  n: number
  at: number
  answer: Flow
  analysis: AnalysisFlows
  /** Why the answer may not be the one of this number. */
  doubt?: string
}

interface ListMark extends Mark {
  /** First on its line. */
  leads: boolean
  /** "4.14" is the number 4.14 rather than the answer 14 of question 4, unless question 4 has no other answer. */
  decimal: boolean
}

const RANGE = /(?<![\d.．])(\d{1,3})\s*(?:题)?\s*[-–—~～―至到]+\s*(\d{1,3})\s*(?:小?题)?\s*[)）]?\s*[.．:：、]?\s*((?:[A-HT√×✓✗✔✘对错][\s\u3000,，、;；]*)+)(?![a-z])/g
const NUMBER = /(?<=^|[\s\u3000；;。|\uFFFC]|[A-H√×✓✗对错][，,、]?)(?:第\s*(\d{1,3})\s*题\s*[:：.．、]?|(\d{1,3})\s*[.．、)）]|(\d{1,3})\s*[:：](?=\s*[A-H√×✓✗对错\u4e00-\u9fff]))[ \t\u3000]*/g
const BRACKETED = /(?<=^|[\s\u3000；;。|])[（(]\s*(\d{1,2})\s*[)）]\s*[.．、]?[ \t\u3000]*/g
/** 1B 2C 3D */
const BARE = /(?<=^|[\s\u3000；;，,])(\d{1,3})[ \t]*(?=(?:[A-H]{1,5}|[√×✓✗])(?![A-Za-z\d]))/g

function marksOf(text: string, pattern: RegExp): ListMark[] {
  return [...text.matchAll(pattern)].map((match) => {
    const end = match.index + match[0].length
    return { n: Number(match.slice(1).find(Boolean)), at: match.index, end, leads: /(?:^|\n)[\s\u3000\u0000]*$/.test(text.slice(0, match.index)), decimal: /\d/.test(text[end] ?? '') && /[.．]$/.test(match[0]) }
  })
}

/** One answer for each number of a range, or a doubt when the letters are too few or too many. */
function rangeReadings(text: string): { readings: Reading[]; parts: { at: number; end: number }[] } {
  const readings: Reading[] = []
  const parts: { at: number; end: number }[] = []
  for (const match of text.matchAll(RANGE)) {
    const [from, to] = [Number(match[1]), Number(match[2])]
    const count = to - from + 1
    const given = (match[3] ?? '').trim()
    const tokens = given.split(/[\s\u3000,，、;；]+/).filter(Boolean)
    const letters = [...given.replace(/[\s\u3000,，、;；]+/g, '')]
    if (count < 2 || count > 200) continue
    parts.push({ at: match.index, end: match.index + match[0].trimEnd().length })
    const answers = tokens.length === count ? tokens : letters.length === count ? letters : null
    for (let index = 0; index < count; index++) {
      readings.push({ n: from + index, at: match.index + index / 1000, answer: answers ? [answers[index] ?? ''] : [], analysis: {}, ...(answers ? {} : { doubt: `${from}～${to} 题的答案「${given.slice(0, 40)}」有 ${letters.length} 个，与题数不符` }) })
    }
  }
  return { readings, parts }
}

/** A gap in a row of answers that is longer than this is a text in which numbers may stand. */
const LONG = 60

function nextMark(text: string, marks: readonly ListMark[], last: ListMark, n: number, upTo = Infinity): ListMark | undefined {
  const behind = marks.filter((mark) => mark.at >= last.end && mark.at < upTo && mark.n === n)
  const leading = behind.find((mark) => mark.leads && !mark.decimal) ?? behind.find((mark) => mark.leads)
  const end = text.indexOf('\n', last.end)
  const sameLine = behind.filter((mark) => end < 0 || mark.at < end)
  const inline = sameLine.find((mark) => !mark.decimal) ?? sameLine[0]
  if (!inline) return leading
  return leading && (inline.at - last.end > LONG || (inline.decimal && !leading.decimal)) ? leading : inline
}

/** Numbers as the questions have them, section by section. */
export type Numbers = readonly (readonly number[])[]

/** How many marks follow each other from one on, each a number more. */
function follow(text: string, marks: readonly ListMark[], first: ListMark, upTo: number): number {
  let count = 1
  for (let last: ListMark | undefined = first; last; count++) {
    last = nextMark(text, marks, last, last.n + 1, upTo)
    if (!last) break
  }
  return count
}

/** Marks that begin answers: numbers that follow each other, and begin again for another section or another round. */
function listMarks(text: string, marks: readonly ListMark[], numbers: Numbers): ListMark[] {
  const all = numbers.flat()
  const isUnique = new Set(all).size === all.length
  const known = new Set(all)
  const starts = new Set(isUnique ? [Math.min(...all)] : numbers.flatMap((own) => own.slice(0, 1)))
  const least = isUnique ? Math.max(2, Math.ceil(all.length / 2)) : Math.max(1, Math.min(2, ...numbers.filter((own) => own.length > 0).map((own) => own.length)))
  const first = marks.find((mark) => mark.leads && known.has(mark.n)) ?? marks.find((mark) => known.has(mark.n)) ?? marks.find((mark) => mark.leads && mark.n === 1)
  if (!first) return []
  const run = [first]
  for (let last: ListMark = first; ;) {
    const follower = nextMark(text, marks, last, last.n + 1)
    // "2. 3.5" is no answer of question 3 where there is no such question.
    const plain = follower && !known.has(follower.n) && follower.decimal ? undefined : follower
    const later = [...known].filter((n) => n > last.n + 1).sort((a, b) => a - b)
    const skipped = plain ? undefined : later.map((n) => nextMark(text, marks, last, n)).find((mark) => mark !== undefined)
    const next = plain ?? skipped
    const again = marks.find((mark) => mark.at >= last.end && mark.leads && mark.n <= last.n && starts.has(mark.n) && mark.at < (next?.at ?? Infinity) && follow(text, marks, mark, next?.at ?? Infinity) >= least)
    const chosen = again ?? next
    if (!chosen) return run
    run.push(chosen)
    last = chosen
  }
}

/**
 * Reads a part that holds answers.
 * @param numbers those of the questions that it may be about, section by section
 */
export function readingsOf(flow: Flow, numbers: Numbers): Reading[] {
  if (numbers.flat().length === 0) return []
  const source = flat(flow)
  const tables = answerTables(flow, true)
  const ranges = rangeReadings(blanked(source, tables))
  const text = blanked(source, [...tables, ...ranges.parts])
  const readings: Reading[] = [
    ...tables.flatMap((table) => [
      ...table.answers.map(({ n, answer }, index): Reading => ({ n, at: table.at + index / 1000, answer, analysis: {} })),
      ...table.uneven.map((n, index): Reading => ({ n, at: table.at + index / 1000, answer: [], analysis: {}, doubt: '答案表的题号与答案个数不符' })),
    ]),
    ...ranges.readings,
  ]
  const styles = [NUMBER, BRACKETED, BARE].map((pattern) => marksOf(text, pattern))
  // Numbers in brackets are parts of an answer where others number the questions.
  const run = styles.map((marks) => listMarks(text, marks, numbers)).find((found, index) => found.length > (index === 0 ? 0 : 1)) ?? []
  const borders = [...tables, ...ranges.parts].map((part) => part.at)
  // Words before the first number are answers of something that has none.
  const first = Math.min(...run.map((mark) => mark.at), ...[...tables, ...ranges.parts].map((part) => part.at))
  const before = Number.isFinite(first) ? text.slice(0, first).replace(LABELS, '').replace(/[\s\u0000。.．:：]+/g, '') : ''
  for (const [index, mark] of run.entries()) {
    const end = Math.min(run[index + 1]?.at ?? Infinity, ...borders.filter((at) => at > mark.at))
    const { text: answer, tags } = tagsIn(trim(cut(flow, mark.end, end)))
    readings.push({ n: mark.n, at: mark.at, answer: tags['答案'] ?? answer, analysis: analysisIn(tags) })
  }
  const read = readings.filter((reading) => reading.doubt || !isBlank(reading.answer) || Object.keys(reading.analysis).length > 0).sort((a, b) => a.at - b.at)
  const [head] = read
  if (head && before !== '') read[0] = { ...head, doubt: head.doubt ?? `答案前面的「${before.slice(0, 24)}」没有对应的题` }
  return read.length > 0 ? read : lettersInOrder(source, numbers.flat())
}

/** Titles and points that stand before answers. */
const LABELS = /[（(【[][^（()）\n]*[)）】\]]|[^\n]*(?:答案|评分|试卷|试题|每小?题|每空|本大?题|共\s*\d+)[^\n]*|第?[一二三四五六七八九十]+\s*(?:部分|节|大题|[、.．])?[^\n\d]{0,20}题?|[^\n]{0,12}题\s*[:：]?|[A-E]\s*(?=\n|$)/g

/** Nothing but letters, one for each question. */
function lettersInOrder(text: string, numbers: readonly number[]): Reading[] {
  const letters = text.normalize('NFKC').replace(/[\s,，、;；]+/g, '')
  if (!/^[A-H√×TF]{2,}$/.test(letters) || numbers.length < 2) return []
  const doubt = letters.length === numbers.length ? undefined : `答案「${letters.slice(0, 40)}」有 ${letters.length} 个，题有 ${numbers.length} 道`
  return numbers.map((n, index) => ({ n, at: index, answer: doubt ? [] : [letters[index] ?? ''], analysis: {}, ...(doubt ? { doubt } : {}) }))
}

/** Readings by rounds: numbers that fall begin another. */
export function rounds(readings: readonly Reading[]): Reading[][] {
  const found: Reading[][] = []
  for (const reading of readings) {
    const open = found.at(-1)
    if (open && (open.at(-1)?.n ?? 0) < reading.n) open.push(reading)
    else found.push([reading])
  }
  return found
}
