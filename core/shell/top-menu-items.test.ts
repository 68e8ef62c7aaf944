import { expect, test } from 'vitest'
import type { MenuItem } from './sidebar-items.ts'
import { landingOf } from './top-menu-items.ts'

const page = (path: string, external = false): MenuItem => ({ path, title: path, icon: undefined, external })

test('12 of b: a group at the top leads to its first page inside the console, at any depth', () => {
  expect(landingOf(page('/a'))).toBe('/a')
  expect(landingOf({ ...page('/g'), children: [page('https://example.com', true), { ...page('/g/h'), children: [page('/g/h/one')] }] })).toBe('/g/h/one')
})
