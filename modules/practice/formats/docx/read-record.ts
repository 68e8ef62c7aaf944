/** Questions of a Word file of our own: the marks say what every piece is. */
import { BLANK_MATCHES, emptyContent, MANY_RULES, TYPES, type AnswerPart, type BlankAnswer, type Option, type OptionLayout, type Question, type QuestionContent, type QuestionType } from '../../content/question.ts'
import { docOf, inlinesOf, paragraph, plainText, rewriteDoc, type Block, type Cell, type Inline, type List, type RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { readFacts } from '../fact-rows.ts'
import type { WordBlock, WordLine, WordMark } from './body.ts'
import { PARTS, WHOLE } from './question.ts'
import { LINE, MARK, TABLE } from './styles.ts'

const isMark = (inline: Inline | WordMark): inline is WordMark => typeof inline === 'object' && inline.t === 'mark'
const words = (line: WordLine) => line.inlines.map((inline) => (typeof inline === 'string' ? inline : inline.t === 'text' || inline.t === 'mark' ? inline.text : '')).join('')

/** Collects the blocks of one text. */
class Sink {
  readonly blocks: Block[] = []
  /** Whether the next block may be joined with the last one. */
  #open = false
  #list: string | null = null

  add(block: WordBlock): void {
    if (block.kind === 'item') {
      const list = this.blocks.at(-1)
      const inner = new Sink()
      for (const one of block.blocks) inner.add(one)
      if (list?.t === 'list') list.items.at(-1)?.push(...inner.blocks)
      else this.blocks.push(...inner.blocks)
      return
    }
    if (block.kind === 'table') {
      this.#close()
      if (block.style === TABLE.squares) this.blocks.push({ t: 'lines', n: block.rows.length, style: 'grid' })
      else this.blocks.push({ t: 'table', rows: block.rows.map((row) => row.map(cellOf)), ...(block.style === TABLE.plain ? { plain: true as const } : {}) })
      return
    }
    this.line(block, block.inlines.filter((inline): inline is Inline => !isMark(inline)), block.inlines.find(isMark))
  }

  /** @param mark in front of the line that is part of its kind: who speaks */
  line(line: WordLine, inlines: Inline[], mark?: WordMark): void {
    const last = this.#open ? this.blocks.at(-1) : undefined
    const { style, numbered } = line
    const set = { ...(line.align ? { align: line.align } : {}), ...(line.indent ? { indent: line.indent } : {}) }
    if (numbered) {
      if (last?.t === 'list' && this.#list === numbered.list) last.items.push([paragraph(inlines, set)])
      else this.blocks.push({ t: 'list', style: numbered.style, ...(numbered.n === 1 ? {} : { start: numbered.n }), items: [[paragraph(inlines, set)]] } satisfies List)
      this.#list = numbered.list
      this.#open = true
      return
    }
    const only = inlines.find((inline) => typeof inline === 'object')
    if (style === LINE.spacer) return this.#close()
    if (style === LINE.poem) {
      if (last?.t === 'poem') last.lines.push(inlines)
      else this.blocks.push({ t: 'poem', lines: [inlines] })
    } else if (style === LINE.dialogue && mark?.style === MARK.who) {
      const turn = { who: mark.text.replace(/：$/, ''), c: inlines }
      if (last?.t === 'dialogue') last.turns.push(turn)
      else this.blocks.push({ t: 'dialogue', turns: [turn] })
    } else if (style === LINE.writing) {
      if (last?.t === 'lines' && !last.style) last.n++
      else this.blocks.push({ t: 'lines', n: 1 })
    } else if (style === LINE.figure && only?.t === 'img') {
      // A caption is written below and as the words of the picture; they are the same.
      this.blocks.push({ t: 'image', asset: only.asset, ...(only.w ? { w: only.w } : {}), ...(line.align ? { align: line.align } : {}) })
    } else if (style === LINE.caption && last?.t === 'image') last.caption = plainText(docOf([paragraph(inlines)]))
    else if (style === LINE.formula && only?.t === 'tex') this.blocks.push({ t: 'math', tex: only.tex })
    else if (style !== LINE.audio) this.blocks.push(paragraph(inlines, set))
    this.#open = true
  }

  #close(): void {
    this.#open = false
    this.#list = null
  }

  doc(): RichDoc | null {
    return docOf(this.blocks)
  }
}

function cellOf({ blocks, colspan, rowspan }: { blocks: WordBlock[]; colspan?: number; rowspan?: number }): Cell {
  const sink = new Sink()
  for (const block of blocks) sink.add(block)
  const head = blocks.some((block) => block.kind === 'line' && block.style === LINE.head)
  return { c: sink.doc()?.c ?? [], ...(colspan ? { colspan } : {}), ...(rowspan ? { rowspan } : {}), ...(head ? { head: true as const } : {}) }
}

interface Piece {
  mark: WordMark
  sink: Sink
}

/** One question or child while it is read. */
interface Draft {
  stem: Sink
  options: Sink[]
  layout: OptionLayout
  score: number | null
  /** Marked pieces of the answer, and texts under their names. */
  answer: Piece[]
  tags: Map<string, Sink>
}

const draft = (): Draft => ({ stem: new Sink(), options: [], layout: 1, score: null, answer: [], tags: new Map() })
const LAYOUTS: Readonly<Record<string, OptionLayout>> = { [LINE.row]: 2, [LINE.grid]: 3 }
const pointsOf = (text: string) => Number(/([\d.]+)/.exec(text)?.[1] ?? Number.NaN)
const numberIn = (text: string) => Number(/(\d+)/.exec(text)?.[1] ?? 0)

function blanksOf(pieces: readonly Piece[]): BlankAnswer[] {
  const blanks: BlankAnswer[] = []
  for (const { mark, sink } of pieces) {
    const doc = sink.doc()
    if (mark.style === MARK.blankNo) {
      const match = BLANK_MATCHES.find((one) => mark.text.includes(one.label))?.value ?? 'exact'
      const [eps, group, score] = [/误差([\d.e-]+)/, /互换组(\d+)/, /([\d.]+)分/].map((pattern) => pattern.exec(mark.text)?.[1])
      blanks.push({ id: `b${numberIn(mark.text) || blanks.length + 1}`, accept: doc ? [doc] : [], match, ...(eps ? { eps: Number(eps) } : {}), ...(group ? { group: Number(group) } : {}), ...(score ? { score: Number(score) } : {}) })
    } else if (mark.style === MARK.or && doc) blanks.at(-1)?.accept.push(doc)
  }
  return blanks
}

function partsOf(pieces: readonly Piece[]): AnswerPart[] {
  const parts: AnswerPart[] = []
  for (const { mark, sink } of pieces) {
    const ref = sink.doc()
    const last = parts.at(-1)
    if (mark.style === MARK.tag) parts.push({ no: 0, ref, steps: [] })
    else if (mark.style === MARK.part) {
      // The number stands on the line of the tag, which began a part of its own.
      const isFirst = parts.length === 1 && last?.no === 0 && last.ref === null && last.steps.length === 0 && last.score === undefined
      if (isFirst) parts[0] = { ...last, no: numberIn(mark.text), ref }
      else parts.push({ no: numberIn(mark.text), ref, steps: [] })
    } else if (mark.style === MARK.score && last) parts[parts.length - 1] = { ...last, score: pointsOf(mark.text), ref }
    else if (mark.style === MARK.step && ref) last?.steps.push({ text: ref, score: pointsOf(mark.text) })
  }
  return parts
}

const letterIds = (text: string, options: readonly Option[]) => [...text].flatMap((letter) => options[letter.charCodeAt(0) - 65]?.id ?? [])

function contentOf({ stem, options, layout, score, answer, tags }: Draft, prefix: string, pool: readonly Option[]): QuestionContent {
  const text = (name: string) => plainText(tags.get(name)?.doc() ?? null)
  const [kind = '', category] = text(`${prefix}题型`).split('·')
  const type: QuestionType = TYPES.find((one) => one.label === kind)?.value ?? 4
  const made: Option[] = options.map((sink, index) => ({ id: `o${index + 1}`, doc: sink.doc() }))
  let count = 0
  const numbered = rewriteDoc(stem.doc(), { inline: (inline) => [typeof inline !== 'string' && inline.t === 'blank' ? { ...inline, id: `b${++count}` } : inline] })
  const letters = letterIds(answer.map(({ sink }) => plainText(sink.doc())).join(''), made.length > 0 ? made : pool)
  const rule = MANY_RULES.find((one) => one.label === text('评分'))?.value ?? 'gaokao'
  return {
    ...emptyContent(type), stem: numbered, options: made, option_layout: layout, score, category: category ?? null,
    answer: type === 1 ? { k: 'one', ok: letters[0] ?? null } : type === 2 ? { k: 'many', ok: letters, rule } : type === 3 ? { k: 'blanks', b: blanksOf(answer) } : type === 4 ? { k: 'free', parts: partsOf(answer) } : { k: 'sub' },
    analysis: Object.fromEntries(PARTS.map(([key, name]) => [key, tags.get(prefix + name)?.doc() ?? null])) as unknown as QuestionContent['analysis'],
  }
}

/** Reads one record: the blocks from its number on. What follows it without a mark is given back. */
export function readRecord(blocks: readonly WordBlock[]): { question: Question; rest: WordBlock[] } {
  const whole = draft()
  const children: Draft[] = []
  let sink = whole.stem
  let at = whole
  let isOver = false
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'line') {
      if (isOver) return { question: finish(whole, children), rest: blocks.slice(index) }
      sink.add(block)
      continue
    }
    const marks = block.inlines.filter(isMark).filter((mark) => mark.style !== MARK.who)
    if (marks.length === 0) {
      if (isOver && words(block).trim() !== '') return { question: finish(whole, children), rest: blocks.slice(index) }
      if (!isOver) sink.add(block)
      continue
    }
    let inlines: Inline[] = []
    // What stood before the next mark on the line belongs to the one before it; a mark alone is no line.
    const flush = () => {
      if (inlines.length > 0) sink.line({ ...block, style: LAYOUTS[block.style] || block.style === LINE.column ? '' : block.style }, inlines)
      inlines = []
    }
    for (const inline of block.inlines) {
      if (!isMark(inline)) {
        inlines.push(inline)
        continue
      }
      flush()
      const { style, text } = inline
      if (style === MARK.child) {
        at = draft()
        children.push(at)
        sink = at.stem
      } else if (style === MARK.score && at.answer.length === 0) at.score = pointsOf(text)
      else if (style === MARK.letter) {
        if (text.trim() === '') continue
        sink = new Sink()
        at.options.push(sink)
        at.layout = LAYOUTS[block.style] ?? 1
      } else if (style === MARK.tag) {
        const name = text.replace(/[【】]/g, '')
        if (name.startsWith(WHOLE) || (children.length > 0 && name === '题号')) at = whole
        sink = new Sink()
        if (name === '答案') at.answer.push({ mark: inline, sink })
        else {
          if (children.length === 0 || at === whole) isOver ||= name.endsWith('题型')
          ;(isOver ? whole : at).tags.set(name, sink)
        }
      } else if (style !== MARK.number) {
        sink = new Sink()
        at.answer.push({ mark: inline, sink })
      }
    }
    flush()
  }
  return { question: finish(whole, children), rest: [] }
}

function finish(whole: Draft, children: readonly Draft[]): Question {
  const isGroup = whole.tags.has(`${WHOLE}题型`)
  const content = contentOf(whole, isGroup ? WHOLE : '', [])
  const facts = readFacts([...whole.tags].map(([name, sink]) => [name, plainText(sink.doc())] as const))
  return { ...content, ...facts, children: children.map((child) => contentOf(child, '', content.options)) }
}

/** Whether the questions of a file say of themselves what they are. */
export function hasRecords(blocks: readonly WordBlock[]): boolean {
  const marked = blocks.flatMap((block) => (block.kind === 'line' ? block.inlines.filter(isMark) : []))
  const numbers = marked.filter((mark) => mark.style === MARK.number).length
  return numbers > 0 && marked.filter((mark) => mark.style === MARK.tag && mark.text.endsWith('题型】')).length >= numbers
}

/** Whether a block is the beginning of a record. */
export const beginsRecord = (block: WordBlock) => block.kind === 'line' && block.inlines.some((inline) => isMark(inline) && inline.style === MARK.number)

/** Names of the blanks of a stem. @public for the tests */
export const blankIds = (doc: RichDoc | null) => inlinesOf(doc, 'blank').map((blank) => blank.id)
