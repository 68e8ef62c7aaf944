/** Room to write in a text: blanks, the parentheses of a choice, numbered holes of a passage. */
import type { Blank } from '../../../../core/rich-text/rich-doc.ts'
import { cut, flat, replaceFlow, trim, type Flow, type Token } from './flow.ts'

/** A line of underscores, with a number in it or not. */
const LINE = /[_＿﹍]{2,}(?:\s*[（(]?\s*\d{1,3}\s*[)）]?\s*[_＿﹍]+)?|(?<=[\u4e00-\u9fff，。：:=“])[—﹣]{4,}(?=[\u4e00-\u9fff，。；;”])/g
const EMPTY_PAREN = /[（(][\s\u3000\u00A0_]*[)）]|【[\s\u3000\u00A0]+】/g
/** EduSoho's blanks with their answers in them: [[太白|李白]]. */
const ANSWERED = /\[\[([^[\]\n]{1,200})\]\]/g

const isBlank = (token: Token): token is Blank => typeof token !== 'string' && token.t === 'blank'
export const blankIds = (flow: Flow) => flow.filter(isBlank).map((blank) => blank.id)

/** Width of a blank in characters, from the underscores that were typed. */
const widthOf = (text: string) => Math.min(40, Math.max(3, Math.round(text.length / 2)))

/** Ids b1, b2 … that the flow does not use yet. */
function fresh(flow: Flow): () => string {
  const used = new Set(blankIds(flow))
  let next = 1
  return () => {
    while (used.has(`b${next}`)) next++
    return `b${next++}`
  }
}

const lineBlank = (id: string, text: string): Blank => ({ t: 'blank', id, ...(text.length > 12 ? { width: widthOf(text) } : {}) })

/** Underscores become blanks. */
export function lineBlanks(flow: Flow): Token[] {
  const id = fresh(flow)
  return replaceFlow(flow, LINE, (match) => [lineBlank(id(), match[0])])
}

/** Empty parentheses become the place for a letter. */
export function choiceParens(flow: Flow): Token[] {
  return replaceFlow(flow, EMPTY_PAREN, () => [{ t: 'paren' }])
}

/** Blanks that bring their answers, and these answers as they stand: alternatives parted by bars. */
export function answeredBlanks(flow: Flow): { flow: Token[]; answers: Token[][] } {
  const answers: Token[][] = []
  const id = fresh(flow)
  return { flow: replaceFlow(flow, ANSWERED, (match) => {
    answers.push(cut(flow, (match.index ?? 0) + 2, (match.index ?? 0) + match[0].length - 2))
    return [{ t: 'blank', id: id() }]
  }), answers }
}

/** Places where print leaves room and a file has lost the line, surest first. Each matches nothing but the room. */
const LOST: readonly RegExp[] = [
  /(?<=[“”‘，。、；;：:])[ \u3000\u00A0]{1,}(?=[，。”’；;、？?])/g,
  /(?<=[为是有得到约等于即＝=\uFFFC])[ \u3000\u00A0]*(?=[.．。，,;；](?:\s|$|[\u4e00-\u9fff（(]))|(?<=[为是=＝])[ \u3000\u00A0]*$/g,
  /(?<=[\u4e00-\u9fff：:=])[ \u3000\u00A0]{2,}(?=[\u4e00-\u9fff，。；;.．])/g,
  /(?<=[\u4e00-\u9fff])[ \u00A0](?=[\u4e00-\u9fff，。；;])/g,
  /(?<=[为是=＝])[ \u3000\u00A0]*(?=[（(\n])/g,
]

/** The end of a text, before a stop and a remark in brackets. */
const END = /[ \u3000\u00A0]*(?=[.．。]?\s*(?:[（(][^（）()]{1,30}[)）])?\s*[.．。]?\s*$)/g

/** Room behind words after which something is missing, in a text that has several of them: "3+5=   9-2=   4×6=". */
const GAPS = /(?<=[为是=＝：:])(?:[ \u3000\u00A0]{2,}(?=[^\s\uFFFC])|[ \u3000\u00A0]*$)/g

/** Places where print leaves room; none when there is only one, which may be an accident. */
export function gapsIn(flow: Flow): number {
  const found = [...flat(trim(flow)).matchAll(GAPS)].length
  return found > 1 ? found : 0
}

/** Whether a text ends where something is missing: 为, 是, an equals sign in or behind a formula. */
function breaksOff(flow: Flow): boolean {
  const text = flat(flow)
  const at = text.search(END)
  const last = cut(flow, at - 1, at)[0]
  return typeof last === 'object' && last.t === 'tex' ? /=\s*(?:\\q?quad)?$/.test(last.tex) : /[为是=＝]$/.test(text.slice(0, at))
}

/**
 * Blanks of a fill-in: lines, brackets, or the places where a line was lost.
 * @param count number of answers, 0 when it is not known
 * @returns null when there is no place that could be one; guessed says that lines were missing
 */
export function fillBlanks(flow: Flow, count: number): { flow: Token[]; guessed: boolean } | null {
  const lined = lineBlanks(flow)
  const lines = blankIds(lined).length
  const id = fresh(lined)
  if (lines > 0 && (count === 0 || lines >= count)) return { flow: lined, guessed: false }
  const brackets = [...flat(lined).matchAll(EMPTY_PAREN)].length
  if (brackets > 0 && (count === 0 || lines + brackets <= count || lines === 0)) return { flow: renumber(replaceFlow(lined, EMPTY_PAREN, () => [{ t: 'blank', id: id(), style: 'paren' }])), guessed: false }
  if (lines > 0) return { flow: lined, guessed: false }
  if (count > 1 && gapsIn(lined) === count) return { flow: replaceFlow(trim(lined), GAPS, () => [{ t: 'blank', id: id() }, ' ']), guessed: true }
  if (count <= 1 && breaksOff(lined)) return { flow: replaceFlow(lined, END, (_, index) => (index === 0 ? [{ t: 'blank', id: id() }] : undefined)), guessed: true }
  for (const lost of LOST) {
    const places = [...flat(lined).matchAll(lost)]
    if (places.length > 0 && (places.length === count || (count <= 1 && places.length > 0))) {
      const first = count <= 1 ? places.length - 1 : 0
      let seen = -1
      return { flow: replaceFlow(lined, lost, () => (++seen >= first ? [{ t: 'blank', id: id() }] : undefined)), guessed: true }
    }
  }
  return null
}

/** Blanks numbered in reading order. */
export function renumber(flow: Flow): Token[] {
  let n = 0
  return flow.map((token) => (isBlank(token) ? { ...token, id: `b${++n}` } : token))
}

/** A blank at the end of a text, before its last full stop. */
export function blankAtEnd(flow: Flow): Token[] {
  const text = flat(flow)
  const end = /[\s.．。]*$/.exec(text)?.index ?? text.length
  const id = fresh(flow)
  return renumber(replaceFlow(flow, new RegExp(`(?<=^[\\s\\S]{${end}})`, 'g'), (_, index) => (index === 0 ? [{ t: 'blank', id: id() }] : undefined)))
}

/** How holes with numbers are written, surest first; the number is the first group. */
const HOLES: readonly ((n: string) => RegExp)[] = [
  (n) => new RegExp(`[_＿]+\\s*[（(]?\\s*${n}\\s*[)）]?\\s*[_＿]+|[_＿]{1,}\\s*[（(]?${n}[)）]?(?![\\d])|(?<![\\d])[（(]?${n}[)）]?\\s?[_＿]{2,}`, 'g'),
  (n) => new RegExp(`(?<=[\\s\\u3000“"‘'])[ \\u3000\\u00A0]*(?<![\\d.,$])${n}(?![\\d%°]|[.,]\\d)[ \\u3000\\u00A0]{2,}|(?<=[ \\u3000\\u00A0]{2})${n}(?![\\d%°]|[.,]\\d)(?=[\\s.,;:!?’”"'—–-]|$)`, 'g'),
  (n) => new RegExp(`[（(【[]\\s*${n}\\s*[)）】\\]]`, 'g'),
  (n) => new RegExp(`(?<=[\\s\\u3000“"‘'(（]|^)${n}(?=[\\s\\u3000.,;:!?’”"')）—–-]|$)(?![.,]\\d)`, 'g'),
  (n) => new RegExp(`(?<![\\d.,$])${n}(?![\\d%°]|[.,]\\d)`, 'g'),
]

export interface Hole {
  n: number
  at: number
  length: number
}

/**
 * Finds holes with the given numbers, in their order. Each is looked for after the one before it, in the surest way.
 * @param lost how many may be missing
 */
export function numberedHoles(text: string, numbers: readonly number[], lost = 0): Hole[] | null {
  let best: Hole[] = []
  for (const upTo of HOLES.keys()) {
    const found: Hole[] = []
    let from = 0
    for (const n of numbers) {
      const candidates = HOLES.slice(0, upTo + 1).map((hole) => [...text.matchAll(hole(String(n)))].find((match) => match.index >= from))
      const match = candidates.find((candidate) => candidate !== undefined)
      if (!match) continue
      found.push({ n, at: match.index, length: match[0].length })
      from = match.index + match[0].length
    }
    if (found.length === numbers.length) return found
    if (found.length > best.length) best = found
  }
  return best.length >= numbers.length - lost ? best : null
}

/** Numbers of holes of a passage that nothing else names: the longest run of following numbers written as holes. */
export function holeNumbers(text: string, count: number): number[] | null {
  for (const pattern of [/[_＿]+\s*[（(]?\s*(\d{1,3})\s*[)）]?\s*[_＿]*|(?<!\d)(\d{1,3})\s?[_＿]{2,}/g, /(?<=[\s“"])[ \u3000\u00A0]+(\d{1,3})(?=[\s.,;:!?’”"(（]|$)/g, /[（(]\s*(\d{1,2})\s*[)）]/g, /(?<=\s)(\d{1,3})(?=[\s.,;:!?])/g]) {
    const numbers = [...text.matchAll(pattern)].map((match) => Number(match[1] ?? match[2]))
    for (const first of numbers) {
      const run = Array.from({ length: count }, (_, index) => first + index)
      let at = 0
      for (const n of numbers) if (n === run[at]) at++
      if (at === count) return run
    }
  }
  return null
}

/** Makes holes of a text the places of children 1, 2, 3 …, the first child having the given number. */
export function putHoles(flow: Flow, holes: readonly Hole[], first?: number): Token[] {
  const sorted = [...holes].sort((a, b) => a.at - b.at)
  const text = flat(flow)
  const done: Token[] = []
  let at = 0
  for (const [index, hole] of sorted.entries()) {
    done.push(...cut(flow, at, hole.at), ...(/\s$/.test(text.slice(0, hole.at)) || hole.at === 0 ? [] : [' ']), { t: 'subref', n: first === undefined ? index + 1 : hole.n - first + 1 }, ...(/^[\s.,;:!?’”"，。；：！？]/.test(text.slice(hole.at + hole.length)) ? [] : [' ']))
    at = hole.at + hole.length
  }
  return [...done, ...cut(flow, at, Infinity)]
}
