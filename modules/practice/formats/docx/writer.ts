/** Rich text as a Word document: paragraphs, real formulas, pictures, tables, numbered lists. */
import { AlignmentType, Document, ImageRun, Packer, Paragraph, Table, TableCell, TableLayoutType, TableRow, WidthType, type FileChild, type ILevelsOptions, type INumberingOptions, type IParagraphOptions, type ISectionOptions, type ParagraphChild } from 'docx'
import type { Align, Block, BlockKind, Cell, Inline, Paragraph as RichParagraph, RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { parseXml } from '../xml.ts'
import { component, formulaRun, inlineRun, markRun, textRun } from './runs.ts'
import { LINE, listLevels, MARK, NO_BORDERS, TABLE, WORD_STYLES, type LineStyle } from './styles.ts'

/** A picture that documents name by its address. */
export interface WordPicture {
  bytes: Uint8Array
  /** MIME type. */
  type: string
  /** Its own size in pixels. */
  width: number
  height: number
}

/** How the blocks of a text are placed. */
export interface BlockStyle {
  /** Stands before the text in its first line: a number, a letter. */
  lead?: readonly ParagraphChild[]
  /** Style of its plain paragraphs. */
  line?: LineStyle
  /** Whether fractions stand as high as in a formula on a line of its own. */
  tall?: boolean
}

/** Widest picture on a page, in pixels. */
const MAX_WIDTH = 560
const TYPES: Readonly<Record<string, 'png' | 'jpg' | 'gif' | 'bmp'>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/bmp': 'bmp' }
/** Shown by programs that cannot draw SVG: one transparent point. */
const POINT = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='), (char) => char.charCodeAt(0))
const ALIGNS: Readonly<Record<Align, (typeof AlignmentType)[keyof typeof AlignmentType]>> = { left: AlignmentType.LEFT, center: AlignmentType.CENTER, right: AlignmentType.RIGHT }
/** Squares in a row of composition paper. */
const SQUARES = 20

/** Blocks that would run into a neighbour of their own kind. */
const MERGING: ReadonlySet<BlockKind> = new Set(['table', 'poem', 'dialogue', 'lines', 'image', 'list'])

const placed = ({ align, indent }: RichParagraph) => ({
  ...(align ? { alignment: ALIGNS[align] } : {}),
  ...(indent ? { indent: { firstLineChars: indent * 100, firstLine: indent * 210 } } : {}),
})

/** Blocks that belong to the item of a list before them. */
function together(children: readonly FileChild[]): FileChild {
  const control = component(parseXml('<w:sdt><w:sdtPr><w:tag w:val="item"/></w:sdtPr></w:sdt>'))
  const content = component(parseXml('<w:sdtContent/>'))
  for (const child of children) content.push(child)
  control.push(content)
  return control as unknown as FileChild
}

interface Setting extends BlockStyle {
  /** Depth of the list that the blocks stand in. */
  depth: number
}

/**
 * Writes rich text for a Word document and collects what the document as a whole needs. One writer makes one document:
 * make the children with `blocks` (and `wordQuestion`), put them into sections of any shape, then `pack`.
 */
export class WordWriter {
  readonly #pictures: ReadonlyMap<string, WordPicture>
  readonly #numbering: INumberingOptions['config'][number][] = []
  readonly #notes = new Set<string>()
  /** What paragraphs were made of: those of the library do not change any more. */
  readonly #made = new WeakMap<FileChild, IParagraphOptions>()

  /** @param pictures by the address that documents name them with */
  constructor(pictures: ReadonlyMap<string, WordPicture>) {
    this.#pictures = pictures
  }

  /** What could not be written, one Chinese sentence each. */
  get notes(): string[] {
    return [...this.#notes]
  }

  /** Inlines of a line, pictures included. @param tall fractions stand as high as in a formula on a line of its own */
  runs(inlines: readonly Inline[], tall = false): ParagraphChild[] {
    return inlines.flatMap((inline): ParagraphChild[] => {
      if (typeof inline === 'string' || inline.t !== 'img') return [inlineRun(inline, tall)]
      const picture = this.#picture(inline.asset, inline.w, inline.alt, inline.pending)
      return [picture ?? textRun(inline.alt ? `[${inline.alt}]` : '[图]')]
    })
  }

  /**
   * The paragraphs and tables of a text.
   * @param doc null writes nothing but the lead
   */
  blocks(doc: RichDoc | null, style: BlockStyle = {}): FileChild[] {
    return this.#flow(doc?.c ?? [], { ...style, depth: 0 })
  }

  /** A paragraph of marks and runs. */
  line(children: readonly ParagraphChild[], style?: LineStyle, options: IParagraphOptions = {}): Paragraph {
    return this.#paragraph({ ...options, ...(style ? { style } : {}), children: [...children] })
  }

  #paragraph(options: IParagraphOptions): Paragraph {
    const paragraph = new Paragraph(options)
    this.#made.set(paragraph, options)
    return paragraph
  }

  /** The same on one page, as far as it fits on one: no line is cut off, and none stands without what follows it. @param next whether what comes behind belongs to it too */
  together(children: readonly FileChild[], next = false): FileChild[] {
    return children.map((child, index) => {
      const options = this.#made.get(child)
      return options ? this.#paragraph({ ...options, keepLines: true, ...((next || index < children.length - 1) && { keepNext: true }) }) : child
    })
  }

  /**
   * The file.
   * @param sections of the document, with their own pages, heads and columns
   */
  async pack({ title, sections }: { title?: string; sections: readonly ISectionOptions[] }): Promise<Uint8Array> {
    const document = new Document({ ...(title ? { title } : {}), creator: '道远', styles: WORD_STYLES, numbering: { config: this.#numbering }, sections: [...sections] })
    return new Uint8Array(await Packer.toArrayBuffer(document))
  }

  #picture(asset: string, width: number | undefined, alt: string | undefined, pending = false): ImageRun | null {
    const found = this.#pictures.get(asset)
    if (!found) {
      this.#notes.add('有图片已不存在，没有导出')
      return null
    }
    const size = width ?? Math.min(found.width, MAX_WIDTH)
    const transformation = { width: Math.max(1, size), height: Math.max(1, Math.round((size * found.height) / Math.max(1, found.width))) }
    // The name tells whether the width was chosen.
    const altText = { name: width === undefined ? '原始大小' : `宽 ${width}`, title: pending ? '待补公式' : '', description: alt ?? '' }
    const type = TYPES[found.type]
    if (type) return new ImageRun({ type, data: found.bytes, transformation, altText })
    if (found.type === 'image/svg+xml') return new ImageRun({ type: 'svg', data: found.bytes, fallback: { type: 'png', data: POINT }, transformation, altText })
    this.#notes.add(`Word 不支持 ${found.type.replace('image/', '')} 图片，已用文字代替`)
    return null
  }

  #flow(blocks: readonly Block[], setting: Setting): FileChild[] {
    const { lead = [], ...rest } = setting
    const first = blocks[0]
    const takesLead = lead.length === 0 || first?.t === 'p'
    const written: FileChild[] = takesLead ? [] : [this.line(lead, setting.line)]
    for (const [index, block] of blocks.entries()) {
      if (index > 0 && blocks[index - 1]?.t === block.t && MERGING.has(block.t)) written.push(this.line([], LINE.spacer))
      written.push(...(this.#writers[block.t] as (block: Block, setting: Setting) => FileChild[])(block, index === 0 && takesLead ? setting : rest))
    }
    return written
  }

  readonly #writers: { [K in BlockKind]: (block: Extract<Block, { t: K }>, setting: Setting) => FileChild[] } = {
    p: (block, { lead = [], line, tall }) => [this.line([...lead, ...this.runs(block.c, tall)], line, placed(block))],
    table: (block, setting) => [this.#table(block.rows, block.plain === true, setting), this.line([], LINE.spacer)],
    image: (block) => {
      const picture = this.#picture(block.asset, block.w, block.caption)
      const alignment = block.align ? { alignment: ALIGNS[block.align] } : {}
      return [this.line([picture ?? textRun(`[${block.caption || '图'}]`)], LINE.figure, alignment), ...(block.caption ? [this.line([textRun(block.caption)], LINE.caption, alignment)] : [])]
    },
    math: (block) => [this.line([formulaRun(block.tex, true)], LINE.formula)],
    audio: (block) => {
      this.#notes.add('Word 文件不能带音频，只保留了名称')
      return [this.line([textRun(`［音频：${block.title || '听力材料'}］`)], LINE.audio)]
    },
    list: (block, setting) => {
      const reference = `list-${this.#numbering.length + 1}`
      const levels: ILevelsOptions[] = listLevels(block.style, block.start ?? 1)
      this.#numbering.push({ reference, levels })
      const level = Math.min(setting.depth, 8)
      return block.items.flatMap((item) => {
        const [first, ...more] = item
        const numbered = this.#paragraph({ numbering: { reference, level }, ...(first?.t === 'p' ? { ...placed(first), children: this.runs(first.c) } : {}) })
        const under = this.#flow(first && first.t !== 'p' ? item : more, { depth: setting.depth + 1 })
        return under.length > 0 ? [numbered, together(under)] : [numbered]
      })
    },
    poem: (block) => block.lines.map((line) => this.line(this.runs(line), LINE.poem)),
    dialogue: (block) => block.turns.map((turn) => this.line([markRun(MARK.who, `${turn.who}：`), ...this.runs(turn.c)], LINE.dialogue)),
    lines: (block) => (block.style === 'grid' ? [this.#squares(block.n), this.line([], LINE.spacer)] : Array.from({ length: block.n }, () => this.line([], LINE.writing))),
  }

  #table(rows: readonly (readonly Cell[])[], plain: boolean, { depth }: Setting): Table {
    return new Table({
      layout: TableLayoutType.AUTOFIT, width: { size: 100, type: WidthType.PERCENTAGE }, ...(plain ? { style: TABLE.plain, borders: { ...NO_BORDERS, insideHorizontal: NO_BORDERS.top, insideVertical: NO_BORDERS.top } } : {}),
      rows: rows.map((cells) => new TableRow({
        cantSplit: true,
        children: cells.map((cell) => new TableCell({
          ...(cell.colspan ? { columnSpan: cell.colspan } : {}), ...(cell.rowspan ? { rowSpan: cell.rowspan } : {}),
          children: this.#cell(cell, depth),
        })),
      })),
    })
  }

  /** A cell ends with a paragraph, whatever is in it. */
  #cell(cell: Cell, depth: number): (Paragraph | Table)[] {
    const head = cell.head ? { line: LINE.head } : {}
    const written = this.#flow(cell.c, { depth, ...head }) as (Paragraph | Table)[]
    // A head without a paragraph of its own is told by an empty one.
    if (cell.head && cell.c[0]?.t !== 'p') written.push(this.line([], LINE.head))
    return written.length > 0 ? written : [this.line([])]
  }

  #squares(rows: number): Table {
    return new Table({
      style: TABLE.squares, width: { size: 100, type: WidthType.PERCENTAGE },
      rows: Array.from({ length: rows }, () => new TableRow({ height: { value: 420, rule: 'atLeast' }, children: Array.from({ length: SQUARES }, () => new TableCell({ children: [this.line([])] })) })),
    })
  }
}
