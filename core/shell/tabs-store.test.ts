import { expect, test } from 'vitest'
import { forgetTabs, restoreTabs, storeTabs } from './tabs-store.ts'
import { noTabs, pin, rename, visit, type TabsState } from './tabs.ts'

/** A browser's store. */
class Memory {
  private readonly kept = new Map<string, string>()
  get length() { return this.kept.size }
  key(place: number) { return [...this.kept.keys()][place] ?? null }
  getItem(key: string) { return this.kept.get(key) ?? null }
  setItem(key: string, value: string) { this.kept.set(key, value) }
  removeItem(key: string) { this.kept.delete(key) }
}

const page = (path: string, search = '') => ({ path, search, hash: '', title: path })
const home = { ...page('/'), affix: true }
const open = (...paths: string[]): TabsState => paths.reduce((state, path) => visit(state, page(path, '?x=1')), visit(noTabs, home))
const known = (path: string) => (path === '/denied' ? undefined : { title: `now ${path}`, noCache: false })

test('1: the tabs of a window come back with their addresses, names and order of use, without what is not granted any more', () => {
  const stores = { window: new Memory(), browser: new Memory() }
  storeTabs(stores, 7, rename(pin(visit(open('/a', '/denied', '/b'), page('/a', '?x=2')), '/b', true), '/a', '编辑-1'))
  const state = restoreTabs(stores, 7, [page('/')], known)
  expect(state.tabs.map(({ path, search, title, ownTitle, affix, pinned }) => [path, search, title, ownTitle ?? '', affix, pinned])).toEqual([
    ['/', '', '/', '', true, false], ['/b', '?x=1', 'now /b', '', false, true], ['/a', '?x=2', 'now /a', '编辑-1', false, false],
  ])
  expect(state.used).toEqual(['/', '/b', '/a'])
  // Their pages are made when they are visited.
  expect(state.alive).toEqual([])
})

test('96: tabs belong to a person, and another person on this computer does not find them', () => {
  const stores = { window: new Memory(), browser: new Memory() }
  storeTabs(stores, 7, open('/a'))
  expect(restoreTabs(stores, 8, [page('/')], known).tabs.map(({ path }) => path)).toEqual(['/'])
  forgetTabs(stores.window, 7)
  expect(restoreTabs(stores, 7, [page('/')], known).tabs).toHaveLength(2)
  forgetTabs(stores.window, 8)
  expect(restoreTabs(stores, 7, [page('/')], known).tabs).toHaveLength(1)
})

test('what is pinned is in a new window too', () => {
  const browser = new Memory()
  storeTabs({ window: new Memory(), browser }, 7, pin(open('/a', '/b'), '/b', true))
  expect(restoreTabs({ window: new Memory(), browser }, 7, [page('/')], known).tabs.map(({ path, pinned }) => [path, pinned])).toEqual([['/', false], ['/b', true]])
})

test('whatever is broken in the store is nothing', () => {
  for (const broken of ['', 'null', '[]', '{', '{"tabs":5,"used":7}', '{"tabs":[null,{"path":1}]}']) {
    const window = new Memory()
    window.setItem('tabs:7', broken)
    expect(restoreTabs({ window, browser: new Memory() }, 7, [page('/')], known).tabs.map(({ path }) => path)).toEqual(['/'])
  }
  const full = new Memory()
  full.setItem = () => { throw new Error('full') }
  expect(() => storeTabs({ window: full, browser: full }, 7, open('/a'))).not.toThrow()
})
