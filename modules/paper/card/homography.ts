/** Plane projections: from millimetres of a page to pixels of its picture. */
import type { Point } from './geometry.ts'

/** Rows of a 3 × 3 matrix, the last number is 1. */
export type Homography = readonly [number, number, number, number, number, number, number, number]

export function project([a, b, c, d, e, f, g, h]: Homography, { x, y }: Point): Point {
  const depth = g * x + h * y + 1
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth }
}

/** Solves a system of linear equations by elimination with pivots; undefined when it has no single answer. */
function solve(rows: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const n = right.length
  const m = rows.map((row, at) => [...row, right[at] ?? 0])
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column + 1; row < n; row++) if (Math.abs(m[row]?.[column] ?? 0) > Math.abs(m[pivot]?.[column] ?? 0)) pivot = row
    const [one, other] = [m[pivot], m[column]]
    if (!one || !other || Math.abs(one[column] ?? 0) < 1e-12) return undefined
    m[column] = one
    if (pivot !== column) m[pivot] = other
    for (let row = 0; row < n; row++) {
      const own = m[row]
      if (row === column || !own) continue
      const factor = (own[column] ?? 0) / (one[column] ?? 1)
      for (let at = column; at <= n; at++) own[at] = (own[at] ?? 0) - factor * (one[at] ?? 0)
    }
  }
  return m.map((row, at) => (row[n] ?? 0) / (row[at] ?? 1))
}

/**
 * The projection that takes points nearest to others, by least squares.
 * @param pairs at least four of which no three are in line
 */
export function findHomography(pairs: readonly (readonly [from: Point, to: Point])[]): Homography | undefined {
  // Numbers of like size keep the equations well posed.
  const scale = Math.max(...pairs.map(([from]) => Math.max(from.x, from.y)), 1)
  const size = Math.max(...pairs.map(([, to]) => Math.max(to.x, to.y)), 1)
  const normal = Array.from({ length: 8 }, () => Array.from({ length: 8 }, () => 0))
  const right = Array.from({ length: 8 }, () => 0)
  const add = (row: readonly number[], value: number) => row.forEach((left, at) => {
    const own = normal[at]
    if (!own) return
    row.forEach((other, column) => { own[column] = (own[column] ?? 0) + left * other })
    right[at] = (right[at] ?? 0) + left * value
  })
  for (const [from, to] of pairs) {
    const [x, y, u, v] = [from.x / scale, from.y / scale, to.x / size, to.y / size]
    add([x, y, 1, 0, 0, 0, -u * x, -u * y], u)
    add([0, 0, 0, x, y, 1, -v * x, -v * y], v)
  }
  const found = solve(normal, right)
  if (!found) return undefined
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = found
  return [(a * size) / scale, (b * size) / scale, c * size, (d * size) / scale, (e * size) / scale, f * size, g / scale, h / scale]
}
