/** Regions of a page at which learners point, in shares of the page: a picture of another size moves none. Pure. */
import * as z from 'zod/mini'

/** Most regions of a page, and the longest recording of one, in seconds. */
export const MOST_REGIONS = 120
const LONGEST = 3600

const share = z.number('位置应为数字').check(z.gte(0, '区域超出页面'), z.lte(1, '区域超出页面'))
const second = z.nullable(z.number('时间应为数字').check(z.gte(0, '时间不能为负'), z.lte(LONGEST, '时间有误')))

const region = z.object({
  key: z.string('编号不正确').check(z.regex(/^[\w-]{1,24}$/, '编号不正确')),
  x: share, y: share, w: share, h: share,
  text: z.string('文字有误').check(z.trim(), z.maxLength(200, '文字最多 200 个字符')),
  from: second, to: second,
}).check(z.refine(({ x, y, w, h }) => x + w <= 1.0001 && y + h <= 1.0001, '区域超出页面'), z.refine(({ from, to }) => from === null || to === null || to > from, '结束时间应晚于开始时间'))

export const regionsSchema = z.array(region, '区域应为列表').check(z.maxLength(MOST_REGIONS, `最多 ${MOST_REGIONS} 个区域`))

export type Region = z.infer<typeof region>

/** Smallest side of a region: a finger has to meet it. */
const LEAST = 0.01

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const round = (value: number) => Math.round(value * 10_000) / 10_000

/** A region moved by shares of the page, not beyond its edges. */
export const moved = (one: Region, dx: number, dy: number): Region => ({ ...one, x: round(clamp(one.x + dx, 0, 1 - one.w)), y: round(clamp(one.y + dy, 0, 1 - one.h)) })

/** A region whose lower right corner was moved. */
export const resized = (one: Region, dw: number, dh: number): Region => ({ ...one, w: round(clamp(one.w + dw, LEAST, 1 - one.x)), h: round(clamp(one.h + dh, LEAST, 1 - one.y)) })

/** The region between two points, whichever way it was drawn; undefined where it is too small to be meant. */
export function between(key: string, from: { x: number; y: number }, to: { x: number; y: number }): Region | undefined {
  const [x, y] = [clamp(Math.min(from.x, to.x), 0, 1), clamp(Math.min(from.y, to.y), 0, 1)]
  const [w, h] = [clamp(Math.abs(from.x - to.x), 0, 1 - x), clamp(Math.abs(from.y - to.y), 0, 1 - y)]
  return w < LEAST || h < LEAST ? undefined : { key, x: round(x), y: round(y), w: round(w), h: round(h), text: '', from: null, to: null }
}

/** Whether a region says nothing when it is pointed at. */
export const isSilent = ({ from, to }: Region): boolean => from === null || to === null

/** Regions that lie over each other by more than a tenth of the smaller one. */
export function overlapping(regions: readonly Region[]): readonly (readonly [string, string])[] {
  return regions.flatMap((a, at) => regions.slice(at + 1).flatMap((b) => {
    const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
    const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
    return w > 0 && h > 0 && w * h > 0.1 * Math.min(a.w * a.h, b.w * b.h) ? [[a.key, b.key] as const] : []
  }))
}

/** The next region that has no sound, behind the chosen one. */
export function nextSilent(regions: readonly Region[], chosen: string | undefined): string | undefined {
  const at = regions.findIndex(({ key }) => key === chosen)
  return [...regions.slice(at + 1), ...regions.slice(0, at + 1)].find(isSilent)?.key
}
