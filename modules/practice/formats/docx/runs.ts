/** Text, marks and formulas of a line as Word has them. */
import { ImportedXmlComponent, type ParagraphChild } from 'docx'
import { inlineText, type Inline, type InlineNode, type Marks } from '../../../../core/rich-text/rich-doc.ts'
import { texToOmml } from '../math/omml-write.ts'
import { escapeXml, parseXml, type XmlElement } from '../xml.ts'
import { MARK, type MarkStyle } from './styles.ts'

/** XML of our own as a part of a document of the library, with its spaces. */
export function component(element: XmlElement): ImportedXmlComponent {
  const made = new ImportedXmlComponent(element.prefix ? `${element.prefix}:${element.name}` : element.name, Object.keys(element.attrs).length > 0 ? element.attrs : undefined)
  for (const child of element.children) made.push(typeof child === 'string' ? child : component(child))
  return made
}

/** What may stand in a paragraph of the library although its types name only classes of its own. */
const child = (xml: string) => component(parseXml(xml)) as unknown as ParagraphChild

/** Marks in the order that the schema of `w:rPr` asks for. */
function properties(marks: Marks, style?: MarkStyle): string {
  const inner = [
    style ? `<w:rStyle w:val="${style}"/>` : '',
    marks.b ? '<w:b/>' : '', marks.i ? '<w:i/>' : '',
    marks.wave ? '<w:u w:val="wave"/>' : marks.u ? '<w:u w:val="single"/>' : '',
    // A line and a wave at once: Word has one underline, the other one is a border.
    marks.wave && marks.u ? '<w:bdr w:val="single" w:sz="4" w:space="0" w:color="auto"/>' : '',
    marks.sub ? '<w:vertAlign w:val="subscript"/>' : marks.sup ? '<w:vertAlign w:val="superscript"/>' : '',
    marks.dot ? '<w:em w:val="dot"/>' : '',
  ].join('')
  return inner ? `<w:rPr>${inner}</w:rPr>` : ''
}

/** Characters of a run: tabs and line feeds have elements of their own. */
const characters = (text: string) => text.split(/(\t|\n)/).map((part) => (part === '\t' ? '<w:tab/>' : part === '\n' ? '<w:br/>' : part === '' ? '' : `<w:t xml:space="preserve">${escapeXml(part)}</w:t>`)).join('')

function runXml(text: string, marks: Marks, style?: MarkStyle): string {
  const inner = properties(marks, style)
  if (!marks.ruby) return `<w:r>${inner}${characters(text)}</w:r>`
  return `<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="center"/><w:hps w:val="11"/><w:hpsRaise w:val="20"/><w:hpsBaseText w:val="21"/><w:lid w:val="zh-CN"/></w:rubyPr><w:rt><w:r><w:rPr><w:sz w:val="11"/></w:rPr>${characters(marks.ruby)}</w:r></w:rt><w:rubyBase><w:r>${inner}${characters(text)}</w:r></w:rubyBase></w:ruby></w:r>`
}

/** A mark: the number of a question, the letter of an option … */
export const markRun = (style: MarkStyle, text: string): ParagraphChild => child(runXml(text, {}, style))

/** Plain words. */
export const textRun = (text: string, marks: Marks = {}): ParagraphChild => child(runXml(text, marks))

/** Word sets both parts of a fraction within a line in small letters; this is its own way to have them larger (ECMA-376 22.1.2.7). */
const LARGER = '<m:argPr><m:argSz m:val="1"/></m:argPr>'

/** Fractions of a formula, those within other fractions left as they are, with parts of full size. */
function withTallFractions(omml: string): string {
  let depth = 0
  return omml.replace(/<(\/?)m:(num|den)>/g, (tag, end: string) => {
    if (end) {
      depth--
      return tag
    }
    return depth++ === 0 ? tag + LARGER : tag
  })
}

/** A formula, in a line or on one of its own. TeX that does not compile is kept as text between dollars. @param tall fractions within a line stand as high as on one of their own */
export function formulaRun(tex: string, display = false, tall = false): ParagraphChild {
  const omml = texToOmml(tex)
  if (omml === null) return textRun(display ? `$$${tex}$$` : `$${tex}$`)
  return child(display ? `<m:oMathPara>${omml}</m:oMathPara>` : tall ? withTallFractions(omml) : omml)
}

/** Room to write: spaces over a line, brackets, a box. Without a width it is ten narrow spaces, with one as many wide ones. */
function blankXml({ width, style }: Extract<InlineNode, { t: 'blank' }>): string {
  const room = width === undefined ? '\u00A0'.repeat(10) : '\u3000'.repeat(width)
  if (style === 'paren') return runXml(`（${room}）`, {}, MARK.blank)
  if (style === 'box') return `<w:r><w:rPr><w:rStyle w:val="${MARK.blank}"/><w:bdr w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:rPr>${characters(room)}</w:r>`
  return runXml(room, { u: true }, MARK.blank)
}

type Written = Exclude<InlineNode['t'], 'img'>
const WRITERS: { [K in Written]: (node: Extract<InlineNode, { t: K }>) => ParagraphChild } = {
  text: (node) => textRun(node.text, node),
  tex: (node) => formulaRun(node.tex),
  blank: (node) => child(blankXml(node)),
  // Spaces that keep the brackets on one line.
  paren: () => markRun(MARK.paren, `（${'\u00A0'.repeat(8)}）`),
  subref: (node) => markRun(MARK.hole, `\u00A0\u00A0${node.n}\u00A0\u00A0`),
  br: () => child('<w:r><w:br/></w:r>'),
  field: (node) => textRun(inlineText(node)),
}

/** One inline that is no picture. */
export function inlineRun(inline: Exclude<Inline, { t: 'img' }>, tall = false): ParagraphChild {
  if (typeof inline === 'string') return textRun(inline)
  if (inline.t === 'tex') return formulaRun(inline.tex, false, tall)
  return (WRITERS[inline.t] as ((node: InlineNode) => ParagraphChild) | undefined)?.(inline) ?? textRun(inlineText(inline))
}
