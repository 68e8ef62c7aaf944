import { expect, test } from 'vitest'
import { breadcrumbTrail, type Crumb } from './breadcrumb-trail.ts'
import type { ShellRoute } from './routes.ts'

const pages: ShellRoute[] = [
  { path: '/course/list', title: '课程列表' },
  { path: '/course/video/:id', title: '视频管理', hidden: true },
  { path: '/course/quiet', title: '没有自己的一节', breadcrumb: false },
]
const course: ShellRoute = { path: '/course', title: '课程管理', children: pages }
const routes: ShellRoute[] = [{ path: '/', title: '首页' }, course]
const at = (path: string) => pages.find((page) => page.path === path)
const text = (crumbs: readonly Crumb[]) => crumbs.map(({ title, to }) => (to === undefined ? title : `${title}(${to})`)).join(' / ')

test('70, 71: home first, one crumb for each route with a title, the last is plain text', () => {
  expect(text(breadcrumbTrail(routes, at('/course/list'), '/course/list'))).toBe('首页(/) / 课程管理(/course/list) / 课程列表')
  expect(text(breadcrumbTrail(routes, routes[0], '/'))).toBe('首页')
  expect(text(breadcrumbTrail(routes, at('/course/quiet'), '/course/quiet'))).toBe('首页(/) / 课程管理')
  expect(breadcrumbTrail(routes, undefined, undefined)).toEqual([])
})

test('71, 72: a group leads to its redirect or its first permitted page, or nowhere when it says so', () => {
  const crumb = (redirect: string) => text(breadcrumbTrail([{ ...course, redirect }], at('/course/list'), '/course/list'))
  expect(crumb('noRedirect')).toBe('首页(/) / 课程管理 / 课程列表')
  expect(crumb('/course/quiet')).toBe('首页(/) / 课程管理(/course/quiet) / 课程列表')
  expect(crumb('/dropped')).toBe('首页(/) / 课程管理(/course/list) / 课程列表')
  // Only pages with parameters are left: no link to an empty layout.
  expect(text(breadcrumbTrail([{ ...course, children: pages.slice(1, 2) }], at('/course/video/:id'), '/course'))).toBe('首页(/) / 课程管理 / 视频管理')
})

test('72: the page of one record has the list it belongs to before it, and the name it gives itself', () => {
  expect(text(breadcrumbTrail(routes, at('/course/video/:id'), '/course/list', '视频-12'))).toBe('首页(/) / 课程管理(/course/list) / 课程列表(/course/list) / 视频-12')
  expect(text(breadcrumbTrail(routes, at('/course/video/:id'), '/course'))).toBe('首页(/) / 课程管理(/course/list) / 视频管理')
})

test('70: at any depth, with parts of the path joined', () => {
  const deep: ShellRoute = { path: '/x', title: '一', children: [{ path: 'y', title: '二', children: [{ path: 'z', title: '三' }, { path: 'w', title: '四' }] }] }
  expect(text(breadcrumbTrail([deep], { path: '/x/y/z', title: '三' }, '/x/y/z'))).toBe('首页(/) / 一(/x/y/z) / 二(/x/y/z) / 三')
})
