import { expect, test } from 'vitest'
import { checkValue } from './check.ts'
import type { AnyField } from './any-field.ts'
import { choice } from './choice.ts'
import { group } from './group.ts'
import { mobile } from './mobile.ts'
import { money, number } from './number.ts'
import { text } from './text.ts'
import { date } from './time.ts'

const lessons = group('课表', {
  day: date('日期', { required: true }),
  kind: choice('类型', [{ value: 1, label: '新课' }, { value: 2, label: '复习' }]),
  fee: money('课时费'),
  note: text('备注', { max: 5 }),
}, { max: 2 })
const check = (value: unknown) => checkValue(lessons as unknown as AnyField, value)
const day = 1_790_000_000

test('lines are cleaned, empty ones and unknown values left out', () => {
  expect(check([{ day, note: ' 早 ', other: 1 }, {}, { day: null, note: '' }])).toEqual({ value: [{ day, note: '早' }] })
  expect(check([])).toEqual({ value: null })
})

test('a line that is wrong is told with its number and its field', () => {
  expect(check([{ day }, { note: '早' }])).toEqual({ message: '课表第 2 行：请填写日期'.replace('请填写', '请选择') })
  expect(check([{ day, note: '太长的备注了' }])).toEqual({ message: '课表第 1 行：备注最多 5 个字' })
  expect(check([{ day, kind: 3 }])).toEqual({ message: '课表第 1 行：类型应为 新课、复习 之一' })
  expect(check([{ day }, { day }, { day }])).toEqual({ message: '课表最多 2 行' })
  expect(check([1])).toHaveProperty('message')
})

test('a workbook brings back what it was given', () => {
  const rows = [{ day: 1_789_833_600, kind: 2 as const, fee: 1250, note: '晚' }, { day: 1_789_920_000 }]
  const cell = lessons.toSheet(rows)
  expect(cell).toBe('2026-09-20 | 复习 | 12.50 | 晚\n2026-09-21 |  |  | ')
  expect(check(lessons.fromSheet(cell))).toEqual({ value: rows })
})

test('kinds that need more than their value are refused', () => {
  expect(() => group('x', { phone: mobile('手机') })).toThrow('x: phone is of a kind that a line cannot hold')
  expect(() => group('x', { n: number('数') })).not.toThrow()
})
