/** Plain text with formulas between dollars, as question sets and cells bring it, made a flow. */
import { cleanText } from '../../../../core/rich-text/rich-schema.ts'
import { isPlainPunctuation, splitMath } from '../../../../core/rich-text/tex.ts'
import { readTex, texErrorText } from '../../../../core/rich-text/tex-compile.ts'
import { rawTexIn } from '../../content/raw-tex.ts'
import { hint, problem, type Warning } from '../item.ts'
import type { Token } from './flow.ts'
import { texTable } from './tex-table.ts'
import { aroundTables, texWords, withoutEmptyFormulas } from './tex-words.ts'

const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6‘’“”…—·]/g
/** Columns that a line takes, a Chinese character being two. */
const columns = (line: string) => line.length + (line.match(WIDE)?.length ?? 0)

/** A line that begins something of its own: an option, a number, a tag. */
const BEGINS = /^\s*(?:[A-Ha-h]\s*[.．、:：)）]|[（(【[]|\d{1,3}\s*[.．、)）]|[①-⑳⑴-⒇]|第[一二三四五六七八九十\d]+|[一二三四五六七八九十]+、|[Tt]ext|[A-G]\s*$|图|表|注|材料|解|证明|答|故选|选|[-•*])/
/** A row of options ends where its last option ends; a title of answers begins something. */
const ROW = /[A-HＡ-Ｈ]\s*[.．、][^\n]*\s[B-HＢ-Ｈ]\s*[.．、]/
const TITLE = /^\s*(?:(?:参考|正确|标准)?答案|解析|评分|Keys?\b|Answers?\b|第\s*[ⅠⅡⅢIVX]+\s*卷|阅读|据此|读图|下[图表])/
/** Ends of a sentence, after which a line feed is meant. */
const ENDS = /[。！？；：.!?;:…]["”’」』）)】\]]*\s*$/

/**
 * Takes out the line feeds that a printed page put into sentences. A text counts as broken at a margin when its long
 * lines are equally long.
 */
export function unwrap(text: string): string {
  const lines = text.split('\n')
  const lengths = lines.map((line) => columns(line.trim()))
  const margin = Math.max(...lengths)
  if (margin < 56 || margin > 160) return text
  // A page has a margin when many lines stop there in the middle of a sentence.
  const open = lines.filter((line, index) => (lengths[index] ?? 0) >= margin * 0.82 && !ENDS.test(line) && !ROW.test(line)).length
  if (open < (lines.length > 8 ? Math.max(3, lines.length * 0.1) : lengths.filter((length) => length >= margin * 0.82).length >= 2 ? 1 : 2)) return text
  const joined: string[] = []
  let room = 0
  for (const [index, line] of lines.entries()) {
    const last = joined.at(-1)
    const isOpen = last !== undefined && last.trim() !== '' && line.trim() !== '' && room >= margin * 0.82 && !ENDS.test(last) && !ROW.test(last) && !BEGINS.test(line) && !TITLE.test(line)
    // A first line that stands in begins a paragraph.
    if (isOpen && !/^[\u3000 ]{4,}/.test(line)) {
      const gap = /[A-Za-z0-9,;:.?!'’”")\]-]\s*$/.test(last) && /^\s*[A-Za-z0-9(“"‘'[]/.test(line) && !/[\u4e00-\u9fff]\s*$/.test(last) ? ' ' : ''
      joined[joined.length - 1] = last.trimEnd() + gap + line.trimStart()
    } else joined.push(line)
    room = lengths[index] ?? 0
  }
  return joined.join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', middot: '·', times: '×', divide: '÷', deg: '°', plusmn: '±', hellip: '…', mdash: '—', ldquo: '“', rdquo: '”', lsquo: '‘', rsquo: '’', rarr: '→', larr: '←', le: '≤', ge: '≥', ne: '≠', radic: '√', infin: '∞', ang: '∠', alpha: 'α', beta: 'β', pi: 'π', theta: 'θ' }

/** Named and numbered characters of HTML in text that is none. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal?: string, hex?: string, name?: string) => {
    if (name) return ENTITIES[name] ?? all
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    return code > 31 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : all
  })
}

const HOLE_TEX = String.raw`(?:\\underline\s*\{(?:\s|~|\\[,;:!]|\\q?quad|\\hspace\{[^{}]*\}|\\(?:phantom|text|mathrm|hphantom)\s*\{[^{}]*\})*\}|(?:\\_\s*){2,}|_{3,}|\\rule(?:\[[^\]]*\])?\{[^{}]*\}\{[^{}]*\})`
const PAREN_TEX = String.raw`(?:\\left\s*)?[（(](?:\s|~|\\[,;:! ]|\\q?quad|\\hspace\{[^{}]*\})+(?:\\right\s*)?[）)]`
const HOLES = new RegExp(`${HOLE_TEX}|${PAREN_TEX}`)

/** Room to write in a formula is room to write in the text: \underline{\quad}, ( \quad ). */
function aroundHoles(tex: string): string[] {
  const pieces: string[] = []
  let rest = tex
  for (let match = HOLES.exec(rest); match; match = HOLES.exec(rest)) {
    const before = rest.slice(0, match.index)
    const after = rest.slice(match.index + match[0].length)
    const loose = (part: string) => /\\left\b|\\begin/.test(part) && !/\\right\b|\\end/.test(part)
    // Inside a bracket or an environment it cannot be taken out.
    if (loose(before) && !before.startsWith('\\left.')) break
    if ((before.match(/(?<!\\)\{/g)?.length ?? 0) !== (before.match(/(?<!\\)\}/g)?.length ?? 0)) break
    pieces.push(before.replace(/^\\left\./, ''), /^\\?(?:left)?\s*[（(]/.test(match[0]) ? '（　）' : '______')
    rest = after
  }
  return [...pieces, rest]
}

/** One formula of a file as tokens, with what is to be said about it. */
export function texTokens(source: string, display: boolean, warnings: Warning[]): Token[] {
  if (isPlainPunctuation(source)) return [source]
  const table = texTable(source)
  if (table) {
    return [{ t: 'block', block: table }]
  }
  const pieces = aroundHoles(source)
  if (pieces.length > 1) return pieces.flatMap((piece, index): Token[] => (piece.trim() === '' ? [] : index % 2 === 1 ? [piece] : texTokens(piece, false, warnings)))
  const { tex, mended, error } = readTex(source)
  if (tex === '') return []
  if (error) warnings.push(problem(`公式「${tex.length > 30 ? `${tex.slice(0, 30)}…` : tex}」${texErrorText(error)}`))
  if (mended) warnings.push(hint(`公式已修正为「${tex.length > 40 ? `${tex.slice(0, 40)}…` : tex}」`))
  return display ? [{ t: 'block', block: { t: 'math', tex } }] : [{ t: 'tex', tex }]
}

/**
 * Reads plain text.
 * @param setting.wrapped whether lines broken at a margin may be joined
 * @param warnings takes what is wrong with its formulas
 */
export function textFlow(source: string, warnings: Warning[], { wrapped = true }: { wrapped?: boolean } = {}): Token[] {
  const plain = withoutEmptyFormulas(decodeEntities(source.replace(/\r\n?/g, '\n'))).replace(/[ \t]+\n/g, '\n')
  return aroundTables(plain).flatMap((part): Token[] => (typeof part === 'string' ? wordsFlow(wrapped ? unwrap(part) : part, warnings) : [{ t: 'block', block: part }]))
}

/** Words and the formulas between them. */
function wordsFlow(text: string, warnings: Warning[]): Token[] {
  const { pieces, unmatched } = splitMath(text)
  for (const at of unmatched) warnings.push(hint(`「${text.slice(Math.max(0, at - 6), at + 8).replace(/\n/g, ' ').trim()}」中的公式符号 $ 不成对`))
  return pieces.flatMap((piece): Token[] => {
    if ('tex' in piece) return texTokens(piece.tex, piece.display, warnings)
    const tokens = texWords(piece.text)
    const left = tokens.map((token) => (typeof token === 'string' ? rawTexIn(token) : null)).find((found) => found !== null)
    if (left) warnings.push(problem(`「${left}」是公式代码，没有写成公式`))
    return tokens.map((token) => (typeof token === 'string' ? cleanText(token) : token))
  })
}
