import { expect, test } from 'vitest'
import { number, numberText, formatMoney } from './number.ts'

test('a year is no amount: nothing sets its thousands apart', () => {
  expect(numberText(number('高考年份', { min: 2000, max: 2100, unit: '届' }), 2027)).toBe('2027届')
  expect(numberText(number('销量', { unit: '本' }), 2027)).toBe('2,027本')
  expect(numberText(number('均分', { digits: 1 }), 1234.56)).toBe('1,234.6')
  expect(numberText(number('编号', { grouped: false }), 12345)).toBe('12345')
})

test('what is owed has its sign before the currency', () => {
  expect(formatMoney(123_450)).toBe('¥1,234.50')
  expect(formatMoney(-886)).toBe('-¥8.86')
})
