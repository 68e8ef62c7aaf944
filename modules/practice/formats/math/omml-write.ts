/** Formulas as Word keeps them (OMML), written from the presentation MathML that KaTeX makes of TeX. What compiles can be written. */
import { texToMathml } from '../../../../core/rich-text/tex-compile.ts'
import { attr, elements, escapeXml, parseXml, textIn, type XmlElement } from '../xml.ts'
import { FUNCTIONS } from './symbols.ts'

/** Takes the place of an operand that is not there: Word shows an empty one as a dotted box. */
export const NOTHING = '\u200B'

const tag = (name: string, ...inner: string[]) => `<m:${name}>${inner.join('')}</m:${name}>`
const value = (name: string, val: string) => `<m:${name} m:val="${escapeXml(val)}"/>`
const FONT = '<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>'

function run(text: string, properties = ''): string {
  return text === '' ? '' : `<m:r>${properties ? `<m:rPr>${properties}</m:rPr>` : ''}${FONT}<m:t xml:space="preserve">${escapeXml(text)}</m:t></m:r>`
}
const empty = run(NOTHING)
const orNothing = (xml: string) => (xml === '' ? empty : xml)

/** Letters of a style: how MathML names it and the properties of a run in it. */
const STYLES: Readonly<Record<string, string>> = {
  normal: value('sty', 'p'), bold: value('sty', 'b'), 'bold-italic': value('sty', 'bi'), 'double-struck': value('scr', 'double-struck') + value('sty', 'p'), script: value('scr', 'script') + value('sty', 'p'),
  fraktur: value('scr', 'fraktur') + value('sty', 'p'), 'sans-serif': value('scr', 'sans-serif') + value('sty', 'p'), monospace: value('scr', 'monospace') + value('sty', 'p'),
  'bold-fraktur': value('scr', 'fraktur') + value('sty', 'b'), 'bold-script': value('scr', 'script') + value('sty', 'b'), 'bold-sans-serif': value('scr', 'sans-serif') + value('sty', 'b'), 'sans-serif-italic': value('scr', 'sans-serif') + value('sty', 'i'),
}
const LARGE = /^[∑∏∐∫∬∭∮∯⋃⋂⋁⋀⨁⨂⨀⨄⨆]$/
const RELATION = /^[=<>≤≥≠≈≡∼≅∝→⇒⇔←↔∈∉⊂⊃⊆⊇,，;；⩽⩾]$/
/** Invisible operators that MathML puts between a function and its argument. */
const INVISIBLE = /[\u2061-\u2064]/g
/** Spaces by their width in em. */
const SPACES: readonly (readonly [number, string])[] = [[1.5, '\u2003\u2003'], [0.9, '\u2003'], [0.25, '\u2004'], [0.2, '\u205F'], [0.05, '\u2009']]

const SCRIPTS = new Set(['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover'])
const words = (element: XmlElement | undefined) => textIn(element).replace(INVISIBLE, '').trim()
const isFence = (element: XmlElement | undefined) => element?.name === 'mo' && attr(element, 'fence') === 'true'

/** Whether nothing of it is seen: phantoms, and frames around them. */
function isUnseen(element: XmlElement): boolean {
  if (element.name === 'mphantom' || element.name === 'none' || element.name === 'annotation') return true
  if (element.name === 'mo') return words(element) === '' && !isFence(element)
  if (SCRIPTS.has(element.name)) return elements(element).every(isUnseen)
  return ['mrow', 'mstyle', 'mpadded'].includes(element.name) && elements(element).every(isUnseen) && words(element).replace(/\s/g, '') === elements(element).map((one) => (isUnseen(one) ? words(one) : '')).join('')
}

const isFenced = (row: XmlElement) => {
  const inner = elements(row)
  return row.name === 'mrow' && inner.length >= 2 && (isFence(inner[0]) || isFence(inner.at(-1)))
}

/** Siblings in reading order: groups that only group are taken apart. */
function flatten(nodes: readonly XmlElement[]): XmlElement[] {
  return nodes.flatMap((node): XmlElement[] => {
    if (isUnseen(node)) return []
    if (node.name === 'semantics') return flatten(elements(node).slice(0, 1))
    if (['mi', 'mo'].includes(node.name) && elements(node).length > 0) return flatten(elements(node))
    if (['math', 'mrow', 'mstyle', 'mpadded', 'merror', 'mtd'].includes(node.name) && !isFenced(node)) return flatten(elements(node))
    return [node]
  })
}

const inside = (element: XmlElement | undefined) => (element ? row(flatten([element])) : '')
const rowOf = (parent: XmlElement) => row(flatten(elements(parent)))
const operand = (name: string, element: XmlElement | undefined) => tag(name, orNothing(inside(element)))

/** A row of siblings: runs that look alike are one, an operator takes the operand behind it. */
function row(nodes: readonly XmlElement[]): string {
  let xml = ''
  let text = ''
  let style = ''
  const flush = () => {
    xml += run(text, style)
    text = ''
  }
  const add = (words: string, properties: string) => {
    if (properties !== style) flush()
    style = properties
    text += words
  }
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]
    if (!node) continue
    const plain = runOf(node)
    if (plain && !isFunction(node) && !LARGE.test(plain.text)) {
      // A digit in a circle is drawn by TeX as two characters over each other.
      const circled = plain.text === '◯' && nodes[at + 1]?.name === 'mspace' ? words(nodes[at + 2]) : ''
      if (/^(?:\d|1\d|20)$/.test(circled)) {
        add(circled === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(circled)), value('nor', '1'))
        at += nodes[at + 3]?.name === 'mspace' ? 3 : 2
      } else add(plain.text, plain.style)
      continue
    }
    flush()
    const operator = largeOf(node)
    if (operator) {
      const rest = nodes.slice(at + 1)
      const stop = rest.findIndex((one) => one.name === 'mo' && RELATION.test(words(one)))
      const taken = stop < 0 ? rest : rest.slice(0, stop)
      xml += nary(operator, row(taken))
      at += taken.length
    } else if (isFunction(functionBase(node))) {
      // The argument of a function may be a function with its own.
      let end = at + 1
      while (isFunction(functionBase(nodes[end] ?? node)) && end < nodes.length) end++
      const takes = nodes[end] !== undefined && !['mo', 'mspace', 'mtext'].includes(nodes[end]?.name ?? '')
      const taken = nodes.slice(at + 1, takes ? end + 1 : end)
      xml += tag('func', tag('fName', functionName(node)), tag('e', orNothing(row(taken))))
      at += taken.length
    } else if (SCRIPTS.has(node.name) && isUnseen(elements(node)[0] ?? node)) {
      // Scripts of nothing belong to what stands before them in a chemical formula, else to what follows.
      const [, one, two] = elements(node)
      const [sub, sup] = node.name === 'msup' ? [undefined, one] : [one, two]
      const seen = (script: XmlElement | undefined) => (script && !isUnseen(script) ? script : undefined)
      if (!seen(sub) && !seen(sup)) continue
      const next = nodes[at + 1]
      const isBehind = at > 0 && nodes[at - 1]?.name !== 'mo' && nodes[at - 1]?.name !== 'mspace'
      if (isBehind || !next) xml += scripts(empty, seen(sub), seen(sup))
      else {
        xml += tag('sPre', operand('sub', seen(sub)), operand('sup', seen(sup)), tag('e', orNothing(row([next]))))
        at++
      }
    } else xml += WRITERS[node.name]?.(node) ?? rowOf(node)
  }
  flush()
  return xml
}

/** Text and style of an element that is only characters. */
function runOf(node: XmlElement): { text: string; style: string } | null {
  if (node.name === 'mspace') {
    const width = Number.parseFloat(attr(node, 'width') ?? '0')
    return { text: SPACES.find(([least]) => width >= least)?.[1] ?? '', style: '' }
  }
  if (node.name === 'mtext' || node.name === 'ms') return { text: textIn(node).replace(/\u00A0/g, ' '), style: value('nor', '1') }
  if (node.name !== 'mi' && node.name !== 'mn' && node.name !== 'mo') return null
  const text = words(node)
  const variant = attr(node, 'mathvariant') ?? (node.name === 'mi' && /^[A-Za-z]{2,}$/.test(text) ? 'normal' : '')
  return { text, style: /[A-Za-z0-9\u0370-\u03FF]/.test(text) ? (STYLES[variant] ?? '') : '' }
}

const isFunction = (node: XmlElement | undefined) => node !== undefined && ['mi', 'mo', 'mrow'].includes(node.name) && FUNCTIONS.has(words(node))
/** What scripts stand at; a line over or under something is no script. */
const functionBase = (node: XmlElement) => (SCRIPTS.has(node.name) && node.name !== 'mover' && attr(elements(node)[1], 'stretchy') !== 'true' ? elements(node)[0] : node)

function functionName(node: XmlElement): string {
  if (!SCRIPTS.has(node.name)) return run(words(node), STYLES['normal'])
  const [base, one, two] = elements(node)
  const name = run(words(base), STYLES['normal'])
  const isLimit = /^(?:lim|max|min|sup|inf|limsup|liminf)$/.test(words(base))
  const [sub, sup] = node.name === 'msup' || node.name === 'mover' ? [undefined, one] : [one, two]
  if (isLimit && sub) {
    const low = tag('limLow', tag('e', name), tag('lim', inside(sub)))
    return sup ? tag('limUpp', tag('e', low), tag('lim', inside(sup))) : low
  }
  return scripts(name, sub, sup)
}

function scripts(base: string, sub: XmlElement | undefined, sup: XmlElement | undefined): string {
  const e = tag('e', orNothing(base))
  if (sub && sup) return tag('sSubSup', e, operand('sub', sub), operand('sup', sup))
  return sub ? tag('sSub', e, operand('sub', sub)) : tag('sSup', e, operand('sup', sup))
}

interface Large {
  char: string
  sub: XmlElement | undefined
  sup: XmlElement | undefined
  /** Limits above and below it. */
  above: boolean
}

/** A sum, an integral … with its limits. */
function largeOf(node: XmlElement): Large | null {
  if (node.name === 'mo') return LARGE.test(words(node)) ? { char: words(node), sub: undefined, sup: undefined, above: false } : null
  if (!SCRIPTS.has(node.name)) return null
  const [base, one, two] = elements(node)
  if (!base || !LARGE.test(words(base)) || elements(base).length > 1) return null
  const isUpper = node.name === 'msup' || node.name === 'mover'
  return { char: words(base), sub: isUpper ? undefined : one, sup: isUpper ? one : two, above: node.name.startsWith('mu') || node.name === 'mover' }
}

const nary = ({ char, sub, sup, above }: Large, e: string) => tag('nary',
  tag('naryPr', value('chr', char), value('limLoc', above ? 'undOvr' : 'subSup'), value('subHide', sub ? '0' : '1'), value('supHide', sup ? '0' : '1')),
  tag('sub', sub ? inside(sub) : ''), tag('sup', sup ? inside(sup) : ''), tag('e', orNothing(e)))

const delimiter = (char: string) => ({ '∣': '|', '∥': '‖', '⟨': '〈', '⟩': '〉' })[char] ?? char

/** Brackets that grow, with bars between their parts. */
function fenced(element: XmlElement): string {
  const inner = elements(element)
  const [first, last] = [inner[0], inner.at(-1)]
  const [opens, closes] = [isFence(first), isFence(last) && inner.length > 1]
  const parts: XmlElement[][] = [[]]
  for (const one of inner.slice(opens ? 1 : 0, closes ? -1 : undefined)) {
    if (isFence(one)) parts.push([])
    else parts.at(-1)?.push(one)
  }
  const bars = inner.slice(opens ? 1 : 0, closes ? -1 : undefined).filter(isFence)
  return tag('d', tag('dPr', value('begChr', opens ? delimiter(words(first)) : ''), ...(bars[0] ? [value('sepChr', delimiter(words(bars[0])))] : []), value('endChr', closes ? delimiter(words(last)) : '')),
    ...parts.map((part) => tag('e', orNothing(row(flatten(part))))))
}

/** Marks that Word draws over a letter, by the characters that MathML has for them. */
const ACCENTS: Readonly<Record<string, string>> = { '⃗': '\u20D7', '→': '\u20D7', '←': '\u20D6', '↔': '\u20E1', '^': '\u0302', 'ˆ': '\u0302', '~': '\u0303', '˜': '\u0303', '˙': '\u0307', '.': '\u0307', '¨': '\u0308', 'ˇ': '\u030C', '˘': '\u0306', 'ˊ': '\u0301', '´': '\u0301', 'ˋ': '\u0300', '`': '\u0300' }
const BRACES: Readonly<Record<string, readonly [char: string, position: 'top' | 'bot']>> = { '⏞': ['⏞', 'top'], '⏟': ['⏟', 'bot'], '⌢': ['⏜', 'top'], '⌒': ['⏜', 'top'], '⏜': ['⏜', 'top'] }

const group = (char: string, position: 'top' | 'bot', base: XmlElement | undefined) =>
  tag('groupChr', tag('groupChrPr', value('chr', char), value('pos', position), value('vertJc', position === 'top' ? 'bot' : 'top')), operand('e', base))

function over(element: XmlElement): string {
  const [base, mark] = elements(element)
  const char = mark && ['mo', 'mtext', 'mi'].includes(mark.name) ? words(mark) : ''
  const brace = BRACES[char]
  if (brace) return group(brace[0], 'top', base)
  const isAccent = attr(element, 'accent') === 'true' || attr(mark, 'stretchy') === 'true'
  if (isAccent && /^[‾¯ˉ―_‐-]$/.test(char)) return tag('bar', tag('barPr', value('pos', 'top')), operand('e', base))
  const accent = isAccent ? ACCENTS[char] : undefined
  return accent ? tag('acc', tag('accPr', value('chr', accent)), operand('e', base)) : tag('limUpp', operand('e', base), operand('lim', mark))
}

function under(element: XmlElement): string {
  const [base, mark] = elements(element)
  const char = mark?.name === 'mo' ? words(mark) : ''
  if (char === '⏟') return group('⏟', 'bot', base)
  if (/^[‾_―]$/.test(char)) return tag('bar', tag('barPr', value('pos', 'bot')), operand('e', base))
  return tag('limLow', operand('e', base), operand('lim', mark))
}

/** A table: equations under each other when the columns are set against each other, else a matrix. */
function table(element: XmlElement): string {
  const rows = elements(element).map((one) => elements(one, 'mtd'))
  const columns = (attr(element, 'columnalign') ?? '').split(/\s+/)
  if (columns[0] === 'right' && /^0(?:em|px)?(?:\s|$)/.test(attr(element, 'columnspacing') ?? '')) {
    return tag('eqArr', ...rows.map((cells) => tag('e', orNothing(cells.map((cell, index) => (index % 2 === 1 ? run('&') : '') + rowOf(cell)).join('')))))
  }
  const width = Math.max(1, ...rows.map((cells) => cells.length))
  const column = (index: number) => tag('mc', tag('mcPr', value('count', '1'), value('mcJc', ['left', 'right'].includes(columns[index] ?? '') ? (columns[index] ?? '') : 'center')))
  return tag('m', tag('mPr', tag('mcs', ...Array.from({ length: width }, (_, index) => column(index)))),
    ...rows.map((cells) => tag('mr', ...Array.from({ length: width }, (_, index) => tag('e', orNothing(cells[index] ? rowOf(cells[index]) : ''))))))
}

const HIDDEN = (['hideTop', 'hideBot', 'hideLeft', 'hideRight'] as const).map((side) => value(side, '1')).join('')
const STRIKES: readonly (readonly [notation: string, property: string])[] = [['updiagonalstrike', 'strikeBLTR'], ['downdiagonalstrike', 'strikeTLBR'], ['horizontalstrike', 'strikeH'], ['verticalstrike', 'strikeV']]

function enclosed(element: XmlElement): string {
  const notations = (attr(element, 'notation') ?? '').split(/\s+/)
  const strikes = STRIKES.filter(([notation]) => notations.includes(notation)).map(([, property]) => value(property, '1')).join('')
  if (notations.includes('box') || strikes) return tag('borderBox', tag('borderBoxPr', notations.includes('box') ? '' : HIDDEN, strikes), tag('e', orNothing(rowOf(element))))
  const position = notations.includes('top') ? 'top' : notations.includes('bottom') ? 'bot' : null
  return position ? tag('bar', tag('barPr', value('pos', position)), tag('e', orNothing(rowOf(element)))) : rowOf(element)
}

const nth = (element: XmlElement, index: number) => elements(element)[index]

const WRITERS: Readonly<Record<string, (element: XmlElement) => string>> = {
  mrow: fenced,
  mfrac: (element) => tag('f', ...((attr(element, 'linethickness') ?? '').startsWith('0') ? [tag('fPr', value('type', 'noBar'))] : []), operand('num', nth(element, 0)), operand('den', nth(element, 1))),
  msqrt: (element) => tag('rad', tag('radPr', value('degHide', '1')), tag('deg'), tag('e', orNothing(rowOf(element)))),
  mroot: (element) => tag('rad', operand('deg', nth(element, 1)), operand('e', nth(element, 0))),
  msub: (element) => scripts(inside(nth(element, 0)), nth(element, 1), undefined),
  msup: (element) => scripts(inside(nth(element, 0)), undefined, nth(element, 1)),
  msubsup: (element) => scripts(inside(nth(element, 0)), nth(element, 1), nth(element, 2)),
  mover: over,
  munder: under,
  munderover: (element) => tag('limUpp', tag('e', tag('limLow', operand('e', nth(element, 0)), operand('lim', nth(element, 1)))), operand('lim', nth(element, 2))),
  mtable: table,
  menclose: enclosed,
}

/** A formula of MathML as the inside of `m:oMath`. */
export function mathmlToOmml(math: XmlElement): string {
  return row(flatten([math]))
}

/**
 * A formula as the XML of `m:oMath`, with the prefixes `m` and `w`.
 * @returns null when the TeX does not compile
 */
export function texToOmml(tex: string): string | null {
  const mathml = texToMathml(tex, true)
  return mathml === null ? null : `<m:oMath>${orNothing(mathmlToOmml(parseXml(mathml)))}</m:oMath>`
}
