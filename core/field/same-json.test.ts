import { expect, test } from 'vitest'
import { isSameJson } from './same-json.ts'

test('the order of keys is nothing, that of a list is something, and what is not there is null', () => {
  expect(isSameJson([{ id: 'a', title: '题', options: [{ id: 1, label: '是' }] }], [{ title: '题', options: [{ label: '是', id: 1 }], id: 'a' }])).toBe(true)
  expect(isSameJson([1, 2], [2, 1])).toBe(false)
  expect(isSameJson(undefined, null)).toBe(true)
  expect(isSameJson({ a: undefined }, {})).toBe(true)
  expect(isSameJson({ a: 1 }, { a: '1' })).toBe(false)
})
