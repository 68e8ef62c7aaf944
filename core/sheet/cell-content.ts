import type { SheetColumn } from '../field/field.ts'
/** How the values of a column are written. */
export type SheetColumnType = SheetColumn['type']

/** Offset of Asia/Shanghai in seconds; it has no daylight saving time. */
const SHANGHAI = 8 * 3600
const DAY = 86_400
/** Day number of 1 January 1970. */
const UNIX_EPOCH = 25_569
/** First day after the 29 February 1900 that spreadsheet programs believe in; earlier days would be shown wrong. */
const FIRST_SAFE_DAY = 61
/** First day after 9999. */
const AFTER_LAST_DAY = 2_958_466
/** A spreadsheet keeps 15 digits; longer numbers must travel as text. */
const LONGEST_NUMBER = 1e15

/** A value ready to be put into a cell. */
export type CellContent =
  | { kind: 'text'; text: string }
  | { kind: 'number'; value: number; text: string }
  | { kind: 'none' }

const NONE: CellContent = { kind: 'none' }

/**
 * Makes a cell value of a record's value.
 * @param type money is fen and becomes yuan; date and time are unix seconds and become Shanghai's wall clock; boolean
 * becomes 是 or 否
 * @returns a number with the text that shows it, or text; what does not fit its type is text as it is
 */
export function toContent(type: SheetColumnType, value: unknown): CellContent {
  if (value === null || value === undefined || value === '') return NONE
  switch (type) {
    case 'text':
      return { kind: 'text', text: Array.isArray(value) ? value.join('，') : String(value) }
    case 'boolean':
      return { kind: 'text', text: value === true || value === 1 ? '是' : value === false || value === 0 ? '否' : String(value) }
    default: {
      const number = toNumber(value)
      return number === null ? { kind: 'text', text: String(value) } : numeric(type, number, String(value))
    }
  }
}

/** Numbers come from the database also as text or big integers. */
function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ? Number(value) : null
}

function numeric(type: 'number' | 'money' | 'date' | 'time', number: number, text: string): CellContent {
  if (type === 'money') return { kind: 'number', value: number / 100, text: (number / 100).toFixed(2) }
  if (type !== 'number') return moment(type, number)
  return Math.abs(number) < LONGEST_NUMBER ? { kind: 'number', value: number, text } : { kind: 'text', text }
}

function moment(type: 'date' | 'time', seconds: number): CellContent {
  const local = seconds + SHANGHAI
  const days = local / DAY + UNIX_EPOCH
  const exists = Math.abs(local) < 8.64e12
  if (!exists) return { kind: 'text', text: String(seconds) }
  const text = new Date(local * 1000).toISOString().slice(0, type === 'date' ? 10 : 16).replace('T', ' ')
  if (days < FIRST_SAFE_DAY || days >= AFTER_LAST_DAY) return { kind: 'text', text }
  return { kind: 'number', value: type === 'date' ? Math.floor(days) : days, text }
}
