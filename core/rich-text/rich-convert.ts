import { docOf, textOf, type Align, type BlankStyle, type Block, type BlockKind, type Cell, type Inline, type InlineNode, type ListStyle, type Marks, type RichDoc } from './rich-doc.ts'

/** A node of the editor, as JSON. */
export interface EditorNode {
  type?: string
  attrs?: Record<string, unknown>
  content?: EditorNode[]
  marks?: { type: string; attrs?: Record<string, unknown> }[]
  text?: string
}

/** Marks of rich text and what the editor calls them. */
const MARKS: readonly (readonly [keyof Marks, string])[] = [
  ['b', 'bold'], ['i', 'italic'], ['u', 'underline'], ['dot', 'dot'], ['wave', 'wave'], ['sub', 'subscript'], ['sup', 'superscript'], ['ruby', 'ruby'],
]

const attrsOf = (values: Readonly<Record<string, unknown>>) => Object.fromEntries(Object.entries(values).filter(([key, value]) => key !== 't' && key !== 'c' && value !== undefined))

function textNode(text: string, marks: Marks = {}): EditorNode[] {
  if (text === '') return []
  const found = MARKS.filter(([key]) => marks[key]).map(([key, type]) => ({ type, ...(key === 'ruby' && { attrs: { text: marks.ruby } }) }))
  return [{ type: 'text', text, ...(found.length > 0 && { marks: found }) }]
}

const INLINE_NODES: { [K in InlineNode['t']]: (node: Extract<InlineNode, { t: K }>) => EditorNode[] } = {
  text: (node) => textNode(node.text, node),
  tex: (node) => [{ type: 'tex', attrs: { tex: node.tex } }],
  img: (node) => [{ type: 'inlineImage', attrs: attrsOf({ ...node }) }],
  blank: (node) => [{ type: 'blank', attrs: attrsOf({ ...node }) }],
  paren: () => [{ type: 'choiceParen' }],
  subref: (node) => [{ type: 'subref', attrs: { n: node.n } }],
  br: () => [{ type: 'hardBreak' }],
  field: (node) => [{ type: 'fieldChip', attrs: { path: node.path, label: node.label, b: node.b ?? null } }],
}

const runNodes = (inlines: readonly Inline[]): EditorNode[] =>
  inlines.flatMap((inline) => (typeof inline === 'string' ? textNode(inline) : (INLINE_NODES[inline.t] as (node: InlineNode) => EditorNode[])(inline)))

const line = (type: string, inlines: readonly Inline[], attrs?: Record<string, unknown>): EditorNode => {
  const content = runNodes(inlines)
  return { type, ...(attrs && Object.keys(attrs).length > 0 && { attrs }), ...(content.length > 0 && { content }) }
}

/** Blocks inside a cell or an item; the editor wants at least one paragraph there. */
const flowNodes = (blocks: readonly Block[]): EditorNode[] => (blocks.length === 0 ? [{ type: 'paragraph' }] : blocks.flatMap(blockNodes))

const BLOCK_NODES: { [K in BlockKind]: (block: Extract<Block, { t: K }>) => EditorNode[] } = {
  p: (block) => [line('paragraph', block.c, attrsOf({ align: block.align, indent: block.indent }))],
  table: (block) => [{
    type: 'table', ...(block.plain && { attrs: { plain: true } }),
    content: block.rows.map((row) => ({ type: 'tableRow', content: row.map((cell) => ({ type: cell.head ? 'tableHeader' : 'tableCell', attrs: { colspan: cell.colspan ?? 1, rowspan: cell.rowspan ?? 1 }, content: flowNodes(cell.c) })) })),
  }],
  image: (block) => [{ type: 'imageBlock', attrs: attrsOf({ ...block }) }],
  math: (block) => [{ type: 'mathBlock', attrs: { tex: block.tex } }],
  audio: (block) => [{ type: 'audioBlock', attrs: attrsOf({ ...block }) }],
  list: (block) => [{
    type: 'richList', attrs: attrsOf({ style: block.style, start: block.start }), content: block.items.map((item) => ({ type: 'richListItem', content: flowNodes(item) })),
  }],
  poem: (block) => [{ type: 'poem', content: block.lines.map((inlines) => line('poemLine', inlines)) }],
  dialogue: (block) => [{ type: 'dialogue', content: block.turns.map(({ who, c }) => line('dialogueTurn', c, { who })) }],
  lines: (block) => [{ type: 'writingLines', attrs: attrsOf({ n: block.n, style: block.style }) }],
}

const blockNodes = (block: Block): EditorNode[] => (BLOCK_NODES[block.t] as (block: Block) => EditorNode[])(block)

/** A rich text as the editor's document. */
export function toEditor(doc: RichDoc | null): EditorNode {
  return { type: 'doc', content: flowNodes(doc?.c ?? []) }
}

function marksOf(node: EditorNode): Marks {
  const found: Record<string, unknown> = {}
  for (const [key, type] of MARKS) {
    const mark = node.marks?.find((one) => one.type === type)
    if (mark) found[key] = key === 'ruby' ? String(mark.attrs?.['text'] ?? '') : true
  }
  return found as Marks
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const whole = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined)
/** An object without what is absent. */
const only = <Value extends object>(value: { [K in keyof Value]: Value[K] | undefined }): Value => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value

const INLINES: Readonly<Record<string, (node: EditorNode) => Inline[]>> = {
  text: (node) => [textOf(node.text ?? '', marksOf(node))],
  tex: (node) => (text(node.attrs?.['tex']) ? [{ t: 'tex', tex: String(node.attrs?.['tex']) }] : []),
  inlineImage: ({ attrs = {} }) => (text(attrs['asset']) ? [only({ t: 'img' as const, asset: String(attrs['asset']), w: whole(attrs['w']), alt: text(attrs['alt']), pending: attrs['pending'] === true ? true as const : undefined })] : []),
  blank: ({ attrs = {} }) => [only({ t: 'blank' as const, id: String(attrs['id']), width: whole(attrs['width']), style: STYLES.find((one) => one === attrs['style']) })],
  choiceParen: () => [{ t: 'paren' }],
  subref: ({ attrs = {} }) => [{ t: 'subref', n: whole(attrs['n']) ?? 1 }],
  hardBreak: () => [{ t: 'br' }],
  fieldChip: ({ attrs = {} }) => (text(attrs['path']) ? [only({ t: 'field' as const, path: String(attrs['path']), label: String(attrs['label'] ?? ''), b: attrs['b'] === true ? true as const : undefined })] : []),
}

const runOf = (node: EditorNode): Inline[] => (node.content ?? []).flatMap((child) => INLINES[child.type ?? '']?.(child) ?? [])
const flowOf = (node: EditorNode): Block[] => (node.content ?? []).flatMap((child) => BLOCKS[child.type ?? '']?.(child) ?? [])
const aligned = (value: unknown): Align | undefined => (value === 'left' || value === 'center' || value === 'right' ? value : undefined)
/** A line is what a blank is by default. */
const STYLES: readonly BlankStyle[] = ['paren', 'box']
const LIST_STYLES: readonly ListStyle[] = ['bullet', 'decimal', 'paren', 'circle', 'letter']

function cellOf(node: EditorNode): Cell {
  const [colspan, rowspan] = [whole(node.attrs?.['colspan']) ?? 1, whole(node.attrs?.['rowspan']) ?? 1]
  return { c: flowOf(node), ...(colspan > 1 && { colspan }), ...(rowspan > 1 && { rowspan }), ...(node.type === 'tableHeader' && { head: true as const }) }
}

const BLOCKS: Readonly<Record<string, (node: EditorNode) => Block[]>> = {
  paragraph: (node) => [only({ t: 'p' as const, c: runOf(node), align: aligned(node.attrs?.['align']), indent: whole(node.attrs?.['indent']) || undefined })],
  table: (node) => [{ t: 'table', rows: (node.content ?? []).map((row) => (row.content ?? []).map(cellOf)), ...(node.attrs?.['plain'] === true && { plain: true as const }) }],
  imageBlock: ({ attrs = {} }) => (text(attrs['asset']) ? [only({ t: 'image' as const, asset: String(attrs['asset']), w: whole(attrs['w']), align: aligned(attrs['align']), caption: text(attrs['caption']) })] : []),
  mathBlock: ({ attrs = {} }) => (text(attrs['tex']) ? [{ t: 'math', tex: String(attrs['tex']) }] : []),
  audioBlock: ({ attrs = {} }) => (text(attrs['asset']) ? [only({ t: 'audio' as const, asset: String(attrs['asset']), title: text(attrs['title']) })] : []),
  richList: (node) => {
    const { attrs = {} } = node
    const style = LIST_STYLES.find((one) => one === attrs['style']) ?? 'bullet'
    return [only({ t: 'list' as const, style, start: whole(attrs['start']), items: (node.content ?? []).map(flowOf) })]
  },
  poem: (node) => [{ t: 'poem', lines: (node.content ?? []).map(runOf) }],
  dialogue: (node) => [{ t: 'dialogue', turns: (node.content ?? []).map((turn) => ({ who: String(turn.attrs?.['who'] ?? ''), c: runOf(turn) })) }],
  writingLines: ({ attrs = {} }) => [only({ t: 'lines' as const, n: Math.min(60, Math.max(1, whole(attrs['n']) ?? 4)), style: attrs['style'] === 'grid' ? 'grid' as const : undefined })],
}

/** The editor's document as rich text; null when there is nothing to read in it. */
export function fromEditor(node: EditorNode): RichDoc | null {
  return docOf(flowOf(node))
}
