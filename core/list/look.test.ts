import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choice } from '../field/choice.ts'
import { money, number } from '../field/number.ts'
import { text } from '../field/text.ts'
import { date, formatDate, formatTime, readTime } from '../field/time.ts'
import { api, defineResource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { moveTo } from './board-moves.ts'
import { formatRules, parseRules, toneOf, type ColorRule } from './color-rules.ts'
import { formatPins, parsePins } from './list-columns.ts'
import { calendarKeys, formatLook, looksOf, parseLook } from './look.ts'
import { calendarDays, inOrder, narrowTo, withinStretch } from './narrow.ts'

const at = (day: string) => Number(readTime(day))
const states = [{ value: 0, label: '草稿' }, { value: 1, label: '已签' }, { value: 2, label: '作废' }] as const
const deal = defineResource({
  name: 'deal', label: '合同', grant: 101, api: api('/deal', 'deals', 'deal'),
  fields: { name: text('名称'), state: choice('状态', states, { readonly: true, initial: 0 }), amount: money('金额'), pieces: number('件数'), due_at: date('到期') },
  list: { columns: ['name', 'state'], filters: ['state', 'due_at', 'created_at', 'name'], summary: ['amount'] },
  transitions: [
    { name: 'sign', label: '签约', field: 'state', from: [0], to: 1 },
    { name: 'void', label: '作废', field: 'state', from: [0, 1], to: 2, reason: true },
  ],
})
const note = defineResource({
  name: 'note', label: '便笺', grant: 101, api: api('/note', 'notes', 'note'), fields: { name: text('名称') }, list: { columns: ['name'], filters: ['name'] },
})

test('a list offers what its definition allows', () => {
  expect(looksOf(deal).map(({ kind }) => kind)).toEqual(['table', 'board', 'calendar', 'chart'])
  expect(looksOf(note).map(({ kind }) => kind)).toEqual(['table'])
  // When a record was made nobody plans by.
  expect(calendarKeys(deal)).toEqual(['due_at'])
})

test.each([
  undefined, 'board', 'table.state', 'table.due_at:week', 'calendar.due_at.month', 'calendar.due_at.week.2026-11-26', 'chart.state', 'chart.created_at:day.amount',
])('the address %s says how a list is looked at', (written) => {
  expect(formatLook(parseLook(deal, written))).toBe(written)
})

test.each([
  ['board', 'note', undefined], ['nothing', 'deal', undefined], ['__proto__', 'deal', undefined], ['table.name', 'deal', undefined], ['calendar.gone', 'deal', 'calendar.due_at.month'],
  ['calendar.due_at.year.2026-13-01', 'deal', 'calendar.due_at.month'], ['calendar.due_at.week.2026-02-31', 'deal', 'calendar.due_at.week'], ['calendar.due_at.week.9999-12-31', 'deal', 'calendar.due_at.week'], ['chart.gone.gone', 'deal', 'chart.state'], ['chart.due_at:year', 'deal', 'chart.due_at:month'],
])('what is not known any more, %s, falls back', (written, name, read) => {
  expect(formatLook(parseLook(name === 'deal' ? deal : note, written))).toBe(read)
})

test('narrowed to a group, a list keeps what it was narrowed by before', () => {
  const month = { key: 'due_at', unit: 'month' } as const
  const november = { due_at_start: [String(at('2026-11-01'))], due_at_end: [String(at('2026-12-01') - 1)] }
  expect(narrowTo(deal, { state: ['1'] }, month, at('2026-11-01'))).toEqual({ state: ['1'], ...november })
  // The last 30 days of 26 November begin on 28 October; a word becomes the time that it means.
  expect(narrowTo(deal, { due_at_is: ['past_30'] }, month, at('2026-11-01'), at('2026-11-26'))).toEqual({ ...november, due_at_end: [String(at('2026-11-27') - 1)] })
  expect(narrowTo(deal, { due_at_start: [String(at('2026-11-20'))] }, month, at('2026-11-01'))).toEqual({ ...november, due_at_start: [String(at('2026-11-20'))] })
  expect(narrowTo(deal, { state: ['1', '2'] }, { key: 'state', unit: undefined }, 2)).toEqual({ state: ['2'] })
  expect(narrowTo(deal, { state: ['1'] }, { key: 'state', unit: undefined }, null)).toEqual({ state_is: ['empty'] })
  expect(narrowTo(deal, {}, { key: 'created_at', unit: 'day' }, null)).toBeUndefined()
  expect(withinStretch(deal, {}, 'due_at', { from: 1, to: 2 })).toEqual({ due_at_start: ['1'], due_at_end: ['2'] })
})

test('months are as long as they are', () => {
  for (const [month, last] of [['2026-11', '30'], ['2026-12', '31'], ['2027-02', '28'], ['2028-02', '29']] as const) {
    const { due_at_end: [end] = [] } = narrowTo(deal, {}, { key: 'due_at', unit: 'month' }, at(`${month}-01`)) ?? {}
    expect(formatTime(Number(end))).toBe(`${month}-${last} 23:59:59`)
  }
})

test('a calendar shows whole weeks from Monday, with every day of the month', () => {
  const days = calendarDays(at('2026-11-26'), 'month').map(formatDate)
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42])
  expect(calendarDays(at('2027-02-10'), 'month')).toHaveLength(28)
  expect(calendarDays(at('2026-11-29') + 80_000, 'week').map(formatDate)).toEqual(['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29'])
})

test('groups stand as people know them', () => {
  const group = (value: number | null) => ({ value, name: null, count: 1, sums: {} })
  expect(inOrder(deal, { key: 'state', unit: undefined }, [group(2), group(null), group(0)]).map(({ value }) => value)).toEqual([0, 2, null])
  expect(inOrder(deal, { key: 'due_at', unit: 'day' }, [group(9), group(3), group(null)]).map(({ value }) => value)).toEqual([3, 9, null])
})

const row = (part: Readonly<Record<string, unknown>>) => ({ id: 1, can: ['sign', 'void'], ...part }) as WireRow

test('a card goes where a transition leads, and else it is said why not', () => {
  expect(moveTo(deal, 'state', row({ state: 0 }), 1)).toMatchObject({ edges: [{ name: 'sign' }] })
  expect(moveTo(deal, 'state', row({ state: 1 }), 0)).toEqual({ why: '「已签」不能变成「草稿」，现在可以作废到「作废」' })
  expect(moveTo(deal, 'state', row({ state: 2 }), 0)).toEqual({ why: '「作废」不能变成「草稿」' })
  expect(moveTo(deal, 'state', row({ state: 0, can: [] }), 1)).toEqual({ why: '您没有「签约」的权限' })
  expect(moveTo(deal, 'state', row({ state: 0, cannot: { sign: '还没有付款' } }), 1)).toEqual({ why: '还没有付款' })
})

test('the first rule that fits colours a record', () => {
  const rules: ColorRule[] = [
    { key: 'state', test: 'is', value: '2', tone: 'default' }, { key: 'due_at', test: 'days', value: 'before_today', tone: 'error' },
    { key: 'amount', test: 'min', value: '100', tone: 'success' }, { key: 'name', test: 'empty', value: '', tone: 'warning' },
  ]
  const now = at('2026-11-26')
  const full = { state: 1, due_at: at('2026-11-30'), amount: 5, name: '甲' }
  expect(toneOf(deal, rules, full, now)).toBeUndefined()
  expect(toneOf(deal, rules, { ...full, state: 2, due_at: at('2026-11-01') }, now)).toBe('default')
  expect(toneOf(deal, rules, { ...full, due_at: at('2026-11-25') }, now)).toBe('error')
  expect(toneOf(deal, rules, { ...full, amount: 10_000 }, now)).toBe('success')
  // What is not there is no number.
  expect(toneOf(deal, [{ key: 'amount', test: 'max', value: '1', tone: 'error' }], { amount: null }, now)).toBeUndefined()
  expect(toneOf(deal, rules, { ...full, name: null }, now)).toBe('warning')
  expect(parseRules(deal, formatRules(rules))).toEqual(rules)
})

test('rules that are none are left out, whatever the address says', () => {
  for (const wrong of ['x', '{}', '[1]', '[["gone","empty","","error"]]', '[["name","is","1","error"]]', '[["amount","min","viel","error"]]', '[["amount","min","1","purple"]]', '[["__proto__","empty","","error"]]', '[["name","empty","","constructor"]]']) {
    expect(parseRules(deal, wrong), wrong).toEqual([])
  }
})

test('columns at an edge are read back as they were written', () => {
  fc.assert(fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.constantFrom('left' as const, 'right' as const), { minKeys: 1, noNullPrototype: true }), (pins) => {
    expect(parsePins(formatPins(pins) ?? '')).toEqual(pins)
  }))
  expect([formatPins({}), parsePins('')]).toEqual([undefined, {}])
})
