import type { Cell } from './cell.ts'

/** How a number format shows a number, as far as it changes what a person reads. */
export type NumberFormat =
  | { kind: 'plain' | 'date' | 'clock' | 'elapsed' }
  /** Leading zeros up to so many digits, as `00000`. */
  | { kind: 'padded'; digits: number }

export const PLAIN: NumberFormat = { kind: 'plain' }

/** Formats that a workbook uses by number only; 27 to 58 are those of the Chinese locale. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])
const BUILT_IN_CLOCKS = new Set([18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56])
const BUILT_IN_ELAPSED = 46

const DAY = 86_400
/** Largest date of a workbook, 9999-12-31. */
const LAST_SERIAL = 2_958_466

/**
 * What a built-in format number does.
 * @param id number of the format as the styles name it
 */
export function builtInFormat(id: number): NumberFormat {
  if (BUILT_IN_DATES.has(id)) return { kind: 'date' }
  if (BUILT_IN_CLOCKS.has(id)) return { kind: 'clock' }
  return id === BUILT_IN_ELAPSED ? { kind: 'elapsed' } : PLAIN
}

/**
 * What a format code such as `yyyy"年"m"月"` or `00000` does.
 * @param code the code as the styles hold it
 */
export function parseFormat(code: string): NumberFormat {
  const unquoted = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0] ?? ''
  if (/^(general|g\/通用格式)$/i.test(unquoted)) return PLAIN
  if (/\[(h+|m+|s+)\]/i.test(unquoted)) return { kind: 'elapsed' }
  const letters = unquoted.replace(/\[[^\]]*\]/g, '').replace(/am\/pm|a\/p/gi, 'h').toLowerCase()
  if (/[yd]/.test(letters)) return { kind: 'date' }
  if (/[hs]/.test(letters)) return { kind: 'clock' }
  if (letters.includes('m')) return { kind: 'date' }
  return /^0{2,}$/.test(letters) ? { kind: 'padded', digits: letters.length } : PLAIN
}

/**
 * Gives a stored number as the sheet shows it, where that changes what it means.
 * @param raw the digits as the file holds them
 * @param date1904 whether the workbook counts days from 1904
 * @returns a date for a moment, text for a time of day (`08:30`), for a length of time, for zero-padded numbers and for
 * whole numbers too long to be exact, else the number
 */
export function readNumber(raw: string, format: NumberFormat, date1904: boolean): Cell {
  const value = Number(raw)
  if (!Number.isFinite(value)) return raw.trim() === '' ? null : raw
  switch (format.kind) {
    case 'date':
      return value >= 0 && value < LAST_SERIAL ? serialToDate(value, date1904) : value
    case 'clock':
      if (value >= 0 && value < 1) return clock(value)
      return value >= 1 && value < LAST_SERIAL ? serialToDate(value, date1904) : value
    case 'elapsed':
      return value >= 0 ? clock(value) : value
    case 'padded':
      return Number.isInteger(value) && value >= 0 ? exactInteger(raw, value).toString().padStart(format.digits, '0') : value
    default:
      if (Number.isInteger(value)) return exactInteger(raw, value)
      // The program shows 15 digits; what lies beyond is the noise of binary fractions.
      return raw.length > 15 ? Number(value.toPrecision(15)) : value
  }
}

/** A number past the exact range comes as text with every digit, since a number would silently change its end. */
function exactInteger(raw: string, value: number): number | string {
  if (Number.isSafeInteger(value)) return value
  const digits = raw.trim()
  return /^-?\d+$/.test(digits) ? digits : String(value)
}

/**
 * Moment of a day number.
 * @returns a date whose UTC fields are the wall clock, to the second
 */
function serialToDate(serial: number, date1904: boolean): Date {
  // Day numbers below 61 lie before the 29 February 1900 that the format believes in.
  const epoch = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 61 ? 31 : 30)
  return new Date(epoch + Math.round(serial * DAY) * 1000)
}

function clock(days: number): string {
  const seconds = Math.round(days * DAY)
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`
  return seconds % 60 === 0 ? minutes : `${minutes}:${two(seconds % 60)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
