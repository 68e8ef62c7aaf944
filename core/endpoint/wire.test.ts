import { expect, test } from 'vitest'
import { envelopeError, failureText, stripEmpty, toQuery } from './wire.ts'

test('empties are stripped, zero and false stay', () => {
  expect(stripEmpty({ a: '', b: null, c: undefined, d: [], e: 0, f: false, g: 'x', h: [0] })).toEqual({ e: 0, f: false, g: 'x', h: [0] })
})

test('a list repeats its key in the query', () => {
  expect(toQuery({ cat_ids: [1, 2], name: '王 五', empty: '' })).toBe('cat_ids=1&cat_ids=2&name=%E7%8E%8B+%E4%BA%94')
})

test('a body with code, data and msg is an error when the code says success', () => {
  for (const code of [0, 200, 250, 300, '200']) expect(envelopeError({ code, data: null, msg: '余额不足' })).toBe('余额不足')
  for (const body of [{ code: 301, data: 1, msg: 'x' }, { code: 200, data: 1 }, { code: 200, msg: 'x' }, { data: 1, msg: 'x' }, null, 'text', []]) {
    expect(envelopeError(body)).toBeUndefined()
  }
})

test('a failure without words has the standing ones', () => {
  expect(failureText({ detail: '手机号格式不正确（第 3 行）' })).toBe('手机号格式不正确（第 3 行）')
  for (const body of [{}, { detail: '' }, { detail: 3 }, null, '<html>']) expect(failureText(body)).toBe('服务器错误！')
})
