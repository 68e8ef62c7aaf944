import { expect, test } from 'vitest'
import { checkCodes, type ExpectedCode, type PlacedCode } from './code-check.ts'

const BASE = 'https://q.example.com'
const expected: ExpectedCode[] = [{ code: 'AAAAAAAA', name: '甲', page_no: 3, must: true }, { code: 'BBBBBBBB', name: '乙', page_no: 5, must: true }, { code: 'CCCCCCCC', name: '丙', page_no: null, must: false }]
const place = (code: string, page_no: number, more: Partial<PlacedCode> = {}): PlacedCode => ({ code, text: `HTTPS://Q.EXAMPLE.COM/Q/${code}`, page_no, printed_no: null, mm: 15, quiet: 4, ...more })
const wrong = (placed: readonly PlacedCode[], known = true) => checkCodes(expected, placed, known ? BASE : undefined).filter(({ ok }) => !ok).map(({ label, must }) => `${label}${must ? '' : '?'}`)

test('what is printed as it should be is right; the number on the page counts as well as its place in the file', () => {
  expect(wrong([place('AAAAAAAA', 3), place('BBBBBBBB', 9, { printed_no: 5 })])).toEqual([])
})

test('codes that are missing, twice, on the wrong page, too small, without white around, of another book or another site are said', () => {
  expect(wrong([place('AAAAAAAA', 3)])).toEqual(['缺码'])
  expect(wrong([place('AAAAAAAA', 3), place('BBBBBBBB', 5), place('BBBBBBBB', 5)])).toEqual(['重码'])
  expect(wrong([place('AAAAAAAA', 5), place('BBBBBBBB', 5)])).toEqual(['错页'])
  expect(wrong([place('AAAAAAAA', 3, { mm: 11.5 }), place('BBBBBBBB', 5, { mm: 13 })])).toEqual(['大小', '偏小?'])
  expect(wrong([place('AAAAAAAA', 3, { quiet: 2 }), place('BBBBBBBB', 5)])).toEqual(['留白'])
  expect(wrong([place('AAAAAAAA', 3), place('BBBBBBBB', 5), place('DDDDDDDD', 5), place('', 6, { code: null, text: 'https://weixin.qq.com/x' })])).toEqual(['他书'])
  expect(wrong([place('AAAAAAAA', 3), place('BBBBBBBB', 5, { text: 'http://127.0.0.1:3000/q/BBBBBBBB' })])).toEqual(['网址'])
  expect(wrong([place('AAAAAAAA', 3), place('BBBBBBBB', 5, { text: 'http://127.0.0.1:3000/q/BBBBBBBB' })], false)).toEqual([])
})
