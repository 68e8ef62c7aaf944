import { describe, expect, it } from 'vitest'
import { builtInFormat, parseFormat, PLAIN, readNumber } from './number-format.ts'

describe('parseFormat', () => {
  it.each([
    ['yyyy"年"m"月"d"日"', 'date'],
    ['[$-804]yyyy\\-mm\\-dd;@', 'date'],
    ['m/d', 'date'],
    ['mmm', 'date'],
    ['yyyy/m/d h:mm', 'date'],
    ['h:mm AM/PM', 'clock'],
    ['上午/下午h"时"mm"分"', 'clock'],
    ['[h]:mm:ss', 'elapsed'],
    ['General', 'plain'],
    ['G/通用格式', 'plain'],
    ['#,##0.00_ ;[Red]\\-#,##0.00\\ ', 'plain'],
    ['"第"0"天 day"', 'plain'],
    ['0', 'plain'],
    ['0.00%', 'plain'],
    ['@', 'plain'],
    ['00000', 'padded'],
  ])('takes %s for %s', (code, kind) => {
    expect(parseFormat(code).kind).toBe(kind)
  })

  it('knows the built-in dates, those of the Chinese locale included', () => {
    expect([14, 22, 31, 57].map((id) => builtInFormat(id).kind)).toEqual(['date', 'date', 'date', 'date'])
    expect([20, 33, 46, 0, 2, 49].map((id) => builtInFormat(id).kind)).toEqual(['clock', 'clock', 'elapsed', 'plain', 'plain', 'plain'])
  })
})

describe('readNumber', () => {
  const date = parseFormat('yyyy-mm-dd hh:mm:ss')

  it('gives the wall clock in UTC fields, to the second', () => {
    expect(readNumber('46266', date, false)).toEqual(new Date('2026-09-01T00:00:00Z'))
    expect(readNumber('46266.333333333336', date, false)).toEqual(new Date('2026-09-01T08:00:00Z'))
    expect(readNumber('46266.99998842592', date, false)).toEqual(new Date('2026-09-01T23:59:59Z'))
  })

  it('honours both date systems and the day that never was', () => {
    expect(readNumber('44804', date, true)).toEqual(new Date('2026-09-01T00:00:00Z'))
    expect(readNumber('1', date, false)).toEqual(new Date('1900-01-01T00:00:00Z'))
    expect(readNumber('61', date, false)).toEqual(new Date('1900-03-01T00:00:00Z'))
  })

  it('leaves what is no date a number', () => {
    expect(readNumber('-1', date, false)).toBe(-1)
    expect(readNumber('99999999', date, false)).toBe(99999999)
  })

  it('shows a time of day and a length of time as text', () => {
    expect(readNumber('0.3541666666666667', parseFormat('h:mm'), false)).toBe('08:30')
    expect(readNumber('0.35417824074074', parseFormat('h:mm:ss'), false)).toBe('08:30:01')
    expect(readNumber('1.5', parseFormat('[h]:mm'), false)).toBe('36:00')
    expect(readNumber('46266.5', parseFormat('h:mm'), false)).toEqual(new Date('2026-09-01T12:00:00Z'))
  })

  it('keeps every digit', () => {
    expect(readNumber('13800138000', PLAIN, false)).toBe(13800138000)
    expect(readNumber('1.3800138E10', PLAIN, false)).toBe(13800138000)
    expect(readNumber('440301199001011234', PLAIN, false)).toBe('440301199001011234')
    expect(readNumber('4.40301199001011E+17', PLAIN, false)).toBe('440301199001011000')
    expect(readNumber('440301199001011234', parseFormat('00000'), false)).toBe('440301199001011234')
  })

  it('keeps leading zeros that the format shows', () => {
    expect(readNumber('123', parseFormat('00000'), false)).toBe('00123')
    expect(readNumber('1.5', parseFormat('00000'), false)).toBe(1.5)
  })

  it('drops the noise of binary fractions', () => {
    expect(readNumber('0.30000000000000004', PLAIN, false)).toBe(0.3)
    expect(readNumber('19.899999999999999', PLAIN, false)).toBe(19.9)
    expect(readNumber('x', PLAIN, false)).toBe('x')
  })
})
