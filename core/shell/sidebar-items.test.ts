import { expect, test } from 'vitest'
import type { ShellRoute } from './routes.ts'
import { activeItem, itemTrail, lettersOf, menuItems, menuPages, type MenuItem } from './sidebar-items.ts'

const page = (path: string, more: Partial<ShellRoute> = {}): ShellRoute => ({ path, title: path, ...more })
const group = (path: string, children: readonly ShellRoute[], more: Partial<ShellRoute> = {}): ShellRoute => ({ path, title: path, children, ...more })
/** A menu as text: groups with what is in them. */
const drawn = (items: readonly MenuItem[]): string => items.map((item) => (item.children ? `${item.path}[${drawn(item.children)}]` : item.path)).join(' ')

test('43: what is hidden is not shown, nor what is below it', () => {
  expect(drawn(menuItems([page('/a'), page('/b', { hidden: true }), group('/c', [page('/c/1'), page('/c/2')], { hidden: true })]))).toBe('/a')
})

test('44: a single child takes its parent\'s place, with its own title and its icon or the parent\'s', () => {
  expect(menuItems([group('/a', [page('/a/1', { title: '甲一' }), page('/a/2', { hidden: true })], { icon: 'book' })]))
    .toEqual([{ path: '/a/1', title: '甲一', icon: 'book', external: false }])
  expect(menuItems([group('/a', [page('/a/1', { icon: 'own' })], { icon: 'book' })])[0]?.icon).toBe('own')
  // At every level; a child with children of its own stays a group, even when all of them are hidden.
  expect(drawn(menuItems([group('/a', [group('/a/b', [page('/a/b/1')]), page('/a/c')])]))).toBe('/a[/a/b/1 /a/c]')
  expect(drawn(menuItems([group('/a', [group('/a/b', [page('/a/b/1', { hidden: true })])])]))).toBe('/a[/a/b]')
})

test('45: a group that is always shown stays one with a single child and with none', () => {
  expect(drawn(menuItems([group('/a', [page('/a/1')], { alwaysShow: true }), group('/b', [], { alwaysShow: true })]))).toBe('/a[/a/1] /b[]')
})

test('46, 37: without visible children a group is a page of its own, unless there is nothing to lead to; without a title nothing is shown', () => {
  expect(drawn(menuItems([group('/a', []), group('/b', [page('/b/1', { hidden: true })]), group('/c', [page('/c/:id', { hidden: true })]), page('/d', { title: '' })]))).toBe('/a /b')
})

test('47: paths below their parents, addresses that lead out', () => {
  const [item] = menuItems([group('/a', [page('1'), page('/x'), page('https://example.com'), group('b', [page('1'), page('2')])])])
  expect(item?.children?.map(({ path, external }) => [path, external])).toEqual([['/a/1', false], ['/x', false], ['https://example.com', true], ['/a/b', false]])
  expect(item?.children?.[3]?.children?.map(({ path }) => path)).toEqual(['/a/b/1', '/a/b/2'])
})

const routes = [page('/'), group('/course', [
  page('/course/list'), page('/course/paper'), page('/course/paper/detail/:id', { hidden: true }), page('/course/video/:id', { hidden: true }),
  page('/course/sections/:id', { hidden: true, activeMenu: '/course/list' }), page('/course/tag', { activeMenu: '/gone' }),
  page('/course/of/:kind/:id', { hidden: true, activeMenu: '/course/{kind}' }),
])]
const items = menuItems(routes)
const active = (path: string, pathname = path) => activeItem(items, routes, routes[1]?.children?.find((route) => route.path === path) ?? (path === '/' ? routes[0] : undefined), pathname)

test('49: the menu item of a page is the one its route names, its own, the nearest above it, else its group', () => {
  expect(active('/course/list')).toBe('/course/list')
  expect(active('/course/sections/:id', '/course/sections/12')).toBe('/course/list')
  expect(active('/course/of/:kind/:id', '/course/of/paper/12')).toBe('/course/paper')
  expect(active('/course/tag')).toBe('/course/tag')
  expect(active('/course/paper/detail/:id', '/course/paper/detail/12')).toBe('/course/paper')
  expect(active('/course/video/:id', '/course/video/12')).toBe('/course')
  expect(active('/')).toBe('/')
  expect(active('/nowhere')).toBeUndefined()
})

test('50: the groups above the active item are known, and so are all pages with the groups above them', () => {
  expect(itemTrail(items, '/course/paper').map(({ path }) => path)).toEqual(['/course', '/course/paper'])
  expect(itemTrail(items, '/nowhere')).toEqual([])
  expect(menuPages(items).map(({ item, above }) => [item.path, ...above])).toEqual([['/'], ['/course/list', '/course'], ['/course/paper', '/course'], ['/course/tag', '/course']])
})

test('52: items without a picture are told apart by their letters', () => {
  expect(lettersOf(['学校列表', '学校学生', '会员卡', '学校'])).toEqual(['列表', '学生', '会员', '学校'])
  expect(lettersOf(['题库'])).toEqual(['题库'])
})
