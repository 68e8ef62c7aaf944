import { expect, test } from 'vitest'
import { entryText, menuPool, menuSearch } from './menu-search.ts'
import type { ShellRoute } from './routes.ts'

const routes: ShellRoute[] = [
  { path: '/', title: '首页' },
  { path: '/course', title: '课程管理', children: [
    { path: '/course/list', title: '课程列表', id: 1 },
    { path: '/course/sections/:courseId', title: '章节管理', hidden: true },
    { path: '/course/tag', title: '课程标签' },
  ] },
  { path: '/new-study-room', title: '合伙自习室', redirect: 'noRedirect', children: [
    { path: '/new-study-room/self-study-room-management/user-order', title: '用户订单' },
    { path: '/new-study-room/partner', title: '合伙人' },
  ] },
  { path: '/hidden', title: '看不见', hidden: true, children: [{ path: '/hidden/inside', title: '里面' }] },
  { path: '/untitled', title: '' },
  { path: '/operate', title: '运营', children: [{ path: '/operate/paylink', title: '支付链接' }, { path: 'https://example.com/help', title: '帮助中心' }] },
]
const pool = menuPool(routes)
const spellings = new Map([['课程列表', ['kclb', 'kechengliebiao']], ['课程管理', ['kcgl', 'kechengguanli']], ['合伙人', ['hhr', 'hehuoren']]])
const find = (words: string) => menuSearch(pool, (title) => spellings.get(title) ?? [])(words).map(entryText)

test('76, 77: the pool is what has a title and is seen, with the titles of its groups', () => {
  expect(pool.map(entryText)).toEqual([
    '首页', '课程管理', '课程管理 > 课程列表', '课程管理 > 课程标签', '合伙自习室 > 用户订单', '合伙自习室 > 合伙人', '运营', '运营 > 支付链接', '运营 > 帮助中心',
  ])
})

test('79: a group leads to its first page, what leads out is marked, pages that need a parameter are left out', () => {
  expect(pool.find((entry) => entryText(entry) === '课程管理')?.to).toBe('/course/list')
  expect(pool.find((entry) => entryText(entry) === '运营 > 帮助中心')).toMatchObject({ to: 'https://example.com/help', external: true })
  expect(menuPool([{ path: '/a/:id', title: '详情' }])).toEqual([])
})

test('75: no words, no hits', () => {
  expect(find('')).toEqual([])
  expect(find('   ')).toEqual([])
})

test('74, 80: titles weigh more than paths, what holds the words comes first, a word deep in a path is found', () => {
  expect(find('课程列表')[0]).toBe('课程管理 > 课程列表')
  expect(find('课程标')[0]).toBe('课程管理 > 课程标签')
  expect(find('order')[0]).toBe('合伙自习室 > 用户订单')
  expect(find('合火人')[0]).toBe('合伙自习室 > 合伙人')
  expect(find('  tag ')[0]).toBe('课程管理 > 课程标签')
  expect(find('完全没有的东西')).toEqual([])
})

test('initials and syllables find a title too, the whole of it before a part', () => {
  expect(find('kclb')[0]).toBe('课程管理 > 课程列表')
  expect(find('hehuoren')[0]).toBe('合伙自习室 > 合伙人')
  expect(find('kcgl')[0]).toBe('课程管理')
  expect(find('he huo ren')[0]).toBe('合伙自习室 > 合伙人')
})

test('77: another set of routes is another pool', () => {
  expect(menuPool(routes.slice(0, 1)).map(entryText)).toEqual(['首页'])
})
