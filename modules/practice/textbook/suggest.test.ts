import { expect, test } from 'vitest'
import { coreOf, suggest } from './suggest.ts'

test('numbers and fillers of chapter names do not count', () => {
  expect(coreOf('第三章 函数的概念与性质')).toBe(coreOf('函数概念和性质'))
  expect(coreOf('1.2 集合间的基本关系')).toBe('集合间基本关系')
  expect(coreOf('*§4.3　对数')).toBe(coreOf('对数'))
})

test('the same name comes first, then names inside it, and nothing that has little in common', () => {
  const label = (id: number, name: string, ...alias: string[]) => ({ id, name, alias })
  const found = suggest('3.2 函数的单调性', [label(1, '函数'), label(2, '单调性与最值'), label(3, '函数单调性'), label(4, '等差数列'), label(5, '增减性', '函数的单调性')])
  expect(found.map(({ id }) => id)).toEqual([3, 5, 1])
  expect(suggest('1.1 集合', [label(1, '复数')])).toEqual([])
})
