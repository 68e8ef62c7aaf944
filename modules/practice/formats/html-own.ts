/** Rich text as HTML that any program shows, with classes by which it is read again without loss. */
import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterMap } from 'parse5'
import { docOf, inlineText, joinInlines, textOf, type Align, type BlankStyle, type Block, type BlockKind, type Cell, type Inline, type InlineNode, type ListStyle, type Marks, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { texToMathml } from '../../../core/rich-text/tex-compile.ts'
import { escapeXml } from './xml.ts'

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']

/** How a document is written. */
export interface HtmlStyle {
  /** Address of a picture or sound in the file. */
  address: (asset: string) => string
  /** Formulas as MathML (QTI) or as TeX between \( and \), which other systems draw. */
  math: 'mathml' | 'tex'
  /** What stands in a hole that learners fill: an interaction, a cloze. */
  hole?: (node: Extract<InlineNode, { t: 'blank' | 'subref' }>) => string
}

const MARKS = ['b', 'i', 'u', 'dot', 'wave', 'sub', 'sup'] as const
const TAGS: Readonly<Partial<Record<(typeof MARKS)[number], string>>> = { b: 'strong', i: 'em', u: 'u', sub: 'sub', sup: 'sup' }
/** Text keeps its spaces: all but single ones inside a line are written as what they are. */
const text = (words: string) => escapeXml(words).replace(/\t/g, '&#9;').replace(/\r/g, '')
const names = (...all: (string | undefined | false)[]) => all.filter(Boolean).join(' ')

function styled({ ruby, ...node }: Marks & { text: string }): string {
  const set = MARKS.filter((mark) => node[mark])
  const inner = ruby ? `<ruby>${text(node.text)}<rt>${text(ruby)}</rt></ruby>` : text(node.text)
  const tag = set.map((mark) => TAGS[mark]).find(Boolean) ?? 'span'
  return `<${tag} class="${names('q-text', ...set.map((mark) => `q-${mark}`))}">${inner}</${tag}>`
}

function formula(tex: string, display: boolean, { math }: HtmlStyle): string {
  const mathml = math === 'mathml' ? texToMathml(tex, display) : null
  return mathml === null ? (display ? `\\[${text(tex)}\\]` : `\\(${text(tex)}\\)`) : mathml
}

const INLINE: { [K in InlineNode['t']]: (node: Extract<InlineNode, { t: K }>, style: HtmlStyle) => string } = {
  text: styled,
  tex: (node, style) => `<span class="q-tex" title="${text(node.tex)}">${formula(node.tex, false, style)}</span>`,
  img: (node, { address }) => `<img class="${names('q-img', node.pending && 'q-pending')}" src="${text(address(node.asset))}" alt="${text(node.alt ?? '')}"${node.w ? ` width="${node.w}"` : ''}/>`,
  blank: (node, { hole }) => `<span class="${names('q-blank', `q-id-${node.id}`, node.width !== undefined && `q-width-${node.width}`, node.style && `q-${node.style}`)}">${hole?.(node) ?? '______'}</span>`,
  paren: () => '<span class="q-choice">（　）</span>',
  subref: (node, { hole }) => `<span class="q-hole q-n-${node.n}">${hole?.(node) ?? `__${node.n}__`}</span>`,
  br: () => '<br/>',
  field: (node) => text(inlineText(node)),
}

const run = (inlines: readonly Inline[], style: HtmlStyle) => inlines.map((inline) => (typeof inline === 'string' ? text(inline) : (INLINE[inline.t] as (node: InlineNode, style: HtmlStyle) => string)(inline, style))).join('')
const flow = (blocks: readonly Block[], style: HtmlStyle): string => blocks.map((block) => (BLOCK[block.t] as (block: Block, style: HtmlStyle) => string)(block, style)).join('')
const span = (name: string, count: number | undefined) => (count ? ` ${name}="${count}"` : '')
const aligned = (align: Align | undefined) => (align ? `q-align-${align}` : '')
const sight = (align: Align | undefined) => (align ? ` style="text-align:${align}"` : '')

const BLOCK: { [K in BlockKind]: (block: Extract<Block, { t: K }>, style: HtmlStyle) => string } = {
  p: (block, style) => `<p class="${names('q-p', aligned(block.align), block.indent !== undefined && `q-indent-${block.indent}`)}"${sight(block.align)}>${run(block.c, style)}</p>`,
  table: (block, style) => `<table class="${names('q-table', block.plain && 'q-plain')}" border="${block.plain ? 0 : 1}"><tbody>${block.rows.map((row) => `<tr>${row.map((cell) => {
    const tag = cell.head ? 'th' : 'td'
    return `<${tag}${span('colspan', cell.colspan)}${span('rowspan', cell.rowspan)}>${flow(cell.c, style)}</${tag}>`
  }).join('')}</tr>`).join('')}</tbody></table>`,
  image: (block, { address }) => `<div class="${names('q-image', aligned(block.align))}"${sight(block.align)}><img src="${text(address(block.asset))}" alt="${text(block.caption ?? '')}"${block.w ? ` width="${block.w}"` : ''}/></div>`,
  math: (block, style) => `<div class="q-math" title="${text(block.tex)}">${formula(block.tex, true, style)}</div>`,
  audio: (block, { address }) => `<div class="q-audio"><audio controls="controls" src="${text(address(block.asset))}"${block.title ? ` title="${text(block.title)}"` : ''}></audio></div>`,
  list: (block, style) => {
    const tag = block.style === 'bullet' ? 'ul' : 'ol'
    return `<${tag} class="q-list q-list-${block.style}"${block.start === undefined ? '' : ` start="${block.start}"`}>${block.items.map((item) => `<li>${flow(item, style)}</li>`).join('')}</${tag}>`
  },
  poem: (block, style) => `<div class="q-poem" style="text-align:center">${block.lines.map((line) => `<p>${run(line, style)}</p>`).join('')}</div>`,
  dialogue: (block, style) => `<div class="q-dialogue">${block.turns.map((turn) => `<p title="${text(turn.who)}"><b>${text(turn.who)}：</b><span>${run(turn.c, style)}</span></p>`).join('')}</div>`,
  lines: (block) => `<div class="${names('q-lines', `q-n-${block.n}`, block.style === 'grid' && 'q-grid')}">${'<br/>'.repeat(block.n)}</div>`,
}

/** A text as well-formed HTML; nothing for null. */
export const docHtml = (doc: RichDoc | null, style: HtmlStyle): string => flow(doc?.c ?? [], style)

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value
const classes = (element: Element) => (attribute(element, 'class') ?? '').split(/\s+/)
const isElement = (node: Node): node is Element => 'tagName' in node
const inner = (element: Pick<Element, 'childNodes'>) => element.childNodes.filter(isElement)
const numberIn = (element: Element, prefix: string) => {
  const found = Number.parseInt(classes(element).find((name) => name.startsWith(prefix))?.slice(prefix.length) ?? '', 10)
  return Number.isFinite(found) ? found : undefined
}
const whole = (element: Element, name: string) => {
  const found = Number.parseInt(attribute(element, name) ?? '', 10)
  return Number.isFinite(found) && found > 0 ? found : undefined
}
const wordsIn = (element: Pick<Element, 'childNodes'>): string => element.childNodes.map((node) => (isElement(node) ? wordsIn(node) : 'value' in node ? node.value : '')).join('')

/** Not markup of ours: somebody has changed it. */
class Foreign extends Error {}

type Address = (source: string) => string | null

function readMarks(element: Element): Marks {
  const set = classes(element)
  return Object.fromEntries(MARKS.filter((mark) => set.includes(`q-${mark}`)).map((mark) => [mark, true]))
}

function readImage(element: Element, address: Address): { asset: string; w?: number } {
  const asset = address(attribute(element, 'src') ?? '')
  if (asset === null) throw new Foreign()
  const w = whole(element, 'width')
  return { asset, ...(w ? { w } : {}) }
}

const READ_INLINE: Readonly<Record<string, (element: Element, address: Address) => Inline>> = {
  'q-text': (element) => {
    const ruby = inner(element).find((one) => one.tagName === 'ruby')
    if (!ruby) return textOf(wordsIn(element), readMarks(element))
    const sound = inner(ruby).find((one) => one.tagName === 'rt')
    return textOf(wordsIn({ childNodes: ruby.childNodes.filter((node) => node !== sound) }), { ...readMarks(element), ...(sound ? { ruby: wordsIn(sound) } : {}) })
  },
  'q-tex': (element) => ({ t: 'tex', tex: attribute(element, 'title') ?? '' }),
  'q-img': (element, address) => ({ t: 'img', ...readImage(element, address), ...(attribute(element, 'alt') ? { alt: attribute(element, 'alt') ?? '' } : {}), ...(classes(element).includes('q-pending') ? { pending: true as const } : {}) }),
  'q-blank': (element) => {
    const width = numberIn(element, 'q-width-')
    const style = classes(element).find((name) => name === 'q-paren' || name === 'q-box')?.slice(2)
    return { t: 'blank', id: classes(element).find((name) => name.startsWith('q-id-'))?.slice(5) ?? 'b1', ...(width === undefined ? {} : { width }), ...(style ? { style: style as BlankStyle } : {}) }
  },
  'q-choice': () => ({ t: 'paren' }),
  'q-hole': (element) => ({ t: 'subref', n: numberIn(element, 'q-n-') ?? 1 }),
}

function readRun(nodes: readonly Node[], address: Address): Inline[] {
  return joinInlines(nodes.map((node): Inline => {
    if (defaultTreeAdapter.isTextNode(node)) return node.value
    if (!isElement(node)) return ''
    if (node.tagName === 'br' && node.attrs.length === 0) return { t: 'br' }
    const read = READ_INLINE[classes(node)[0] ?? '']
    if (!read) throw new Foreign()
    return read(node, address)
  }))
}

const readAlign = (element: Element) => {
  const align = classes(element).find((name) => name.startsWith('q-align-'))?.slice(8)
  return align ? { align: align as Align } : {}
}

function readCell(element: Element, address: Address): Cell {
  const [colspan, rowspan] = [whole(element, 'colspan'), whole(element, 'rowspan')]
  return { c: readFlow(element.childNodes, address), ...(colspan ? { colspan } : {}), ...(rowspan ? { rowspan } : {}), ...(element.tagName === 'th' ? { head: true as const } : {}) }
}

const only = (element: Element, tag: string): Element => {
  const found = inner(element).find((one) => one.tagName === tag)
  if (!found) throw new Foreign()
  return found
}

const READ_BLOCK: Readonly<Record<string, (element: Element, address: Address) => Block>> = {
  'q-p': (element, address) => {
    const indent = numberIn(element, 'q-indent-')
    return { t: 'p', c: readRun(element.childNodes, address), ...readAlign(element), ...(indent === undefined ? {} : { indent }) }
  },
  'q-table': (element, address) => ({ t: 'table', rows: inner(only(element, 'tbody')).map((row) => inner(row).map((cell) => readCell(cell, address))), ...(classes(element).includes('q-plain') ? { plain: true as const } : {}) }),
  'q-image': (element, address) => {
    const image = only(element, 'img')
    return { t: 'image', ...readImage(image, address), ...readAlign(element), ...(attribute(image, 'alt') ? { caption: attribute(image, 'alt') ?? '' } : {}) }
  },
  'q-math': (element) => ({ t: 'math', tex: attribute(element, 'title') ?? '' }),
  'q-audio': (element, address) => {
    const { asset } = readImage(only(element, 'audio'), address)
    const title = attribute(only(element, 'audio'), 'title')
    return { t: 'audio', asset, ...(title ? { title } : {}) }
  },
  'q-list': (element, address) => {
    const start = attribute(element, 'start')
    return { t: 'list', style: (classes(element)[1]?.replace('q-list-', '') ?? 'decimal') as ListStyle, ...(start === undefined ? {} : { start: Number(start) }), items: inner(element).map((item) => readFlow(item.childNodes, address)) }
  },
  'q-poem': (element, address) => ({ t: 'poem', lines: inner(element).map((line) => readRun(line.childNodes, address)) }),
  'q-dialogue': (element, address) => ({ t: 'dialogue', turns: inner(element).map((turn) => ({ who: attribute(turn, 'title') ?? '', c: readRun(only(turn, 'span').childNodes, address) })) }),
  'q-lines': (element) => ({ t: 'lines', n: numberIn(element, 'q-n-') ?? 1, ...(classes(element).includes('q-grid') ? { style: 'grid' as const } : {}) }),
}

function readFlow(nodes: readonly Node[], address: Address): Block[] {
  return nodes.flatMap((node): Block[] => {
    if (!isElement(node)) {
      if ('value' in node && node.value.trim() !== '') throw new Foreign()
      return []
    }
    const read = READ_BLOCK[classes(node)[0] ?? '']
    if (!read) throw new Foreign()
    return [read(node, address)]
  })
}

/**
 * Reads what `docHtml` has written.
 * @param address name of the picture that an address in the file stands for; null when it is not there
 * @returns undefined when the markup is not ours, or not any more
 */
export function readDocHtml(html: string, address: Address): RichDoc | null | undefined {
  if (html.trim() === '') return null
  if (!/^\s*<\w+ class="q-/.test(html)) return undefined
  try {
    return docOf(readFlow(parseFragment(html).childNodes, address))
  } catch (error) {
    if (error instanceof Foreign) return undefined
    throw error
  }
}
