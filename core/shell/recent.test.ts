import { expect, test } from 'vitest'
import { addVisit, readVisits, recordVisit, type Visit } from './recent.ts'

const visit = (path: string, at = 1): Visit => ({ path, title: path.slice(1), at })

function memory(full = false) {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (full) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
  }
}

test('a page stands once, at its last visit, and the oldest make room', () => {
  const visits = ['/a', '/b', '/a'].reduce<Visit[]>((all, path, index) => addVisit(all, visit(path, index)), [])
  expect(visits).toEqual([visit('/a', 2), visit('/b', 1)])
  const many = Array.from({ length: 30 }, (_unused, index) => `/p${index}`).reduce<Visit[]>((all, path) => addVisit(all, visit(path)), [])
  expect(many).toHaveLength(20)
  expect(many[0]?.path).toBe('/p29')
})

test('visits belong to one person', () => {
  const store = memory()
  recordVisit(store, 1, visit('/a'))
  recordVisit(store, 1, visit('/b'))
  recordVisit(store, 2, visit('/c'))
  expect(readVisits(store, 1).map(({ path }) => path)).toEqual(['/b', '/a'])
  expect(readVisits(store, 2).map(({ path }) => path)).toEqual(['/c'])
})

test('a broken or full store costs nothing but the memory', () => {
  const store = memory()
  store.setItem('recent:1', '{')
  expect(readVisits(store, 1)).toEqual([])
  store.setItem('recent:1', '[null, 3, {"path": "/a"}, {"path": "/b", "title": "b", "at": 5}]')
  expect(readVisits(store, 1)).toEqual([visit('/b', 5)])
  expect(() => recordVisit(memory(true), 1, visit('/a'))).not.toThrow()
})
