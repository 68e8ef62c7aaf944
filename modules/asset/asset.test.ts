import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileIdsIn, fileUrl } from '../../core/file/url.ts'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { png, upload } from '../../core/testing/uploads.server.ts'
import { ASSET_STATE, imageAsset, videoAsset } from './asset.ts'
import { claimCodec, CLIP as CLIP_PATH } from './media-testing.server.ts'
import { materialTag } from './tag.ts'

const END = '/material/api/end'
const CLIP = readFileSync(CLIP_PATH)

interface Row {
  id: number
  rev: number
  state: number
  url: string
  seconds: number | null
  codec: string | null
  fail_reason: string | null
  cues: { sec: number }[] | null
  chapters: { sec: number }[] | null
  can: string[]
}

let app: TestApp
let editor: Caller
let looker: Caller

beforeAll(async () => {
  app = await openTestApp()
  const all = (grant: number) => [grant, ...(['edit', 'remove'] as const).map((right) => standardId(grant, right))]
  editor = await app.staff([...all(videoAsset.grant), ...all(imageAsset.grant), ...all(materialTag.grant), videoAsset.rights.id('replace'), imageAsset.rights.id('replace')])
  looker = await app.staff([videoAsset.grant])
})
afterAll(() => app.close())

let made = 0
/** A clip of its own bytes: a box that players skip stands behind it. */
function clip(): Buffer {
  const free = Buffer.alloc(16)
  free.writeUInt32BE(16, 0)
  free.write('free', 4, 'latin1')
  free.writeUInt32BE(++made, 8)
  return Buffer.concat([CLIP, free])
}

const store = async (content: Buffer, name = 'clip.mp4', owner = editor) => fileUrl((await app.kernel.files.put(Readable.from([content]), { name, staffId: owner.staffId })).id)
const create = async (content: Buffer, more: object = {}) => editor.post<Row & { detail?: string }>(`${END}/video`, { name: `第 ${made} 讲`, url: await store(content), ...more })
const read = async (id: number) => (await editor.get<Row>(`${END}/video/${id}`)).body
const replace = (id: number, body: Record<string, unknown>) => editor.post<{ state: number; detail?: string }>(`${END}/assets/${id}/replace`, body)

/** Waits until everything was looked at. */
const looked = () => expect.poll(async () => (await app.db.query(sql`select id from asset where state = ${ASSET_STATE.checking} and deleted_at is null`)).length).toBe(0)

test('what the server finds in the file decides whether an asset is usable', async () => {
  const good = (await create(clip(), { chapters: [{ sec: 2, title: '引入' }] })).body
  expect(good.state).toBe(ASSET_STATE.checking)
  const cut = (await create(clip().subarray(0, -40))).body
  await looked()
  expect(await read(good.id)).toMatchObject({ state: ASSET_STATE.ready, codec: 'H.264', fail_reason: null, chapters: [{ sec: 2, title: '引入' }] })
  expect((await read(good.id)).seconds).toBeGreaterThan(10)
  expect(await read(cut.id)).toMatchObject({ state: ASSET_STATE.failed, fail_reason: '文件不完整，请重新导出', seconds: null })
})

test('the same bytes are one asset: the second is refused with the name of the first, before and after sending', async () => {
  const bytes = clip()
  const first = (await create(bytes)).body
  const second = await create(bytes)
  expect(second.status).toBe(409)
  expect(second.body.detail).toContain('已有相同文件「第')
  const [file] = await app.db.query<{ sha256: string }>(sql`select sha256 from file where id = ${fileIdsIn(first.url)[0]}::uuid`)
  const known = await editor.get<{ asset: { id: number; use_count: number } | null }>(`${END}/assets/known`, { sha256: file?.sha256 })
  expect(known.body.asset).toMatchObject({ id: first.id, use_count: 0 })
  expect((await editor.get(`${END}/assets/known`, { sha256: 'f'.repeat(64) })).body).toEqual({ asset: null })
  expect((await editor.get<{ detail: string }>(`${END}/assets/known`, { sha256: 'x' })).body.detail).toBe('校验值有误')
})

test('an index behind the pictures is moved before them by the server', async () => {
  const { Input, Output, Conversion, ALL_FORMATS, BufferSource, BufferTarget, Mp4OutputFormat } = await import('mediabunny')
  const target = new BufferTarget()
  const conversion = await Conversion.init({ input: new Input({ source: new BufferSource(CLIP), formats: ALL_FORMATS }), output: new Output({ format: new Mp4OutputFormat({ fastStart: false }), target }), showWarnings: false })
  await conversion.execute()
  const { body } = await create(Buffer.from(target.buffer ?? new ArrayBuffer(0)))
  await looked()
  const row = await read(body.id)
  expect(row.state).toBe(ASSET_STATE.ready)
  expect(row.url).not.toBe(body.url)
  const content = (await editor.get(row.url)).status
  expect(content).toBe(200)
  // What was sent has a successor and goes.
  expect(await app.db.query(sql`select 1 from file where id = ${fileIdsIn(body.url)[0]}::uuid and expires_at is null`)).toEqual([])
})

test('a replacement keeps id and name, moves what is bound to seconds, and the old file can come back', async () => {
  const { body: { id, url } } = await create(clip(), { cues: [{ sec: 3, practice_id: 1, must: 1, back_to: 1 }] })
  await looked()
  const { rev } = await read(id)
  expect((await replace(id, { url: await store(clip()), shift: 2, rev: rev - 1 })).status).toBe(409)
  const next = await store(clip())
  expect((await replace(id, { url: next, shift: 2, rev })).body).toMatchObject({ state: ASSET_STATE.checking })
  await looked()
  expect(await read(id)).toMatchObject({ id, state: ASSET_STATE.ready, url: next, cues: [{ sec: 5, back_to: 3 }] })
  const versions = await editor.get<{ items: { no: number; url: string }[] }>(`${END}/assets/${id}/versions`)
  expect(versions.body.items).toMatchObject([{ no: 1, url }])
  expect((await replace(id, { url })).status).toBe(200)
  await looked()
  expect((await read(id)).url).toBe(url)
})

test('a replacement that is no video is refused, and the old one plays on', async () => {
  const { body: { id, url } } = await create(clip())
  await looked()
  await replace(id, { url: await store(clip().subarray(0, -50)) })
  expect((await read(id)).url).toBe(url)
  await looked()
  expect(await read(id)).toMatchObject({ url, state: ASSET_STATE.ready, fail_reason: '替换没有成功，仍使用原文件：文件不完整，请重新导出' })
  // Neither is it given up for one that browsers cannot play.
  const film = join(mkdtempSync(join(tmpdir(), 'asset-')), 'h265.mp4')
  await replace(id, { url: await store(readFileSync(await claimCodec(film, 'hevc'))) })
  await looked()
  const kept = await read(id)
  expect(kept).toMatchObject({ url, state: ASSET_STATE.ready, codec: 'H.264' })
  expect(kept.fail_reason).toContain('仍使用原文件：浏览器不能播放画面编码 H.265')
  const same = await replace(id, { url })
  expect(same.body.detail).toBeDefined()
  expect(same.status).toBe(400)
})

test('whatever is sent, replaced and removed: the same bytes are one asset, and what is usable was read and can be played', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'asset-'))
  const contents = [clip(), clip(), clip().subarray(0, -70), readFileSync(await claimCodec(join(folder, 'h265.mp4'), 'hevc', 40))]
  const content = fc.integer({ min: 0, max: contents.length - 1 })
  const command = fc.oneof(fc.record({ do: fc.constant('make' as const), content }), fc.record({ do: fc.constant('replace' as const), at: fc.nat(4), content }), fc.record({ do: fc.constant('remove' as const), at: fc.nat(4) }))
  await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 7 }), async (commands) => {
    const ids: number[] = []
    for (const one of commands) {
      const id = 'at' in one ? ids[one.at % Math.max(1, ids.length)] : undefined
      if (one.do === 'make') {
        const { status, body } = await create(contents[one.content] ?? clip())
        if (status === 200) ids.push(body.id)
      } else if (id !== undefined && one.do === 'replace') await replace(id, { url: await store(contents[one.content] ?? clip()) })
      else if (id !== undefined) await editor.delete(`${END}/video/${id}`)
      if (one.do !== 'make') await looked()
    }
    await looked()
    expect(await app.db.query(sql`select sha256 from asset where deleted_at is null and sha256 is not null group by 1 having count(*) > 1`)).toEqual([])
    expect(await app.db.query(sql`select id from asset where state = ${ASSET_STATE.ready} and kind = 'video' and deleted_at is null and (coalesce(seconds, 0) <= 0 or codec <> 'H.264')`)).toEqual([])
    for (const id of ids) await editor.delete(`${END}/video/${id}`)
  }), { numRuns: 8 })
})

test('what could not be played is given up for what can be', async () => {
  const { body: { id, url } } = await create(clip().subarray(0, -60))
  await looked()
  expect((await replace(id, { url: await store(clip()) })).status).toBe(200)
  await looked()
  expect(await read(id)).toMatchObject({ state: ASSET_STATE.ready, fail_reason: null })
  expect(await app.db.query(sql`select 1 from file where id = ${fileIdsIn(url)[0]}::uuid and expires_at is null`)).toEqual([])
})

test('who may only look replaces nothing, and an asset of a screen that one may not open is unknown', async () => {
  const { body: { id } } = await create(clip())
  await looked()
  expect((await looker.post(`${END}/assets/${id}/replace`, { url: await store(clip(), 'a.mp4', looker) })).status).toBe(403)
  const picture = await editor.post<{ id: number }>(`${END}/image`, { name: '图', url: await store(png(5, 4), 'a.png') })
  expect(picture.status).toBe(200)
  expect((await looker.get(`${END}/assets/${picture.body.id}/uses`)).status).toBe(404)
  await looked()
  expect((await editor.get(`${END}/image/${picture.body.id}`)).body).toMatchObject({ state: ASSET_STATE.ready, width: 5, height: 4 })
})

test('folders become tags, found again the next time; those below the last level count with the one above', async () => {
  const tag = (names: string[], more: object = {}) => editor.post<{ id: number }>(`${END}/labels/folders`, { names, ...more })
  const deep = (await tag(['必修第一册', '第一章', '1.1', '导入', '素材', '原片'])).body.id
  expect((await tag(['必修第一册', '第一章', '1.1', '导入'])).body.id).toBe(deep)
  const [count] = await app.db.query<{ n: number }>(sql`select count(*)::int as n from material_tag where deleted_at is null`)
  expect(count?.n).toBe(4)
  const top = (await tag(['必修第一册'])).body.id
  const inside = await tag(['第二章'], { under_id: top })
  expect((await tag(['必修第一册', '第二章'])).body.id).toBe(inside.body.id)
  expect((await looker.post(`${END}/labels/folders`, { names: ['新文件夹'] })).status).toBe(403)
  expect((await looker.post<{ id: number }>(`${END}/labels/folders`, { names: ['必修第一册'] })).body.id).toBe(top)
  expect((await Promise.all([1, 2, 3].map(async () => (await tag(['同时', '上传'])).body.id))).every((id, _index, all) => id === all[0])).toBe(true)

  const video = (await create(clip(), { tag_ids: [deep] })).body
  const found = await editor.get<{ items: Row[]; total: number }>(`${END}/videos`, { tag_ids: String(top) })
  expect(found.body.items.map(({ id }) => id)).toEqual([video.id])
  expect((await editor.get<{ total: number }>(`${END}/videos`, { tag_ids: String(inside.body.id) })).body.total).toBe(0)
})

test('the call of the specification gives the tree of tags, without empty children', async () => {
  const { body } = await looker.get<{ items: { name: string; children?: { name: string; children?: unknown }[] }[] }>(`${END}/label`)
  const book = body.items.find(({ name }) => name === '必修第一册')
  expect(book?.children?.map(({ name }) => name).toSorted()).toEqual(['第一章', '第二章'])
  expect(book?.children?.find(({ name }) => name === '第二章')).not.toHaveProperty('children')
})

test('lists are narrowed to what is left to do', async () => {
  const total = async (query: object) => (await editor.get<{ total: number }>(`${END}/videos`, query as Record<string, unknown>)).body.total
  const all = await total({})
  expect(await total({ needs: 'untagged' })).toBe(all - 1)
  expect(await total({ needs: 'unused' })).toBe(all)
  expect(await total({ needs: 'unsubtitled' })).toBe(all)
  const soon = (await create(clip(), { licence: 'licensed', licence_until: Math.floor(Date.now() / 1000) + 5 * 86_400 })).body
  expect((await editor.get<{ items: Row[] }>(`${END}/videos`, { needs: 'expiring' })).body.items.map(({ id }) => id)).toEqual([soon.id])
})

test('subtitles are files of the asset, one for each language', async () => {
  const sent = await upload(app, editor, 'subtitle', 'a.srt', '1\n00:00:01,000 --> 00:00:02,000\n同学们好\n')
  const { body, status } = await create(clip(), { subtitles: [{ lang: 'zh', url: sent.body.url }] })
  expect(status).toBe(200)
  expect(await app.db.query(sql`select 1 from file where id = ${sent.body.id}::uuid and expires_at is null`)).toHaveLength(1)
  expect((await editor.put(`${END}/video/${body.id}`, { subtitles: [{ lang: 'zh', url: sent.body.url }, { lang: 'zh', url: sent.body.url }] })).status).toBe(400)
})
