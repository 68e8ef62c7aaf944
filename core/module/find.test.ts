import { expect, test } from 'vitest'
import { takesWords } from './find.ts'

test('what people type says what it can be', () => {
  const kinds = (words: string) => (['mobile', 'number', 'name', 'account'] as const).filter((kind) => takesWords(kind)(words))
  expect(kinds('13812345678')).toEqual(['mobile', 'number'])
  expect(kinds('5678')).toEqual(['mobile', 'number'])
  expect(kinds('567')).toEqual([])
  expect(kinds('DY20260101-8')).toEqual(['number'])
  expect(kinds('王小明')).toEqual(['name'])
  expect(kinds('王')).toEqual([])
  expect(kinds('zhangsan')).toEqual(['account'])
  expect(kinds('')).toEqual([])
  expect(takesWords('mobile', 'name')('王小明')).toBe(true)
})
