import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileUrl } from '../../core/file/url.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { videoAsset } from '../asset/module.ts'
import { createOutline } from '../outline/door.server.ts'
import { ALL_PAPERS } from '../paper/module.ts'
import type { CombinationContent, CombinationUse, CombinationVersion } from './calls.ts'
import { combination, COMBINATION_STATE } from './combination.ts'
import { newItem, type CombinationItem } from './items.ts'

const CLIP = readFileSync(join(import.meta.dirname, '../asset/demo/clip.mp4'))
const { api: { list: LIST, item: ITEM } } = combination
let app: TestApp
let admin: Caller
/** Puts combinations together and has neither the library nor the bank. */
let editor: Caller
let made = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.staff(app.servedGrants)
  editor = await app.staff([combination.grant, standardId(combination.grant, 'edit')])
})
afterAll(() => app.close())

type Row = WireRow<typeof combination> & { undo?: number; detail: string }
async function create(items: CombinationItem[] = []): Promise<Row> {
  const answer = await admin.post<Row>(ITEM, { name: `学习单 ${++made}`, subject_id: 1, items })
  expectSuccess(answer)
  return answer.body
}
const content = async (id: number, caller = admin) => (await caller.get<CombinationContent>(`${LIST}/${id}/content`)).body
const read = async (id: number) => (await admin.get<Row>(`${ITEM}/${id}`)).body
const save = async (id: number, items: CombinationItem[], caller = admin) => caller.put<Row>(`${ITEM}/${id}`, { items, rev: (await read(id)).rev })
const publish = (id: number, caller = admin) => caller.post<Row>(`${ITEM}/${id}/publish`, {})
const words = (text: string, more: Partial<CombinationItem> = {}) => newItem({ kind: 'text', ref_id: 0, text, ...more })

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

test('what is put in stands in order and on pages, is named, and plays for those who have not the library', async () => {
  const { id: videoId, url } = await video('集合的概念')
  const { id } = await create()
  expectSuccess(await save(id, [words('先看视频'), newItem({ kind: 'video', ref_id: videoId }), words('再做练习', { page: true })]))
  expect(await read(id)).toMatchObject({ item_count: 3, page_count: 2, use_count: 0, state: COMBINATION_STATE.draft })
  const seen = await content(id, editor)
  expect(seen.targets).toMatchObject([{ kind: 'video', id: videoId, name: '集合的概念', minutes: 1, health: { tone: 'ok' } }])
  expect(seen.files).toEqual({ [String(videoId)]: url })
  expect((await editor.get(url)).status).toBe(200)
  expect(seen.row.can).toEqual(['edit'])
})

test('what is not there cannot be put in; what was removed since stays and is said', async () => {
  const { id } = await create()
  const refused = await save(id, [newItem({ kind: 'video', ref_id: 99_999 })])
  expectFieldRefusal(refused, 400, 'items')
  expect(refused.body.detail).toBe('视频不存在或已被删除，请重新选择')
  const item = words('一')
  expectFieldRefusal(await save(id, [item, item]), 400, 'items')
  expectFieldRefusal(await save(id, Array.from({ length: 201 }, () => words('一'))), 400, 'items')
  expect((await read(id)).items ?? []).toEqual([])
})

test('publishing keeps a version, what is edited afterwards waits for the next one', async () => {
  const { id } = await create()
  expect((await publish(id)).body.detail).toBe('还没有内容，不能发布')
  const first = [words('第一版')]
  expectSuccess(await save(id, first))
  expect((await publish(id)).body).toMatchObject({ state: COMBINATION_STATE.live, version_no: 1 })
  expect((await publish(id)).body.detail).toBe('没有未发布的改动')
  expectSuccess(await save(id, [words('第二版')]))
  expect((await content(id)).row.published).toEqual(first)
  const changed = await admin.get<{ items: { id: number }[] }>(LIST, { needs: 'changed' })
  expect(changed.body.items.map((row) => row.id)).toEqual([id])
  expect((await publish(id)).body).toMatchObject({ version_no: 2 })
  const { body } = await admin.get<{ items: CombinationVersion[] }>(`${LIST}/${id}/versions`)
  expect(body.items.map(({ no, items }) => [no, items[0]?.text])).toEqual([[2, '第二版'], [1, '第一版']])
  await expect(app.db.query(sql`update combination_version set no = 9 where combination_id = ${id}`)).rejects.toThrow(/never changed/)
  expect((await publish(id, editor)).status).toBe(403)
})

test('switched off it is not offered, and comes back without a version that holds nothing new', async () => {
  const { id } = await create([words('一')])
  await publish(id)
  expectSuccess(await admin.put(`${ITEM}/${id}`, { status: 0 }))
  expect(await read(id)).toMatchObject({ state: COMBINATION_STATE.off, version_no: 1 })
  expectSuccess(await admin.put(`${ITEM}/${id}`, { status: 1 }))
  expect(await read(id)).toMatchObject({ state: COMBINATION_STATE.live, version_no: 1 })
})

test('nothing that a combination shows is removed, and another takes its place in what is edited', async () => {
  const [from, to] = [await video('旧版'), await video('新版')]
  const { id } = await create([newItem({ kind: 'video', ref_id: from.id })])
  await publish(id)
  const { body: paper } = await admin.post<{ id: number }>(ALL_PAPERS[0]?.api.item ?? '', { name: '随堂卷', subject_id: 1 })
  await app.db.query(sql`update paper set state = 2, version_no = 1, duration = 20 where id = ${paper.id}`)
  expectSuccess(await save(id, [newItem({ kind: 'video', ref_id: from.id }), newItem({ kind: 'paper', ref_id: paper.id })]))
  const gone = await admin.delete(`${videoAsset.api.item}/${from.id}`)
  expectRefusal(gone, 409)
  expect(gone.body['detail']).toContain('素材组合「学习单')
  expectRefusal(await admin.delete(`${ALL_PAPERS[0]?.api.item}/${paper.id}`), 409)
  expect((await admin.post(`/material/api/end/assets/${from.id}/move_uses`, { into_id: to.id })).body).toEqual({ moved: 1, left_alone: 0 })
  const { row } = await content(id)
  expect([row.items?.[0]?.ref_id, row.published?.[0]?.ref_id]).toEqual([to.id, from.id])
  // Published still: it goes when the change is published.
  expectRefusal(await admin.delete(`${videoAsset.api.item}/${from.id}`), 409)
  await publish(id)
  expectSuccess(await admin.delete(`${videoAsset.api.item}/${from.id}`))
})

test('a catalogue shows a combination: it is counted there, and cannot go', async () => {
  const textbooks = app.kernel.registry.get('sync_course_textbook')?.resource
  const { id } = await create([words('一')])
  const { body: { id: textbookId } } = await admin.post<{ id: number }>(textbooks?.api.item ?? '', { subject_id: 1, partwork_id: await partwork(), name: '必修第一册', status: 1, sort: 10 })
  const outlineId = await app.db.transaction({ staff_id: null }, (tx) => createOutline(tx, { kind: textbooks?.name ?? '', id: textbookId }))
  const at = `/daoyuan/api/end/outlines/${outlineId}`
  expectSuccess(await admin.post(`${at}/changes`, { rev: 0, changes: [
    { do: 'add', nodes: [{ key: 'n1', parent: null, ord: 'a0', kind: 4, name: '集合', free: null, trial_minutes: null, unlock: 0, unlock_score: null, open_at: null, label_ids: [], chapter_id: null }] },
    { do: 'bind', blocks: [{ key: 'b1', node: 'n1', ord: 'a0', kind: 'combination', ref_id: id, slot: null, version_no: null, title: '', text: '' }] },
  ] }))
  const find = async () => (await admin.get<{ items: { id: number }[] }>(`${at}/targets`, { kind: 'combination' })).body.items.map((one) => one.id)
  expect(await find()).not.toContain(id)
  const impact = async () => (await admin.get<{ broken: object[]; token: string }>(`${at}/impact`)).body
  expect((await impact()).broken).toEqual([{ key: 'b1', name: expect.stringContaining('学习单'), words: '组合还没有发布' }])
  await publish(id)
  expect(await find()).toContain(id)
  expect((await impact()).broken).toEqual([])
  const uses = await admin.get<{ items: CombinationUse[]; total: number }>(`${LIST}/${id}/uses`)
  expect(uses.body).toMatchObject({ total: 1, items: [{ kind: '高中同步目录', title: '必修第一册 · 集合', live: false }] })
  expect((await read(id)).use_count).toBe(1)
  const refused = await admin.delete(`${ITEM}/${id}`)
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.body['detail']).toContain('1 处')
})

async function partwork(): Promise<number> {
  const [version] = await app.db.query<{ id: number }>(sql`insert into material_version (subject_id, name, status, sort) values (1, '人教A版', 1, 1) returning id`)
  const [book] = await app.db.query<{ id: number }>(sql`insert into partwork (version_id, subject_id, name, status, sort) values (${version?.id ?? 0}, 1, '必修第一册', 1, 1) returning id`)
  return book?.id ?? 0
}

test('a save that was begun before a colleague’s is refused with what is there now', async () => {
  const { id, rev } = await create([words('一')])
  expectSuccess(await save(id, [words('同事')]))
  const stale = await admin.put<{ current: Row | undefined }>(`${ITEM}/${id}`, { items: [words('我')], rev })
  expect(stale.status).toBe(409)
  expect(stale.body.current?.items?.[0]?.text).toBe('同事')
})

test('what is written down as shown is what the items and the published version show, whatever is done', async () => {
  const videos = [await video('甲'), await video('乙'), await video('丙')]
  const step = fc.oneof(
    fc.record({ do: fc.constant('save' as const), of: fc.array(fc.nat(2), { maxLength: 3 }) }), fc.record({ do: fc.constant('publish' as const) }), fc.record({ do: fc.constant('undo' as const) }),
  )
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
    const { id } = await create()
    let undo: number | undefined
    for (const one of steps) {
      if (one.do === 'save') undo = (await save(id, one.of.map((at) => newItem({ kind: 'video', ref_id: videos[at]?.id ?? 0 })))).body.undo
      if (one.do === 'publish') await publish(id)
      if (one.do === 'undo' && undo !== undefined) await admin.post(`/daoyuan/api/end/undo/${undo}`, {})
    }
    const { row } = await content(id)
    const [items, published] = [row.items ?? [], row.published ?? []].map((list) => new Set(list.map(({ ref_id }) => ref_id)))
    const expected = [...(items ?? new Set<number>()).union(published ?? new Set<number>())].map((ref_id) => ({ ref_id, live: published?.has(ref_id) ?? false }))
    const stored = await app.db.query<{ ref_id: number; live: boolean }>(sql`select ref_id, live from combination_use where combination_id = ${id}`)
    expect(stored.toSorted((a, b) => a.ref_id - b.ref_id)).toEqual(expected.toSorted((a, b) => a.ref_id - b.ref_id))
  }), { numRuns: 12 })
})
