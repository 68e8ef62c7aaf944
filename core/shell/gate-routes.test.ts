import { expect, test } from 'vitest'
import { routesOf } from './gate-routes.ts'
import { fullTitle, permittedRoutes } from './routes.ts'
import { menuItems } from './sidebar-items.ts'

const groups = [
  { title: '合伙', screens: [{ id: 101, path: '/a/partner', title: '合伙人' }, { id: 102, path: '/a/school', title: '学校列表' }] },
  { title: '自营', screens: [{ id: 201, path: '/b/school', title: '学校列表' }, { id: 202, path: '/b/:id', title: '学校' }] },
  { title: '工具箱', screens: [{ id: 301, path: '/c/index', title: '工具' }] },
]
const menu = (...modules: number[]) => menuItems(permittedRoutes(routesOf(groups, new Set(groups.flatMap(({ screens }) => screens.map(({ path }) => path)))), modules))
  .map(({ title, children }) => [title, ...(children ?? []).map((child) => child.title)])

test('44: a single page stands for its group, unless another group has a page of that name', () => {
  expect(menu(102, 201, 202, 301)).toEqual([['合伙', '学校列表'], ['自营', '学校列表'], ['工具']])
  expect(menu(101)).toEqual([['合伙人']])
})

test('37: a group of which only pages of one record are left is not there', () => {
  expect(menu(202)).toEqual([])
})

test('screens that no module shows are in no menu', () => {
  expect(routesOf(groups, new Set(['/c/index'])).map(({ title }) => title)).toEqual(['工具箱'])
})

test('a page whose title other groups have too carries its group where that does not stand beside it', () => {
  const short = groups.map((group) => (group.title === '自营' ? { ...group, title: '自营自习室', short: '自营' } : group))
  const pages = routesOf(short, new Set(['/a/partner', '/a/school', '/b/school', '/c/index'])).flatMap(({ children = [] }) => children)
  expect(pages.map((page) => [fullTitle(page), page.group])).toEqual([['合伙人', '合伙'], ['合伙·学校列表', '合伙'], ['自营·学校列表', '自营自习室'], ['工具', '工具箱']])
})
