/**
 * node scripts/run.mjs scripts/compare-gaokao.ts <folder>: imports a copy of GAOKAO-Bench (its `Data` folder) and compares
 * every question with the record it came from: stem, options, key, written answer, explanation, number of sub-questions, blanks, points.
 * What the importer itself calls a problem counts as listed, a difference beside that as silent. It reads the source
 * by its own few rules and takes none from the importer.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { problemsOf } from '../modules/practice/content/question-rules.ts'
import type { QuestionContent } from '../modules/practice/content/question.ts'
import { readQuestions } from '../modules/practice/import/read-file.server.ts'

const file = z.object({ example: z.array(z.object({ year: z.string(), question: z.string(), answer: z.union([z.string(), z.array(z.string())]), analysis: z.string(), score: z.number() })) })
type Source = z.infer<typeof file>['example'][number]

/** Share of the records that may be listed as uncertain. */
const MOST_UNCERTAIN = 0.05

/** Signs that TeX and plain text write in different ways. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\\(?:geqslant|geq|ge)(?![a-z])/g, '≥'], [/\\(?:leqslant|leq|le)(?![a-z])/g, '≤'], [/\\(?:lt|textless)(?![a-z])/g, '<'], [/\\(?:gt|textgreater)(?![a-z])/g, '>'], [/\\neq?(?![a-z])/g, '≠'], [/\\times(?![a-z])/g, '×'], [/\\div(?![a-z])/g, '÷'],
  [/\\(?:text|mathrm|mathbf|mathit|rm|bf|textbf|mbox|left|right|big|Big|bigg|displaystyle|quad|qquad|hspace|begin|end|hline|cline|underline|multirow|multicolumn|operatorname|array|tabular|limits|nolimits|tfrac|dfrac)(?![a-z])/g, (' ')],
]

/** Numbers of questions, sub-questions and holes, and titles in brackets: an order of its own shows them. */
const withoutNumbers = (text: string) => text.replace(/【[^【】\n]{1,20}】/g, ' ').replace(/[_＿]+\s*[（(]?\s*\d{1,2}\s*[)）]?\s*[_＿]+/g, '＿').replace(/[（(]\s*\d{1,2}\s*[)）]|[①-⑳]|(?<=^|\n)\s*\d{1,3}\s*[.．、](?!\d|[ \t]*(?:\n|$))|(?<=\s|])\d{1,2}[.．、][ \t]*(?=[A-E](?![A-Za-z])|[\u4e00-\u9fff①])|(?<=[A-E])\d{1,2}[.．、]|(?<=\s)\d{1,2}[.．](?=\s*(?:[a-z]{2}|[a-z]\s))/g, ' ')

/** What must survive: letters, figures and the signs of operations. Spaces, punctuation and the dress of formulas may change. */
function kept(text: string): string {
  const plain = SIGNS.reduce((all, [pattern, sign]) => all.replace(pattern, sign), withoutNumbers(text.replace(/＼/g, '\\').replace(/\u0008ar/g, '\\bar')).replace(/\\[dt]frac/g, '\\frac').replace(/&amp;/g, '&').replace(/\\multi(?:column|row)\s*(?:\[[a-z]\])?\s*\{\d+\}\s*\{[^{}]*\}|\\c(?:line|midrule)\s*\{[^{}]*\}/g, ' ').replace(/\\begin\{(?:array|tabular)\}(?:\[[a-z]\])?\{[^{}]*\}|\\(?:begin|end)\{[a-z*]+\}/g, ' '))
  return plain.normalize('NFKC').replace(/[^\p{L}\p{N}+\-=<>×÷≥≤≠%]/gu, '').replace(/--+/g, '')
}

interface Difference {
  lost: string
  added: string
}

/** Longest piece that may be missing at one place, and the length of what must agree behind it. */
const WINDOW = 400
const SURE = 8

/** Where two texts part, and where they meet again. */
function differences(source: string, found: string): Difference[] {
  const all: Difference[] = []
  let [left, right] = [0, 0]
  while (left < source.length || right < found.length) {
    if (source[left] === found[right]) {
      left++
      right++
      continue
    }
    const [skipLeft, skipRight] = meeting(source.slice(left), found.slice(right))
    all.push({ lost: source.slice(left, left + skipLeft), added: found.slice(right, right + skipRight) })
    left += skipLeft
    right += skipRight
  }
  return all
}

function meeting(source: string, found: string): [number, number] {
  for (let sum = 1; sum <= WINDOW; sum++) {
    for (let skip = 0; skip <= sum; skip++) {
      const [one, other] = [source.slice(sum - skip), found.slice(skip)]
      const need = Math.min(SURE, Math.max(one.length, other.length))
      if (sum - skip <= source.length && skip <= found.length && one.slice(0, need) === other.slice(0, need)) return [sum - skip, skip]
    }
  }
  return [source.length, found.length]
}

/** Characters that a text has more often than another: for explanations, whose parts may be sorted. */
function bagDifference(source: string, found: string): string {
  const left = new Map<string, number>()
  for (const char of found) left.set(char, (left.get(char) ?? 0) + 1)
  return [...source].filter((char) => {
    const count = left.get(char) ?? 0
    left.set(char, count - 1)
    return count <= 0
  }).join('')
}

type Node = Readonly<Record<string, unknown>> | readonly unknown[] | string | number | null

/** Words and formulas of a document in their order, whatever it is made of. */
function wordsOf(node: Node, blank = ''): string {
  if (node === null || typeof node === 'number') return ''
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map((one: Node) => wordsOf(one, blank)).join('')
  const { t, text, tex, c, rows, items, lines, turns, who } = node as Record<string, Node>
  if (t === 'blank' || t === 'subref') return blank
  if (typeof tex === 'string') return ` $${tex}$ `
  return ` ${[text, who, c, rows, items, lines, turns].map((one) => (one === undefined ? '' : wordsOf(one, blank))).join('')}${t === 'p' ? '\n' : ''}`
}

const words = (doc: unknown, blank = '') => wordsOf((doc ?? null) as Node, blank)
const letter = (index: number) => String.fromCodePoint(65 + index)
const leaves = (question: QuestionContent) => (question.children.length > 0 ? question.children : [question])

/** The whole question as it would be printed. */
function printed(question: QuestionContent): string {
  // Answers between right and wrong are ours.
  const options = question.category === '判断题' ? '' : question.options.map((option, index) => `${letter(index)} ${words(option.doc)} `).join('')
  return `${words(question.stem)} ${options}${question.children.map(printed).join(' ')}`
}

function keyOf(question: QuestionContent, pool: QuestionContent['options']): string {
  const options = question.options.length > 0 ? question.options : pool
  const ids = question.answer.k === 'one' ? [question.answer.ok] : question.answer.k === 'many' ? question.answer.ok : []
  return ids.map((id) => letter(options.findIndex((option) => option.id === id))).sort().join('')
}

function answerText({ answer, children }: QuestionContent): string {
  if (children.length > 0) return children.map(answerText).join(' ')
  if (answer.k === 'blanks') return answer.b.map((blank) => blank.accept.map((doc) => words(doc)).join(' ')).join(' ')
  return answer.k === 'free' ? answer.parts.map((part) => `\n${words(part.ref)} ${part.steps.map((step) => words(step.text)).join(' ')}`).join(' ') : ''
}

const analysisText = (question: QuestionContent): string => [question, ...question.children].map(({ analysis }) => [analysis.hint, analysis.solution, analysis.comment, analysis.pitfall].map((doc) => words(doc)).join(' ')).join(' ')

/** Numbers of questions and the words for points are no text of the question: 13, 5分, 本题满分12分, 节选自. */
const FRAME = /^(?:\d{1,3}|(?:\d{1,3})?(?:本小?题)?(?:满分|共|计)?\d{1,3}分|(?:19|20)\d\d\p{L}{0,30}\d{0,2})+$/u
/** Words that titles of parts of an answer have. */
const TITLES = /^(?:答案|参考答案|解析|分析|解答|详解|点评|考点|专题|解|答|故答案为|\d{1,3}|[A-E])+$/

const missing = (source: string, found: string, frame: RegExp) => differences(kept(source), kept(found)).filter(({ lost, added }) => !((lost === '' || frame.test(lost)) && (added === '' || /^\d{1,3}$/.test(added))))
const shown = (found: readonly Difference[]) => found.slice(0, 3).map(({ lost, added }) => `-「${lost.slice(0, 40)}」 +「${added.slice(0, 40)}」`).join(' ')

/** Letters of a key in their order: DB is BD. */
const sorted = (text: string) => text.replace(/(?<![A-Za-z])[A-E]{2,5}(?![A-Za-z])/g, (key) => [...key].sort().join(''))

/** Options that stand on lines of their own or apart on a line, when there is no doubt about them. */
function optionsIn(source: string): string[] | null {
  const marks = [...source.matchAll(/(?:^|\n|\s{2,}|(?<=[）)。．]))[ \t\u3000]*([A-F])\s*[.．、]\s*/g)]
  if (!/^ABCDE?F?$/.test(marks.map((mark) => mark[1]).join(''))) return null
  return marks.map((mark, index) => kept(source.slice(mark.index + mark[0].length, marks[index + 1]?.index)))
}

/** Where the room to write must be when the file shows none: at the end, before a remark in brackets or a unit. */
function roomIsLikely(question: QuestionContent, source: string): boolean {
  if (/[_＿]{2,}|[（(]\s*[）)]/.test(source)) return true
  const text = words(question.stem, '▁').trim()
  const tail = kept(text.slice(text.indexOf('▁')).replace(/▁/g, ''))
  if ((text.match(/▁/g)?.length ?? 0) !== 1) return false
  const before = kept(text.slice(0, text.indexOf('▁')))
  // The gap shows in the source: two spaces, or one between Chinese words, exactly there.
  const gap = [...source.matchAll(/(?<=[\p{L}\p{N}$：:，,]) +(?=[\p{L}，。；$])/gu)].some((match) => kept(source.slice(0, match.index)).endsWith(before.slice(-12)) && kept(source.slice(match.index)).startsWith(tail.slice(0, 12)))
  return tail === '' || gap || /^[（(][^（）()]*[）)][.．。]?$/.test(text.slice(text.indexOf('▁') + 1).trim())
}

/** What differs between a record and its question. */
function compare(source: Source, question: QuestionContent): string[] {
  const found: string[] = []
  const say = (what: string, lost: readonly Difference[]) => {
    if (lost.length > 0) found.push(`${what} ${shown(lost)}`)
  }
  const parts = leaves(question)
  const explained = kept(analysisText(question))
  const keys = parts.map((part) => keyOf(part, question.options))
  // The key that somebody has written behind a stem is not part of it.
  say('题干和选项', missing(source.question, printed(question), FRAME).filter(({ lost, added }) => (added !== '' || !keys.includes([...lost].sort().join('')))))
  const options = parts.length === 1 ? optionsIn(source.question) : null
  if (options && options.some((text, index) => text !== kept(words(question.options[index]?.doc)))) found.push(`选项 ${JSON.stringify(options)} ≠ ${JSON.stringify(question.options.map((option) => kept(words(option.doc))))}`)
  if (Array.isArray(source.answer)) {
    if (keys.join(',') !== source.answer.join(',')) found.push(`答案 ${source.answer.join(',')} ≠ ${keys.join(',')}`)
    const points = parts.map((part) => part.score)
    if (points.some((one) => one !== source.score)) found.push(`每小题 ${source.score} 分 ≠ ${points.join('、')}`)
  } else {
    // A written solution may stand as explanation too; the answer is compared with what learners are marked by.
    const written = source.answer
    if (kept(written) !== '') say('答案', missing(sorted(written), sorted(parts.map((part, index) => keys[index] || answerText(part)).join('\n')), TITLES).filter(({ lost, added }) => !explained.includes(lost) || !kept(written).includes(added)))
    if (question.score !== source.score) found.push(`${source.score} 分 ≠ ${question.score}`)
    if (question.type === 3 && !roomIsLikely(question, source.question)) found.push(`空的位置 ${words(question.stem, '▁').trim().slice(-40)}`)
  }
  const forgotten = bagDifference(kept(source.analysis), explained)
  if (!/^解*$/.test(forgotten)) found.push(`解析 少了 ${forgotten.length} 字「${forgotten.slice(0, 40)}」`)
  return found
}

const folder = process.argv[2]
if (!folder) throw new Error('usage: node scripts/run.mjs scripts/compare-gaokao.ts <folder>')
let [all, uncertain, silent] = [0, 0, 0]
for (const path of globSync(join(folder, '**', '*.json')).sort()) {
  const name = basename(path)
  const { example } = file.parse(JSON.parse(readFileSync(path, 'utf8')))
  const { parsed } = await readQuestions(path, name, null)
  if (parsed.items.length !== example.length) {
    silent += Math.abs(parsed.items.length - example.length)
    console.log(`${name}: ${example.length} records, ${parsed.items.length} items`)
  }
  for (const [index, source] of example.entries()) {
    all++
    const item = parsed.items[index]
    const problems = item ? [...item.warnings.filter((one) => one.level === 'problem').map((one) => one.message), ...(item.question ? problemsOf(item.question).map((one) => one.message) : [])] : []
    const found = item?.question ? compare(source, item.question) : []
    if (problems.length > 0) {
      uncertain++
      if (process.argv.includes('--listed')) console.log(`listed ${name} ${index}: ${problems.slice(0, 2).join('；')} | ${found.join('；')}`)
    } else if (found.length > 0) {
      silent++
      console.log(`silent ${name} ${index}: ${found.join('；')}`)
    }
  }
}
console.log(`${all} records: ${silent} silent errors, ${uncertain} listed as uncertain (${((uncertain / Math.max(1, all)) * 100).toFixed(1)} %)`)
if (all === 0 || silent > 0 || uncertain > all * MOST_UNCERTAIN) process.exitCode = 1
