/**
 * The one rich text of the product (domain 3.1): what a stem, an option, an answer or an explanation is made of.
 * It is data, never HTML. No text is the value null, not a document with nothing in it.
 */

/** How a run of text is set. */
export interface Marks {
  b?: true
  i?: true
  u?: true
  /** Emphasis dots below, 着重号. */
  dot?: true
  /** Wavy line below, 波浪线. */
  wave?: true
  sub?: true
  sup?: true
  /** Pinyin above. */
  ruby?: string
}

export interface StyledText extends Marks {
  t: 'text'
  text: string
}

export interface Tex {
  t: 'tex'
  /** TeX without its delimiters. */
  tex: string
}

export interface InlineImage {
  t: 'img'
  /** Address of the stored file, or `asset:<name>` inside a parsed file that is not stored yet. */
  asset: string
  /** Width in CSS pixels. */
  w?: number
  alt?: string
  /** The picture of a formula that could not be read, 待补公式. */
  pending?: true
}

export type BlankStyle = 'line' | 'paren' | 'box'

export interface Blank {
  t: 'blank'
  /** Unique within the question; the answer names it. */
  id: string
  /** Width in characters. */
  width?: number
  /** A line unless said otherwise. */
  style?: BlankStyle
}

/** Parentheses in which the letter of the answer is written. */
export interface ChoiceParen {
  t: 'paren'
}

/** Numbered hole that the child question of this number belongs to (type 5). */
export interface SubRef {
  t: 'subref'
  n: number
}

export interface LineBreak {
  t: 'br'
}

/** Place of a value in a template: the path of a record's field, and what it is called. Stored texts that are no templates have none. */
export interface FieldChip extends Pick<Marks, 'b'> {
  t: 'field'
  path: string
  label: string
}

/** A string is plain text without marks. */
export type Inline = string | StyledText | Tex | InlineImage | Blank | ChoiceParen | SubRef | LineBreak | FieldChip
export type InlineNode = Exclude<Inline, string>
export type Align = 'left' | 'center' | 'right'

export interface Paragraph {
  t: 'p'
  c: Inline[]
  align?: Align
  /** First-line indent, in characters. */
  indent?: number
}

export interface Cell {
  c: Block[]
  colspan?: number
  rowspan?: number
  head?: true
}

export interface Table {
  t: 'table'
  rows: Cell[][]
  /** Without lines, for tables that only place things. */
  plain?: true
}

export interface ImageBlock {
  t: 'image'
  asset: string
  w?: number
  align?: Align
  caption?: string
}

export interface MathBlock {
  t: 'math'
  tex: string
}

export interface AudioBlock {
  t: 'audio'
  asset: string
  title?: string
}

export type ListStyle = 'bullet' | 'decimal' | 'paren' | 'circle' | 'letter'

export interface List {
  t: 'list'
  style: ListStyle
  start?: number
  items: Block[][]
}

/** Centred lines. */
export interface Poem {
  t: 'poem'
  lines: Inline[][]
}

export interface Dialogue {
  t: 'dialogue'
  turns: { who: string; c: Inline[] }[]
}

/** Room to write: ruled lines, or the squares of a composition. */
export interface WritingLines {
  t: 'lines'
  n: number
  style?: 'grid'
}

export type Block = Paragraph | Table | ImageBlock | MathBlock | AudioBlock | List | Poem | Dialogue | WritingLines
export type BlockKind = Block['t']

export interface RichDoc {
  t: 'doc'
  v: 1
  c: Block[]
}

type BlockOf<K extends BlockKind> = Extract<Block, { t: K }>

/** Rebuilds what stands inside one block: its runs of inlines and its flows of blocks. */
type Parts = { [K in BlockKind]: (block: BlockOf<K>, run: (inlines: Inline[]) => Inline[], flow: (blocks: Block[]) => Block[]) => Block }

const same = (block: Block) => block
const PARTS: Parts = {
  p: (block, run) => ({ ...block, c: run(block.c) }),
  table: (block, _, flow) => ({ ...block, rows: block.rows.map((row) => row.map((cell) => ({ ...cell, c: flow(cell.c) }))) }),
  image: same,
  math: same,
  audio: same,
  list: (block, _, flow) => ({ ...block, items: block.items.map(flow) }),
  poem: (block, run) => ({ ...block, lines: block.lines.map(run) }),
  dialogue: (block, run) => ({ ...block, turns: block.turns.map((turn) => ({ ...turn, c: run(turn.c) })) }),
  lines: same,
}

function rebuild(block: Block, run: (inlines: Inline[]) => Inline[], flow: (blocks: Block[]) => Block[]): Block {
  // The key of the table is the block's own kind, which the compiler cannot follow.
  return (PARTS[block.t] as (block: Block, run: (inlines: Inline[]) => Inline[], flow: (blocks: Block[]) => Block[]) => Block)(block, run, flow)
}

export interface Rewrite {
  /** One inline becomes any number of them. */
  inline?: (inline: Inline) => Inline[]
  /** One block, whose inside has been rewritten, becomes any number of them. */
  block?: (block: Block) => Block[]
}

/** A copy of blocks with everything rewritten, the inside first. */
export function rewriteBlocks(blocks: readonly Block[], rewrite: Rewrite): Block[] {
  const run = (inlines: Inline[]) => (rewrite.inline ? inlines.flatMap(rewrite.inline) : inlines)
  const flow = (inner: Block[]): Block[] => rewriteBlocks(inner, rewrite)
  return blocks.flatMap((block) => {
    const rebuilt = rebuild(block, run, flow)
    return rewrite.block ? rewrite.block(rebuilt) : [rebuilt]
  })
}

/** A copy of a document with everything rewritten; null when nothing is left. */
export function rewriteDoc(doc: RichDoc | null, rewrite: Rewrite): RichDoc | null {
  return doc ? docOf(rewriteBlocks(doc.c, rewrite)) : null
}

/** Goes through a document in reading order: every block before its inside, every inline. */
export function walk(doc: RichDoc | null, visit: { block?: (block: Block) => void; inline?: (inline: Inline) => void }): void {
  const flow = (blocks: Block[]): Block[] => {
    for (const block of blocks) {
      visit.block?.(block)
      rebuild(block, (inlines) => {
        for (const inline of inlines) visit.inline?.(inline)
        return inlines
      }, flow)
    }
    return blocks
  }
  if (doc) flow(doc.c)
}

/** All inlines of one kind, in reading order. */
export function inlinesOf<K extends InlineNode['t']>(doc: RichDoc | null, kind: K): Extract<InlineNode, { t: K }>[] {
  const found: Extract<InlineNode, { t: K }>[] = []
  walk(doc, {
    inline: (inline) => {
      if (typeof inline !== 'string' && inline.t === kind) found.push(inline as Extract<InlineNode, { t: K }>)
    },
  })
  return found
}

/** Addresses of all pictures and sounds, in reading order. */
export function assetsOf(doc: RichDoc | null): string[] {
  const found: string[] = []
  walk(doc, {
    block: (block) => {
      if (block.t === 'image' || block.t === 'audio') found.push(block.asset)
    },
    inline: (inline) => {
      if (typeof inline !== 'string' && inline.t === 'img') found.push(inline.asset)
    },
  })
  return found
}

/** Every formula as TeX, in reading order. */
export function formulasOf(doc: RichDoc | null): string[] {
  const found: string[] = []
  walk(doc, {
    block: (block) => {
      if (block.t === 'math') found.push(block.tex)
    },
    inline: (inline) => {
      if (typeof inline !== 'string' && inline.t === 'tex') found.push(inline.tex)
    },
  })
  return found
}

/** The same document with other addresses of its pictures and sounds. */
export function withAssets(doc: RichDoc | null, address: (asset: string) => string): RichDoc | null {
  return rewriteDoc(doc, {
    inline: (inline) => [typeof inline !== 'string' && inline.t === 'img' ? { ...inline, asset: address(inline.asset) } : inline],
    block: (block) => [block.t === 'image' || block.t === 'audio' ? { ...block, asset: address(block.asset) } : block],
  })
}

/** Whether two runs of text look alike, so that they may be one. */
export const sameMarks = (one: Marks, other: Marks) =>
  one.b === other.b && one.i === other.i && one.u === other.u && one.dot === other.dot && one.wave === other.wave && one.sub === other.sub && one.sup === other.sup && one.ruby === other.ruby

/** Text with marks; a plain string when no mark is set. */
export function textOf(text: string, marks: Marks = {}): Inline {
  const set = Object.entries(marks).filter(([, value]) => value !== undefined && value !== false && value !== '')
  return set.length === 0 ? text : { t: 'text', text, ...Object.fromEntries(set) }
}

/** Joins neighbouring texts that look alike and drops empty ones. */
export function joinInlines(inlines: readonly Inline[]): Inline[] {
  const joined: Inline[] = []
  for (const inline of inlines) {
    if (typeof inline === 'string' ? inline === '' : inline.t === 'text' && inline.text === '') continue
    const last = joined.at(-1)
    if (typeof inline === 'string' && typeof last === 'string') joined[joined.length - 1] = last + inline
    // Pinyin belongs to the characters under it: two neighbours with the same one stay two.
    else if (typeof inline !== 'string' && inline.t === 'text' && last !== undefined && typeof last !== 'string' && last.t === 'text' && !inline.ruby && sameMarks(inline, last)) joined[joined.length - 1] = { ...last, text: last.text + inline.text }
    else joined.push(inline)
  }
  return joined
}

/** A paragraph. */
export function paragraph(inlines: readonly Inline[], style: Omit<Paragraph, 't' | 'c'> = {}): Paragraph {
  return { t: 'p', c: joinInlines(inlines), ...style }
}

const isEmpty = (block: Block) =>
  (block.t === 'p' && block.c.every((inline) => typeof inline === 'string' ? inline.trim() === '' : inline.t === 'br' || (inline.t === 'text' && !inline.u && inline.text.trim() === ''))) ||
  ((block.t === 'math') && block.tex.trim() === '') ||
  (block.t === 'list' && block.items.length === 0) ||
  (block.t === 'table' && block.rows.every((row) => row.length === 0)) ||
  (block.t === 'poem' && block.lines.length === 0) ||
  (block.t === 'dialogue' && block.turns.length === 0)

/**
 * A document of blocks in its one form: runs joined, empty paragraphs at its ends dropped.
 * @returns null when there is nothing to read in it
 */
export function docOf(blocks: readonly Block[]): RichDoc | null {
  const joined = blocks.map((block) => rebuild(block, joinInlines, (inner) => docOf(inner)?.c ?? []))
  const first = joined.findIndex((block) => !isEmpty(block))
  if (first < 0) return null
  return { t: 'doc', v: 1, c: joined.slice(first, joined.findLastIndex((block) => !isEmpty(block)) + 1) }
}

/** A document of plain lines; null for no text. */
export function plainDoc(text: string): RichDoc | null {
  return docOf(text.split(/\r\n?|\n/).map((line) => paragraph([line])))
}

/** A document of one paragraph; null for nothing. */
export const inlineDoc = (inlines: readonly Inline[]): RichDoc | null => docOf([paragraph(inlines)])

const INLINE_TEXT: { [K in InlineNode['t']]: (node: Extract<InlineNode, { t: K }>) => string } = {
  text: (node) => node.text,
  tex: (node) => ` ${node.tex} `,
  img: (node) => (node.alt ? `[${node.alt}]` : '[图]'),
  blank: () => '____',
  paren: () => '（　）',
  subref: (node) => `(${node.n})`,
  br: () => '\n',
  field: (node) => `〔${node.label}〕`,
}

/** One inline as plain text; a formula is its TeX. */
export function inlineText(inline: Inline): string {
  return typeof inline === 'string' ? inline : (INLINE_TEXT[inline.t] as (node: InlineNode) => string)(inline)
}

const runText = (inlines: readonly Inline[]) => inlines.map(inlineText).join('')
const flowText = (blocks: readonly Block[]): string => blocks.map(blockText).join('\n')

const BLOCK_TEXT: { [K in BlockKind]: (block: BlockOf<K>) => string } = {
  p: (block) => runText(block.c),
  table: (block) => block.rows.map((row) => row.map((cell) => flowText(cell.c)).join(' ')).join('\n'),
  image: (block) => `[${block.caption || '图'}]`,
  math: (block) => block.tex,
  audio: (block) => `[${block.title || '音频'}]`,
  list: (block) => block.items.map(flowText).join('\n'),
  poem: (block) => block.lines.map(runText).join('\n'),
  dialogue: (block) => block.turns.map((turn) => `${turn.who}：${runText(turn.c)}`).join('\n'),
  lines: () => '',
}

function blockText(block: Block): string {
  return (BLOCK_TEXT[block.t] as (block: Block) => string)(block)
}

/** What is read and searched: words of all blocks, formulas as TeX, a line for each block. */
export function plainText(doc: RichDoc | null): string {
  return doc ? flowText(doc.c).replace(/[ \t]+/g, ' ').replace(/ *\n */g, '\n').trim() : ''
}
