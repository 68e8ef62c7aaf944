import * as z from 'zod/mini'
import { cellText, type Field, type SheetValue } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface TimeField<R extends boolean = boolean> extends Field<number, R> {
  readonly kind: 'date' | 'time'
}

export interface TimeRangeField<R extends boolean = boolean> extends Field<string, R> {
  readonly kind: 'time_range'
}

/** Offset of Asia/Shanghai, the clock of every screen, in seconds; it has no daylight saving time. */
const SHANGHAI = 8 * 3600
/** 2200-01-01; later dates are typing errors. */
const LATEST = 7_258_118_400

/** spec 5: 13-digit milliseconds become 10-digit seconds. */
export function toSeconds(value: number): number {
  return Math.abs(value) >= 1e12 ? Math.floor(value / 1000) : value
}

const secondsSchema = z.int('不是有效的时间').check(
  z.overwrite(toSeconds),
  z.gte(-2_208_988_800, '时间过早'),
  z.lte(LATEST, '时间过晚'),
)

/**
 * Reads a date or time as people type it: a real date cell, `2026-11-21`, `2026/11/21 08:30`, `2026年11月21日`, `20261121`.
 * @returns unix seconds, or the text when it is none of these
 */
export function readTime(cell: SheetValue): unknown {
  // A sheet's date has no zone: its wall clock is Shanghai's.
  if (cell instanceof Date) return Math.round(cell.getTime() / 1000) - SHANGHAI
  const text = cellText(cell)
  if (text === '') return null
  const match = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2})[:：](\d{2})(?:[:：](\d{2}))?)?$/.exec(text)
    ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (!match) return text
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const utc = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(utc)
  const exists = back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60
  return exists ? utc / 1000 - SHANGHAI : text
}

/** Unix seconds as Shanghai's `2026-11-21 08:30:00`. */
export function formatTime(seconds: number): string {
  return new Date((seconds + SHANGHAI) * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Unix seconds as Shanghai's `2026-11-21`. */
export function formatDate(seconds: number): string {
  return formatTime(seconds).slice(0, 10)
}

/**
 * A moment as one says it: 9 分钟前, 今天 16:02, 昨天 09:58, 11-21 17:20, and with the year when that is another.
 * @param now unix seconds; the present unless given
 */
export function briefTime(seconds: number, now = Date.now() / 1000): string {
  const [date, clock] = [formatDate(seconds), formatTime(seconds).slice(11, 16)]
  const age = now - seconds
  if (age >= 0 && age < 3600) return age < 60 ? '刚刚' : `${Math.floor(age / 60)} 分钟前`
  const days = (startOfDay(now) - startOfDay(seconds)) / 86_400
  const near = days === 0 ? '今天' : days === 1 ? '昨天' : days === -1 ? '明天' : undefined
  if (near) return `${near} ${clock}`
  return date.slice(0, 4) === formatDate(now).slice(0, 4) ? `${date.slice(5)} ${clock}` : date
}

/** First second of the Shanghai day that holds `seconds`. */
export function startOfDay(seconds: number): number {
  return Math.floor((seconds + SHANGHAI) / 86_400) * 86_400 - SHANGHAI
}

function timeField<Kind extends 'date' | 'time', R extends boolean>(kind: Kind, label: string, options: Options<R>) {
  return makeField(label, options, {
    kind,
    ask: '请选择',
    column: 'timestamptz',
    filter: 'range',
    sortable: true,
    schema: secondsSchema,
    sheet: { type: kind, example: kind === 'date' ? '2026-09-01' : '2026-09-01 08:00', note: kind === 'date' ? '如 2026-09-01' : '如 2026-09-01 08:00' },
    fromSheet: readTime,
    toSheet: (value) => value,
  })
}

/** A day, as unix seconds of its first second in Shanghai. */
export function date<const R extends boolean = false>(label: string, options: Options<R> = {}): TimeField<R> {
  return timeField('date', label, options)
}

/** A moment, as unix seconds. */
export function time<const R extends boolean = false>(label: string, options: Options<R> = {}): TimeField<R> {
  return timeField('time', label, options)
}

/** Hours of a day, as `08:00-22:00`. */
export function timeRange<const R extends boolean = false>(label: string, options: Options<R> = {}): TimeRangeField<R> {
  return makeField(label, options, {
    kind: 'time_range',
    ask: '请选择',
    column: 'text',
    filter: null,
    schema: z.string('应为时间段').check(
      z.overwrite((text) => text.replace(/[：]/g, ':').replace(/\s*[-–—~至]\s*/, '-')),
      z.regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-4]):[0-5]\d$/, '格式应为 08:00-22:00'),
      z.refine((text) => text.slice(0, 5) < text.slice(6), '结束时间应晚于开始时间'),
    ),
    sheet: { type: 'text', example: '08:00-22:00', note: '如 08:00-22:00' },
  })
}
