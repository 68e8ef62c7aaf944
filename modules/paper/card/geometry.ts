/** Where things stand on a printed answer card, in millimetres from the upper left corner of the page. */

export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A place to fill in by pencil. */
export interface Bubble extends Box {
  /** What it belongs to: a digit of the number, the mark of who did not come, the last digits on further pages, or a question. */
  readonly field: 'number' | 'absent' | 'check' | 'choice'
  /** Place of the digit, or of the question among those of the card. */
  readonly index: number
  /** Letter or digit that it stands for. */
  readonly value: string
}

/** Where a question is answered in words. */
export interface Area extends Box {
  readonly question: number
}

export interface CardText extends Box {
  readonly text: string
  /** Size in points. */
  readonly size: number
  readonly align: 'left' | 'center' | 'right'
  readonly bold?: boolean
}

export interface CardPage {
  readonly no: number
  readonly frames: readonly (Box & { readonly dashed?: boolean; readonly thick?: boolean })[]
  readonly lines: readonly (readonly [from: Point, to: Point])[]
  readonly texts: readonly CardText[]
  readonly bubbles: readonly Bubble[]
  readonly areas: readonly Area[]
  /** Printed black: the example of what is filled in well. */
  readonly solids: readonly Box[]
  /** Where the number stands or the barcode is stuck. */
  readonly person: Box | null
}

/** Sheets on which cards are printed. `format` stands in the page marks, because a reader knows nothing before it has read them. */
export const CARD_SHEETS = [
  { value: 'a4', label: 'A4 一栏', width: 210, height: 297, columns: 1, format: 1 },
  { value: 'a3', label: 'A3 两栏', width: 420, height: 297, columns: 2, format: 2 },
  { value: 'a3x3', label: 'A3 三栏', width: 420, height: 297, columns: 3, format: 2 },
] as const
export type CardSheet = (typeof CARD_SHEETS)[number]

/** Size of a page by the format that its marks name. */
export const PAGE_FORMATS: ReadonlyMap<number, Readonly<{ width: number; height: number }>> = new Map(CARD_SHEETS.map(({ format, width, height }) => [format, { width, height }]))

/** From the edge of the sheet to the middle of a locating mark: printers leave about five millimetres white. */
const MARK_INSET = 10.5
/** Sides of a mark in a corner, and of those between them. */
export const CORNER_SIDE = 5
const SIDE_SIDE = 4

interface Mark extends Point {
  readonly side: number
}

/** Middles of the four marks in the corners: upper left, upper right, lower right, lower left. */
export const cornerMarks = ({ width, height }: { width: number; height: number }): readonly [Mark, Mark, Mark, Mark] => [
  { x: MARK_INSET, y: MARK_INSET, side: CORNER_SIDE }, { x: width - MARK_INSET, y: MARK_INSET, side: CORNER_SIDE },
  { x: width - MARK_INSET, y: height - MARK_INSET, side: CORNER_SIDE }, { x: MARK_INSET, y: height - MARK_INSET, side: CORNER_SIDE },
]
/** All locating marks of a page. */
export const pageMarks = ({ width, height }: { width: number; height: number }): readonly Mark[] => [
  ...cornerMarks({ width, height }),
  { x: MARK_INSET, y: height / 2, side: SIDE_SIDE }, { x: width - MARK_INSET, y: height / 2, side: SIDE_SIDE }, { x: width / 2, y: height - MARK_INSET, side: SIDE_SIDE },
]

/** Cells of the page marks: two rows between the upper corners. */
const CODE_ROW = 24
const CODE_BITS = CODE_ROW * 2
const CODE_CELL = { w: 2.2, h: 2.2, pitch: 3 }

/** Places of the cells of the page marks, bit by bit. */
export function codeCells(width: number): Box[] {
  const left = width / 2 - (CODE_ROW * CODE_CELL.pitch) / 2
  return Array.from({ length: CODE_BITS }, (_, bit) => ({
    x: left + (bit % CODE_ROW) * CODE_CELL.pitch + (CODE_CELL.pitch - CODE_CELL.w) / 2, y: 7.6 + Math.floor(bit / CODE_ROW) * 3, w: CODE_CELL.w, h: CODE_CELL.h,
  }))
}

/** What the page marks say: which card as it was printed, which page of it, and on what sheet. */
export interface PageCode {
  /** Below 2²⁴. */
  readonly card: number
  /** 1 to 15. */
  readonly page: number
  readonly format: number
}

/** CRC-16/CCITT-FALSE of bits. */
function checksum(bits: readonly number[]): number {
  let crc = 0xffff
  for (const bit of bits) {
    const top = ((crc >> 15) & 1) ^ bit
    crc = (crc << 1) & 0xffff
    if (top) crc ^= 0x1021
  }
  return crc
}

const toBits = (value: number, count: number) => Array.from({ length: count }, (_, at) => Math.floor(value / 2 ** (count - 1 - at)) % 2)
const fromBits = (bits: readonly number[]) => bits.reduce((value, bit) => value * 2 + bit, 0)

/** The page marks as bits, 1 for black: 24 for the card, 4 for the page, 4 for the sheet, 16 to check them. */
export function encodePage({ card, page, format }: PageCode): number[] {
  const bits = [...toBits(card, 24), ...toBits(page, 4), ...toBits(format, 4)]
  return [...bits, ...toBits(checksum(bits), 16)]
}

/** @returns what page marks say; undefined when they do not check */
export function decodePage(bits: readonly number[]): PageCode | undefined {
  const [body, check] = [bits.slice(0, 32), bits.slice(32)]
  if (bits.length !== CODE_BITS || checksum(body) !== fromBits(check)) return undefined
  return { card: fromBits(body.slice(0, 24)), page: fromBits(body.slice(24, 28)), format: fromBits(body.slice(28)) }
}
