import { expect, test } from 'vitest'
import {
  addressOf, close, closeAll, closeLeft, closeOthers, closeRight, inPlaceOf, MAX_ALIVE, MAX_TABS, move, neighbour, noTabs, pin, prune, refresh, rename, reopen, replacedBy, shift, successor, surplus, takePlace,
  titleOf, visit, type TabsState,
} from './tabs.ts'

const page = (path: string, search = '') => ({ path, search, hash: '', title: path, affix: path === '/' })
const open = (...paths: string[]): TabsState => paths.reduce((state, path) => visit(state, page(path)), noTabs)
const paths = (state: TabsState) => state.tabs.map((tab) => tab.path)

test('98: a path is one tab whose link is the newest query; other parameters are another tab', () => {
  const state = visit(visit(visit(noTabs, page('/a', '?x=1')), { ...page('/a', '?x=2'), hash: '#h' }), page('/a/1'))
  expect(state.tabs.map(addressOf)).toEqual(['/a?x=2#h', '/a/1'])
})

test('99: a page gives its own tab a name, whichever tab is in front, and takes it back', () => {
  const named = rename(open('/a', '/b'), '/a', '编辑-12')
  expect(named.tabs.map(titleOf)).toEqual(['编辑-12', '/b'])
  // Another query of the same page does not take the name away.
  expect(visit(named, page('/a', '?x=1')).tabs.map(titleOf)).toEqual(['编辑-12', '/b'])
  expect(rename(named, '/a', '').tabs.map(titleOf)).toEqual(['/a', '/b'])
  expect(titleOf({ title: '' })).toBe('no-name')
  expect(rename(named, '/a', '编辑-12')).toBe(named)
  expect(rename(named, '/gone', '编辑')).toBe(named)
})

test('106: closing the active tab leads to the one used most recently', () => {
  const state = visit(open('/', '/a', '/b', '/c'), page('/a'))
  expect(successor(close(state, '/a'))).toBe('/c')
  expect(successor(close(close(state, '/a'), '/c'))).toBe('/b')
})

test('100, 108, 109: what is fixed or pinned survives every way of closing', () => {
  const state = pin(open('/', '/a', '/b', '/c'), '/b', true)
  expect(paths(state)).toEqual(['/', '/b', '/a', '/c'])
  expect(paths(close(state, '/'))).toEqual(['/', '/b', '/a', '/c'])
  expect(paths(close(state, '/b'))).toEqual(['/', '/b', '/a', '/c'])
  expect(paths(closeOthers(state, '/c'))).toEqual(['/', '/b', '/c'])
  expect(paths(closeAll(state))).toEqual(['/', '/b'])
  expect(paths(close(pin(state, '/b', false), '/b'))).toEqual(['/', '/a', '/c'])
  expect(successor(closeAll(noTabs))).toBe('/')
})

test('left and right of a tab are closed, in the order of the bar', () => {
  const state = open('/', '/a', '/b', '/c')
  expect(paths(closeLeft(state, '/b'))).toEqual(['/', '/b', '/c'])
  expect(paths(closeRight(state, '/a'))).toEqual(['/', '/a'])
})

test('113: refresh makes one page anew', () => {
  expect(refresh(open('/a', '/b'), '/a').tabs.map((tab) => tab.version)).toEqual([1, 0])
})

test('116, 117: pages are kept, except those marked noCache and those of closed tabs', () => {
  const state = visit(visit(open('/a'), { ...page('/n'), noCache: true }), page('/b'))
  expect(state.alive).toEqual(['/a', '/b'])
  expect(visit(state, { ...page('/n'), noCache: true }).alive).toEqual(['/a', '/b', '/n'])
  expect(close(state, '/a').alive).toEqual(['/b'])
})

test('118, 119: a page is kept by its path: closing one record\'s page leaves the other\'s, closing others leaves what is fixed', () => {
  expect(close(open('/a/1', '/a/2'), '/a/1').alive).toEqual(['/a/2'])
  expect(closeOthers(open('/', '/a', '/b'), '/b').alive).toEqual(['/', '/b'])
})

test('121: the page unused for longest makes room, unless it holds work', () => {
  const many = Array.from({ length: MAX_ALIVE }, (_, n) => `/${n}`)
  expect(visit(open(...many), page('/new')).alive).toEqual([...many.slice(1), '/new'])
  expect(visit(open(...many), page('/new'), (path) => path === '/0').alive).toEqual(['/0', ...many.slice(2), '/new'])
  // All hold work: nothing is lost, the memory waits.
  expect(visit(open(...many), page('/new'), () => true).alive).toHaveLength(MAX_ALIVE + 1)
})

test('the tab unused for longest makes room for one too many, unless it is pinned or holds work', () => {
  const state = pin(open('/', ...Array.from({ length: MAX_TABS }, (_, n) => `/${n}`)), '/0', true)
  expect(surplus(state, (path) => path === '/1')?.path).toBe('/2')
  expect(surplus(open('/', '/a'), () => false)).toBeUndefined()
  expect(surplus(state, () => true)).toBeUndefined()
})

test('tabs are moved, but nothing passes what is fixed or pinned', () => {
  const state = pin(open('/', '/a', '/b', '/c'), '/a', true)
  expect(paths(move(state, '/c', '/b'))).toEqual(['/', '/a', '/c', '/b'])
  expect(paths(move(state, '/c', '/'))).toEqual(['/', '/a', '/c', '/b'])
  expect(paths(move(state, '/', '/c'))).toEqual(['/', '/a', '/b', '/c'])
  expect(paths(shift(state, '/b', 1))).toEqual(['/', '/a', '/c', '/b'])
  expect(paths(shift(state, '/c', 1))).toEqual(['/', '/a', '/b', '/c'])
  expect(paths(shift(state, '/b', -1))).toEqual(['/', '/a', '/b', '/c'])
})

test('what was closed last is opened again at its address, newest first', () => {
  const state = close(close(visit(open('/', '/a', '/b'), page('/b', '?x=1')), '/a'), '/b')
  const first = reopen(state)
  expect(first.tab && addressOf(first.tab)).toBe('/b?x=1')
  expect(reopen(first.state).tab?.path).toBe('/a')
  expect(reopen(reopen(first.state).state).tab).toBeUndefined()
})

test('what may not be opened any more is gone, and cannot be opened again', () => {
  const state = close(open('/', '/a', '/b', '/c'), '/c')
  const left = prune(state, (path) => path !== '/b' && path !== '/c')
  expect([paths(left), left.used, left.alive, left.closed]).toEqual([['/', '/a'], ['/', '/a'], ['/', '/a'], []])
  expect(prune(state, () => true)).toBe(state)
})

test('112: the next and the previous tab, around the ends of the bar', () => {
  const state = open('/', '/a', '/b')
  expect(neighbour(state, '/b', 1)?.path).toBe('/')
  expect(neighbour(state, '/', -1)?.path).toBe('/b')
})

test('a page that was new takes its own place once it is saved: no second tab is left, and nothing to open again', () => {
  const before = open('/', '/a', '/new', '/b')
  const saved = { ...page('/7'), state: inPlaceOf('/new') }
  expect(replacedBy(before, saved)).toBe('/new')
  const after = takePlace(visit(before, saved), '/7', '/new')
  expect(paths(after)).toEqual(['/', '/a', '/7', '/b'])
  expect(reopen(after).tab).toBeUndefined()
  // Coming back to it later closes no other page that is new.
  expect(replacedBy(visit(after, page('/new')), saved)).toBeUndefined()
  expect(replacedBy(before, page('/7'))).toBeUndefined()
})
