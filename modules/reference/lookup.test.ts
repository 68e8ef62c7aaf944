import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { provinces } from '../../core/field/region.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { channel } from './channel.ts'
import type { Cat } from './lookup.ts'
import { subject } from './subject.ts'

let app: TestApp
let anybody: Caller
beforeAll(async () => {
  app = await openTestApp()
  anybody = await app.staff([])
})
afterAll(() => app.close())

const cats = async (query: Record<string, unknown>, caller = anybody) => {
  const answer = await caller.get<{ subjects: Cat[] }>('/daoyuan/api/cats', query)
  expect(answer.status).toBe(200)
  return answer.body.subjects
}

test('lookups need a login and nothing else', async () => {
  for (const path of ['/daoyuan/api/cats', '/daoyuan/api/channels', '/daoyuan/api/provinces']) {
    expect(await app.nobody().get(path)).toMatchObject({ status: 401, body: { detail: '错误的token' } })
    expect((await anybody.get(path)).status).toBe(200)
  }
})

test('the combined list has every subject with its stage behind the name', async () => {
  const all = await cats({ education_level: 9 })
  expect(all.map((cat) => cat.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 101, 102, 103, 104, 105, 106, 107, 108, 201, 202, 207])
  expect(all[0]).toEqual({ id: 1, name: '数学（高中）', level: 0, name_full: '数学（高中）', root_label_id: 18 })
  expect(all.find((cat) => cat.id === 108)).toMatchObject({ name: '历史（初中）', level: 1, root_label_id: null })
  expect(all.find((cat) => cat.id === 207)).toMatchObject({ name: '语文（小学）', level: 2 })
  // spec 9: category id map 1-8.
  expect(all.slice(0, 8).map((cat) => cat.root_label_id)).toEqual([18, 20, 16, 17, 19, 2922, 4063, 849])
  expect(await cats({})).toEqual(all)
})

test('a single stage has plain names', async () => {
  const junior = await cats({ education_level: 1 })
  expect(junior.map((cat) => cat.name)).toEqual(['数学', '英语', '物理', '化学', '生物', '地理', '语文', '历史'])
  expect(junior.map((cat) => cat.id)).toEqual([101, 102, 103, 104, 105, 106, 107, 108])
  expect(junior[0]?.name_full).toBe('数学（初中）')
  expect((await cats({ education_level: 0 })).map((cat) => cat.level)).toEqual(Array(9).fill(0))
  expect((await cats({ education_level: 2 })).map((cat) => cat.id)).toEqual([201, 202, 207])
  expect(await anybody.get('/daoyuan/api/cats', { education_level: 5 })).toMatchObject({ status: 400, body: { detail: '学段有误' } })
})

test('e-books add combined sciences, and all=1 the entry for every subject', async () => {
  const ebook = await cats({ education_level: 9, ebook: 1 })
  expect(ebook.find((cat) => cat.id === 9)).toMatchObject({ name: '理综（高中）', level: 0 })
  expect((await cats({ education_level: 1, ebook: 1 })).some((cat) => cat.id === 9)).toBe(false)
  const all = await cats({ education_level: 9, all: 1 })
  expect(all.at(-1)).toEqual({ id: 999, name: '全部学科', level: null, name_full: '全部学科', root_label_id: null })
  expect(all.some((cat) => cat.id === 9)).toBe(false)
})

test('whoever is limited to subjects or stages sees only theirs', async () => {
  const physics = await app.staff([], { scopes: { subject: [3, 103] } })
  expect((await cats({ education_level: 9, all: 1, ebook: 1 }, physics)).map((cat) => cat.id)).toEqual([3, 103])
  const junior = await app.staff([], { scopes: { level: [1] } })
  expect(new Set((await cats({ all: 1 }, junior)).map((cat) => cat.level))).toEqual(new Set([1]))
})

test('a browser that has the subjects gets 304 until somebody changes them', async () => {
  const path = '/daoyuan/api/cats?education_level=9'
  const first = await anybody.get(path)
  const tag = String(first.headers['etag'])
  expect(first.headers['cache-control']).toBe('private, no-cache')
  const ask = (known: string) => anybody.call('GET', path, undefined, { 'if-none-match': known })
  const again = await ask(tag)
  expect(again).toMatchObject({ status: 304, body: {} })
  expect(again.headers['etag']).toBe(tag)
  expect((await ask(`"other", W/${tag}`)).status).toBe(304)
  expect((await ask('"other"')).status).toBe(200)

  const editor = await app.staff([subject.grant, standardId(subject.grant, 'edit')])
  expect((await editor.put(`${subject.api.item}/10`, { name: '思想政治' })).status).toBe(200)
  const changed = await vi.waitFor(async () => {
    const answer = await anybody.call<{ subjects: Cat[] }>('GET', path, undefined, { 'if-none-match': tag })
    expect(answer.status).toBe(200)
    return answer
  }, { timeout: 30_000 })
  expect(changed.body.subjects.find((cat) => cat.id === 10)?.name).toBe('思想政治（高中）')
})

test('subjects that nobody changed are not read again for half a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  try {
    await cats({})
    await app.kernel.db.query(sql`update subject set root_label_id = 1000 where id = 1`)
    expect((await cats({}))[0]?.root_label_id).toBe(18)
    // News of the tests before may be on the way; ours is the last. A server with a listening connection hears of its own twice.
    let heard = 0
    await app.kernel.db.listen('subject', (payload) => (heard += Number(payload === 'last')))
    await app.kernel.db.notify('subject', 'last')
    await vi.waitFor(() => expect(heard).toBe(app.kernel.db.kind === 'postgres' ? 2 : 1), { timeout: 30_000 })
    await vi.waitFor(async () => expect((await cats({}))[0]?.root_label_id).toBe(1000), { timeout: 30_000 })
    await app.kernel.db.query(sql`update subject set root_label_id = 18 where id = 1`)
    expect((await cats({}))[0]?.root_label_id).toBe(1000)
    vi.setSystemTime(Date.now() + 31_000)
    expect((await cats({}))[0]?.root_label_id).toBe(18)
  } finally {
    vi.useRealTimers()
  }
})

test('subjects come with the product: they are edited, never added or deleted', async () => {
  const editor = await app.staff([subject.grant, standardId(subject.grant, 'edit'), standardId(subject.grant, 'remove')])
  expect((await editor.post(subject.api.item, { name: '天文', sort: 1 })).status).toBe(404)
  expect((await editor.delete(`${subject.api.item}/1`)).status).toBe(404)
  expect(await editor.put(`${subject.api.item}/2`, { name: '数学' })).toMatchObject({ status: 409, body: { detail: '学科名称「数学」已存在' } })
})

test('channels are listed without what they cost', async () => {
  const [id] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, channel, [{ name: '官网', kind: 1, cost: 100 }]))
  expect((await anybody.get('/daoyuan/api/channels')).body).toEqual({ channels: [{ id, name: '官网', kind: 1 }] })
})

test('the region tree has 34 provinces in the words of the spec', async () => {
  const answer = await anybody.get<{ provinces: typeof provinces }>('/daoyuan/api/provinces')
  const tree = answer.body.provinces
  expect(tree).toHaveLength(34)
  const jiangsu = tree.find((province) => province.code === '32')
  expect(jiangsu?.name).toBe('江苏省')
  const suzhou = jiangsu?.citys.find((city) => city.code === '3205')
  expect(suzhou?.name).toBe('苏州市')
  expect(suzhou?.counties).toContainEqual({ code: '320508', name: '姑苏区' })
  expect(tree.find((province) => province.code === '11')?.name).toBe('北京市')
  const again = await anybody.call('GET', '/daoyuan/api/provinces', undefined, { 'if-none-match': String(answer.headers['etag']) })
  expect(again.status).toBe(304)
})
