import { expect, test } from 'vitest'
import type { ApiDescription, Operation, Schema } from '../../core/openapi/description.ts'
import { callRows, findCalls, typeWords, valueRows } from './api-words.ts'

const operation = (summary: string, tag: string): Operation => ({ summary, tags: [tag], security: [], parameters: [], responses: {} })
const description: ApiDescription = {
  openapi: '3.1.1', info: { title: 't', version: '1' }, components: {},
  paths: {
    '/daoyuan/api/lessons': { get: operation('课程列表', '课程'), post: operation('新增课程', '课程') },
    '/daoyuan/api/end/pads': { get: operation('平板列表', '平板') },
  },
}

test('what a value is, in words', () => {
  expect(typeWords({ type: 'string' })).toBe('文字')
  expect(typeWords({ enum: [1, 0] })).toBe('1 / 0')
  expect(typeWords({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('文字 / 空')
  expect(typeWords({ type: 'array', items: { type: 'integer' } })).toBe('数组（整数）')
  expect(typeWords({})).toBe('任意')
})

test('values of objects and lists stand below their own, with what is required of each', () => {
  expect(valueRows({
    type: 'object', required: ['items'],
    properties: {
      name: { type: 'string', title: '名称', minLength: 1, maxLength: 20 },
      items: { type: 'array', maxItems: 5, items: { type: 'object', required: ['price'], properties: { price: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } } } },
    },
  })).toEqual([
    { name: 'name', type: '文字', required: false, words: '名称，1–20 字' },
    { name: 'items', type: '数组（对象）', required: true, words: '不超过 5 项' },
    { name: 'items[].price', type: '整数', required: true, words: '至少 0' },
  ])
})

test('a description that contains itself ends', () => {
  const properties: Record<string, Schema> = {}
  const tree: Schema = { type: 'object', properties }
  properties['child'] = tree
  expect(valueRows(tree).at(-1)?.name).toBe('child.child.child.child')
})

test('calls are found by every word of the search, and by their screen', () => {
  const rows = callRows(description)
  expect(rows.map(({ key }) => key)).toEqual(['get /daoyuan/api/end/pads', 'get /daoyuan/api/lessons', 'post /daoyuan/api/lessons'])
  expect(findCalls(rows, 'GET 列表', '').map(({ path }) => path)).toEqual(['/daoyuan/api/end/pads', '/daoyuan/api/lessons'])
  expect(findCalls(rows, '列表', '课程').map(({ key }) => key)).toEqual(['get /daoyuan/api/lessons'])
  expect(findCalls(rows, '没有', '')).toEqual([])
})
