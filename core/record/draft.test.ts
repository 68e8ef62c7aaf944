import { expect, test } from 'vitest'
import { changedKeys, draftKey, readDraft, writeDraft } from './draft.ts'

class MemoryStore {
  private readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, value: string) => void this.items.set(key, value)
  removeItem = (key: string) => void this.items.delete(key)
}

test('a draft comes back, to its own person and record only', () => {
  const store = new MemoryStore()
  writeDraft(store, draftKey(1, 'partner', 5), { name: '启航' })
  expect(readDraft(store, draftKey(1, 'partner', 5))?.values).toEqual({ name: '启航' })
  for (const other of [draftKey(2, 'partner', 5), draftKey(1, 'partner', 6), draftKey(1, 'partner', undefined), draftKey(1, 'school', 5)]) {
    expect(readDraft(store, other)).toBeUndefined()
  }
})

test('a broken draft is none', () => {
  const store = new MemoryStore()
  store.setItem('draft', '{"at":')
  expect(readDraft(store, 'draft')).toBeUndefined()
})

test('empty, null and an empty list are the same nothing; zero is something', () => {
  expect(changedKeys(['a', 'b', 'c', 'd'], { a: null, b: undefined, c: null, d: null }, { a: '', b: null, c: [], d: 0 })).toEqual(['d'])
  expect(changedKeys(['a', 'b'], { a: [1, 2], b: 'x' }, { a: [2, 1], b: 'x' })).toEqual(['a'])
})
