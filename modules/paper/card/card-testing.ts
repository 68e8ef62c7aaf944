/** Makes pictures of filled-in cards for the tests of the reader: a rasterizer of the geometry, and everything that happens to paper. */
import { codeCells, encodePage, pageMarks, type Box, type Bubble, type CardPage } from './geometry.ts'
import { findHomography, project, type Homography } from './homography.ts'
import type { CardLayout } from './layout.ts'
import type { Grey } from './pixels.ts'
import { sampleGrey } from './pixels.ts'

/** Numbers between 0 and 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** What was done at a place by pencil: how dark, 0 to 1, and how much of it is covered. */
export interface Stroke {
  readonly bubble: Bubble
  readonly strength: number
  readonly cover: number
  /** From where it should be, in millimetres. */
  readonly off: number
}

/** Fills in places by pencil. */
export function drawStrokes({ width, height, data }: Grey, strokes: readonly Stroke[], scale: number, random: () => number): Grey {
  const dot = (x: number, y: number, grey: number) => {
    const at = y * width + x
    if (x >= 0 && y >= 0 && x < width && y < height) data[at] = Math.min(data[at] ?? 255, Math.round(grey))
  }
  for (const { bubble, strength, cover, off } of strokes) {
    const angle = random() * Math.PI * 2
    const [dx, dy] = [Math.cos(angle) * off, Math.sin(angle) * off * 0.6]
    const w = bubble.w * (0.8 + 0.25 * cover)
    const h = bubble.h * (0.7 + 0.35 * cover)
    const [left, top] = [bubble.x + bubble.w / 2 - w / 2 + dx, bubble.y + bubble.h / 2 - h / 2 + dy]
    const phase = random() * 6
    for (let y = Math.round(top * scale); y < (top + h) * scale; y++) {
      for (let x = Math.round(left * scale); x < (left + w) * scale; x++) {
        // Strokes go slantwise; between them the paper shines through.
        const hatch = 0.5 + 0.5 * Math.sin((x + y * 0.8) / scale * 9 + phase)
        if (hatch <= cover + 0.02) dot(x, y, 250 * (1 - strength * (0.85 + 0.3 * random())))
      }
    }
  }
  return { width, height, data }
}

/** Draws a page as a printer would, in pixels of so many to the millimetre. */
export function drawCard(layout: Pick<CardLayout, 'width' | 'height'>, page: CardPage, code: number, format: number, strokes: readonly Stroke[], scale: number, random: () => number): Grey {
  const [width, height] = [Math.round(layout.width * scale), Math.round(layout.height * scale)]
  const data = new Uint8Array(width * height).fill(250)
  const dot = (x: number, y: number, grey: number, cover = 1) => {
    const at = Math.floor(y) * width + Math.floor(x)
    if (x >= 0 && y >= 0 && x < width && y < height) data[at] = Math.min(data[at] ?? 255, Math.round((data[at] ?? 255) * (1 - cover) + grey * cover))
  }
  const fill = (box: Box, grey: number) => {
    for (let y = Math.round(box.y * scale); y < (box.y + box.h) * scale; y++) for (let x = Math.round(box.x * scale); x < (box.x + box.w) * scale; x++) dot(x, y, grey)
  }
  const frame = ({ x, y, w, h }: Box, grey: number, thick: number) => {
    fill({ x, y, w, h: thick }, grey)
    fill({ x, y: y + h - thick, w, h: thick }, grey)
    fill({ x, y, w: thick, h }, grey)
    fill({ x: x + w - thick, y, w: thick, h }, grey)
  }
  for (const { x, y, side } of pageMarks(layout)) fill({ x: x - side / 2, y: y - side / 2, w: side, h: side }, 15)
  const bits = encodePage({ card: code, page: page.no, format })
  codeCells(layout.width).forEach((cell, at) => { if (bits[at]) fill(cell, 15) })
  for (const box of page.frames) frame(box, 60, 0.25)
  for (const [from, to] of page.lines) fill({ x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), w: Math.max(Math.abs(to.x - from.x), 0.2), h: Math.max(Math.abs(to.y - from.y), 0.2) }, 70)
  for (const box of page.solids) fill(box, 15)
  // Words: as much ink as they have, at random.
  for (const { x, y, w, h, text, align, size } of page.texts) {
    const wide = Math.min(text.length * size * 0.35, w)
    const left = align === 'left' ? x : align === 'right' ? x + w - wide : x + (w - wide) / 2
    const count = wide * size * 0.35 * scale * scale * 0.3
    for (let at = 0; at < count; at++) dot((left + random() * wide) * scale, (y + h / 2 + (random() - 0.5) * size * 0.3) * scale, 40)
  }
  for (const bubble of page.bubbles) {
    frame(bubble, 110, 0.18)
    // A letter is printed pale, in the middle; each has its own ink.
    const ink = 0.1 + (((bubble.value.codePointAt(0) ?? 0) * 7) % 5) * 0.025
    const [w, h] = [1.5, 1.8]
    const count = w * h * scale * scale * ink * 4
    for (let at = 0; at < count; at++) dot((bubble.x + bubble.w / 2 + (random() - 0.5) * w) * scale, (bubble.y + bubble.h / 2 + (random() - 0.5) * h) * scale, 140)
  }
  return drawStrokes({ width, height, data }, strokes, scale, random)
}

/** What happens to a page until it is pixels again. */
export interface Damage {
  /** Degrees. */
  readonly turn: number
  /** How far the corners are drawn from a rectangle, as a share of the page. */
  readonly perspective: number
  readonly scale: number
  /** Pixels. */
  readonly blur: number
  readonly noise: number
  /** How much darker the darkest edge is, 0 to 1. */
  readonly shade: number
  /** Grey of what lies around the page. */
  readonly ground: number
}

const gauss = (random: () => number) => random() + random() + random() - 1.5

/** A blur by two passes of means. */
function soften({ width, height, data }: Grey, radius: number): Grey {
  if (radius < 0.3) return { width, height, data }
  const weights = [-2, -1, 0, 1, 2].map((at) => Math.exp(-(at * at) / (2 * radius * radius)))
  const sum = weights.reduce((a, b) => a + b)
  const pass = (source: Uint8Array, step: number, limit: (at: number) => number) => source.map((_value, at) => {
    let total = 0
    for (let k = -2; k <= 2; k++) total += (weights[k + 2] ?? 0) * (source[Math.min(Math.max(at + k * step, 0), limit(at))] ?? 255)
    return total / sum
  })
  const across = pass(data, 1, () => data.length - 1)
  return { width, height, data: pass(across, width, () => data.length - 1) }
}

/** Puts a page through a scanner or before a telephone. */
export function damage(page: Grey, { turn, perspective, scale, blur, noise, shade, ground }: Damage, random: () => number): Grey {
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [w, h] = [page.width * scale, page.height * scale]
  const raw = [[0, 0], [w, 0], [w, h], [0, h]].map(([x = 0, y = 0]) => {
    const [px, py] = [x + gauss(random) * perspective * w, y + gauss(random) * perspective * h]
    return { x: px * cos - py * sin, y: px * sin + py * cos }
  })
  const margin = ground < 200 ? 0.04 * Math.max(w, h) : 4
  const [left, top] = [Math.min(...raw.map(({ x }) => x)) - margin, Math.min(...raw.map(({ y }) => y)) - margin]
  const placed = raw.map(({ x, y }) => ({ x: x - left, y: y - top }))
  const [width, height] = [Math.ceil(Math.max(...placed.map(({ x }) => x)) + margin), Math.ceil(Math.max(...placed.map(({ y }) => y)) + margin)]
  const source = [{ x: 0, y: 0 }, { x: page.width, y: 0 }, { x: page.width, y: page.height }, { x: 0, y: page.height }]
  const back = findHomography(placed.map((to, at) => [to, source[at] ?? to] as const)) as Homography
  const data = new Uint8Array(width * height)
  const light = random() * Math.PI * 2
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = project(back, { x: x + 0.5, y: y + 0.5 })
      const inside = at.x >= 0 && at.y >= 0 && at.x < page.width && at.y < page.height
      const grey = inside ? sampleGrey(page, at) : ground
      const slope = ((x / width - 0.5) * Math.cos(light) + (y / height - 0.5) * Math.sin(light)) / 0.7071 + 0.5
      data[y * width + x] = Math.min(255, Math.max(0, grey * (1 - shade * slope)))
    }
  }
  const soft = soften({ width, height, data }, blur)
  return { ...soft, data: soft.data.map((grey) => Math.min(255, Math.max(0, Math.round(grey + gauss(random) * noise * 2)))) }
}
