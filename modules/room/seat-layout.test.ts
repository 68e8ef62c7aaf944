import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SEAT_KIND } from './price-rule.ts'
import { addRow, copyRows, layoutProblem, moveSeats, neighbour, renumber, seatLabel, type Layout } from './seat-layout.ts'

const rows = (...counts: number[]): Layout => counts.reduce<Layout>((seats, count) => addRow(seats, 'A', count, SEAT_KIND.plain), [])
const all = (seats: Layout) => new Set(seats.map((seat) => seat.key))

test('rows are added below each other and numbered', () => {
  const seats = rows(3, 2)
  expect(seats.map(seatLabel)).toEqual(['A区 1排1号', 'A区 1排2号', 'A区 1排3号', 'A区 2排1号', 'A区 2排2号'])
  expect(layoutProblem(seats)).toBeUndefined()
})

test('seats move together, and not onto others or off the grid', () => {
  const seats = rows(3, 3)
  const first = new Set(seats.slice(0, 3).map((seat) => seat.key))
  expect(moveSeats(seats, first, 0, 1)).toBe(seats)
  expect(moveSeats(seats, all(seats), 0, -99)).toBe(seats)
  expect(moveSeats(seats, all(seats), 2, 1).map(({ x, y }) => [x, y])).toEqual(seats.map(({ x, y }) => [x + 2, y + 1]))
})

test('a row is copied with the next number', () => {
  const seats = rows(2)
  const { seats: more, added } = copyRows(seats, new Set([seats[1]?.key ?? '']))
  expect(more.filter((seat) => added.has(seat.key)).map(seatLabel)).toEqual(['A区 2排1号', 'A区 2排2号'])
  expect(layoutProblem(more)).toBeUndefined()
})

test('what stands in a line is a row', () => {
  const seats = rows(2, 2).map((seat, index) => ({ ...seat, row: 9, no: index + 1 }))
  expect(renumber(seats, new Set(['A'])).map(({ row, no }) => [row, no])).toEqual([[1, 1], [1, 2], [2, 1], [2, 2]])
})

test('the next seat ahead is found', () => {
  const seats = rows(3, 3)
  const [first] = seats
  if (!first) throw new Error('no seat')
  expect(neighbour(seats, first, 1, 0)).toBe(seats[1])
  expect(neighbour(seats, first, 0, 1)).toBe(seats[3])
  expect(neighbour(seats, first, -1, 0)).toBeUndefined()
})

test('whatever is drawn with these can be saved', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom('add', 'copy', 'move', 'number'), fc.integer({ min: -3, max: 12 }), fc.integer({ min: -3, max: 3 })), { maxLength: 30 }), (steps) => {
    let seats: Layout = []
    for (const [step, a, b] of steps) {
      const some = new Set(seats.filter((_seat, index) => index % 3 === 0).map((seat) => seat.key))
      if (step === 'add') seats = addRow(seats, a % 2 ? 'A' : 'B', Math.max(1, a), SEAT_KIND.plain)
      else if (step === 'copy') seats = copyRows(seats, some).seats
      else if (step === 'move') seats = moveSeats(seats, some, a, b)
      // Rows of two lines may share a line with others: numbering again numbers all.
      else seats = renumber(seats, new Set(['A', 'B']))
    }
    expect(layoutProblem(seats)).toBeUndefined()
  }))
})
