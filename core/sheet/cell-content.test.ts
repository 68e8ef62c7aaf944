import { describe, expect, it } from 'vitest'
import { toContent } from './cell-content.ts'

/** 2026-09-01 08:30 in Shanghai. */
const MOMENT = Date.UTC(2026, 8, 1, 0, 30) / 1000

describe('toContent', () => {
  it('writes fen as yuan', () => {
    expect(toContent('money', 1990)).toEqual({ kind: 'number', value: 19.9, text: '19.90' })
    expect(toContent('money', '-5')).toEqual({ kind: 'number', value: -0.05, text: '-0.05' })
    expect(toContent('money', 0n)).toEqual({ kind: 'number', value: 0, text: '0.00' })
  })

  it('writes moments by the clock of Shanghai', () => {
    expect(toContent('time', MOMENT)).toEqual({ kind: 'number', value: expect.closeTo(46266 + 8.5 / 24, 9), text: '2026-09-01 08:30' })
    expect(toContent('date', MOMENT)).toEqual({ kind: 'number', value: 46266, text: '2026-09-01' })
    expect(toContent('date', Date.UTC(2026, 7, 31, 16) / 1000)).toMatchObject({ text: '2026-09-01' })
  })

  it('writes days that a workbook would show wrong as text', () => {
    expect(toContent('date', Date.UTC(1900, 1, 27) / 1000)).toEqual({ kind: 'text', text: '1900-02-27' })
    expect(toContent('date', Date.UTC(1900, 2, 1) / 1000)).toMatchObject({ kind: 'number', value: 61 })
    expect(toContent('time', 1e18)).toEqual({ kind: 'text', text: '1000000000000000000' })
  })

  it('writes numbers that a workbook would round as text', () => {
    expect(toContent('number', 999_999_999_999_999)).toMatchObject({ kind: 'number' })
    expect(toContent('number', 440301199001011234n)).toEqual({ kind: 'text', text: '440301199001011234' })
    expect(toContent('number', '12.50')).toEqual({ kind: 'number', value: 12.5, text: '12.50' })
  })

  it('writes what does not fit as text', () => {
    expect(toContent('number', '=1')).toEqual({ kind: 'text', text: '=1' })
    expect(toContent('number', '+5')).toEqual({ kind: 'text', text: '+5' })
    expect(toContent('money', Number.NaN)).toEqual({ kind: 'text', text: 'NaN' })
    expect(toContent('date', '明天')).toEqual({ kind: 'text', text: '明天' })
  })

  it('writes yes and no, lists, and nothing', () => {
    expect([true, 1, false, 0].map((value) => toContent('boolean', value))).toMatchObject([{ text: '是' }, { text: '是' }, { text: '否' }, { text: '否' }])
    expect(toContent('text', ['语文', '数学'])).toEqual({ kind: 'text', text: '语文，数学' })
    expect([null, undefined, ''].map((value) => toContent('text', value).kind)).toEqual(['none', 'none', 'none'])
  })
})
