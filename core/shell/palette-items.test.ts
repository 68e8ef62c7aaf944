import { expect, test } from 'vitest'
import { arrange } from './palette-items.ts'

test('groups without items are gone, the others know where they begin', () => {
  const item = (key: string) => ({ key, title: key, run: () => {} })
  const arranged = arrange([{ title: '甲', items: [item('a'), item('b')] }, { title: '乙', items: [] }, { title: '丙', items: [item('c')] }])
  expect(arranged.items.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  expect(arranged.groups.map(({ title, from }) => [title, from])).toEqual([['甲', 0], ['丙', 2]])
})
