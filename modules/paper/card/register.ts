/** Finds a page on a picture by its marks, whichever way it lies. Pure. */
import { codeCells, cornerMarks, CORNER_SIDE, decodePage, PAGE_FORMATS, pageMarks, type Box, type PageCode, type Point } from './geometry.ts'
import { findHomography, project, type Homography } from './homography.ts'
import { findSpots, sampleGrey, type Grey, type Spot } from './pixels.ts'

export interface Registered extends PageCode {
  readonly map: Homography
  /** Grey of print beside that of paper, 0 to 1. */
  readonly black: number
  /** How far the marks lie from where they should, in millimetres; bent paper has more. */
  readonly error: number
}

/** A page fills at least this share of its picture's longer side. */
const LEAST_SHARE = 0.38
/** How much a spot may differ from a square: perspective, blur and dirt. */
const SPREAD = { least: 0.93, most: 1.25 }
/** Spots of which corners are tried, the largest first. */
const TRIED = 16
/** How far from where it is expected a mark is looked for, in millimetres. */
const NEAR = 3
/** A black cell is at most so bright beside the paper, and a white one at least. */
const BLACK_CELL = 0.62
const WHITE_CELL = 0.7

const cross = (a: Point, b: Point, c: Point) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

/** Four points in clockwise order on the screen, when each is a corner. */
function corners(points: readonly Spot[]): Spot[] | undefined {
  const middle = { x: points.reduce((sum, { x }) => sum + x, 0) / 4, y: points.reduce((sum, { y }) => sum + y, 0) / 4 }
  const ordered = [...points].sort((a, b) => Math.atan2(a.y - middle.y, a.x - middle.x) - Math.atan2(b.y - middle.y, b.x - middle.x))
  const turns = ordered.map((point, at) => cross(point, ordered[(at + 1) % 4] ?? point, ordered[(at + 2) % 4] ?? point))
  return turns.every((turn) => turn > 0) ? ordered : undefined
}

const areaOf = (points: readonly Point[]): number => Math.abs(points.reduce((sum, point, at) => {
  const next = points[(at + 1) % points.length] ?? point
  return sum + point.x * next.y - next.x * point.y
}, 0)) / 2

/** All choices of four. */
function* fours<T>(all: readonly T[]): Generator<T[]> {
  for (let a = 0; a < all.length; a++) for (let b = a + 1; b < all.length; b++) for (let c = b + 1; c < all.length; c++) for (let d = c + 1; d < all.length; d++) yield [all[a], all[b], all[c], all[d]] as T[]
}

/** Mean grey of the middle of a box. */
function greyOf(image: Grey, map: Homography, { x, y, w, h }: Box): number {
  let sum = 0
  for (let row = 0; row < 3; row++) for (let column = 0; column < 3; column++) sum += sampleGrey(image, project(map, { x: x + w * (0.3 + 0.2 * column), y: y + h * (0.3 + 0.2 * row) }))
  return sum / 9
}

/** Reads the page marks under a projection. */
function readCode(image: Grey, map: Homography, width: number): PageCode | undefined {
  const cells = codeCells(width)
  const bits: number[] = []
  for (const cell of cells) {
    // The paper above and below the two rows, at the same place: a shadow falls on both.
    const paper = Math.max(greyOf(image, map, { ...cell, y: 4.6, h: 1.6 }), greyOf(image, map, { ...cell, y: 14.2, h: 1.6 }), 1)
    const share = greyOf(image, map, cell) / paper
    if (share > BLACK_CELL && share < WHITE_CELL) return undefined
    bits.push(share <= BLACK_CELL ? 1 : 0)
  }
  return decodePage(bits)
}

/** Fits the projection to all marks that are there. */
function refine(spots: readonly Spot[], first: Homography, size: { width: number; height: number }): { map: Homography; error: number } {
  const scale = Math.hypot(project(first, { x: size.width / 2 + 5, y: size.height / 2 }).x - project(first, { x: size.width / 2 - 5, y: size.height / 2 }).x, project(first, { x: size.width / 2 + 5, y: size.height / 2 }).y - project(first, { x: size.width / 2 - 5, y: size.height / 2 }).y) / 10
  const pairs = pageMarks(size).flatMap((mark): (readonly [Point, Point])[] => {
    const place = project(first, mark)
    const near = spots.filter((spot) => Math.hypot(spot.x - place.x, spot.y - place.y) < NEAR * scale).sort((a, b) => Math.hypot(a.x - place.x, a.y - place.y) - Math.hypot(b.x - place.x, b.y - place.y))[0]
    return near ? [[mark, near]] : []
  })
  const map = (pairs.length >= 4 && findHomography(pairs)) || first
  const error = Math.max(...pairs.map(([mark, spot]) => {
    const place = project(map, mark)
    return Math.hypot(place.x - spot.x, place.y - spot.y) / scale
  }), 0)
  return { map, error }
}

/** Grey of the corner marks beside the paper around them. */
function blackness(image: Grey, map: Homography, size: { width: number; height: number }): number {
  const shares = cornerMarks(size).map(({ x, y }) => {
    const black = greyOf(image, map, { x: x - CORNER_SIDE / 2, y: y - CORNER_SIDE / 2, w: CORNER_SIDE, h: CORNER_SIDE })
    // Towards the middle of the page there is paper for certain.
    const inward = { x: x + (x < size.width / 2 ? 1 : -1) * (CORNER_SIDE / 2 + 2), y }
    return black / Math.max(greyOf(image, map, { x: inward.x - 1, y: inward.y - 1, w: 2, h: 2 }), 1)
  }).sort((a, b) => a - b)
  return Math.min(((shares[1] ?? 0) + (shares[2] ?? 0)) / 2, 0.8)
}

/**
 * Finds the page on a picture.
 * @returns which page it is and where everything of it lies; undefined when its marks are not all there
 */
export function registerPage(image: Grey): Registered | undefined {
  const long = Math.max(image.width, image.height)
  const spots = findSpots(image, (CORNER_SIDE * 0.6 * LEAST_SHARE * long) / 420, (CORNER_SIDE * 1.7 * long) / 297).filter(({ spread }) => spread > SPREAD.least && spread < SPREAD.most)
  const tried = [...spots].sort((a, b) => b.area - a.area).slice(0, TRIED)
  const frames = [...fours(tried)].flatMap((four) => {
    const areas = four.map(({ area }) => area)
    if (Math.max(...areas) > Math.min(...areas) * 3) return []
    const ordered = corners(four)
    return ordered ? [{ ordered, area: areaOf(ordered) }] : []
  }).sort((a, b) => b.area - a.area)
  for (const { ordered } of frames) {
    for (const [format, size] of PAGE_FORMATS) {
      const marks = cornerMarks(size)
      for (let turn = 0; turn < 4; turn++) {
        const map = findHomography(marks.map((mark, at) => [mark, ordered[(at + turn) % 4] ?? mark] as const))
        const code = map && readCode(image, map, size.width)
        if (code?.format === format) return { ...code, ...refined(image, spots, map as Homography, size) }
      }
    }
  }
  return undefined
}

function refined(image: Grey, spots: readonly Spot[], first: Homography, size: { width: number; height: number }): Pick<Registered, 'map' | 'error' | 'black'> {
  const { map, error } = refine(spots, first, size)
  return { map, error, black: blackness(image, map, size) }
}
