import { expect, test } from 'vitest'
import { leafRoutes, permittedRoutes, safeRedirect, type ShellRoute } from './routes.ts'

const routes: ShellRoute[] = [
  { path: '/', title: '首页' },
  { path: '/open', title: '公开', id: true },
  { path: '/a', title: '甲', children: [{ path: '/a/1', title: '甲一', id: 101 }, { path: '/a/2', title: '甲二', id: 102 }] },
  { path: '/b', title: '乙', id: 200, children: [{ path: '/b/1', title: '乙一' }] },
]

test('a route whose id is not granted is dropped, also below a group, and an empty group goes too', () => {
  expect(leafRoutes(permittedRoutes(routes, new Set([102]))).map((route) => route.path)).toEqual(['/', '/open', '/a/2'])
  expect(permittedRoutes(routes, new Set([])).map((route) => route.path)).toEqual(['/', '/open'])
})

test('a dropped parent drops its children unexamined, and filtering does not touch the table', () => {
  const before = JSON.stringify(routes)
  expect(leafRoutes(permittedRoutes(routes, new Set([200]))).map((route) => route.path)).toContain('/b/1')
  expect(leafRoutes(permittedRoutes(routes, new Set([101]))).map((route) => route.path)).not.toContain('/b/1')
  expect(JSON.stringify(routes)).toBe(before)
})

test('only addresses inside the console are followed after login', () => {
  expect(safeRedirect('/course/list?x=1#top')).toBe('/course/list?x=1#top')
  for (const bad of [null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/login', '/login?redirect=/login', '/login/']) {
    expect(safeRedirect(bad)).toBe('/')
  }
  expect(safeRedirect('/loginLog')).toBe('/loginLog')
})
