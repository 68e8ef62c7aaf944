import { expect, test } from 'vitest'
import { dropPlace, shiftOf, type Box } from './tab-drag.ts'

// Home, which stays, and three tabs of different widths with 6 px between them.
const boxes: readonly Box[] = [
  { path: '/', left: 0, width: 50, fixed: true }, { path: '/a', left: 56, width: 100, fixed: false },
  { path: '/b', left: 162, width: 60, fixed: false }, { path: '/c', left: 228, width: 80, fixed: false },
]

test('b4 a drawn tab takes the place of the nearest, never that of home', () => {
  expect([0, 30, 60, 70, 200].map((by) => dropPlace(boxes, '/a', by))).toEqual([1, 1, 2, 2, 3])
  expect([-20, -90, -500].map((by) => dropPlace(boxes, '/c', by))).toEqual([3, 2, 1])
})

test('b4 the tabs between make room by the width of the drawn one; it follows the pointer itself', () => {
  const shifts = (path: string, by: number) => boxes.map((box) => shiftOf(boxes, path, by, box.path))
  expect(shifts('/a', 200)).toEqual([0, 200, -106, -106])
  expect(shifts('/a', 5)).toEqual([0, 5, 0, 0])
  expect(shifts('/c', -300)).toEqual([0, 86, 86, -300])
})
