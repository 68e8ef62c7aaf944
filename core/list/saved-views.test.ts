import { expect, test } from 'vitest'
import { text } from '../field/text.ts'
import { api, defineResource } from '../resource/define.ts'
import { noChoice } from './list-columns.ts'
import { parseListState } from './list-state.ts'
import { viewQuery, viewSearch, visibleColumns, withColumns } from './saved-views.ts'

const fruit = defineResource({
  name: 'fruit', label: '水果', grant: 101, api: api('/fruit', 'fruits', 'fruit'),
  fields: { name: text('名称'), colour: text('颜色'), origin: text('产地') },
  list: { columns: ['name', 'colour'], filters: ['colour', 'origin'] },
})

test('the same filters are the same view, in whatever order and on whatever page', () => {
  const a = parseListState(new URLSearchParams('page=3&page_size=50&colour=red&origin=x&origin=y&view=7'))
  const b = parseListState(new URLSearchParams('origin=x&origin=y&colour=red'))
  expect(viewQuery(a)).toBe(viewQuery(b))
  expect(viewQuery(a)).toBe('colour=red&origin=x&origin=y')
  expect(viewQuery(parseListState(new URLSearchParams('colour=red&sort=-id')))).not.toBe(viewQuery(b))
  expect(viewQuery(parseListState(new URLSearchParams('page=2&open=9')))).toBe(viewQuery(parseListState(new URLSearchParams())))
})

test('opening a view brings its filters and its number', () => {
  const state = parseListState(viewSearch({ id: 7, query: 'colour=red&keyword=苹果' }))
  expect(state).toMatchObject({ view: 7, page: 1, keyword: '苹果', filters: { colour: ['red'] } })
})

test('a view shows exactly its columns and leaves the rest of the choice alone', () => {
  const own = { ...noChoice, widths: { name: 300 }, density: 'small' as const }
  expect(visibleColumns(fruit, own)).toEqual(['name', 'colour'])
  const seen = withColumns(fruit, own, ['origin', 'gone', 'name'])
  expect(visibleColumns(fruit, seen)).toEqual(['origin', 'name'])
  expect(seen).toMatchObject({ widths: { name: 300 }, density: 'small' })
  expect(withColumns(fruit, own, ['gone'])).toBe(own)
})
