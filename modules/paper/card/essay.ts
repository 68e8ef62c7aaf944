/** What an essay is written on: squares for Chinese, lines for English. */
import type { SlotOf } from '../print/slots.ts'
import type { Box } from './geometry.ts'
import type { Draft } from './pieces.ts'

/** A square, and from one row of them to the next. */
const SQUARE = 7
const ROW = 8.6
const LINE = 8.5
/** After so many squares their number is printed. */
const COUNTED = 100

/** How many characters there is room for: about what papers ask for, and a quarter more. */
const squaresOf = (score: number): number => (score >= 50 ? 1000 : score >= 30 ? 700 : 400)

/** Rows of an essay in a column; `columns` is 0 where there are lines instead of squares. */
export function essayRows({ essay, score }: SlotOf<'box'>, width: number): { pitch: number; columns: number; rows: number } {
  if (essay === 'ruled') return { pitch: LINE, columns: 0, rows: Math.min(Math.max(Math.round(score * 0.6), 8), 16) }
  const columns = Math.floor((width - 4) / SQUARE)
  return { pitch: ROW, columns, rows: Math.ceil(squaresOf(score) / columns) }
}

interface Rows {
  readonly from: number
  readonly to: number
  readonly columns: number
  readonly pitch: number
}

interface Ground {
  draw(page: Draft, box: Box, rows: Rows): void
}

export const ESSAY: Ground = {
  draw(page, { x, y, w }, { from, to, columns, pitch }) {
    const left = x + (w - columns * SQUARE) / 2
    for (let row = from; row < to; row++) {
      const top = y + (row - from) * pitch
      page.frames.push({ x: left, y: top, w: columns * SQUARE, h: SQUARE })
      for (let column = 1; column < columns; column++) page.lines.push([{ x: left + column * SQUARE, y: top }, { x: left + column * SQUARE, y: top + SQUARE }])
      for (let count = Math.ceil((row * columns + 1) / COUNTED) * COUNTED; count <= (row + 1) * columns; count += COUNTED) {
        page.texts.push({ x: left + (count - 1 - row * columns) * SQUARE - 3, y: top + SQUARE, w: SQUARE + 6, h: pitch - SQUARE, text: `▲${count}字`, size: 4.5, align: 'center' })
      }
    }
  },
}

export const RULED: Ground = {
  draw(page, { x, y, w }, { from, to, pitch }) {
    for (let row = from; row < to; row++) {
      const low = y + (row - from + 1) * pitch - 1
      page.lines.push([{ x: x + 4, y: low }, { x: x + w - 4, y: low }])
    }
  },
}
