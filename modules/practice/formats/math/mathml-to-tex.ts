/** Presentation MathML, as web pages and QTI carry it, as TeX. */
import { attr, elements, textIn, type XmlElement, type XmlNode } from '../xml.ts'
import { accentOf, fenced, FUNCTIONS, join, scripted, STYLES, symbolsTex } from './symbols.ts'

type Read = (element: XmlElement) => string

const row = (nodes: readonly XmlNode[]) => nodes.reduce<string>((tex, node) => (typeof node === 'string' ? tex : join(tex, read(node))), '')
const inside: Read = (element) => rowOf(elements(element))
const nth = (element: XmlElement, index: number) => {
  const one = elements(element)[index]
  return one ? read(one) : ''
}
const isFence = (node: XmlElement | undefined, chars: string) => node?.name === 'mo' && chars.includes(textIn(node).trim()) && textIn(node).trim() !== ''

/** A row; a brace before a table makes cases, brackets around one a matrix. */
function rowOf(children: readonly XmlElement[]): string {
  const table = children.findIndex((one) => one.name === 'mtable' || (one.name === 'mrow' && elements(one).length === 1 && elements(one)[0]?.name === 'mtable'))
  if (table > 0) {
    const [open, close] = [children[table - 1], children[table + 1]]
    const inner = children[table]
    const made = inner && (inner.name === 'mtable' ? inner : elements(inner)[0])
    if (made) {
      const kind = isFence(open, '{') && !isFence(close, '}') ? 'cases' : isFence(open, '(') && isFence(close, ')') ? 'pmatrix' : isFence(open, '[') && isFence(close, ']') ? 'bmatrix' : isFence(open, '|∣') && isFence(close, '|∣') ? 'vmatrix' : null
      if (kind) return join(rowOf(children.slice(0, table - 1)), tableTex(made, kind), rowOf(children.slice(table + (kind === 'cases' && textIn(close).trim() !== '' ? 1 : kind === 'cases' && close ? 2 : kind === 'cases' ? 1 : 2))))
    }
  }
  return row(children)
}

function tableTex(element: XmlElement, kind: string | null): string {
  const rows = elements(element).filter((one) => one.name === 'mtr' || one.name === 'mlabeledtr')
  const cells = rows.map((one) => elements(one, 'mtd').map(inside))
  const body = cells.map((one) => one.join(' & ')).join(' \\\\ ')
  const width = Math.max(1, ...cells.map((one) => one.length))
  const lines = attr(element, 'columnlines')?.includes('solid') ? '|' : ''
  return kind ? `\\begin{${kind}}${body}\\end{${kind}}` : `\\begin{array}{${Array.from({ length: width }, () => 'c').join(lines)}}${body}\\end{array}`
}

function identifier(element: XmlElement): string {
  const text = textIn(element).trim()
  const variant = attr(element, 'mathvariant')
  if (FUNCTIONS.has(text)) return `\\${text}`
  const tex = symbolsTex(text)
  const style = variant ? STYLES[variant] : undefined
  if (style && /^[A-Za-z0-9]+$/.test(text)) return `\\${style}{${tex}}`
  return /^[A-Za-z]{2,}$/.test(text) ? `\\mathrm{${text}}` : tex
}

const words: Read = (element) => {
  const text = textIn(element)
  return text.trim() === '' ? '~' : `\\text{${text.replace(/[\\{}$%#&_^~]/g, (char) => (char === '\\' || char === '^' || char === '~' ? '' : `\\${char}`))}}`
}

/** What stands above or below: an accent, a brace, the limits of a sum. */
function over(element: XmlElement): string {
  const base = nth(element, 0)
  const mark = elements(element)[1]
  const char = mark && (mark.name === 'mo' || mark.name === 'mtext' || mark.name === 'mi') ? textIn(mark).trim() : ''
  const accent = char ? accentOf(char, base) : null
  if (accent) return `\\${accent}{${base}}`
  if (char === '⏞' || char === '︷') return `\\overbrace{${base}}`
  if (char === '⌢' || char === '⌒') return `\\overset{\\frown}{${base}}`
  const tex = mark ? read(mark) : ''
  if (/^\\(?:rightarrow|longrightarrow)$/.test(base)) return `\\xrightarrow{${tex}}`
  return base === '=' ? `\\xlongequal{${tex}}` : `\\overset{${tex}}{${base}}`
}

function under(element: XmlElement): string {
  const base = nth(element, 0)
  const mark = nth(element, 1)
  const char = textIn(elements(element)[1]).trim()
  if (char === '_' || char === '̲' || char === '‾' || char === '―') return `\\underline{${base}}`
  if (char === '⏟' || char === '︸') return `\\underbrace{${base}}`
  return /^\\(?:lim|max|min|sup|inf|sum|prod|bigcup|bigcap|limsup|liminf)$/.test(base) ? `${base}_{${mark}}` : `\\underset{${mark}}{${base}}`
}

function underOver(element: XmlElement): string {
  const [base, low, high] = [nth(element, 0), nth(element, 1), nth(element, 2)]
  return /^\\(?:sum|prod|int|iint|oint|bigcup|bigcap|coprod|lim)$/.test(base) ? `${base}_{${low}}^{${high}}` : /^\\(?:long)?rightarrow$/.test(base) ? `\\xrightarrow[${low}]{${high}}` : `\\underset{${low}}{\\overset{${high}}{${base}}}`
}

function fencedRow(element: XmlElement): string {
  const separators = (attr(element, 'separators') ?? ',').replace(/\s/g, '')
  const parts = elements(element).map(read)
  const body = parts.map((part, index) => (index === 0 ? part : (separators[Math.min(index - 1, separators.length - 1)] ?? '') + part)).join('')
  return fenced(attr(element, 'open') ?? '(', body, attr(element, 'close') ?? ')')
}

const ENCLOSED: readonly (readonly [string, string])[] = [['box', 'boxed'], ['updiagonalstrike', 'cancel'], ['downdiagonalstrike', 'bcancel'], ['horizontalstrike', 'sout'], ['bottom', 'underline'], ['top', 'overline'], ['radical', 'sqrt'], ['circle', 'textcircled']]

/** Scripts on both sides of a base. */
function multiscripts(element: XmlElement): string {
  const all = elements(element)
  const split = all.findIndex((one) => one.name === 'mprescripts')
  const [base, ...after] = split < 0 ? all : all.slice(0, split)
  const before = split < 0 ? [] : all.slice(split + 1)
  const script = (one: XmlElement | undefined) => (one && one.name !== 'none' ? read(one) : null)
  const front = before.length > 0 ? scripted('', script(before[0]), script(before[1])) : ''
  return join(front, scripted(base ? read(base) : '', script(after[0]), script(after[1])))
}

const READERS: Readonly<Record<string, Read>> = {
  math: inside, mrow: inside, mstyle: inside, mpadded: inside, merror: inside, maction: (element) => nth(element, 0), mtd: inside,
  semantics: (element) => {
    const source = elements(element, 'annotation').find((one) => /tex/i.test(attr(one, 'encoding') ?? ''))
    return source ? textIn(source).trim() : nth(element, 0)
  },
  mi: identifier,
  mn: (element) => symbolsTex(textIn(element).trim()),
  mo: (element) => (FUNCTIONS.has(textIn(element).trim()) ? `\\${textIn(element).trim()}` : symbolsTex(textIn(element).trim())),
  mtext: words, ms: words,
  mspace: () => '',
  mphantom: () => '',
  none: () => '', mprescripts: () => '',
  mfrac: (element) => ((attr(element, 'linethickness') ?? '').startsWith('0') ? `\\genfrac{}{}{0pt}{}{${nth(element, 0)}}{${nth(element, 1)}}` : `\\frac{${nth(element, 0)}}{${nth(element, 1)}}`),
  msqrt: (element) => `\\sqrt{${inside(element)}}`,
  mroot: (element) => `\\sqrt[${nth(element, 1)}]{${nth(element, 0)}}`,
  msub: (element) => scripted(nth(element, 0), nth(element, 1), null),
  msup: (element) => scripted(nth(element, 0), null, nth(element, 1)),
  msubsup: (element) => scripted(nth(element, 0), nth(element, 1), nth(element, 2)),
  mover: over, munder: under, munderover: underOver,
  mmultiscripts: multiscripts,
  mtable: (element) => tableTex(element, null),
  mfenced: fencedRow,
  menclose: (element) => {
    const found = ENCLOSED.find(([notation]) => (attr(element, 'notation') ?? '').split(/\s+/).includes(notation))
    return found ? `\\${found[1]}{${inside(element)}}` : inside(element)
  },
}

function read(element: XmlElement): string {
  return (READERS[element.name] ?? inside)(element)
}

/** The formula of a `math` element as TeX. What it cannot say keeps its content. */
export function mathmlToTex(element: XmlElement): string {
  return read(element).replace(/\s+/g, ' ').trim()
}
