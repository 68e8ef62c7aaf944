import { expect, test } from 'vitest'
import { close, closeAll, closeOthers, noTabs, refresh, successor, visit, type TabsState } from './tabs.ts'

const page = (path: string, search = '') => ({ path, search, hash: '', title: path, affix: path === '/' })
const open = (...paths: string[]): TabsState => paths.reduce((state, path) => visit(state, page(path)), noTabs)
const paths = (state: TabsState) => state.tabs.map((tab) => tab.path)

test('a path is one tab whose link is the newest query; other parameters are another tab', () => {
  const state = visit(visit(visit(noTabs, page('/a', '?x=1')), page('/a', '?x=2')), page('/a/1'))
  expect(state.tabs.map((tab) => tab.path + tab.search)).toEqual(['/a?x=2', '/a/1'])
})

test('closing the active tab leads to the one used most recently', () => {
  const state = visit(open('/', '/a', '/b', '/c'), page('/a'))
  expect(successor(close(state, '/a'))).toBe('/c')
  expect(successor(close(close(state, '/a'), '/c'))).toBe('/b')
})

test('what is pinned survives every way of closing', () => {
  const state = open('/', '/a', '/b')
  expect(paths(close(state, '/'))).toEqual(['/', '/a', '/b'])
  expect(paths(closeOthers(state, '/b'))).toEqual(['/', '/b'])
  expect(paths(closeAll(state))).toEqual(['/'])
  expect(successor(closeAll(noTabs))).toBe('/')
})

test('refresh makes one page anew', () => {
  expect(refresh(open('/a', '/b'), '/a').tabs.map((tab) => tab.version)).toEqual([1, 0])
})
