/** Word's formulas (OMML) as TeX. */
import { attr, child, elements, textIn, type XmlElement } from '../xml.ts'
import { accentOf, fenced, FUNCTIONS, join, scripted, symbolsTex } from './symbols.ts'

type Read = (element: XmlElement) => string

const val = (element: XmlElement | undefined) => attr(element, 'val')
const property = (element: XmlElement, name: string) => child(element, `${element.name}Pr`, name)
const isOn = (element: XmlElement | undefined) => element !== undefined && !['0', 'off', 'false'].includes(val(element) ?? '1')
const part = (element: XmlElement, name: string) => inside(child(element, name))
const inside = (element: XmlElement | undefined): string => (element ? join(...elements(element).map(read)) : '')

const SPACES: Readonly<Record<string, string>> = { '\u2003': '\\quad ', '\u2004': '\\;', '\u2005': '\\:', '\u205F': '\\:', '\u2009': '\\,', '\u00A0': '~' }
const STYLES: Readonly<Record<string, string>> = { 'double-struck': 'mathbb', script: 'mathcal', fraktur: 'mathfrak', 'sans-serif': 'mathsf', monospace: 'mathtt' }
const plainWords = (text: string) => text.replace(/\u200B/g, '').replace(/[\\{}$%#&_^~]/g, (char) => (char === '\\' || char === '^' || char === '~' ? '' : `\\${char}`))

/** Letters that a style is put on, other characters as they are. */
function styled(text: string, command: string): string {
  return join(...text.split(/([A-Za-z0-9]+)/).map((piece, index) => (index % 2 === 1 ? `\\${command}{${piece}}` : spaced(piece))))
}

/** A line through a sign is a character behind it. */
const symbols = (text: string) => join(...text.split(/([^\w\s()]\u0338)/).map((piece, index) => (index % 2 === 1 ? `\\not${symbolsTex(piece[0] ?? '').replace(/^(?=[^\\])/, ' ')}` : symbolsTex(piece.replaceAll('\u0338', '')))))
const spaced = (text: string) => join(...text.split(/([\u2003\u2004\u2005\u205F\u2009\u00A0])/).map((piece) => SPACES[piece] ?? symbols(piece)))

function run(element: XmlElement): string {
  const text = elements(element).filter((one) => one.name === 't').map(textIn).join('')
  const properties = child(element, 'rPr')
  if (isOn(child(properties ?? element, 'nor')) && properties) return text.replace(/\u200B/g, '') === '' ? '' : /^[①-⑳]$/.test(text) ? `\\text{${text}}` : `\\text{${plainWords(text)}}`
  const [script, style] = [val(child(properties ?? element, 'scr')), val(child(properties ?? element, 'sty'))]
  const command = script && STYLES[script] ? STYLES[script] : style === 'b' ? 'mathbf' : style === 'bi' ? 'boldsymbol' : style === 'p' ? 'mathrm' : undefined
  if (!command) return spaced(text)
  if (command === 'boldsymbol') return text.trim() === '' ? '' : `\\boldsymbol{${spaced(text)}}`
  return styled(text, command)
}

const MATRICES: Readonly<Record<string, string>> = { '()': 'pmatrix', '[]': 'bmatrix', '||': 'vmatrix', '{}': 'Bmatrix', '‖‖': 'Vmatrix', '{': 'cases' }

function rows(element: XmlElement): string {
  if (element.name === 'eqArr') return elements(element, 'e').map((line) => inside(line).replace(/\\&/g, ' & ')).join(' \\\\ ')
  return elements(element, 'mr').map((line) => elements(line, 'e').map(inside).join(' & ')).join(' \\\\ ')
}

/** How the columns of a matrix are set, as letters of an array; null when all are centred, and for equations. */
function columnsOf(element: XmlElement): string | null {
  const letters = elements(child(element, 'mPr', 'mcs'), 'mc').map((column) => ({ left: 'l', right: 'r' })[val(child(column, 'mcPr', 'mcJc')) ?? ''] ?? 'c').join('')
  return /^c*$/.test(letters) ? null : letters
}

/** Brackets; around a table they are its kind. */
function delimited(element: XmlElement): string {
  const begin = val(property(element, 'begChr')) ?? '('
  const end = val(property(element, 'endChr')) ?? ')'
  const parts = elements(element, 'e')
  const only = parts.length === 1 ? elements(parts[0]).filter((one) => one.name !== 'ctrlPr') : []
  const table = only.length === 1 && (only[0]?.name === 'm' || only[0]?.name === 'eqArr') ? only[0] : undefined
  const kind = MATRICES[begin + end]
  if (table && kind && (kind === 'cases' ? table.name === 'eqArr' || /^l*$/.test(columnsOf(table) ?? (elements(child(table, 'mPr', 'mcs'), 'mc').length > 0 ? 'c' : '')) : columnsOf(table) === null)) return `\\begin{${kind}}${rows(table)}\\end{${kind}}`
  const fraction = only.length === 1 && only[0]?.name === 'f' ? only[0] : undefined
  if (fraction && begin === '(' && end === ')' && val(property(fraction, 'type')) === 'noBar') return `\\binom{${part(fraction, 'num')}}{${part(fraction, 'den')}}`
  const bar = val(property(element, 'sepChr')) ?? '|'
  return fenced(begin, parts.map(inside).join(bar === '|' ? ' \\middle| ' : bar), end)
}

function fraction(element: XmlElement): string {
  const kind = val(property(element, 'type'))
  const [top, bottom] = [part(element, 'num'), part(element, 'den')]
  if (kind === 'noBar') return `\\genfrac{}{}{0pt}{}{${top}}{${bottom}}`
  return kind === 'lin' || kind === 'skw' ? `{${top}}/{${bottom}}` : `\\frac{${top}}{${bottom}}`
}

function large(element: XmlElement): string {
  const char = val(property(element, 'chr')) ?? '∫'
  const [sub, sup] = [isOn(property(element, 'subHide')) ? '' : part(element, 'sub'), isOn(property(element, 'supHide')) ? '' : part(element, 'sup')]
  return join(symbolsTex(char) + (sub ? `_{${sub}}` : '') + (sup ? `^{${sup}}` : ''), part(element, 'e'))
}

const TAKES_LIMITS = /^\\(?:lim|max|min|sup|inf|limsup|liminf|sum|prod|bigcup|bigcap|underbrace\{.*\}|det|gcd)(?:_\{.*\})?$/

function lower(element: XmlElement): string {
  const [base, limit] = [part(element, 'e'), part(element, 'lim')]
  return TAKES_LIMITS.test(base) ? `${base}_{${limit}}` : `\\underset{${limit}}{${base}}`
}

const ARROWS: Readonly<Record<string, string>> = { '\\rightarrow': 'xrightarrow', '\\longrightarrow': 'xrightarrow', '\\leftarrow': 'xleftarrow', '=': 'xlongequal', '\\rightleftharpoons': 'xrightleftharpoons', '\\Rightarrow': 'xRightarrow', '\\leftrightarrow': 'xleftrightarrow' }

function upper(element: XmlElement): string {
  const low = elements(child(element, 'e'), 'limLow')[0]
  const limit = part(element, 'lim')
  const below = low && elements(child(element, 'e')).length === 1 ? ARROWS[part(low, 'e').trim()] : undefined
  if (low && below) return `\\${below}[${part(low, 'lim')}]{${limit}}`
  const base = part(element, 'e')
  const arrow = ARROWS[base.trim()]
  if (arrow) return `\\${arrow}{${limit}}`
  return TAKES_LIMITS.test(base) || /^\\overbrace\{.*\}$/.test(base) ? `${base}^{${limit}}` : `\\overset{${limit}}{${base}}`
}

function grouped(element: XmlElement): string {
  const char = val(property(element, 'chr')) ?? '⏟'
  const base = part(element, 'e')
  if (char === '⏞') return `\\overbrace{${base}}`
  if (char === '⏟') return `\\underbrace{${base}}`
  if ('⏜⌢⌒'.includes(char)) return `\\overset{\\frown}{${base}}`
  const arrow = ARROWS[symbolsTex(char)]
  if (arrow) return val(property(element, 'pos')) === 'top' ? `\\${arrow}[${base}]{}` : `\\${arrow}{${base}}`
  return val(property(element, 'pos')) === 'top' ? `\\overset{${symbolsTex(char)}}{${base}}` : `\\underset{${symbolsTex(char)}}{${base}}`
}

function accented(element: XmlElement): string {
  const base = part(element, 'e')
  const command = accentOf(val(property(element, 'chr')) ?? '\u0302', base)
  return command ? `\\${command}{${base}}` : `\\overset{${symbolsTex(val(property(element, 'chr')) ?? '')}}{${base}}`
}

const STRIKES: readonly (readonly [string, string])[] = [['strikeBLTR', 'cancel'], ['strikeTLBR', 'bcancel'], ['strikeH', 'sout'], ['strikeV', 'cancel']]

function boxed(element: XmlElement): string {
  const inner = part(element, 'e')
  const struck = STRIKES.filter(([name]) => isOn(property(element, name))).map(([, command]) => command)
  const isHidden = ['hideTop', 'hideBot', 'hideLeft', 'hideRight'].every((side) => isOn(property(element, side)))
  const tex = struck.includes('cancel') && struck.includes('bcancel') ? `\\xcancel{${inner}}` : struck.reduce((all, command) => `\\${command}{${all}}`, inner)
  return isHidden ? tex : `\\boxed{${tex}}`
}

/** A name that is set upright and stands for a function. */
const functionName = (tex: string) => tex.replace(/^(\\(?:underset|overset)\{.*\}\{)?\\mathrm\{([a-zA-Z]+)\}/, (all, _: string | undefined, name: string) => (FUNCTIONS.has(name) ? all.replace(`\\mathrm{${name}}`, `\\${name}`) : all)).replace(/^\\underset\{(.*)\}\{(\\(?:lim|max|min|sup|inf|limsup|liminf))\}$/, '$2_{$1}')

const nothing: Read = () => ''
const READERS: Readonly<Record<string, Read>> = {
  r: run, d: delimited, f: fraction, nary: large, limLow: lower, limUpp: upper, groupChr: grouped, acc: accented, borderBox: boxed,
  rad: (element) => (isOn(property(element, 'degHide')) || part(element, 'deg') === '' ? `\\sqrt{${part(element, 'e')}}` : `\\sqrt[${part(element, 'deg')}]{${part(element, 'e')}}`),
  sSub: (element) => scripted(part(element, 'e'), part(element, 'sub'), null),
  sSup: (element) => scripted(part(element, 'e'), null, part(element, 'sup')),
  sSubSup: (element) => scripted(part(element, 'e'), part(element, 'sub'), part(element, 'sup')),
  sPre: (element) => join(scripted('', part(element, 'sub'), part(element, 'sup')), part(element, 'e')),
  func: (element) => join(functionName(part(element, 'fName')), part(element, 'e')),
  bar: (element) => `\\${val(property(element, 'pos')) === 'top' ? 'overline' : 'underline'}{${part(element, 'e')}}`,
  m: (element) => { const columns = columnsOf(element); return columns ? `\\begin{array}{${columns}}${rows(element)}\\end{array}` : `\\begin{matrix}${rows(element)}\\end{matrix}` },
  eqArr: (element) => `\\begin{aligned}${rows(element)}\\end{aligned}`,
  phant: (element) => (isOn(property(element, 'show') ?? { ...element, attrs: {} }) ? part(element, 'e') : `\\phantom{${part(element, 'e')}}`),
  ctrlPr: nothing, rPr: nothing, argPr: nothing, del: nothing, bookmarkStart: nothing, bookmarkEnd: nothing,
}

function read(element: XmlElement): string {
  if (element.name.endsWith('Pr')) return ''
  return (READERS[element.name] ?? inside)(element)
}

/** The formula of an `m:oMath` element as TeX. What it cannot say keeps its content. */
export function ommlToTex(element: XmlElement): string {
  return read(element).replace(/ +/g, ' ').trim()
}
