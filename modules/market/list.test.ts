import { expect, test } from 'vitest'
import { readLines, splitLines } from './list.ts'
import { monthBefore, monthOf } from './quota.ts'

test('pasted lines are read whichever way they are written; a number counts once', () => {
  const read = readLines(splitLines(['13900001111', ' 学员3班7号\t139-0000-1112', '', '王小明，+86 139 0000 1113', '13900001111 又一次', '丙 139000011123', '李*红 13900001114'].join('\r\n')))
  expect(read.map(({ mobile, name, state }) => [mobile, name, state])).toEqual([
    ['13900001111', null, 'read'], ['13900001112', '学员3班7号', 'read'], ['13900001113', '王小明', 'read'], ['13900001111', '又一次', 'twice'], ['丙 139000011123', null, 'bad'], ['13900001114', null, 'bad'],
  ])
  expect(read[3]?.why).toBe('与第 1 行重复')
})

test('a month is that of Shanghai', () => {
  expect(monthOf(Date.parse('2026-10-31T16:00:00Z') / 1000)).toBe('2026-11')
  expect([monthBefore('2026-11'), monthBefore('2026-01')]).toEqual(['2026-10', '2025-12'])
})
