/** Formulas as text (domain 3.1): found between their delimiters, brought into one spelling. Nothing here draws them. */

export interface TextPiece {
  text: string
}

export interface TexPiece {
  tex: string
  /** Stood on a line of its own. */
  display: boolean
}

export type Piece = TextPiece | TexPiece

/** Delimiters by the precedence in which they are looked for. */
const DELIMITERS = [
  { open: '$$', close: '$$', display: true },
  { open: '\\[', close: '\\]', display: true },
  { open: '\\(', close: '\\)', display: false },
  { open: '$', close: '$', display: false },
] as const

const ENVIRONMENT = /^\\begin\{(cases|aligned|align\*?|array|matrix|[pbvBV]matrix|gathered|equation\*?|split)\}/

/** Longest formula between two single dollars, in characters: a lone dollar must not swallow the rest of a text. */
const MAX_INLINE = 4000

/** Place of a closing delimiter that is not escaped, or -1. */
function closing(text: string, close: string, from: number): number {
  for (let at = text.indexOf(close, from); at >= 0; at = text.indexOf(close, at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}

/** Two prices in a sentence are not a formula: "$5 and $10". */
function isPrice(inside: string): boolean {
  // A formula does not end in a space: "$18 B) $23".
  if (/^\d[\d,.]*\s*\S[^\\^_={}]*\s$/.test(inside)) return true
  const words = inside.replace(/\\[a-z]+\s*(?:\{[^{}]*\})?/gi, ' ').match(/(?<![a-z])[a-z]{2,}(?![a-z])/gi)?.length ?? 0
  return /^\d/.test(inside) ? words >= 1 && /\d[\d,.]*\s*(?:[-–—,.;]\s*)?[a-z]{2,}|\s[a-z]{2,}\s/i.test(inside) && !/[\\^={}]/.test(inside) : words >= 4 && !/[\\^={}]/.test(inside)
}

/** Sums of money with a sum behind them: "$12/60=$0.2", "$111+$182=$293". */
const isSum = (inside: string, behind: string) => /^\d/.test(inside) && /^\d/.test(behind) && !/[\\^_{}]/.test(inside) && (/[-+*/=×÷]\s*$/.test(inside) || /[a-z]{2,}/i.test(inside))

/** Sentences between two dollars: their partners are elsewhere. */
const isProse = (inside: string) => (inside.replace(/\\[a-z]+\s*\{[^{}]*\}/gi, '').match(/[\u3400-\u9FFF]{2,}/g)?.length ?? 0) >= 2 && /[，。；！？]/.test(inside)

interface Split {
  pieces: Piece[]
  unmatched: number[]
}

function split(text: string, withinLine: boolean): Split {
  const pieces: Piece[] = []
  const unmatched: number[] = []
  let plain = ''
  const add = (tex: string, display: boolean) => {
    if (plain) pieces.push({ text: plain })
    plain = ''
    if (tex.trim()) pieces.push({ tex: tex.trim(), display })
  }
  let at = 0
  while (at < text.length) {
    const char = text[at] ?? ''
    if (char !== '$' && char !== '\\') {
      const next = text.slice(at).search(/[$\\]/)
      const end = next < 0 ? text.length : at + next
      plain += text.slice(at, end)
      at = end
      continue
    }
    if (char === '\\' && (text[at + 1] === '$' || text[at + 1] === '\\')) {
      // An escaped dollar is money; two backslashes outside a formula are what they are.
      plain += text[at + 1] === '$' ? '$' : '\\\\'
      at += 2
      continue
    }
    const environment = ENVIRONMENT.exec(text.slice(at, at + 30))
    if (environment) {
      const end = `\\end{${environment[1]}}`
      const stop = text.indexOf(end, at)
      if (stop >= 0) {
        add(text.slice(at, stop + end.length), true)
        at = stop + end.length
        continue
      }
    }
    const delimiter = DELIMITERS.find(({ open }) => text.startsWith(open, at))
    if (!delimiter) {
      plain += char
      at++
      continue
    }
    const start = at + delimiter.open.length
    const stop = closing(text, delimiter.close, start)
    const inside = stop < 0 ? '' : text.slice(start, stop)
    if (stop < 0 || (delimiter.open === '$' && (inside.length > MAX_INLINE || (withinLine ? inside.includes('\n') : /\n\s*\n/.test(inside)) || isPrice(inside) || isSum(inside, text.slice(stop + 1, stop + 2))))) {
      // A price is no mistake, a formula without an end is.
      if (!/^\$\s?\d[\d,.]*(?![\d\\^_{=])/.test(text.slice(at, at + 24))) unmatched.push(at)
      plain += delimiter.open
      at = start
      continue
    }
    // What is between double dollars inside a line belongs to the line.
    const before = text.slice(0, at).match(/[^\n]*$/)?.[0].trim() ?? ''
    const after = text.slice(stop + delimiter.close.length).match(/^[^\n]*/)?.[0].trim() ?? ''
    add(inside, delimiter.display && before === '' && after === '')
    at = stop + delimiter.close.length
  }
  if (plain) pieces.push({ text: plain })
  return { pieces, unmatched }
}

const faults = ({ pieces, unmatched }: Split) => unmatched.length + pieces.filter((piece) => 'tex' in piece && isProse(piece.tex)).length

/**
 * Finds the formulas of a text: $..$, $$..$$, \(..\), \[..\] and environments that stand by themselves.
 * @returns the pieces in order, and the places (counted from 0) of delimiters that have no partner; those stay text
 */
export function splitMath(text: string): Split {
  const whole = split(text, false)
  if (faults(whole) === 0) return whole
  // One dollar that is missing turns all that follow inside out, unless every line is looked at by itself.
  const lines = split(text, true)
  return faults(lines) < faults(whole) ? lines : whole
}

/** Characters that stand for a command, and typing in full width. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '−': '-', '–': '-', '—': '-', '‐': '-', '﹣': '-', '·': '\\cdot ', '•': '\\cdot ', '⋅': '\\cdot ', '⌒': '\\frown ', '∥': '\\parallel ', '⫽': '\\parallel ', '⊙': '\\odot ',
  '△': '\\triangle ', '▱': '\\parallelogram ', '℃': '^{\\circ}\\mathrm{C}', '°': '^{\\circ}', '′': "'", '″': "''", '’': "'", '∁': '\\complement ', '∅': '\\varnothing ', '｛': '\\{', '｝': '\\}',
  '＜': '<', '＞': '>', '﹤': '<', '﹥': '>', '％': '\\%', '＃': '\\#', '＆': '\\&', '￥': '\\text{￥}', '…': '\\cdots ', '⋯': '\\cdots ', '∣': '\\mid ', '︱': '|', '⇀': '\\rightharpoonup ', '∶': ':', '／': '/',
}
const SPELT = new RegExp(`[${Object.keys(CHARACTERS).join('')}]`, 'g')
/** Characters of Chinese text, which are no symbols. */
const HAN = /[\u2E80-\u2FDF\u3001-\u303F\u3040-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFE30-\uFE4F“”‘《》]+/g
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&nbsp;': ' ', '&quot;': '"', '&#39;': "'" }
const TEXT_COMMAND = /\\(?:text|textrm|textbf|textit|textsf|mbox|hbox|ce|pu|mathrm|operatorname|tag)\s*\{/g

/** Ends of the groups that belong to a command which sets text: what is in them is left alone. */
function textRanges(tex: string): [number, number][] {
  const ranges: [number, number][] = []
  for (const match of tex.matchAll(TEXT_COMMAND)) {
    if (match.index < (ranges.at(-1)?.[1] ?? 0)) continue
    let depth = 1
    let at = match.index + match[0].length
    while (at < tex.length && depth > 0) {
      if (tex[at] === '\\') at++
      else if (tex[at] === '{') depth++
      else if (tex[at] === '}') depth--
      at++
    }
    ranges.push([match.index, at])
  }
  return ranges
}

const halfWidth = (text: string) => text.replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0)).replace(/\u3000/g, ' ')

/** Spelling outside the groups that set text. */
function spellSymbols(tex: string): string {
  return halfWidth(tex.replace(SPELT, (char) => CHARACTERS[char] ?? char)).replace(HAN, (words) => `\\text{${words}}`)
}

/** Commands whose backslash and first letter a format has read as one control character: \bar, \frac, \times, \right, \neq. */
const EATEN: readonly (readonly [RegExp, string])[] = [
  [/\u0008(?=[a-z])/g, '\\b'], [/\f(?=[a-z])/g, '\\f'], [/\v(?=[a-z])/g, '\\v'], [/\u0007(?=[a-z])/g, '\\a'],
  [/\t(?=(?:ext|imes|heta|an|riangle|frac|au|ilde|op|o)(?![a-z]))/g, '\\t'],
  [/\r(?=(?:ight|ho|m|angle|ightarrow|Rightarrow)(?![a-z]))/g, '\\r'],
  [/\n(?=(?:eq|e|u|abla|ot|otin|eg)(?![a-z]))/g, '\\n'],
]

/** Every backslash doubled, by a format that escapes them: in a formula of one line a command does not follow a line break. */
const isDoubled = (source: string) => /\\\\begin(?![a-z])/.test(source) || (!source.includes('\\begin') && /\\\\[a-zA-Z]{2,}/.test(source))

function unescaped(source: string): string {
  const tex = EATEN.reduce((text, [eaten, command]) => text.replace(eaten, command), source)
  return isDoubled(tex) ? tex.replaceAll('\\\\', '\\') : tex
}

const ENVIRONMENTS: Readonly<Record<string, string>> = { align: 'aligned', eqnarray: 'aligned', equation: 'aligned', split: 'aligned', multline: 'gathered', gather: 'gathered', flalign: 'aligned' }

/**
 * One spelling of a formula: no delimiters, half width, Chinese words in \text, percent signs escaped, environments
 * that may stand in a line. What it means stays the same.
 */
export function normaliseTex(source: string): string {
  let tex = unescaped(source).replace(/&(?:lt|gt|amp|nbsp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity).replace(/[\u200B-\u200D\u2060\uFEFF\u0000-\u0008]/g, '').replace(/[\s\u00A0\u2000-\u200A\u202F]+/g, ' ').trim()
  for (const { open, close } of DELIMITERS) if (tex.length > open.length + close.length && tex.startsWith(open) && closing(tex, close, open.length) === tex.length - close.length) tex = tex.slice(open.length, -close.length).trim()
  tex = tex
    .replace(/\\(begin|end)\{(\w+)\*?\}/g, (all, edge: string, name: string) => (ENVIRONMENTS[name] ? `\\${edge}{${ENVIRONMENTS[name]}}` : all))
    .replace(/\\(?:label|tag|eqref)\*?\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![a-zA-Z])/g, '')
    .replace(/\\mbox(?![a-zA-Z])|\\hbox(?![a-zA-Z])/g, '\\text')
    // A percent sign begins a comment: nobody who writes a question means one.
    .replace(/(\\*)%/g, (all, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\%` : all))
    .replace(/(\\*)#(?!\d)/g, (all, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\#` : all))
  const ranges = textRanges(tex)
  let spelt = ''
  let at = 0
  for (const [start, end] of ranges) {
    spelt += spellSymbols(tex.slice(at, start)) + tex.slice(start, end)
    at = end
  }
  spelt += spellSymbols(tex.slice(at))
  return spelt.replace(/ +/g, ' ').trim()
}

/** A formula of nothing but punctuation or a plain number of holes is text that strayed between two dollars. */
export const isPlainPunctuation = (tex: string) => /^[\s()（）[\]【】.,，。;；:：、?？!！~]*$/.test(tex)
