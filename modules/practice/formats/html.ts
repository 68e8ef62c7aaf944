/** HTML of question sets, Moodle and QTI as a flow. Nothing of the markup survives: only what rich text has a word for. */
import { defaultTreeAdapter, parseFragment, serializeOuter, type DefaultTreeAdapterMap } from 'parse5'
import { svgProblem } from '../../../core/file/svg.ts'
import { cleanText } from '../../../core/rich-text/rich-schema.ts'
import { textOf, type Align, type BlankStyle, type Block, type Cell, type ListStyle, type Marks } from '../../../core/rich-text/rich-doc.ts'
import { assetAddress, uncertain, type Asset, type Warning } from './item.ts'
import { mathmlToTex } from './math/mathml-to-tex.ts'
import { closeOmml, isOmml, ommlHtmlToTex } from './math/omml-html.ts'
import { flat, flowDoc, type Flow, type Token } from './text/flow.ts'
import { texTokens } from './text/read-text.ts'
import { splitMath } from '../../../core/rich-text/tex.ts'
import type { XmlElement } from './xml.ts'

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']

export interface HtmlContext {
  warnings: Warning[]
  /** Takes the pictures that are in the text or among its files. */
  assets: Map<string, Asset>
  /** Files that the text may name: by the end of their path. */
  files: ReadonlyMap<string, Asset>
}

/** Attributes as they are written: `a b^{c}>` is a formula behind a smaller sign, no link. */
const ATTRIBUTES = String.raw`(?:\s+(?:[A-Za-z_:@][\w:.-]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+)|controls|hidden|checked|disabled|readonly|nowrap|noshade|autoplay|loop|allowfullscreen|v:ext))*\s*/?>`
const TAG = new RegExp(`</?(?:p|div|span|br|img|b|i|u|em|strong|sub|sup|table|tr|td|th|ul|ol|li|h[1-6]|math|font|a|ruby|audio|video|object|svg|input|blockquote|hr|center|label)${ATTRIBUTES}`, 'i')
/** A smaller sign that begins no tag. */
const SMALLER = new RegExp(`<(?!/?[A-Za-z][\\w:.-]*${ATTRIBUTES}|[!?])`, 'g')

/** Whether a text is HTML and not a sentence with a smaller sign in it. */
export const looksLikeHtml = (text: string) => TAG.test(text)

interface Setting {
  context: HtmlContext
  marks: Marks
  /** Inside text that keeps its spaces. */
  pre: boolean
  /** Elements that this one stands in. */
  depth: number
}

const DROPPED = new Set(['script', 'style', 'head', 'title', 'noscript', 'template', 'button', 'link', 'meta'])
/** What has no place in rich text, and is said. */
const MEDIA: Readonly<Record<string, string>> = { iframe: '嵌入的网页', object: '嵌入的对象', embed: '嵌入的对象', video: '视频', canvas: '画布', select: '下拉选择' }
const BLOCKS = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'section', 'article', 'center', 'dd', 'dt', 'figure', 'figcaption', 'pre', 'address', 'header', 'footer', 'main', 'itembody', 'rubricblock'])
const MARK_TAGS: Readonly<Record<string, Marks>> = { b: { b: true }, strong: { b: true }, i: { i: true }, u: { u: true }, ins: { u: true }, sub: { sub: true }, sup: { sup: true }, em: { i: true } }
const MAX_DEPTH = 200

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value
const classes = (element: Element) => (attribute(element, 'class') ?? '').split(/\s+/)
const style = (element: Element, name: string) => new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i').exec(attribute(element, 'style') ?? '')?.[1]?.trim().toLowerCase()
const isElement = (node: Node): node is Element => 'tagName' in node

function marksOf(element: Element, marks: Marks): Marks {
  const found: Marks = { ...marks, ...MARK_TAGS[element.tagName] }
  const weight = style(element, 'font-weight')
  const line = `${style(element, 'text-decoration') ?? ''} ${style(element, 'text-decoration-line') ?? ''} ${style(element, 'text-decoration-style') ?? ''}`
  if (weight && (weight.startsWith('bold') || Number(weight) >= 600)) found.b = true
  if (style(element, 'font-style') === 'italic' && element.tagName !== 'em') found.i = true
  if (line.includes('wavy')) found.wave = true
  else if (line.includes('underline')) found.u = true
  if (style(element, 'vertical-align') === 'sub') found.sub = true
  if (style(element, 'vertical-align') === 'super') found.sup = true
  const names = classes(element)
  if ((style(element, 'text-emphasis') ?? style(element, '-webkit-text-emphasis') ?? style(element, 'text-emphasis-style') ?? 'none') !== 'none' || names.includes('q-dot') || names.includes('dot')) {
    found.dot = true
    if (element.tagName === 'em') delete found.i
  }
  return found
}

/** A tree of parse5 in the form that MathML is read in. */
function xmlOf(element: Element): XmlElement {
  return {
    name: element.tagName.replace(/^.*:/, ''), prefix: '', line: 0,
    attrs: Object.fromEntries(element.attrs.map((one) => [one.name, one.value])),
    children: element.childNodes.flatMap((node): XmlElement['children'] => (isElement(node) ? [xmlOf(node)] : 'value' in node ? [node.value] : [])),
  }
}

function textTokens(text: string, { context, marks, pre }: Setting): Token[] {
  const plain = pre ? text : text.replace(/[ \t\r\n]+/g, ' ')
  const { pieces } = splitMath(plain)
  return pieces.flatMap((piece): Token[] => ('tex' in piece ? texTokens(piece.tex, false, context.warnings) : [textOf(cleanText(piece.text), marks)]))
}

const IMAGE = /^data:(image\/[a-z+.-]+|audio\/[a-z0-9+.-]+);base64,([A-Za-z0-9+/=\s]+)$/i

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text.replace(/\s+/g, ''))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

const nameOf = (address: string) => {
  try {
    return decodeURIComponent(address.replace(/^@@PLUGINFILE@@\//, '').replace(/[?#].*$/, ''))
  } catch {
    return address
  }
}

/** A file that an address names, as `asset:…`; null when it is not among the files. */
export function assetOf(address: string, { assets, files, warnings }: HtmlContext): string | null {
  const inline = IMAGE.exec(address)
  if (inline?.[1] && inline[2]) {
    try {
      const name = `inline-${assets.size + 1}`
      assets.set(name, { name, bytes: decodeBase64(inline[2]), type: inline[1].toLowerCase() })
      return assetAddress(name)
    } catch {
      warnings.push(uncertain('stem', '有一张图片的数据不完整，没有导入'))
      return null
    }
  }
  const wanted = nameOf(address).replace(/^(?:\.\.?\/)+/, '')
  const found = files.get(wanted) ?? [...files].find(([name]) => name.endsWith(`/${wanted}`) || name.split('/').at(-1) === wanted.split('/').at(-1))?.[1]
  if (!found) {
    warnings.push(uncertain('stem', /^(?:https?:)?\/\//.test(address) ? `图片在外部网址，没有导入：${address.slice(0, 60)}` : `文件中没有图片「${wanted.slice(0, 40)}」`))
    return null
  }
  assets.set(found.name, found)
  return assetAddress(found.name)
}

function image(element: Element, setting: Setting): Token[] {
  const tex = attribute(element, 'data-latex') ?? attribute(element, 'data-tex') ?? attribute(element, 'data-formula') ?? /(?:latex\.codecogs\.com\/[a-z.]*latex|zhihu\.com\/equation|chart\?cht=tx&chl=)\??(?:tex=)?(.+)$/.exec(attribute(element, 'src') ?? '')?.[1]
  if (tex) return texTokens(nameOf(tex), false, setting.context.warnings)
  const alt = attribute(element, 'alt') ?? ''
  const source = attribute(element, 'src') ?? ''
  if (/^\$[^$]+\$$|^\\\(.*\\\)$/.test(alt.trim())) return textTokens(alt.trim(), setting)
  const asset = source ? assetOf(source, setting.context) : null
  if (!asset) return alt ? [textOf(`[${alt}]`, setting.marks)] : []
  const width = Number.parseInt(attribute(element, 'width') ?? style(element, 'width') ?? '', 10)
  const w = Number.isFinite(width) && width > 0 && width <= 4000 ? { w: width } : {}
  const holder = element.parentNode
  if ([element, ...(holder && 'tagName' in holder ? [holder] : [])].some((one) => classes(one).includes('q-image'))) return [{ t: 'block', block: { t: 'image', asset, ...w, ...(alignOf(element) ? { align: alignOf(element) } : {}), ...(alt ? { caption: alt } : {}) } as Block }]
  return [{ t: 'img', asset, ...w, ...(alt ? { alt: cleanText(alt).slice(0, 200) } : {}), ...(classes(element).includes('q-pending') ? { pending: true as const } : {}) }]
}

function alignOf(element: Element): Align | undefined {
  const align = style(element, 'text-align') ?? attribute(element, 'align')
  return align === 'center' || align === 'right' ? align : element.tagName === 'center' ? 'center' : undefined
}

function table(element: Element, setting: Setting): Token[] {
  const rows: Cell[][] = []
  const visit = (node: Element) => {
    for (const one of node.childNodes.filter(isElement)) {
      if (one.tagName === 'tr') {
        rows.push(one.childNodes.filter(isElement).filter((cell) => cell.tagName === 'td' || cell.tagName === 'th').map((cell) => {
          const span = (name: string, most: number) => {
            const count = Number.parseInt(attribute(cell, name) ?? '', 10)
            return Number.isFinite(count) && count > 1 ? Math.min(count, most) : undefined
          }
          const [colspan, rowspan] = [span('colspan', 60), span('rowspan', 500)]
          return { c: flowDoc(children(cell, { ...setting, marks: {} }))?.c ?? [], ...(colspan ? { colspan } : {}), ...(rowspan ? { rowspan } : {}), ...(cell.tagName === 'th' ? { head: true as const } : {}) }
        }))
      } else if (['thead', 'tbody', 'tfoot'].includes(one.tagName)) visit(one)
    }
  }
  visit(element)
  const kept = rows.filter((cells) => cells.length > 0).slice(0, 500)
  if (kept.length === 0) return []
  return [{ t: 'block', block: { t: 'table', rows: kept, ...(classes(element).includes('q-plain') || attribute(element, 'border') === '0' ? { plain: true as const } : {}) } }]
}

const LISTS: Readonly<Record<string, ListStyle>> = { decimal: 'decimal', paren: 'paren', circle: 'circle', letter: 'letter', bullet: 'bullet' }

function list(element: Element, setting: Setting): Token[] {
  const items = element.childNodes.filter(isElement).filter((one) => one.tagName === 'li')
  const named = classes(element).map((name) => LISTS[name.replace(/^q-list-/, '')]).find(Boolean)
  const letters = /^[Aa]$/.test(attribute(element, 'type') ?? '') || /alpha/.test(style(element, 'list-style-type') ?? '')
  // Lettered items of other people's texts are options.
  if (letters && !named) return items.flatMap((item, index): Token[] => ['\n', `${String.fromCodePoint(65 + index)}. `, ...children(item, setting), '\n'])
  const start = Number.parseInt(attribute(element, 'start') ?? '1', 10)
  const blocks = items.map((item) => flowDoc(children(item, setting))?.c ?? [])
  return [{ t: 'block', block: { t: 'list', style: named ?? (element.tagName === 'ul' ? 'bullet' : 'decimal'), ...(Number.isFinite(start) && start !== 1 && start >= 0 ? { start } : {}), items: blocks } }]
}

const inlinesIn = (element: Element, setting: Setting) => {
  const block = flowDoc(children(element, setting))?.c[0]
  return block?.t === 'p' ? block.c : []
}

/** Blocks of our own writing, by their class. */
function own(element: Element, setting: Setting): Token[] | null {
  const names = classes(element)
  const number = (prefix: string) => Number.parseInt(names.find((name) => name.startsWith(prefix))?.slice(prefix.length) ?? '', 10)
  const rows = element.childNodes.filter(isElement)
  if (names.includes('q-blank')) {
    const id = names.find((name) => name.startsWith('q-id-'))?.slice(5) ?? 'b1'
    const width = number('q-width-')
    const kind = names.find((name) => name === 'q-paren' || name === 'q-box')?.slice(2)
    return [{ t: 'blank', id, ...(Number.isFinite(width) ? { width } : {}), ...(kind ? { style: kind as BlankStyle } : {}) }]
  }
  if (names.includes('q-choice')) return [{ t: 'paren' }]
  if (names.includes('q-hole')) return [{ t: 'subref', n: number('q-n-') || 1 }]
  if (names.includes('q-math')) return [{ t: 'block', block: { t: 'math', tex: flat(children(element, setting)).trim() === '\uFFFC' ? texIn(children(element, setting)) : flat(children(element, setting)).trim() } }]
  if (names.includes('q-poem')) return [{ t: 'block', block: { t: 'poem', lines: rows.map((row) => inlinesIn(row, setting)) } }]
  if (names.includes('q-dialogue')) return [{ t: 'block', block: { t: 'dialogue', turns: rows.map((row) => ({ who: attribute(row, 'title') ?? '', c: inlinesIn(row, setting) })) } }]
  if (names.includes('q-lines')) return [{ t: 'block', block: { t: 'lines', n: number('q-n-') || 1, ...(names.includes('q-grid') ? { style: 'grid' as const } : {}) } }]
  return null
}

const texIn = (flow: Flow) => flow.map((token) => (typeof token !== 'string' && token.t === 'tex' ? token.tex : '')).join('')

function ruby(element: Element, setting: Setting): Token[] {
  const tokens: Token[] = []
  let base = ''
  for (const node of element.childNodes) {
    if (isElement(node) && node.tagName === 'rt') {
      const sound = flat(children(node, { ...setting, marks: {} })).trim()
      if (base) tokens.push(textOf(base, { ...setting.marks, ...(sound ? { ruby: sound.slice(0, 200) } : {}) }))
      base = ''
    } else if (!(isElement(node) && node.tagName === 'rp')) base += isElement(node) ? flat(children(node, setting)) : 'value' in node ? node.value : ''
  }
  return base.trim() ? [...tokens, textOf(base, setting.marks)] : tokens
}

const INLINE: Readonly<Record<string, (element: Element, setting: Setting) => Token[]>> = {
  br: () => ['\n'],
  hr: () => ['\n'],
  img: image,
  table,
  ul: list,
  ol: list,
  ruby,
  math: (element, setting) => texTokens(mathmlToTex(xmlOf(element)), false, setting.context.warnings),
  'mml:math': (element, setting) => texTokens(mathmlToTex(xmlOf(element)), false, setting.context.warnings),
  input: () => ['______'],
  audio: (element, setting) => {
    const source = attribute(element, 'src') ?? element.childNodes.filter(isElement).map((one) => attribute(one, 'src')).find(Boolean)
    const asset = source ? assetOf(source, setting.context) : null
    const title = attribute(element, 'title')
    return asset ? [{ t: 'block', block: { t: 'audio', asset, ...(title ? { title: title.slice(0, 200) } : {}) } }] : []
  },
}

/** A file that an element names, when it is there: a picture as one, a recording as one; null otherwise. */
function named(address: string | undefined, { context }: Setting): Token[] | null {
  const type = [...context.files].find(([name]) => address && name.split('/').at(-1) === nameOf(address).split('/').at(-1))?.[1].type ?? (IMAGE.exec(address ?? '')?.[1] ?? '')
  if (!address || !/^(?:image|audio)\//.test(type)) return null
  const asset = assetOf(address, context)
  return asset === null ? null : type.startsWith('image/') ? [{ t: 'img', asset }] : [{ t: 'block', block: { t: 'audio', asset } }]
}

/** Engines that set formulas draw them beside their source. */
const drawsFormula = (element: Element): boolean => classes(element).some((name) => /^(?:mjx|MathJax|katex)/i.test(name)) || element.tagName.startsWith('mjx-') || (element.parentNode !== null && 'tagName' in element.parentNode && drawsFormula(element.parentNode))

/** What is no text: drawings are kept, files that are there are shown, the rest is said. */
function media(element: Element, setting: Setting): Token[] | null {
  const { tagName } = element
  if (tagName === 'svg') {
    if (drawsFormula(element)) return []
    const source = serializeOuter(element)
    const name = `inline-${setting.context.assets.size + 1}`
    const text = /\sxmlns=/.test(source) ? source : source.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
    const problem = svgProblem(text)
    if (problem) {
      setting.context.warnings.push(uncertain('stem', `有一幅图没有导入：${problem}`))
      return []
    }
    setting.context.assets.set(name, { name, bytes: new TextEncoder().encode(text), type: 'image/svg+xml' })
    return [{ t: 'img', asset: assetAddress(name) }]
  }
  if (tagName === 'a') {
    const link = attribute(element, 'href')
    return link && /\.(?:mp3|png|jpe?g|gif|svg)$/i.test(link) && !element.childNodes.some((node) => isElement(node) && node.tagName === 'img') ? named(link, setting) : null
  }
  const what = MEDIA[tagName]
  if (what === undefined) return null
  const address = attribute(element, 'data') ?? attribute(element, 'src') ?? element.childNodes.filter(isElement).map((one) => attribute(one, 'src')).find(Boolean)
  const found = named(address, setting)
  if (found) return found
  setting.context.warnings.push(uncertain('stem', `有${what}没有导入${address ? `：${address.slice(0, 60)}` : ''}`))
  return []
}

function children(element: Pick<Element, 'childNodes'>, setting: Setting): Token[] {
  if (setting.depth > MAX_DEPTH) return []
  const inner = { ...setting, depth: setting.depth + 1 }
  return element.childNodes.flatMap((node) => tokensOf(node, inner))
}

function tokensOf(node: Node, setting: Setting): Token[] {
  if (defaultTreeAdapter.isTextNode(node)) return textTokens(node.value, setting)
  if (!isElement(node)) return []
  const { tagName } = node
  const source = tagName === 'script' && /math\/tex/.test(attribute(node, 'type') ?? '') ? node.childNodes.map((one) => ('value' in one ? one.value : '')).join('') : null
  if (source !== null) return texTokens(source, false, setting.context.warnings)
  if (DROPPED.has(tagName)) return []
  const shown = media(node, setting)
  if (shown) return shown
  if (isOmml(node)) return texTokens(ommlHtmlToTex(node), tagName === 'm:omathpara', setting.context.warnings)
  const special = own(node, setting) ?? INLINE[tagName]?.(node, setting)
  if (special) return special
  // Formula engines leave the drawn form beside the source.
  if (classes(node).includes('katex-html') || classes(node).includes('MathJax_Preview') || attribute(node, 'aria-hidden') === 'true') return []
  const inner = children(node, { ...setting, marks: marksOf(node, setting.marks), pre: setting.pre || tagName === 'pre' })
  // A line under nothing is room to write.
  if ((tagName === 'u' || style(node, 'text-decoration')?.includes('underline')) && inner.length > 0 && flat(inner).length >= 2 && /^[\s\u00A0\u3000]+$/.test(flat(inner)) && flat(inner).includes('\u00A0')) return ['______']
  if (!BLOCKS.has(tagName)) return inner
  const align = alignOf(node)
  const indent = Number.parseFloat(/^([\d.]+)em$/.exec(style(node, 'text-indent') ?? '')?.[1] ?? '')
  const format: Token[] = align || (Number.isFinite(indent) && indent > 0) ? [{ t: 'format', ...(align ? { align } : {}), ...(Number.isFinite(indent) && indent > 0 && classes(node).includes('q-p') ? { indent: Math.min(8, Math.round(indent)) } : {}) }] : []
  return ['\n', ...inner, ...format, '\n']
}

/** Reads HTML of any quality; it never throws. */
export function htmlFlow(html: string, context: HtmlContext): Token[] {
  return children(parseFragment(closeOmml(html).replace(SMALLER, '&lt;')), { context, marks: {}, pre: false, depth: 0 })
}
