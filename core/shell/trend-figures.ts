import { formatMoney } from '../field/number.ts'
import type { TrendCard } from '../module/dashboard.ts'

/** Fen from which money is said in ten thousands of yuan. */
const WAN = 1_000_000

/** A value of a trend as a person reads it at a glance: whole numbers, or yuan, from ten thousand in 万. */
export function figure(value: number, as: TrendCard['as']): string {
  if (as === 'number') return value.toLocaleString('zh-CN')
  return Math.abs(value) < WAN ? formatMoney(value) : `¥${(value / WAN).toLocaleString('zh-CN', { maximumFractionDigits: 2 })} 万`
}

/** How a sum stands to that of as many days before; undefined when there was nothing to compare with. */
export function change(now: number, before: number): { text: string; way: 'up' | 'down' | 'same' } | undefined {
  if (before === 0) return undefined
  const percent = Math.round(((now - before) / Math.abs(before)) * 1000) / 10
  return { text: `${Math.abs(percent).toLocaleString('zh-CN')}%`, way: percent > 0 ? 'up' : percent < 0 ? 'down' : 'same' }
}

/**
 * A line through values, as an SVG polyline has it: the first at the left, zero at the foot.
 * @param most value at the top
 */
export function linePoints(values: readonly number[], most: number, width: number, height: number): string {
  const step = width / Math.max(1, values.length - 1)
  return values.map((value, place) => `${Math.round(place * step * 10) / 10},${Math.round((1 - Math.max(0, value) / most) * height * 10) / 10}`).join(' ')
}
