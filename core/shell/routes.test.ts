import { expect, test } from 'vitest'
import { firstPage, isExternal, joinPath, leafRoutes, permittedRoutes, type ShellRoute } from './routes.ts'

const routes: ShellRoute[] = [
  { path: '/', title: '首页' },
  { path: '/open', title: '公开', id: true },
  { path: '/a', title: '甲', children: [{ path: '/a/1', title: '甲一', id: 101 }, { path: '/a/2', title: '甲二', id: 102 }] },
  { path: '/b', title: '乙', id: 200, children: [{ path: '/b/1', title: '乙一' }] },
]
const pathsFor = (...modules: (number | string)[]) => leafRoutes(permittedRoutes(routes, modules)).map((route) => route.path)

test('32, 37: a route whose id is not granted is dropped, also below a group, and an empty group goes too', () => {
  expect(pathsFor(102)).toEqual(['/', '/open', '/a/2'])
  expect(permittedRoutes(routes, []).map((route) => route.path)).toEqual(['/', '/open'])
})

test('33: a dropped parent drops its children unexamined', () => {
  expect(pathsFor(200)).toContain('/b/1')
  expect(pathsFor(101)).not.toContain('/b/1')
})

test('34, 36: numbers are compared as numbers, and no number opens everything', () => {
  expect(pathsFor('102', '200')).toEqual(['/', '/open', '/a/2', '/b/1'])
  expect(pathsFor(0, 1, -1)).toEqual(['/', '/open'])
})

test('35: filtering does not touch the table, and other modules give another menu from the same table', () => {
  const before = JSON.stringify(routes)
  expect(pathsFor(101, 200)).toEqual(['/', '/open', '/a/1', '/b/1'])
  expect(JSON.stringify(routes)).toBe(before)
  expect(pathsFor(102)).toEqual(['/', '/open', '/a/2'])
})

test('32: at any depth', () => {
  const deep: ShellRoute[] = [{ path: '/x', title: '', children: [{ path: 'y', title: '', children: [{ path: 'z', title: '', children: [{ path: '1', title: '', id: 1 }, { path: '2', title: '', id: 2 }] }] }] }]
  expect(leafRoutes(permittedRoutes(deep, [2])).map((route) => route.path)).toEqual(['/x/y/z/2'])
  expect(permittedRoutes(deep, [3])).toEqual([])
})

test('38: a group leads to its first permitted page, never to a dropped one', () => {
  const group = (redirect?: string): ShellRoute => ({
    path: '/a', title: '甲', ...(redirect && { redirect }), children: [{ path: '/a/:id', title: '一条', hidden: true }, { path: '/a/1', title: '甲一', id: 101 }, { path: '/a/2', title: '甲二', id: 102 }],
  })
  const page = (of: ShellRoute, ...modules: number[]) => permittedRoutes([of], modules).map((route) => firstPage(route))
  expect(page(group(), 101, 102)).toEqual(['/a/1'])
  expect(page(group(), 102)).toEqual(['/a/2'])
  expect(page(group('/a/1'), 102)).toEqual(['/a/2'])
  expect(page(group('/a/2'), 101, 102)).toEqual(['/a/2'])
  expect(page(group())).toEqual([undefined])
})

test('47: an absolute child path stands for itself, a relative one joins its parent, others lead out', () => {
  expect(joinPath('/a', 'b')).toBe('/a/b')
  expect(joinPath('/a/', '/c')).toBe('/c')
  expect(joinPath('/a', '')).toBe('/a')
  expect(joinPath('/a', 'https://example.com/x')).toBe('https://example.com/x')
  for (const out of ['http://a', 'https://a', 'mailto:a@b', 'tel:110']) expect(isExternal(out)).toBe(true)
  for (const own of ['/http', 'a/b', '/tel:1']) expect(isExternal(own)).toBe(false)
})
