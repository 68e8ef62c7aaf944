import * as z from 'zod/mini'
import { cellText, type Field, type SheetValue } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface NumberExtra {
  min?: number
  max?: number
  /** Digits after the point; 0 by default. */
  digits?: number
  unit?: string
  /** Whether thousands are set apart. Unless told, all numbers but those that can only have four digits, which are years. */
  grouped?: boolean
}

export interface NumberField<R extends boolean = boolean> extends Field<number, R> {
  readonly kind: 'number' | 'sort_order' | 'money'
  readonly min: number
  readonly max: number
  readonly digits: number
  readonly unit: string
  readonly grouped: boolean
}

/** Reads a number typed by hand: folded, thousands separators and a currency sign allowed. */
export function readNumber(cell: SheetValue): unknown {
  if (typeof cell === 'number') return cell
  const text = cellText(cell).replace(/[,，\s¥￥元]/g, '')
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text === '' ? null : text
}

function numberSchema(min: number, max: number, digits: number): z.ZodMiniType<number> {
  const step = 10 ** digits
  return z.number('应为数字').check(
    z.gte(min, `不能小于 ${min}`),
    z.lte(max, `不能大于 ${max}`),
    z.refine((value) => Math.abs(Math.round(value * step) - value * step) < 1e-6, digits ? `最多 ${digits} 位小数` : '应为整数'),
  )
}

/** A number; whole unless `digits` says otherwise. */
export function number<const R extends boolean = false>(label: string, options: Options<R, NumberExtra> = {}): NumberField<R> {
  const { min = 0, max = 999_999_999, digits = 0, unit = '', grouped = min < 1000 || max > 9999 } = options
  return {
    ...makeField(label, options, {
      kind: 'number',
      column: digits ? 'numeric' : 'bigint',
      filter: 'range',
      sortable: true,
      schema: numberSchema(min, max, digits),
      sheet: { type: 'number', example: Math.max(min, 1), note: `${digits ? '数字' : '整数'}，${min} 到 ${max}` },
      fromSheet: readNumber,
      toSheet: (value) => value,
    }),
    min, max, digits, unit, grouped,
  }
}

/** Place in a hand-made order: 0 to 999 999, smaller first (domain 1.19). */
export function sortOrder(label = '排序'): NumberField<false> {
  return {
    ...number(label, { min: 0, max: 999_999, initial: 0 }),
    kind: 'sort_order',
  }
}

/** Largest price: 99 999.99 yuan, in fen (domain 1.19). */
export const MAX_PRICE = 9_999_999

/** An amount of money. Fen as an integer everywhere but on the screen and in workbooks, where it is yuan. */
export function money<const R extends boolean = false>(label: string, options: Options<R, { min?: number; max?: number }> = {}): NumberField<R> {
  const { min = 0, max = MAX_PRICE } = options
  return {
    ...makeField(label, options, {
      kind: 'money',
      column: 'bigint',
      filter: 'range',
      sortable: true,
      schema: z.int('金额最多两位小数').check(
        z.gte(min, `不能小于 ${yuan(min)} 元`),
        z.lte(max, `不能大于 ${yuan(max)} 元`),
      ),
      sheet: { type: 'money', example: 99.9, note: `单位：元，${yuan(min)} 到 ${yuan(max)}` },
      fromSheet: (cell) => {
        const value = readNumber(cell)
        return typeof value === 'number' ? toFen(value) : value
      },
      toSheet: (value) => value,
    }),
    min, max, digits: 2, unit: '元', grouped: true,
  }
}

/** A number as people read it, with its unit: `12,345.5本`, `2027届`. */
export function numberText({ digits, unit, grouped }: Pick<NumberField, 'digits' | 'unit' | 'grouped'>, value: number): string {
  return `${value.toLocaleString('zh-CN', { maximumFractionDigits: digits, useGrouping: grouped })}${unit}`
}

/** Yuan to fen; more than two decimals stay a fraction, which the schema refuses. */
export function toFen(value: number): number {
  const fen = value * 100
  return Math.abs(Math.round(fen) - fen) < 1e-6 ? Math.round(fen) : fen
}

/** Fen as yuan with two decimals and thousands separators. */
export function yuan(fen: number): string {
  return (fen / 100).toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

/** Fen with the sign of the currency: ¥1,234.50, and -¥8.86 where it is owed. */
export function formatMoney(fen: number): string {
  return `${fen < 0 ? '-' : ''}¥${yuan(Math.abs(fen))}`
}
