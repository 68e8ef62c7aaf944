/** The body of a Word file: its paragraphs, tables and pictures, no matter who wrote it. */
import { cleanText } from '../../../../core/rich-text/rich-schema.ts'
import { textOf, type Align, type BlankStyle, type Inline, type Marks } from '../../../../core/rich-text/rich-doc.ts'
import { assetAddress, type Asset } from '../item.ts'
import { ommlToTex } from '../math/omml-to-tex.ts'
import { attr, child, descendants, elements, textIn, type XmlElement } from '../xml.ts'
import { fieldTex } from './field-formula.ts'
import { Numbering, type Numbered } from './numbering.ts'
import { MARK, type MarkStyle } from './styles.ts'

/** A piece that our own style says the meaning of. */
export interface WordMark {
  t: 'mark'
  style: MarkStyle
  text: string
}

export interface WordLine {
  kind: 'line'
  style: string
  inlines: (Inline | WordMark)[]
  align?: Align
  /** First-line indent in characters. */
  indent?: number
  numbered: Numbered | null
}

export interface WordCell {
  blocks: WordBlock[]
  colspan?: number
  rowspan?: number
}

export interface WordTable {
  kind: 'table'
  style: string
  rows: WordCell[][]
}

/** Blocks that belong to the item of a list before them. */
export interface WordItem {
  kind: 'item'
  blocks: WordBlock[]
}

export type WordBlock = WordLine | WordTable | WordItem

/** What a file brings beside its text. */
export interface WordParts {
  document: XmlElement
  numbering: XmlElement | undefined
  styles: XmlElement | undefined
  /** Files by the ids of their relations. */
  media: ReadonlyMap<string, Asset>
}

interface Reading {
  media: ReadonlyMap<string, Asset>
  numbering: Numbering
  /** List that a paragraph style belongs to. */
  styleLists: ReadonlyMap<string, { id: string; level: number }>
  assets: Map<string, Asset>
  /** Field whose instruction is being read; its result is the text. */
  field: 'none' | 'instruction' | 'result'
  /** Its instruction as far as it has been read. */
  instruction: string
}

const STYLES: ReadonlySet<string> = new Set(Object.values(MARK))
const isOn = (element: XmlElement | undefined) => element !== undefined && !['0', 'off', 'false', 'none'].includes(attr(element, 'val') ?? '1')

function marksOf(properties: XmlElement | undefined): Marks {
  const line = attr(child(properties, 'u'), 'val') ?? (child(properties, 'u') ? 'single' : 'none')
  const place = attr(child(properties, 'vertAlign'), 'val')
  const isBoxed = isOn(child(properties, 'bdr'))
  return {
    ...(isOn(child(properties, 'b')) ? { b: true } : {}), ...(isOn(child(properties, 'i')) ? { i: true } : {}),
    ...(/^wav/i.test(line) ? { wave: true, ...(isBoxed ? { u: true } : {}) } : line !== 'none' ? { u: true } : {}),
    ...((attr(child(properties, 'em'), 'val') ?? 'none') !== 'none' ? { dot: true } : {}),
    ...(place === 'subscript' ? { sub: true } : place === 'superscript' ? { sup: true } : {}),
  }
}

/** Characters of the font Symbol that texts use most. */
const SYMBOL: Readonly<Record<string, string>> = { F061: 'α', F062: 'β', F067: 'γ', F064: 'δ', F071: 'θ', F06C: 'λ', F06D: 'μ', F070: 'π', F072: 'ρ', F073: 'σ', F06A: 'φ', F077: 'ω', F044: 'Δ', F057: 'Ω', F0D7: '⋅', F0B4: '×', F0B8: '÷', F0B1: '±', F0A3: '≤', F0B3: '≥', F0B9: '≠', F0BB: '≈', F0A5: '∞', F0D0: '∠', F05E: '⊥', F05C: '∴', F0AE: '→', F0DE: '⇒', F0CE: '∈', F0CF: '∉', F0CC: '⊂', F0CD: '⊆', F0C7: '∩', F0C8: '∪', F0C6: '∅', F0B0: '°', F0D6: '√' }
const HYPHEN = '-'
/** Ticks and boxes of the fonts Wingdings and Wingdings 2. */
const TICKS: Readonly<Record<string, string>> = { F0FC: '√', F0FB: '×', F0FE: '☑', F0A8: '□', F06F: '□', F050: '√', F04F: '×', F052: '☑', F0A3: '□' }

/** What a file holds and we cannot read stands in the text by its name, so that it is seen to be missing. */
export const unread = (what: string) => `〔未读出的${what}〕`

function symbolOf(element: XmlElement): string {
  const char = (attr(element, 'char') ?? '').toUpperCase()
  return (/Wingdings/i.test(attr(element, 'font') ?? '') ? TICKS[char] : SYMBOL[char]) ?? unread('符号')
}

function charactersOf(run: XmlElement): string {
  return elements(run).map((one) => {
    if (one.name === 't') return textIn(one)
    if (one.name === 'tab') return '\t'
    if (one.name === 'noBreakHyphen') return HYPHEN
    if (one.name === 'br' || one.name === 'cr') return attr(one, 'type') === 'page' || attr(one, 'type') === 'column' ? '' : '\n'
    if (one.name === 'sym') return symbolOf(one)
    if (one.name === 'footnoteReference' || one.name === 'endnoteReference') return unread('脚注')
    return ''
  }).join('')
}

/** Whether something is shown that has no picture: a chart, grouped shapes, an object, a picture outside of the file. */
function isDrawn(element: XmlElement): boolean {
  if (descendants(element, 'txbxContent').length > 0) return false
  return element.name === 'object' || ['chart', 'relIds', 'wgp', 'wpc', 'group', 'blip', 'imagedata'].some((name) => descendants(element, name).length > 0)
}

const POINTS = /width\s*:\s*([\d.]+)pt/

/** A picture of a drawing, an old shape, or an embedded formula. */
function pictureOf(element: XmlElement, { media, assets }: Reading): Inline[] {
  const blip = descendants(element, 'blip')[0]
  const data = descendants(element, 'imagedata')[0]
  const asset = media.get(attr(blip, 'embed') ?? attr(data, 'id') ?? '')
  // The drawing of an SVG stands beside the picture that replaces it.
  const vector = blip && media.get(attr(descendants(blip, 'svgBlip')[0], 'embed') ?? '')
  const chosen = vector ?? asset
  if (!chosen) return isDrawn(element) ? [unread(element.name === 'object' ? '公式' : '图形')] : []
  assets.set(chosen.name, chosen)
  const about = descendants(element, 'docPr')[0]
  const named = attr(about, 'name') ?? ''
  const isOurs = /^宽 \d+$|^原始大小$/.test(named)
  const emu = Number(attr(descendants(element, 'extent')[0], 'cx'))
  const points = Number(POINTS.exec(attr(descendants(element, 'shape')[0], 'style') ?? '')?.[1])
  const width = isOurs ? Number(/^宽 (\d+)$/.exec(named)?.[1]) : Math.round(emu > 0 ? emu / 9525 : (points * 4) / 3)
  const isFormula = element.name === 'object' && /Equation|MathType|KSEE/i.test(attr(descendants(element, 'OLEObject')[0], 'ProgID') ?? '')
  const alt = isOurs ? attr(about, 'descr') : isFormula ? '公式' : undefined
  return [{
    t: 'img', asset: assetAddress(chosen.name), ...(Number.isFinite(width) && width >= 1 && width <= 4000 ? { w: width } : {}), ...(alt ? { alt: cleanText(alt).slice(0, 200) } : {}),
    ...(isFormula || (isOurs && attr(about, 'title') === '待补公式') ? { pending: true as const } : {}),
  }]
}

function blankOf(text: string, isBoxed: boolean): Inline {
  const room = text.replace(/[（）]/g, '')
  const style: BlankStyle | undefined = text.startsWith('（') ? 'paren' : isBoxed ? 'box' : undefined
  const width = /^\u3000+$/.test(room) ? Math.min(80, room.length) : undefined
  return { t: 'blank', id: '', ...(width ? { width } : {}), ...(style ? { style } : {}) }
}

/** A run whose own style says what it is. */
function ownRun(style: string, text: string, properties: XmlElement | undefined): (Inline | WordMark)[] {
  if (style === MARK.blank) return [blankOf(text, isOn(child(properties, 'bdr')))]
  if (style === MARK.paren) return [{ t: 'paren' }]
  if (style === MARK.hole) return [{ t: 'subref', n: Number(/\d+/.exec(text)?.[0] ?? 1) }]
  return [{ t: 'mark', style: style as MarkStyle, text }]
}

/** The formula of an old field; one that cannot be read is named. */
function fieldFormula(instruction: string): Inline[] {
  if (!/^\s*EQ\b/i.test(instruction)) return []
  const tex = fieldTex(instruction)
  return [tex ? { t: 'tex', tex } : unread(`域公式 ${instruction.trim().slice(0, 40)}`)]
}

function runOf(run: XmlElement, reading: Reading): (Inline | WordMark)[] {
  const properties = child(run, 'rPr')
  if (isOn(child(properties, 'vanish'))) return []
  const fields = elements(run, 'fldChar').map((one) => attr(one, 'fldCharType'))
  if (reading.field === 'instruction') reading.instruction += elements(run, 'instrText').map(textIn).join('')
  const ended = fields.includes('end') ? fieldFormula(reading.instruction) : []
  for (const kind of fields) {
    reading.field = kind === 'begin' ? 'instruction' : kind === 'separate' ? 'result' : 'none'
    if (kind === 'begin') reading.instruction = ''
  }
  if (ended.length > 0) {
    reading.instruction = ''
    return ended
  }
  if (reading.field === 'instruction') {
    if (fields.includes('begin')) reading.instruction = elements(run, 'instrText').map(textIn).join('')
    return []
  }
  const ruby = child(run, 'ruby')
  if (ruby) {
    const base = child(ruby, 'rubyBase')
    const sound = elements(child(ruby, 'rt'), 'r').map(charactersOf).join('')
    return elements(base, 'r').map((one) => textOf(charactersOf(one), { ...marksOf(child(one, 'rPr')), ...(sound ? { ruby: cleanText(sound).slice(0, 200) } : {}) }))
  }
  const pictures = elements(run).flatMap((one): Inline[] => {
    if (one.name === 'drawing' || one.name === 'pict' || one.name === 'object') return pictureOf(one, reading)
    if (one.name === 'AlternateContent') {
      const chosen = child(one, 'Choice') ?? child(one, 'Fallback')
      const found = elements(chosen).flatMap((inner) => pictureOf(inner, reading))
      return found.length > 0 ? found : elements(child(one, 'Fallback')).flatMap((inner) => pictureOf(inner, reading))
    }
    return []
  })
  const text = charactersOf(run)
  if (text === '') return pictures
  const style = attr(child(properties, 'rStyle'), 'val') ?? ''
  if (STYLES.has(style)) return [...ownRun(style, text, properties), ...pictures]
  const marks = marksOf(properties)
  // Spaces over a line are room to write.
  if (marks.u && /^[\s\u00A0\u3000]+$/.test(text) && text.length > 1) return ['______', ...pictures]
  return [...text.split(/(\n)/).filter((part) => part !== '').map((part): Inline => (part === '\n' ? { t: 'br' } : textOf(part, marks))), ...pictures]
}

/** Elements that only stand around runs. */
const AROUND = new Set(['hyperlink', 'ins', 'smartTag', 'sdt', 'sdtContent', 'fldSimple', 'customXml', 'dir', 'bdo', 'moveTo'])

function inlinesOf(parent: XmlElement, reading: Reading): (Inline | WordMark)[] {
  return elements(parent).flatMap((one): (Inline | WordMark)[] => {
    if (one.name === 'r' && one.prefix !== 'm') return runOf(one, reading)
    if (one.name === 'oMath') {
      const tex = ommlToTex(one)
      return tex ? [{ t: 'tex', tex }] : []
    }
    if (one.name === 'oMathPara') return elements(one, 'oMath').flatMap((math): Inline[] => (ommlToTex(math) ? [{ t: 'tex', tex: ommlToTex(math) }] : []))
    return AROUND.has(one.name) ? inlinesOf(one, reading) : []
  })
}

/** Runs of one mark that a program has split, together again. */
function joinMarks(inlines: readonly (Inline | WordMark)[]): (Inline | WordMark)[] {
  const joined: (Inline | WordMark)[] = []
  for (const one of inlines) {
    const last = joined.at(-1)
    const isPart = typeof one !== 'string' && one.t === 'mark' && typeof last === 'object' && last.t === 'mark' && last.style === one.style && one.style !== MARK.letter
    if (isPart) joined[joined.length - 1] = { ...last, text: last.text + one.text }
    else joined.push(one)
  }
  return joined
}

const ALIGNS: Readonly<Record<string, Align>> = { left: 'left', start: 'left', center: 'center', right: 'right', end: 'right' }

function lineOf(element: XmlElement, reading: Reading): WordLine {
  const properties = child(element, 'pPr')
  const style = attr(child(properties, 'pStyle'), 'val') ?? ''
  const align = ALIGNS[attr(child(properties, 'jc'), 'val') ?? '']
  const set = child(properties, 'ind')
  // In characters, or in twips of which a character of the usual size has 210.
  const indent = Math.round(Number(attr(set, 'firstLineChars') ?? 0) / 100 || Number(attr(set, 'firstLine') ?? 0) / 210)
  const own = child(properties, 'numPr')
  const fromStyle = own ? undefined : reading.styleLists.get(style)
  const id = own ? attr(child(own, 'numId'), 'val') : fromStyle?.id
  const level = own ? Number(attr(child(own, 'ilvl'), 'val') ?? 0) : (fromStyle?.level ?? 0)
  return {
    kind: 'line', style, inlines: joinMarks(inlinesOf(element, reading)), ...(align ? { align } : {}), ...(indent > 0 && indent <= 8 ? { indent } : {}),
    numbered: id && id !== '0' ? reading.numbering.next(id, level) : null,
  }
}

/** Rows of a table; a cell that goes on from the row above belongs to the one it began in. */
function tableOf(element: XmlElement, reading: Reading): WordTable {
  const style = attr(child(element, 'tblPr', 'tblStyle'), 'val') ?? ''
  const rows: WordCell[][] = []
  const open = new Map<number, WordCell>()
  for (const row of elements(element, 'tr').slice(0, 500)) {
    let column = 0
    const cells: WordCell[] = []
    for (const one of elements(row).flatMap((inner) => (inner.name === 'tc' ? [inner] : inner.name === 'sdt' ? elements(child(inner, 'sdtContent'), 'tc') : []))) {
      const properties = child(one, 'tcPr')
      const span = Math.max(1, Math.min(60, Number(attr(child(properties, 'gridSpan'), 'val') ?? 1)))
      const merge = child(properties, 'vMerge')
      const above = open.get(column)
      if (merge && attr(merge, 'val') !== 'restart' && above) above.rowspan = (above.rowspan ?? 1) + 1
      else {
        const cell: WordCell = { blocks: blocksOf(one, reading), ...(span > 1 ? { colspan: span } : {}) }
        cells.push(cell)
        if (merge) open.set(column, cell)
        else open.delete(column)
      }
      column += span
    }
    rows.push(cells)
  }
  return { kind: 'table', style, rows }
}

function blocksOf(parent: XmlElement, reading: Reading): WordBlock[] {
  return elements(parent).flatMap((one): WordBlock[] => {
    if (one.name === 'p') return [lineOf(one, reading), ...boxesIn(one, reading)]
    if (one.name === 'tbl') return [tableOf(one, reading)]
    if (one.name === 'sdt') {
      const inner = blocksOf(child(one, 'sdtContent') ?? one, reading)
      return attr(child(one, 'sdtPr', 'tag'), 'val') === 'item' ? [{ kind: 'item', blocks: inner }] : inner
    }
    return AROUND.has(one.name) ? blocksOf(one, reading) : []
  })
}

/** Text that stands in boxes beside a paragraph comes behind it. */
function boxesIn(paragraph: XmlElement, reading: Reading): WordBlock[] {
  return descendants(paragraph, 'r').flatMap((run) => elements(run).flatMap((one) => {
    const chosen = one.name === 'AlternateContent' ? (child(one, 'Choice') ?? one) : one.name === 'pict' ? one : undefined
    return chosen ? descendants(chosen, 'txbxContent').flatMap((box) => blocksOf(box, reading)) : []
  }))
}

/** Reads the body. Pictures that it shows are added to `assets`. */
export function readBody(parts: WordParts, assets: Map<string, Asset>): WordBlock[] {
  const styleLists = new Map(elements(parts.styles, 'style').flatMap((one): [string, { id: string; level: number }][] => {
    const own = child(one, 'pPr', 'numPr')
    const id = attr(child(own, 'numId'), 'val')
    return id ? [[attr(one, 'styleId') ?? '', { id, level: Number(attr(child(own, 'ilvl'), 'val') ?? 0) }]] : []
  }))
  const body = child(parts.document, 'body')
  return body ? blocksOf(body, { media: parts.media, numbering: new Numbering(parts.numbering), styleLists, assets, field: 'none', instruction: '' }) : []
}
