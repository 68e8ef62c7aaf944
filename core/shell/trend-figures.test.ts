import { expect, test } from 'vitest'
import { change, figure, linePoints } from './trend-figures.ts'

test('money is fen on the wire and yuan in words, from ten thousand in 万', () => {
  expect([figure(1_234, 'number'), figure(12_345, 'money'), figure(999_999, 'money'), figure(1_234_567_80, 'money'), figure(0, 'money')])
    .toEqual(['1,234', '¥123.45', '¥9,999.99', '¥123.46 万', '¥0.00'])
})

test('a sum is compared with the days before, when there was something then', () => {
  expect(change(110, 100)).toEqual({ text: '10%', way: 'up' })
  expect(change(0, 40)).toEqual({ text: '100%', way: 'down' })
  expect(change(40, 40)).toEqual({ text: '0%', way: 'same' })
  expect(change(40, 0)).toBeUndefined()
})

test('a line goes from the left to the right, with zero at its foot', () => {
  expect(linePoints([0, 5, 10, -3], 10, 30, 20)).toBe('0,20 10,10 20,0 30,20')
  expect(linePoints([7], 7, 30, 20)).toBe('0,0')
})
