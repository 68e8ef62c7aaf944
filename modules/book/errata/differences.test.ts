import { expect, test } from 'vitest'
import { differences } from './differences.ts'

test('what was printed and what is right are said part by part, with the words around', () => {
  const stem = '如图，已知圆的半径为 3，点在圆上运动，求该点到直线的最大距离，并写出此时直线的方程。'
  expect(differences([{ place: '题干', text: stem }, { place: '答案', text: 'A' }], [{ place: '题干', text: stem.replace('3', '2') }, { place: '答案', text: 'A' }]))
    .toEqual({ wrong: '题干：如图，已知圆的半径为 3，点在圆上运动，求该点到…', right: '题干：如图，已知圆的半径为 2，点在圆上运动，求该点到…' })
  expect(differences([{ place: '答案', text: 'A' }], [{ place: '答案', text: 'C' }, { place: '详解', text: '略' }])).toEqual({ wrong: '答案：A\n详解：（无）', right: '答案：C\n详解：略' })
})

test('spaces alone are no fault, several answers of a blank are one part', () => {
  expect(differences([{ place: '题干', text: 'a  b' }], [{ place: '题干', text: 'a b' }])).toBeUndefined()
  expect(differences([{ place: '第1空答案', text: '1' }, { place: '第1空答案', text: '一' }], [{ place: '第1空答案', text: '1' }, { place: '第1空答案', text: '2' }])).toEqual({ wrong: '第1空答案：1 / 一', right: '第1空答案：1 / 2' })
})
