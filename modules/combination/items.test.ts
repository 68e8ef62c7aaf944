import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { merge, newItem, pagesOf, place, type CombinationItem } from './items.ts'

const item = (key: string, more: Partial<CombinationItem> = {}) => newItem({ kind: 'text', ref_id: 0, key, ...more })
const list = (keys: string) => [...keys].map((key) => item(key))
const keys = (items: readonly CombinationItem[]) => items.map(({ key }) => key).join('')

/** What somebody makes of items: drops some, adds some, moves one. */
const edited = (base: readonly CombinationItem[], fresh: string) => fc.record({
  dropped: fc.subarray(base.map(({ key }) => key)), added: fc.array(fc.tuple(fc.constantFrom(...fresh), fc.nat(base.length)), { maxLength: 3 }), moved: fc.option(fc.tuple(fc.nat(), fc.nat()), { nil: undefined }),
}).map(({ dropped, added, moved }) => {
  let now = base.filter(({ key }) => !dropped.includes(key))
  for (const [key, at] of added) if (!now.some((one) => one.key === key)) now = place(now, [item(key)], now[at]?.key)
  const one = moved && now[moved[0] % (now.length || 1)]
  return one ? place(now, [one], now[(moved[1] % now.length)]?.key) : now
})

test('pages begin where an item says so; the first begins by itself', () => {
  expect(pagesOf([])).toEqual([[]])
  expect(pagesOf([item('a', { page: true }), item('b'), item('c', { page: true })]).map(keys)).toEqual(['ab', 'c'])
})

test('items come before another one, among themselves in the order in which they are given', () => {
  expect(keys(place(list('abcd'), list('a'), 'd'))).toBe('bcad')
  expect(keys(place(list('abcd'), list('db'), 'a'))).toBe('dbac')
  expect(keys(place(list('abcd'), list('ab'), 'b'))).toBe('abcd')
  expect(keys(place(list('abcd'), list('x'), undefined))).toBe('abcdx')
})

test('what one did to the items and what the other did hold both', () => {
  expect(keys(merge(list('abc'), list('xabc'), list('abcy')))).toBe('xabcy')
  expect(keys(merge(list('abc'), list('cab'), list('abyc')))).toBe('caby')
  expect(keys(merge(list('abc'), list('ac'), list('abcz')))).toBe('acz')
  expect(merge(list('ab'), [item('a', { title: '我' }), item('b')], [item('a'), item('b', { title: '他' })]).map(({ title }) => title)).toEqual(['我', '他'])
})

test('whatever both do, nothing that one added is lost, nothing that one removed comes back, and nothing stands twice', () => {
  const base = list('abcdef')
  fc.assert(fc.property(edited(base, 'uvw'), edited(base, 'xyz'), (mine, theirs) => {
    const found = keys(merge(base, mine, theirs))
    const expected = new Set([...keys(mine), ...keys(theirs)].filter((key) => !base.some((one) => one.key === key) || (keys(mine).includes(key) && keys(theirs).includes(key))))
    expect([...found].toSorted().join('')).toBe([...expected].toSorted().join(''))
  }))
  fc.assert(fc.property(edited(base, 'uvw'), (mine) => {
    expect(merge(base, mine, base)).toEqual(mine)
    expect(merge(base, base, mine)).toEqual(mine)
  }))
})
