import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import type { Tile } from './calls.ts'
import { changeOf } from './stretch.ts'

/** A value of a figure as people read it; a share is kept in hundredths of a percent. */
export function figureText(as: Tile['as'], value: number): string {
  if (as === 'money') return formatMoney(value)
  return as === 'share' ? `${(value / 100).toFixed(2)}%` : value.toLocaleString('zh-CN')
}

/** The same on the axis of a chart, where ten thousands are said as 万. */
export function axisText(as: Tile['as'], value: number): string {
  if (as === 'share') return `${(value / 100).toLocaleString('zh-CN')}%`
  const plain = as === 'money' ? value / 100 : value
  return Math.abs(plain) >= 10_000 ? `${(plain / 10_000).toLocaleString('zh-CN', { maximumFractionDigits: 1 })} 万` : plain.toLocaleString('zh-CN', { maximumFractionDigits: 0 })
}

export interface Change { way: 'up' | 'down' | 'same'; text: string; tone: 'good' | 'bad' | 'plain' }

/** How a figure stands to the stretch before: shares by points, others in percent; undefined where there was nothing before. */
export function changeText({ as, value, before, up }: Pick<Tile, 'as' | 'value' | 'before' | 'up'>): Change | undefined {
  const moved = as === 'share' ? (value - before) / 100 : changeOf(value, before)
  if (moved === undefined) return undefined
  const rounded = Math.round(moved * (as === 'share' ? 100 : 10)) / (as === 'share' ? 100 : 10)
  const way = rounded > 0 ? 'up' : rounded < 0 ? 'down' : 'same'
  const tone = way === 'same' ? 'plain' : (way === 'up') === (up === 'good') ? 'good' : 'bad'
  return { way, tone, text: `${Math.abs(rounded).toLocaleString('zh-CN')}${as === 'share' ? ' 点' : '%'}` }
}

/** Month and day, 11-23. */
export const dayWord = (at: number): string => formatTime(at).slice(5, 10)

/** Month, day and hour, 11-23 14:00. */
export const hourWord = (at: number): string => formatTime(at).slice(5, 16)

