import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import type { SavedView } from './calls.ts'

const PREFERENCES = '/daoyuan/api/end/preferences'
const VIEWS = '/daoyuan/api/end/saved_views'

let app: TestApp
let one: Caller
let other: Caller
beforeAll(async () => {
  app = await openTestApp()
  one = await app.staff([])
  other = await app.staff([])
})
afterAll(() => app.close())

test('a person\'s choices are kept, replaced, forgotten, and nobody else\'s', async () => {
  expect((await app.nobody().get(PREFERENCES)).status).toBe(401)
  expect((await one.get(PREFERENCES)).body).toEqual({ preferences: {} })
  await one.put(PREFERENCES, { key: 'list.partner', value: { columns: ['name'], size: 'small' } })
  await one.put(PREFERENCES, { key: 'shell', value: false })
  await one.put(PREFERENCES, { key: 'list.partner', value: { columns: ['name', 'mobile'] } })
  await other.put(PREFERENCES, { key: 'shell', value: 'other' })
  expect((await one.get(PREFERENCES)).body).toEqual({ preferences: { 'list.partner': { columns: ['name', 'mobile'] }, shell: false } })
  await one.put(PREFERENCES, { key: 'shell', value: null })
  expect((await one.get(PREFERENCES)).body).toEqual({ preferences: { 'list.partner': { columns: ['name', 'mobile'] } } })
})

test('a choice has a size and a sensible key', async () => {
  // 16 KB of JSON text: three bytes for each character and two for the quotes.
  const limit = Math.floor((16 * 1024 - 2) / 3)
  expect((await one.put(PREFERENCES, { key: 'big', value: '字'.repeat(limit) })).status).toBe(200)
  expect((await one.put(PREFERENCES, { key: 'big', value: '字'.repeat(limit + 1) })).body).toEqual({ detail: '设置内容过大' })
  for (const key of ['', 'a b', 'x'.repeat(121), 7]) expect((await one.put(PREFERENCES, { key, value: 1 })).body).toMatchObject({ detail: '设置名称有误' })
})

const view = (more: Record<string, unknown> = {}) => ({ list: 'partner', name: '本月新增', query: 'status=1&sort=-id', ...more })

test('a view is private until it is shared, and stays its owner\'s', async () => {
  const made = await one.post<SavedView>(VIEWS, view({ columns: ['name', 'city_code'] }))
  expect(made.body).toMatchObject({ name: '本月新增', query: 'status=1&sort=-id', columns: ['name', 'city_code'], shared: false, own: true, staff_id: one.staffId })
  const path = `${VIEWS}/${made.body.id}`
  const seenByOther = async () => (await other.get<{ items: SavedView[] }>(VIEWS, { list: 'partner' })).body.items
  expect(await seenByOther()).toEqual([])
  expect((await other.put(path, { name: 'x' })).status).toBe(404)
  expect((await other.delete(path)).status).toBe(404)

  expect((await one.put<SavedView>(path, { shared: true })).body).toMatchObject({ name: '本月新增', columns: ['name', 'city_code'], shared: true })
  expect(await seenByOther()).toMatchObject([{ id: made.body.id, own: false }])
  expect((await other.get<{ items: SavedView[] }>(VIEWS, { list: 'school' })).body.items).toEqual([])
  expect((await other.put(path, { name: 'x' })).body).toEqual({ detail: '这是同事共享的视图，只有创建人可以修改' })
  expect((await other.delete(path)).status).toBe(400)

  expect((await one.put<SavedView>(path, { name: '全部', columns: null })).body).toMatchObject({ name: '全部', columns: null, shared: true })
  expect((await one.delete(path)).status).toBe(200)
  expect(await seenByOther()).toEqual([])
  expect((await one.delete(path)).status).toBe(404)
})

test('names are unique for each person and list', async () => {
  const first = await one.post<SavedView>(VIEWS, view({ name: '甲' }))
  expect(first.status).toBe(200)
  expect((await one.post(VIEWS, view({ name: ' 甲 ' }))).body).toMatchObject({ detail: '视图名称「甲」已存在', fields: { name: '视图名称「甲」已存在' } })
  expect((await one.post(VIEWS, view({ name: '甲', list: 'school' }))).status).toBe(200)
  expect((await other.post(VIEWS, view({ name: '甲' }))).status).toBe(200)
  const second = await one.post<SavedView>(VIEWS, view({ name: '乙' }))
  expect((await one.put(`${VIEWS}/${second.body.id}`, { name: '甲' })).status).toBe(409)
})

test('a view needs a list and a name', async () => {
  expect((await one.get(VIEWS)).body).toMatchObject({ detail: '请说明是哪个列表' })
  expect((await one.post(VIEWS, view({ name: '  ' }))).body).toMatchObject({ detail: '请填写视图名称' })
  expect((await one.post(VIEWS, view({ query: 'x'.repeat(4001) }))).body).toMatchObject({ detail: '筛选条件过长' })
})
