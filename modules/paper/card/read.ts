/** Reads a scanned page of an answer card: grey pixels in, marks out. Pure. */
import { sampleGrey, type Grey } from './pixels.ts'
import { project, type Homography } from './homography.ts'
import type { Box, Bubble, CardPage } from './geometry.ts'

/** What a place to fill in looks like. */
export interface Reading {
  readonly bubble: Bubble
  /** How much darker than an empty one, 0 to about 1. */
  readonly ink: number
  readonly state: 'filled' | 'empty' | 'doubtful'
}

/** What one question, digit or mark came to. */
export interface Mark {
  readonly field: Bubble['field']
  readonly index: number
  /** Values that are filled in, in their order. */
  readonly values: readonly string[]
  /** 0 to 1: how far the nearest place is from being read otherwise. */
  readonly confidence: number
  readonly doubtful: boolean
}

/** Points that are looked at across and down a place; more make a finer mean. */
const ACROSS = 12
const DOWN = 7
/** The printed outline is not looked at, in millimetres. */
const OUTLINE = 0.45
/** How far around a place its paper is looked for, in millimetres. */
const AROUND = 1.1
/** How dark an empty place may be at most beyond the others of its page: its printed letter. */
const LETTER = 0.08
/** A stroke is at least this dark, and where somebody writes firmly this share of their strokes. */
const LEAST_STROKE = 0.17
const MOST_STROKE = 0.34
const SHARE_OF_STROKE = 0.42
/** Between these shares of the line a place is doubtful. */
const SURELY_EMPTY = 0.66
const SURELY_FILLED = 1.12

const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** Greys of points spread over a box. */
function greys(image: Grey, map: Homography, { x, y, w, h }: Box, across: number, down: number): number[] {
  const found: number[] = []
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) found.push(sampleGrey(image, project(map, { x: x + ((column + 0.5) * w) / across, y: y + ((row + 0.5) * h) / down })))
  }
  return found
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)

/** How dark a place is: 0 is the paper around it, 1 is print. */
function darkness(image: Grey, map: Homography, box: Box, black: number): number {
  const inner = greys(image, map, { x: box.x + OUTLINE, y: box.y + OUTLINE, w: box.w - OUTLINE * 2, h: box.h - OUTLINE * 2 }, ACROSS, DOWN)
  const ring = [
    ...greys(image, map, { x: box.x - AROUND, y: box.y - AROUND, w: box.w + AROUND * 2, h: AROUND * 0.7 }, ACROSS, 2),
    ...greys(image, map, { x: box.x - AROUND, y: box.y + box.h + AROUND * 0.3, w: box.w + AROUND * 2, h: AROUND * 0.7 }, ACROSS, 2),
  ]
  // The paper is the bright part of what is around: strokes that go over the edge do not count as paper.
  const paper = Math.max(quantile(ring, 0.75), 1)
  return mean(inner.map((grey) => (1 - Math.min(grey / paper, 1)) / Math.max(1 - black, 0.2)))
}

/**
 * Reads all places of a page.
 * @param map from millimetres of the page to pixels
 * @param black grey of print beside that of paper, 0 to 1
 */
export function readBubbles(image: Grey, page: Pick<CardPage, 'bubbles'>, map: Homography, black: number): Reading[] {
  const dark = page.bubbles.map((bubble) => ({ bubble, dark: darkness(image, map, bubble, black) }))
  if (dark.length === 0) return []
  // Most places of a page are empty, whatever somebody answers: a candidate fills one digit of ten and one letter of four.
  const empty = quantile(dark.map((one) => one.dark), 0.3)
  const letters = new Map<string, number>()
  for (const value of new Set(dark.map(({ bubble }) => bubble.value))) {
    const own = dark.filter(({ bubble }) => bubble.value === value).map((one) => one.dark)
    letters.set(value, own.length >= 5 ? Math.min(quantile(own, 0.2), empty + LETTER) : empty)
  }
  const inked = dark.map((one) => ({ bubble: one.bubble, ink: one.dark - (letters.get(one.bubble.value) ?? empty) }))
  const strokes = inked.filter(({ ink }) => ink > LEAST_STROKE)
  const line = strokes.length < 4 ? LEAST_STROKE + 0.05 : Math.min(Math.max(quantile(strokes.map(({ ink }) => ink), 0.5) * SHARE_OF_STROKE, LEAST_STROKE), MOST_STROKE)
  return inked.map(({ bubble, ink }) => ({ bubble, ink: ink / line, state: ink < line * SURELY_EMPTY ? 'empty' : ink > line * SURELY_FILLED ? 'filled' : 'doubtful' }))
}

/** How far a reading is from the line between filled and empty. */
const distance = (ink: number): number => Math.min(1, Math.abs(ink - (SURELY_EMPTY + SURELY_FILLED) / 2) / 0.6)

/**
 * What the places of each question, digit and mark say together.
 * @param several whether a question may have more than one answer
 */
export function marksOf(readings: readonly Reading[], several: (question: number) => boolean): Mark[] {
  const groups = Map.groupBy(readings, ({ bubble }) => `${bubble.field} ${bubble.index}`)
  return [...groups.values()].flatMap((group) => {
    const first = group[0]
    if (!first) return []
    const { field, index } = first.bubble
    const filled = group.filter(({ state }) => state === 'filled')
    const unsure = group.filter(({ state }) => state === 'doubtful')
    // Two answers where one is asked for: a stroke beside a much fainter one is an answer that was changed, and looked at.
    const many = filled.length > 1 && !(field === 'choice' && several(index))
    const none = filled.length === 0 && (field === 'number' || field === 'check')
    const sure = filled.length > 0 ? filled : unsure
    return [{
      field, index, values: sure.map(({ bubble }) => bubble.value), confidence: Math.min(...group.map(({ ink }) => distance(ink))),
      doubtful: unsure.length > 0 || many || none,
    }]
  })
}

/** A candidate's number as it was filled in; digits that are missing or doubled are question marks. */
export function numberOf(marks: readonly Mark[], field: 'number' | 'check' = 'number'): string {
  return marks.filter((mark) => mark.field === field).sort((a, b) => a.index - b.index).map(({ values }) => (values.length === 1 ? values[0] : '?')).join('')
}
