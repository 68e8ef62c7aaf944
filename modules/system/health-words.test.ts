import { expect, test } from 'vitest'
import { durationText, gradeLoop, gradeUsed, linePoints, sizeText } from './health-words.ts'

test('sizes and durations are said the way people say them', () => {
  expect([0, 512, 1536, 150 * 1024 ** 2, 3.2 * 1024 ** 3, 2 * 1024 ** 5].map(sizeText)).toEqual(['0 B', '512 B', '1.5 KB', '150 MB', '3.2 GB', '2048 TB'])
  expect([5, 65, 3600, 7380, 86_400, 273_600].map(durationText)).toEqual(['5 秒', '1 分钟', '1 小时', '2 小时 3 分钟', '1 天', '3 天 4 小时'])
})

test('what fills up is said before it is full', () => {
  expect([50, 15, 5].map((free) => gradeUsed(free, 100))).toEqual(['good', 'warning', 'bad'])
  expect(gradeUsed(0, 0)).toBe('good')
  expect([3, 100, 700].map(gradeLoop)).toEqual(['good', 'warning', 'bad'])
})

test('a line spans its box', () => {
  expect(linePoints([0, 5, 10], 100, 20)).toBe('0.0,20.0 50.0,10.0 100.0,0.0')
  expect(linePoints([0, 0], 100, 20)).toBe('0.0,20.0 100.0,20.0')
  expect(linePoints([7], 100, 20)).toBe('0.0,0.0')
  expect(linePoints([], 100, 20)).toBe('')
})
