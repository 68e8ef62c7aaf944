import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatListState, parseListState, type ListState } from './list-state.ts'

test('an address gives the list back that wrote it', () => {
  const text = fc.string({ minLength: 1, maxLength: 12 })
  const state: fc.Arbitrary<ListState> = fc.record({
    page: fc.integer({ min: 1, max: 9999 }),
    pageSize: fc.constantFrom(20, 50, 100, 200),
    sort: fc.option(fc.constantFrom('name', '-created_at'), { nil: undefined }),
    keyword: fc.oneof(fc.constant(''), text),
    filters: fc.dictionary(fc.stringMatching(/^f[a-z_]{1,8}$/), fc.array(text, { minLength: 1, maxLength: 3 }), { noNullPrototype: true }),
    cursor: fc.option(fc.base64String({ minLength: 4, maxLength: 20 }), { nil: undefined }),
    view: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
  })
  fc.assert(fc.property(state, (value) => {
    expect(parseListState(new URLSearchParams(formatListState(value).toString()))).toEqual(value)
  }))
})

test('a broken address falls back instead of failing', () => {
  expect(parseListState(new URLSearchParams('page=-3&page_size=7'))).toMatchObject({ page: 1, pageSize: 20 })
  expect(parseListState(new URLSearchParams('page=abc&page_size=1e9'))).toMatchObject({ page: 1, pageSize: 20 })
})
