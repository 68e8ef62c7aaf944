import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paginate, type Block } from './pages.ts'

test('every block once, in order; a column is too full only when one group alone is too high', () => {
  const blocks = fc.array(fc.record({ height: fc.integer({ min: 1, max: 120 }), keepWithNext: fc.boolean() }), { maxLength: 60 })
  fc.assert(fc.property(blocks, fc.integer({ min: 1, max: 3 }), (rows, columns) => {
    const list: Block[] = rows.map((row, index) => ({ ...row, key: String(index) }))
    const heightOf = (page: number) => (page === 0 ? 80 : 100)
    const pages = paginate(list, columns, heightOf)
    expect(pages.flat(2)).toEqual(list.map(({ key }) => key))
    for (const [at, page] of pages.entries()) {
      expect(page).toHaveLength(columns)
      for (const column of page) {
        const own = column.map((key) => list[Number(key)] as Block)
        const height = own.reduce((sum, block) => sum + block.height, 0)
        if (height > heightOf(at)) expect(own.slice(0, -1).every((block) => block.keepWithNext)).toBe(true)
      }
    }
  }))
})

test('a heading goes to the next column with its question', () => {
  const blocks: Block[] = [{ key: 'a', height: 70 }, { key: 'heading', height: 10, keepWithNext: true }, { key: 'b', height: 40 }]
  expect(paginate(blocks, 2, () => 100)).toEqual([[['a'], ['heading', 'b']]])
})

test('a block may begin a new page, whatever room is left', () => {
  const blocks = [{ key: 'a', height: 10 }, { key: 'b', height: 10, breakBefore: true }, { key: 'c', height: 10 }]
  expect(paginate(blocks, 1, () => 100)).toEqual([[['a']], [['b', 'c']]])
  expect(paginate(blocks, 2, () => 100)).toEqual([[['a'], []], [['b', 'c'], []]])
  expect(paginate(blocks.slice(1), 1, () => 100)).toEqual([[['b', 'c']]])
})
