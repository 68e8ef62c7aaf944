import { expect, test } from 'vitest'
import { nextCell } from './edit-cells.tsx'

const rows = [{ id: 1, can: ['edit'] }, { id: 2, can: [] }, { id: 3, can: ['edit'] }] as unknown as Parameters<typeof nextCell>[0]
const from = (id: number, name: string, by: 1 | -1) => nextCell(rows, ['name', 'note'], { id, name }, by)

test('Tab goes along the cells of a row, then to the next row that may be changed, and ends at the last', () => {
  expect(from(1, 'name', 1)).toEqual({ id: 1, name: 'note' })
  expect(from(1, 'note', 1)).toEqual({ id: 3, name: 'name' })
  expect(from(3, 'name', -1)).toEqual({ id: 1, name: 'note' })
  expect(from(3, 'note', 1)).toBeUndefined()
  expect(from(1, 'name', -1)).toBeUndefined()
})
