import { expect, test } from 'vitest'
import { isMeant, spellingOf } from './spelling.ts'

const school = spellingOf(['xue', 'xiao', 'lie', 'biao'])

test('a title is meant by a part of it, by its initials and by its syllables', () => {
  for (const typed of ['学校', '列表', ' 学校列表 ', 'xxlb', 'XXLB', 'xuexiao', "xue'xiao", 'xue xiao lb'.slice(0, 8)]) expect(isMeant(typed, '学校列表', school), typed).toBe(true)
  for (const typed of ['学生', 'xxs', 'q']) expect(isMeant(typed, '学校列表', school), typed).toBe(false)
})

test('nothing typed means everything; without spellings only the title counts', () => {
  expect(isMeant('  ', '学校列表')).toBe(true)
  expect(isMeant('xxlb', '学校列表')).toBe(false)
  expect(isMeant('sn', 'SN查询')).toBe(true)
})
