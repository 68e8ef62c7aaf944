import { formatMoney } from '../field/number.ts'
import { formatDate, formatTime } from '../field/time.ts'
import type { SheetColumn } from '../field/field.ts'

/** A value of a sheet as people read it where there is no spreadsheet program: in a mail, on paper. Nothing is empty text. */
export function sheetWords(type: SheetColumn['type'], value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
  if (type === 'boolean') return value === true || value === 1 ? '是' : '否'
  if (number !== undefined && type === 'money') return formatMoney(number)
  if (number !== undefined && type === 'date') return formatDate(number)
  if (number !== undefined && type === 'time') return formatTime(number).slice(0, 16)
  if (number !== undefined && type === 'number') return number.toLocaleString('zh-CN', { maximumFractionDigits: 6, useGrouping: false })
  return Array.isArray(value) ? value.join('，') : String(value)
}
