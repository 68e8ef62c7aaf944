/** How large a code is on paper, and how much white is around it. Pure. */

interface Point { readonly x: number; readonly y: number }
interface Corners { readonly topLeft: Point; readonly topRight: Point; readonly bottomLeft: Point; readonly bottomRight: Point }
interface Picture { readonly data: ArrayLike<number>; readonly width: number; readonly height: number }

/** White that scanners ask for around a code, in modules. */
export const QUIET = 4
/** Darker than this is ink. */
const INK = 128
/** Steps of a module in which ink is looked for. */
const STEPS = 4

const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

/** Side of a code with its quiet zone, in dots: what is given to printers. @param modules of the code alone */
export function sideOf({ topLeft, topRight, bottomLeft }: Corners, modules: number): number {
  // Corners are the middles of the dots there: one dot belongs to the side.
  const side = (apart(topLeft, topRight) + apart(topLeft, bottomLeft)) / 2 + 1
  return (side * (modules + 2 * QUIET)) / modules
}

/** White around a code on its narrowest side, in modules, as far as it matters. */
export function quietZone({ data, width, height }: Picture, { topLeft, topRight, bottomLeft, bottomRight }: Corners, modules: number): number {
  const dark = ({ x, y }: Point) => {
    const [column, row] = [Math.round(x), Math.round(y)]
    // Beyond the edge of the paper is the trim.
    if (column < 0 || row < 0 || column >= width || row >= height) return true
    const at = (row * width + column) * 4
    return ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3 < INK
  }
  const sides: [Point, Point, Point][] = [[topLeft, topRight, bottomLeft], [bottomLeft, bottomRight, topLeft], [topLeft, bottomLeft, topRight], [topRight, bottomRight, topLeft]]
  let least = QUIET
  for (const [from, to, inner] of sides) {
    const module = apart(from, to) / modules
    const [dx, dy] = [(from.x - inner.x) / apart(from, inner), (from.y - inner.y) / apart(from, inner)]
    for (let share = 0; share <= 1; share += 1 / modules) {
      // A module is two or three dots: what is near either end may be the blur of what stands there.
      for (let step = STEPS + 1; step < QUIET * STEPS - 1; step++) {
        const out = (step / STEPS) * module
        if (!dark({ x: from.x + (to.x - from.x) * share + dx * out, y: from.y + (to.y - from.y) * share + dy * out })) continue
        least = Math.min(least, step / STEPS)
        break
      }
    }
  }
  return least
}
