import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileUrl } from '../../core/file/url.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { videoAsset } from '../asset/module.ts'
import type { OutlineContent } from './calls.ts'
import type { Change } from './changes.ts'
import { createOutline } from './door.server.ts'
import { newBlock, newNode } from './node.ts'
import { addTestOwner, TEST_GRANTS } from './testing.server.ts'

addTestOwner()

const CLIP = readFileSync(join(import.meta.dirname, '../asset/demo/clip.mp4'))
const ASSETS = '/material/api/end/assets'
let app: TestApp
let admin: Caller
/** Edits courses and has not the library. */
let editor: Caller
let outlineId: number
let made = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.staff([...new Set([...app.allGrants, ...Object.values(TEST_GRANTS)])])
  editor = await app.staff(Object.values(TEST_GRANTS))
  outlineId = await app.db.transaction({ staff_id: null }, (tx) => createOutline(tx, { kind: 'test_book', id: 1 }))
  expectSuccess(await change(admin, { do: 'add', nodes: [newNode({ key: 'n1', parent: null, ord: 'a0' }, { name: '集合的概念' })] }))
})
afterAll(() => app.close())

const at = (more = '') => `/daoyuan/api/end/outlines/${outlineId}${more}`
const change = (caller: Caller, ...changes: Change[]) => caller.post(at('/changes'), { rev: 0, changes })
const content = async (caller = admin) => (await caller.get<OutlineContent>(at())).body
const bind = (key: string, ref_id: number): Change => ({ do: 'bind', blocks: [newBlock({ key, node: 'n1', ord: 'a0', kind: 'video', ref_id })] })
const uses = async (id: number) => (await admin.get<{ items: { kind: string; title: string; path: string; live: boolean }[]; total: number }>(`${ASSETS}/${id}/uses`)).body

async function video(name: string): Promise<{ id: number; url: string }> {
  const free = Buffer.alloc(16)
  free.writeUInt32BE(16, 0)
  free.write('free', 4, 'latin1')
  free.writeUInt32BE(++made, 8)
  const { id } = await app.kernel.files.put(Readable.from([Buffer.concat([CLIP, free])]), { name: `${name}.mp4`, staffId: admin.staffId })
  const answer = await admin.post<{ id: number; url: string }>(videoAsset.api.item, { name, url: fileUrl(id) })
  expectSuccess(answer)
  await expect.poll(async () => (await admin.get<{ state: number }>(`${videoAsset.api.item}/${answer.body.id}`)).body.state).toBe(1)
  return answer.body
}

async function publish(): Promise<void> {
  const { body } = await admin.get<{ token: string }>(at('/impact'))
  expectSuccess(await admin.post(at('/publish'), { token: body.token }))
}

test('a video that an outline shows is counted and named, cannot be removed, and plays for those who have not the library', async () => {
  const { id, url } = await video('集合的概念')
  expect((await editor.get(url)).status).toBe(404)
  expectSuccess(await change(editor, bind('v1', id)))
  expect((await editor.get(url)).status).toBe(200)
  expect((await content(editor)).targets).toContainEqual(expect.objectContaining({ kind: 'video', id, name: '集合的概念', health: { tone: 'ok', words: '可用' } }))
  expect(await uses(id)).toMatchObject({ total: 1, items: [{ kind: '测试教材', title: '第 1 册 · 集合的概念', path: '/englishApp/catalog?textbook_id=1', live: false }] })
  const refused = await admin.delete(`${videoAsset.api.item}/${id}`)
  expectRefusal(refused, 409)
  expect(refused.body['detail']).toBe('「集合的概念」还被 1 处使用（测试教材「第 1 册 · 集合的概念」），不能删除')
  await publish()
  expect(await uses(id)).toMatchObject({ total: 1, items: [{ live: true }] })
  // Learners go on to see it, so that it still cannot go.
  expectSuccess(await change(editor, { do: 'unbind', keys: ['v1'] }))
  expect(await uses(id)).toMatchObject({ total: 1, items: [{ title: '第 1 册（已发布的版本）', live: true }] })
  await publish()
  expect(await uses(id)).toEqual({ total: 0, items: [] })
  expectSuccess(await admin.delete(`${videoAsset.api.item}/${id}`))
})

test('another video takes its place wherever the person may edit', async () => {
  const [from, to] = [await video('旧版'), await video('新版')]
  expectSuccess(await change(editor, bind('v2', from.id)))
  const keeper = await app.staff([videoAsset.grant, videoAsset.rights.id('replace')])
  expect((await keeper.post(`${ASSETS}/${from.id}/move_uses`, { into_id: to.id })).body).toEqual({ moved: 0, left_alone: 1 })
  expect((await admin.post(`${ASSETS}/${from.id}/move_uses`, { into_id: to.id })).body).toEqual({ moved: 1, left_alone: 0 })
  expect((await content()).body.blocks.map(({ kind, ref_id }) => [kind, ref_id])).toEqual([['video', to.id]])
  expect([(await uses(from.id)).total, (await uses(to.id)).total]).toEqual([0, 1])
  expect((await editor.get(to.url)).status).toBe(200)
})

test('what cannot be played, or must not be shown any more, keeps an outline from being published', async () => {
  const { id } = await video('到期的视频')
  expectSuccess(await change(editor, bind('v3', id)))
  await app.db.query(sql`update asset set licence_until = now() - interval '1 day' where id = ${id}`)
  const { body } = await admin.get<{ token: string; broken: object[] }>(at('/impact'))
  expect(body.broken).toEqual([{ key: 'v3', name: '到期的视频', words: '授权已到期' }])
  expectRefusal(await admin.post(at('/publish'), { token: body.token }), 400)
})

test('what can be chosen is found by words and number, and nothing that is not usable', async () => {
  const { id } = await video('对数函数的图象')
  const find = async (keyword: string) => (await editor.get<{ items: { id: number }[] }>(at('/targets'), { kind: 'video', keyword })).body.items.map((one) => one.id)
  expect(await find('对数函数')).toEqual([id])
  expect(await find('数')).toContain(id)
  expect(await find(String(id))).toEqual([id])
  await app.db.query(sql`update asset set state = 4 where id = ${id}`)
  expect(await find('对数函数')).toEqual([])
})
