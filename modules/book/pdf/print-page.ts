/** What is written on a page that is to be printed, and where. Pure. */
import { MAX_SPOTS, newSpot, within, type Hotspot } from '../hotspot.ts'

/** Words that stand in one line, in shares of the page. */
export interface Line {
  readonly t: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** 12. 12、 12． (12) at the beginning of a line; not the 3 of 3.14. */
const NUMBER = /^[（(]?(\d{1,3})(?:[.．](?!\d)|[、)）])/

/** Number of the question that begins with a line. */
export const numberOf = (text: string): string | undefined => NUMBER.exec(text.trim())?.[1]

/** Share of the page that is left around what is read of a question. */
const MARGIN = 0.008
/** Questions begin at one edge of their column, give or take so much of the page. */
const EDGE = 0.03

/** The number that is printed on a page: alone in a line at its head or foot. */
export function printedNo(lines: readonly Line[]): number | undefined {
  const alone = lines.filter(({ y, h, t }) => (y < 0.08 || y + h > 0.92) && /^[-–—·\s]*(?:第\s*)?\d{1,3}(?:\s*页)?[-–—·\s]*$/.test(t))
  const found = /\d+/.exec(alone.at(-1)?.t ?? '')?.[0]
  return found === undefined ? undefined : Number(found)
}

/** Proposes places: each question from its number to the next one of its column. */
export function proposeSpots(lines: readonly Line[]): Hotspot[] {
  const starts = lines.flatMap((line) => {
    const no = numberOf(line.t)
    return no === undefined ? [] : [{ line, no }]
  })
  const edges: number[] = []
  for (const { line } of starts) if (!edges.some((edge) => Math.abs(edge - line.x) < EDGE)) edges.push(line.x)
  edges.sort((a, b) => a - b)
  // Numbers of parts stand further in: an edge is a column where nothing begins a little before it.
  const columns = edges.filter((edge, at) => at === 0 || edge - (edges[at - 1] ?? 0) > 0.25)
  return columns.flatMap((edge, at) => {
    const next = columns[at + 1] ?? 1
    const body = lines.filter(({ x, y, h }) => x >= edge - EDGE && x < next - EDGE && y > 0.04 && y + h < 0.96)
    const own = starts.filter(({ line }) => Math.abs(line.x - edge) < EDGE).sort((a, b) => a.line.y - b.line.y)
    return own.map(({ line, no }, place) => {
      const end = own[place + 1]?.line.y ?? 2
      const text = body.filter(({ y }) => y >= line.y - line.h / 2 && y < end - line.h / 2)
      const [right, bottom] = [Math.max(...text.map(({ x, w }) => x + w), line.x + line.w), Math.max(...text.map(({ y, h }) => y + h), line.y + line.h)]
      return { ...newSpot(within({ x: line.x - MARGIN, y: line.y - MARGIN, w: right - line.x + 2 * MARGIN, h: bottom - line.y + 2 * MARGIN })), no }
    })
  }).slice(0, MAX_SPOTS)
}
