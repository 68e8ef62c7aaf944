/** Places of a page that lead somewhere, in shares of the page. Pure. */
import * as z from 'zod/mini'

/** What a place is for; each is a layer of the page. */
export const LAYERS = [{ value: 1, label: '题' }, { value: 2, label: '答案' }, { value: 3, label: '讲解' }, { value: 4, label: '点读' }] as const

/** What a place leads to, by the names of kinds of blocks. */
export const SPOT_KINDS = [{ value: 'practice', label: '试题' }, { value: 'micro', label: '微课' }, { value: 'video', label: '视频' }, { value: 'audio', label: '音频' }] as const

/** Most places of one page: far more than anybody can tell apart. */
export const MAX_SPOTS = 120
/** Smallest side, as a share of the page: 2 mm of an A4 page. */
export const MIN_SIDE = 0.01

/** Shares are kept with five digits: less than a pixel of the largest page. */
const DIGITS = 100_000
const round = (value: number) => Math.round(value * DIGITS) / DIGITS

const share = z.number('位置有误').check(z.gte(0, '热区不能超出页面'), z.lte(1, '热区不能超出页面'))

const spotSchema = z.object({
  key: z.string('编号不正确').check(z.regex(/^[\w-]{1,24}$/, '编号不正确')),
  x: share, y: share, w: share, h: share,
  layer: z.int('图层不正确').check(z.gte(1, '图层不正确'), z.lte(LAYERS.length, '图层不正确')),
  /** As it is printed: 12, 第 3 题(2). */
  no: z.string('题号应为文字').check(z.trim(), z.maxLength(20, '题号最多 20 个字')),
  kind: z.nullable(z.enum(SPOT_KINDS.map(({ value }) => value), '内容类型不正确')),
  ref_id: z.nullable(z.int('内容不正确').check(z.positive('内容不正确'))),
}).check(
  z.refine(({ x, y, w, h }) => x + w <= 1 + 1 / DIGITS && y + h <= 1 + 1 / DIGITS && w >= MIN_SIDE && h >= MIN_SIDE, '热区应在页面内，且不能太小'),
  z.refine(({ kind, ref_id }) => (kind === null) === (ref_id === null), '绑定的内容不完整'),
)
export type Hotspot = z.infer<typeof spotSchema>

export const spotsSchema: z.ZodMiniType<Hotspot[]> = z.array(spotSchema, '热区有误').check(
  z.maxLength(MAX_SPOTS, `一页最多 ${MAX_SPOTS} 个热区`), z.refine((list) => new Set(list.map(({ key }) => key)).size === list.length, '热区有重复，请刷新后重试'),
)

export type Box = Pick<Hotspot, 'x' | 'y' | 'w' | 'h'>

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** A box that lies inside the page and is not too small, as near as can be to what was asked for. */
export function within({ x, y, w, h }: Box): Box {
  const [width, height] = [clamp(w, MIN_SIDE, 1), clamp(h, MIN_SIDE, 1)]
  return { x: round(clamp(x, 0, 1 - width)), y: round(clamp(y, 0, 1 - height)), w: round(width), h: round(height) }
}

/** The box between two corners. */
export const between = (from: { x: number; y: number }, to: { x: number; y: number }): Box =>
  within({ x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), w: Math.abs(to.x - from.x), h: Math.abs(to.y - from.y) })

/** Moves one edge or corner of a box; `dx` 1 is the right edge, −1 the left, 0 neither. */
export function resized({ x, y, w, h }: Box, edge: { dx: -1 | 0 | 1; dy: -1 | 0 | 1 }, by: { x: number; y: number }): Box {
  const [left, top] = [edge.dx < 0 ? clamp(x + by.x, 0, x + w - MIN_SIDE) : x, edge.dy < 0 ? clamp(y + by.y, 0, y + h - MIN_SIDE) : y]
  const [right, bottom] = [edge.dx > 0 ? clamp(x + w + by.x, x + MIN_SIDE, 1) : x + w, edge.dy > 0 ? clamp(y + h + by.y, y + MIN_SIDE, 1) : y + h]
  return { x: round(left), y: round(top), w: round(right - left), h: round(bottom - top) }
}

/** A place with the values that one begins with. */
export const newSpot = (box: Box, layer = 1): Hotspot => ({ key: crypto.randomUUID().replaceAll('-', '').slice(0, 16), ...box, layer, no: '', kind: null, ref_id: null })

/** The next place behind one that leads nowhere yet, in reading order; the first again after the last. */
export function nextUnbound(spots: readonly Hotspot[], key: string | undefined): Hotspot | undefined {
  const order = [...spots].sort((a, b) => a.y - b.y || a.x - b.x)
  const at = order.findIndex((one) => one.key === key)
  return [...order.slice(at + 1), ...order.slice(0, at + 1)].find(({ ref_id }) => ref_id === null)
}

const overlaps = (a: Box, b: Box) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** What is to be looked at on a page, one sentence each, with the place that it is about. */
export function warningsOf(spots: readonly Hotspot[]): { key: string; words: string }[] {
  return spots.flatMap((spot, at) => {
    const before = spots.slice(0, at).filter(({ layer }) => layer === spot.layer)
    const name = spot.no === '' ? `第 ${at + 1} 个热区` : `「${spot.no}」`
    return [
      ...(spot.ref_id === null ? [{ key: spot.key, words: `${name}没有绑定内容` }] : []),
      ...(spot.no !== '' && before.some(({ no }) => no === spot.no) ? [{ key: spot.key, words: `题号${name}在本页重复` }] : []),
      ...(before.some((other) => overlaps(other, spot)) ? [{ key: spot.key, words: `${name}与同层的其他热区重叠` }] : []),
    ]
  })
}
