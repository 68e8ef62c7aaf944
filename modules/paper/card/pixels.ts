/** A picture in greys, and the dark spots on it. */
import type { Point } from './geometry.ts'

export interface Grey {
  readonly width: number
  readonly height: number
  /** A byte for each pixel, row by row: 0 is black. */
  readonly data: Uint8Array
}

/** Grey between pixels; outside of the picture it is white. */
export function sampleGrey({ width, height, data }: Grey, { x, y }: Point): number {
  const [fx, fy] = [x - 0.5, y - 0.5]
  const [left, top] = [Math.floor(fx), Math.floor(fy)]
  const at = (column: number, row: number) => (column < 0 || row < 0 || column >= width || row >= height ? 255 : (data[row * width + column] ?? 255))
  const [dx, dy] = [fx - left, fy - top]
  return (at(left, top) * (1 - dx) + at(left + 1, top) * dx) * (1 - dy) + (at(left, top + 1) * (1 - dx) + at(left + 1, top + 1) * dx) * dy
}

/** A dark spot of a picture. */
export interface Spot extends Point {
  /** Pixels. */
  readonly area: number
  /** 1 for a square, whichever way it is turned; more for what is long, hollow or ragged. */
  readonly spread: number
}

/** Darker than this share of what is around it, a pixel belongs to a spot. */
const DARK = 0.72

/** Marks pixels that are darker than their surroundings, so that a shadow over the page does not matter. */
function darkPixels({ width, height, data }: Grey): Uint8Array {
  const reach = Math.max(8, Math.round(Math.max(width, height) / 26))
  const stride = width + 1
  const sums = new Float64Array(stride * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += data[y * width + x] ?? 0
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row
    }
  }
  const dark = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)]
      const sum = (sums[bottom * stride + right] ?? 0) - (sums[top * stride + right] ?? 0) - (sums[bottom * stride + left] ?? 0) + (sums[top * stride + left] ?? 0)
      if ((data[y * width + x] ?? 255) < (DARK * sum) / ((bottom - top) * (right - left))) dark[y * width + x] = 1
    }
  }
  return dark
}

/** Finds the spots of a picture that are about square and of a size that locating marks may have. */
export function findSpots(image: Grey, smallest: number, largest: number): Spot[] {
  const { width, height } = image
  const dark = darkPixels(image)
  const spots: Spot[] = []
  const stack = new Int32Array(width * height)
  for (let start = 0; start < dark.length; start++) {
    if (dark[start] !== 1) continue
    let [depth, area, sx, sy, sxx, syy] = [1, 0, 0, 0, 0, 0]
    stack[0] = start
    dark[start] = 2
    while (depth > 0) {
      const at = stack[--depth] ?? 0
      const [x, y] = [at % width, Math.floor(at / width)]
      area++
      sx += x
      sy += y
      sxx += x * x
      syy += y * y
      if (x > 0 && dark[at - 1] === 1) { dark[at - 1] = 2; stack[depth++] = at - 1 }
      if (x < width - 1 && dark[at + 1] === 1) { dark[at + 1] = 2; stack[depth++] = at + 1 }
      if (y > 0 && dark[at - width] === 1) { dark[at - width] = 2; stack[depth++] = at - width }
      if (y < height - 1 && dark[at + width] === 1) { dark[at + width] = 2; stack[depth++] = at + width }
    }
    if (area < smallest * smallest || area > largest * largest) continue
    const spread = ((sxx - (sx * sx) / area + syy - (sy * sy) / area) * 6) / (area * area)
    spots.push({ x: sx / area + 0.5, y: sy / area + 0.5, area, spread })
  }
  return spots
}
