import { expect, test } from 'vitest'
import { readPeople } from './quota.ts'

test('pasted lines are read whichever way they are written, and names keep their digits', () => {
  const { people, bad } = readPeople(['13900001111 学员12', '学员3班7号\t139-0000-1112', '王小明，+86 139 0000 1113', '', '139 0000 1114：李 红'].join('\n'))
  expect(people).toEqual([
    { mobile: '13900001111', name: '学员12' }, { mobile: '13900001112', name: '学员3班7号' }, { mobile: '13900001113', name: '王小明' }, { mobile: '13900001114', name: '李 红' },
  ])
  expect(bad).toEqual([])
})

test('what cannot be read is named by its line', () => {
  expect(readPeople(['王小明', '13900001111', '13900001112 甲', '乙 13900001112', '丙 139000011123'].join('\n')).bad).toEqual([
    { line: 1, text: '王小明', why: '没有 11 位手机号' }, { line: 2, text: '13900001111', why: '没有姓名' }, { line: 4, text: '乙 13900001112', why: '手机号重复' }, { line: 5, text: '丙 139000011123', why: '没有 11 位手机号' },
  ])
})
