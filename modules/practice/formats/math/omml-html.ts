/**
 * Word's formulas as its clipboard writes them: OMML inside HTML. The names have lost their capitals to the HTML parser,
 * text stands in runs without an element of its own, and elements of HTML stand between those of the formula.
 */
import type { DefaultTreeAdapterMap } from 'parse5'
import type { XmlElement } from '../xml.ts'
import { ommlToTex } from './omml-to-tex.ts'

type Element = DefaultTreeAdapterMap['element']
type Node = DefaultTreeAdapterMap['childNode']

/** Names of OMML (ECMA-376, part 1, 22.1) that have capitals. */
const NAMES = new Map([
  'oMath', 'oMathPara', 'oMathParaPr', 'sSub', 'sSup', 'sSubSup', 'sPre', 'limLow', 'limUpp', 'groupChr', 'borderBox', 'eqArr', 'fName', 'begChr', 'endChr', 'sepChr', 'subHide', 'supHide', 'degHide', 'mcJc',
  'accPr', 'argPr', 'barPr', 'borderBoxPr', 'boxPr', 'ctrlPr', 'dPr', 'eqArrPr', 'fPr', 'funcPr', 'groupChrPr', 'limLowPr', 'limUppPr', 'mcPr', 'mPr', 'naryPr', 'phantPr', 'radPr', 'rPr', 'sPrePr', 'sSubPr', 'sSubSupPr', 'sSupPr',
  'hideTop', 'hideBot', 'hideLeft', 'hideRight', 'strikeBLTR', 'strikeTLBR', 'strikeH', 'strikeV',
].map((name) => [name.toLowerCase(), name]))

const isElement = (node: Node): node is Element => 'tagName' in node
const nameOf = ({ tagName }: Element) => (tagName.startsWith('m:') ? (NAMES.get(tagName.slice(2)) ?? tagName.slice(2)) : null)

/** Text of a run, without that of its properties. */
const wordsOf = (nodes: readonly Node[]): string => nodes.map((node) => (isElement(node) ? (nameOf(node) === 'rPr' ? '' : wordsOf(node.childNodes)) : 'value' in node ? node.value.replace(/[\t\r\n ]+/g, ' ') : '')).join('')

/** Elements of OMML below some nodes, whatever HTML stands between. */
function elementsIn(nodes: readonly Node[]): XmlElement[] {
  return nodes.filter(isElement).flatMap((node): XmlElement[] => {
    const name = nameOf(node)
    if (name === null) return elementsIn(node.childNodes)
    const made = { name, prefix: 'm', line: 0, attrs: Object.fromEntries(node.attrs.map((one) => [one.name.replace(/^m:/, ''), one.value])) }
    const inner = elementsIn(node.childNodes)
    if (name !== 'r') return [{ ...made, children: inner }]
    const words = wordsOf(node.childNodes)
    return [{ ...made, children: [...inner.filter((one) => one.name === 'rPr'), { name: 't', prefix: 'm', line: 0, attrs: {}, children: [words] }] }]
  })
}

/** Whether an element of HTML is a formula of Word. */
export const isOmml = ({ tagName }: Element) => tagName === 'm:omath' || tagName === 'm:omathpara'

/** The formula of an `m:oMath` or `m:oMathPara` element as TeX. */
export function ommlHtmlToTex(element: Element): string {
  return elementsIn([element]).map(ommlToTex).join('')
}

/** HTML has no empty elements of other names: `<m:chr m:val="∑"/>` would hold all that follows. */
export const closeOmml = (html: string) => html.replace(/<(m:[a-z]+)((?:\s[^<>]*?)?)\/>/gi, '<$1$2></$1>')
