/** The answer card of a paper as geometry: pure, so that what was printed can be kept and read later. */
import type { Slot, SlotOf } from '../print/slots.ts'
import { CARD_SHEETS, type Box, type CardPage, type CardSheet } from './geometry.ts'
import { essayRows, ESSAY, RULED } from './essay.ts'
import { blankPage, choiceGroup, drawHeader, drawPageHead, HEADER, PAGE_HEAD, type Draft } from './pieces.ts'

/** Digits of a candidate's number. */
export const NUMBER_LENGTH = { least: 4, most: 12, usual: 8 } as const

export interface CardOptions {
  readonly sheet: CardSheet['value']
  /** How candidates are told apart: digits that they fill in, or a barcode that is stuck on. */
  readonly person: 'number' | 'barcode'
  readonly digits: number
}

export interface CardPaper {
  readonly name: string
  readonly sections: readonly { readonly heading: string; readonly slots: readonly Slot[] }[]
}

export interface CardLayout {
  readonly sheet: CardSheet['value']
  readonly width: number
  readonly height: number
  readonly person: CardOptions['person']
  readonly digits: number
  readonly pages: readonly CardPage[]
}

/** From the sides of the sheet to what is printed; above it stand the page marks. */
const SIDE = 15
const TOP = 17
const BOTTOM = 17
const GAP = 6
/** Line that says to stay inside of the frames, above and below each column. */
const WARNING = 4.5
const HEADING = 6.5
const AIR = 2
/** Blanks beside each other in one row. */
const LINE = 10
/** Heights of a box, in millimetres per point, in the order in which they are tried. */
const PER_POINT = [9, 8, 7, 6, 5, 4.5, 4, 3.5, 3, 2.5, 2] as const
/** A box that is smaller is not written into. */
const COMFORTABLE = 4.5
/** A common paper has room on both sides of one sheet. */
const MOST_PAGES = 2
/** Boxes of a last column do not grow without end. */
const MOST_GROWTH = 1.6

/** What stands in a column; `stretch` is how much of the room that is left it takes. */
interface Piece {
  readonly height: number
  readonly stretch: number
  /** Begins a question that must not be parted from it. */
  readonly keep?: boolean
  draw(page: Draft, box: Box): void
  /** Cuts off what fits into so many millimetres. */
  split?(room: number): readonly [head: Piece, tail: Piece] | undefined
}

const heading = (text: string): Piece => ({
  height: HEADING, stretch: 0, keep: true,
  draw: (page, { x, y, w }) => page.texts.push({ x, y, w, h: HEADING, text, size: 10.5, align: 'left', bold: true }),
})

/** Blanks of several questions, two beside each other where they are short. */
function blanks(slots: readonly (readonly [SlotOf<'lines'>, number])[], width: number): Piece[] {
  const rows: (readonly (readonly [SlotOf<'lines'>, number])[])[] = []
  for (const entry of slots) {
    const last = rows.at(-1)
    if (last?.length === 1 && last[0]?.[0].lines === 1 && entry[0].lines === 1 && width > 110) rows[rows.length - 1] = [...last, entry]
    else rows.push([entry])
  }
  return rows.map((row) => {
    const lines = row[0]?.[0].lines ?? 1
    const perRow = row.length === 1 && lines > 1 ? 2 : 1
    const height = Math.ceil(lines / perRow) * LINE + AIR
    return {
      height, stretch: 0,
      draw: (page, { x, y, w }) => row.forEach(([slot, question], at) => {
        const own = { x: x + (at * w) / row.length, y, w: w / row.length, h: height }
        page.frames.push(own)
        page.areas.push({ ...own, question })
        page.texts.push({ x: own.x + 2, y, w: 24, h: LINE, text: `${slot.number}．（${slot.score} 分）`, size: 9, align: 'left' })
        const cell = (own.w - 28) / perRow
        for (let line = 0; line < slot.lines; line++) {
          const [left, low] = [own.x + 26 + (line % perRow) * cell, y + Math.floor(line / perRow) * LINE + LINE - 1]
          page.lines.push([{ x: left, y: low }, { x: left + cell - 3, y: low }])
        }
      }),
    }
  })
}

/** A frame to write in, with its points. */
const writing = (slot: SlotOf<'box'>, question: number, perPoint: number): Piece => {
  const height = Math.min(Math.max(slot.score * perPoint, 18), 215)
  return {
    height, stretch: height,
    draw: (page, { x, y, w, h }) => {
      page.frames.push({ x, y, w, h })
      page.areas.push({ x, y, w, h, question })
      page.texts.push({ x: x + 2, y: y + 1, w: w - 4, h: 6, text: `${slot.number}．（${slot.score} 分）`, size: 10, align: 'left' })
    },
  }
}

/** Squares or lines to write an essay on, cut where a column ends. */
function essay(slot: SlotOf<'box'>, question: number, width: number): Piece {
  const { pitch, columns, rows } = essayRows(slot, width)
  const part = (from: number, to: number): Piece => {
    const head = from === 0 ? 8 : 2
    return {
      height: head + (to - from) * pitch + 2, stretch: 0,
      draw: (page, { x, y, w, h }) => {
        page.frames.push({ x, y, w, h })
        page.areas.push({ x, y, w, h, question })
        if (from === 0) page.texts.push({ x: x + 2, y: y + 1, w: w - 4, h: 6, text: `${slot.number}．（${slot.score} 分）`, size: 10, align: 'left' })
        ;(columns ? ESSAY : RULED).draw(page, { x, y: y + head, w, h: (to - from) * pitch }, { from, to, columns, pitch })
      },
      split: (room) => {
        const fit = Math.floor((room - head - 2) / pitch)
        return fit < 3 || to - from - fit < 1 ? undefined : [part(from, from + fit), part(from + fit, to)]
      },
    }
  }
  return part(0, rows)
}

/** The pieces of a card in their order. */
function piecesOf(paper: CardPaper, width: number, most: number, perPoint: number): Piece[] {
  let question = 0
  return paper.sections.flatMap((section) => {
    const slots = section.slots.map((slot) => [slot, question++] as const)
    if (slots.length === 0) return []
    const letters = slots.flatMap(([slot, at]) => (slot.kind === 'letters' ? [[slot, at] as const] : []))
    const pieces: Piece[] = [heading(section.heading)]
    for (const group of choiceGroup(letters, width, most)) pieces.push({ height: group.height, stretch: 0, draw: (page, box) => group.draw(page, box) })
    let run: (readonly [SlotOf<'lines'>, number])[] = []
    const flush = () => {
      pieces.push(...blanks(run, width))
      run = []
    }
    for (const [slot, at] of slots) {
      if (slot.kind === 'lines') run.push([slot, at])
      else if (slot.kind === 'box') {
        flush()
        pieces.push(slot.essay ? essay(slot, at, width) : writing(slot, at, perPoint))
      }
    }
    flush()
    return pieces
  })
}

interface Column {
  readonly page: number
  readonly at: number
  readonly room: number
  readonly pieces: Piece[]
  used: number
}

/** Puts pieces into columns, one after another. */
function fill(pieces: readonly Piece[], columns: number, roomOf: (page: number, at: number) => number): Column[] {
  const all: Column[] = []
  const open = (): Column => {
    const [page, at] = [Math.floor(all.length / columns), all.length % columns]
    const column = { page, at, room: roomOf(page, at), pieces: [], used: 0 }
    all.push(column)
    return column
  }
  let column = open()
  const put = (piece: Piece) => {
    column.pieces.push(piece)
    column.used += piece.height + AIR
  }
  const queue = [...pieces]
  for (let piece = queue.shift(); piece; piece = queue.shift()) {
    const next = queue[0]
    const left = column.room - column.used
    // A heading alone at the end of a column leads nowhere.
    const need = piece.height + (piece.keep && next ? Math.min(next.split ? 40 : next.height, column.room - piece.height - AIR) + AIR : 0)
    if (need <= left) {
      put(piece)
      continue
    }
    const cut = piece.split?.(left)
    if (cut) {
      put(cut[0])
      queue.unshift(cut[1])
      column = open()
      continue
    }
    if (column.pieces.length === 0) {
      put(piece)
      continue
    }
    column = open()
    queue.unshift(piece)
  }
  return all
}

/**
 * Lays out the answer card of a paper. The boxes are as large as they can be without taking another page, and smaller
 * where a paper would otherwise need more than two.
 */
export function layoutCard(paper: CardPaper, options: CardOptions): CardLayout {
  const sheet = CARD_SHEETS.find(({ value }) => value === options.sheet) ?? CARD_SHEETS[0]
  const { width, height, columns } = sheet
  const columnWidth = (width - SIDE * 2 - GAP * (columns - 1)) / columns
  const whole = height - TOP - BOTTOM - WARNING * 2
  const roomOf = (page: number, at: number) => whole - (at > 0 ? 0 : page === 0 ? HEADER : PAGE_HEAD)
  const attempt = (perPoint: number) => fill(piecesOf(paper, columnWidth, whole - HEADER - HEADING - AIR * 2, perPoint), columns, roomOf)
  const pagesOf = (filled: readonly Column[]) => Math.ceil(filled.length / columns)
  const fair = pagesOf(attempt(COMFORTABLE))
  const aim = Math.max(fair > MOST_PAGES ? MOST_PAGES : fair, 1)
  const filled = PER_POINT.map(attempt).find((one) => pagesOf(one) <= aim) ?? attempt(PER_POINT.at(-1) ?? 2)
  const drafts = Array.from({ length: pagesOf(filled) }, (_, at) => blankPage(at + 1))
  drafts.forEach((page, at) => {
    const box = { x: SIDE, y: TOP + WARNING, w: columnWidth, h: at === 0 ? HEADER : PAGE_HEAD }
    if (at === 0) drawHeader(page, { ...box, y: TOP }, paper.name, options)
    else drawPageHead(page, box, paper.name, options)
    page.texts.push({ x: 20, y: height - 14, w: width / 2 - 30, h: 6, text: `${paper.name}　答题卡`.slice(0, 40), size: 8, align: 'left' })
    page.texts.push({ x: width / 2 + 10, y: height - 14, w: width / 2 - 30, h: 6, text: `第 ${at + 1} 页（共 ${drafts.length} 页）`, size: 8, align: 'right' })
  })
  for (const [index, column] of filled.entries()) {
    const page = drafts[column.page]
    if (!page) continue
    const x = SIDE + column.at * (columnWidth + GAP)
    const begin = TOP + WARNING + (whole - column.room)
    const warn = (y: number) => page.texts.push({ x, y, w: columnWidth, h: WARNING, text: '请在各题目的答题区域内作答，超出边框的答案无效', size: 8, align: 'center', bold: true })
    if (column.at > 0) warn(TOP - 1)
    warn(TOP + WARNING + whole)
    const left = Math.max(column.room - column.used, 0)
    const flexible = column.pieces.reduce((sum, { stretch }) => sum + stretch, 0)
    const growth = flexible === 0 ? 0 : Math.min(left / flexible, index === filled.length - 1 ? MOST_GROWTH - 1 : 4)
    let y = begin
    for (const piece of column.pieces) {
      const h = piece.height + piece.stretch * growth
      piece.draw(page, { x, y, w: columnWidth, h })
      y += h + AIR
    }
  }
  return { sheet: sheet.value, width, height, person: options.person, digits: options.digits, pages: drafts.map((page) => rounded(page)) }
}

/** Hundredths of a millimetre: what is stored stays small. */
function rounded(page: Draft): CardPage {
  return JSON.parse(JSON.stringify(page, (_key, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value))) as CardPage
}
