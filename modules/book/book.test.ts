import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileUrl } from '../../core/file/url.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Outgoing } from '../../core/outgoing/outgoing.server.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { videoAsset } from '../asset/module.ts'
import { checkHealth } from '../qr/health.server.ts'
import { QR_STATE, type QrResource } from '../qr/module.ts'
import { QR_HEALTH } from '../qr/qr-code.ts'
import { book, BOOK_STATE } from './book.ts'
import { bookPage } from './book-page.ts'
import type { BookContent } from './calls.ts'
import { bookCodes, stageCodes } from './ebook.ts'
import { newSpot } from './hotspot.ts'

const CLIP = readFileSync(join(import.meta.dirname, '../asset/demo/clip.mp4'))
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const { api: { item: BOOK } } = book
const { api: { item: CODE, list: CODES } } = stageCodes('senior')
const { api: { item: PAGE, list: PAGES } } = bookPage

let app: TestApp
let admin: Caller
let other: Caller
let made = 0
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://q.example.com' })
  admin = await app.staff(app.servedGrants)
  other = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

type Row = WireRow<typeof book>
type Code = WireRow<QrResource>

const scan = (code: string) => app.http.inject({ method: 'GET', url: `/q/${code}` })

async function newBook(): Promise<Row> {
  const answer = await admin.post<Row>(BOOK, { name: `练习册 ${++made}`, isbn: `978${String(made).padStart(10, '0')}`, subject_id: 1, answers_open: 1 })
  expectSuccess(answer)
  return answer.body
}

async function newCode(bookId: number, more: Record<string, unknown> = {}): Promise<Code> {
  const answer = await admin.post<Code>(CODE, { book_id: bookId, name: `讲解 ${++made}`, place: 3, page_no: 12, ...more })
  expectSuccess(answer)
  return answer.body
}

/** A film of the library, under a name. */
async function newFilm(name: string): Promise<number> {
  const free = Buffer.alloc(16)
  free.writeUInt32BE(16, 0)
  free.write('free', 4, 'latin1')
  free.writeUInt32BE(++made, 8)
  const { id } = await app.kernel.files.put(Readable.from([Buffer.concat([CLIP, free])]), { name: `${name}.mp4`, staffId: admin.staffId })
  const answer = await admin.post<{ id: number }>(videoAsset.api.item, { name, url: fileUrl(id) })
  expectSuccess(answer)
  await expect.poll(async () => (await admin.get<{ state: number }>(`${videoAsset.api.item}/${answer.body.id}`)).body.state).toBe(1)
  return answer.body.id
}

async function shelve(id: number): Promise<void> {
  expectSuccess(await admin.post(`${BOOK}/${id}/submit`, {}))
  expectSuccess(await other.post(`${BOOK}/${id}/approve`, {}))
}

test('a book is printed when everything behind its codes is there, and its codes are locked', async () => {
  const { id } = await newBook()
  const code = await newCode(id)
  expect(code).toMatchObject({ state: QR_STATE.draft, target_name: null, code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/) })
  await shelve(id)
  expect((await admin.post(`${BOOK}/${id}/prints`, { copies: 5000 })).body['detail']).toContain('还没有设指向')
  const film = await newFilm('集合的概念')
  expectSuccess(await admin.put(`${CODE}/${code.id}/target`, { kind: 'video', ref_id: film }))
  const printed = await admin.post<Row>(`${BOOK}/${id}/prints`, { copies: 5000, note: '首印' })
  expectSuccess(printed)
  expect(printed.body).toMatchObject({ print_no: 1, copies: 5000 })
  const now = (await admin.get<Code>(`${CODE}/${code.id}`)).body
  expect(now).toMatchObject({ state: QR_STATE.printed, printed_in: 1, target_name: '集合的概念', code: code.code, code_url: `https://q.example.com/q/${code.code}` })
  // Reprinted as it is: nothing is locked anew.
  expectSuccess(await admin.post(`${BOOK}/${id}/prints`, { copies: 3000 }))
  const { body } = await admin.get<{ prints: { no: number; copies: number; fresh: number }[] }>(`${BOOK}/${id}/prints`)
  expect(body.prints.map(({ no, copies, fresh }) => [no, copies, fresh])).toEqual([[2, 3000, 0], [1, 5000, 1]])
  expectRefusal(await admin.delete(`${CODE}/${code.id}`), 403)
  expect((await admin.delete(`${BOOK}/${id}`)).status).toBe(403)
  await expect(app.db.query(sql`update book_print set copies = 1 where book_id = ${id}`)).rejects.toThrow(/never changed/)
})

test('who scans a code sees what is behind it, in any case, and a film plays without an account', async () => {
  const { id } = await newBook()
  const film = await newFilm('子集与真子集')
  const code = await newCode(id)
  expectSuccess(await admin.put(`${CODE}/${code.id}/target`, { kind: 'video', ref_id: film }))
  for (const url of [`/q/${code.code}`, `/Q/${code.code}`, `/q/${code.code.toLowerCase()}`]) {
    const page = await app.http.inject({ method: 'GET', url })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('子集与真子集')
    expect(page.body).toContain('第 12 页')
  }
  const part = await app.http.inject({ method: 'GET', url: `/q/${code.code}/video`, headers: { range: 'bytes=0-99' } })
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 100])
  expect((await scan('23456789')).body).toContain('没有这个二维码')
  expect((await scan('abc')).body).toContain('没有这个二维码')
  expectRefusal(await admin.delete(`${videoAsset.api.item}/${film}`), 409)
})

test('an address outside is named before anybody goes there, one of ours is gone to at once', async () => {
  const { id } = await newBook()
  const outside = await newCode(id, { url: 'https://www.example.org/a?b=1' })
  expect(outside).toMatchObject({ target_kind: 'url', target_name: 'www.example.org' })
  const page = await scan(outside.code)
  expect(page.body).toContain('前往 www.example.org')
  const own = await newCode(id, { url: 'https://q.example.com/new/s/abc' })
  const gone = await scan(own.code)
  expect([gone.statusCode, gone.headers.location]).toEqual([302, 'https://q.example.com/new/s/abc'])
  expectFieldRefusal(await admin.post(CODE, { book_id: id, name: '内网', place: 3, url: 'http://10.0.0.1/' }), 400, 'url')
})

test('a printed code is led to something else with a reason, which its history tells', async () => {
  const { id } = await newBook()
  const code = await newCode(id, { url: 'https://a.example.org/' })
  await shelve(id)
  expectSuccess(await admin.post(`${BOOK}/${id}/prints`, { copies: 100 }))
  expect((await scan(code.code)).body).toContain('a.example.org')
  expectFieldRefusal(await admin.put(`${CODE}/${code.id}/target`, { kind: 'url', url: 'https://b.example.org/' }), 400, 'reason')
  expectSuccess(await admin.put(`${CODE}/${code.id}/target`, { kind: 'url', url: 'https://b.example.org/', reason: '原网页已下线' }))
  await expect.poll(async () => (await scan(code.code)).body).toContain('b.example.org')
  const { body } = await admin.get<{ items: { action: string; reason: string | null }[] }>(`${CODE}/${code.id}/history`)
  expect(body.items[0]).toMatchObject({ action: 'retarget', reason: '原网页已下线' })
  expectSuccess(await admin.post(`${CODE}/${code.id}/stop`, { reason: '内容有误' }))
  await expect.poll(async () => (await scan(code.code)).body).toContain('内容准备中')
})

test('what codes lead to is looked at before somebody scans what is gone; what cannot be reached from here is left as it was', async () => {
  const { id } = await newBook()
  const codes = [await newCode(id), await newCode(id), await newCode(id, { url: 'https://here.example.org/' }), await newCode(id, { url: 'https://gone.example.org/' }), await newCode(id, { url: 'https://silent.example.org/' }), await newCode(id)]
  expectSuccess(await admin.put(`${CODE}/${codes[0]?.id}/target`, { kind: 'video', ref_id: await newFilm('交集与并集') }))
  await app.db.query(sql`update qr_target set target_kind = 'micro', ref_id = 999999 where id = ${codes[1]?.id}`)
  const asked: string[] = []
  const outgoing: Outgoing = {
    fetch: (_purpose, url) => {
      asked.push(String(url))
      if (String(url).includes('silent')) return Promise.reject(new Error('no answer'))
      return Promise.resolve(new Response(null, { status: String(url).includes('gone') ? 404 : 200 }))
    },
    close: () => Promise.resolve(),
  }
  await checkHealth({ db: app.kernel.db, outgoing }, bookCodes)
  expect(asked).toEqual(expect.arrayContaining(['https://here.example.org/', 'https://gone.example.org/', 'https://silent.example.org/']))
  const rows = (await admin.get<{ items: Code[] }>(CODES, { book_id: String(id), sort: 'id' })).body.items
  const { good, broken, unknown } = QR_HEALTH
  expect(rows.map(({ health, health_note, checked_at }) => [health, health_note, checked_at !== null])).toEqual([
    [good, null, true], [broken, '内容已被删除', true], [good, null, true], [broken, '网页返回 404', true], [unknown, null, false], [unknown, null, false],
  ])
  // It is no change that somebody made.
  expect(rows.map(({ rev }) => rev)).toEqual([2, 1, 1, 1, 1, 1])
  const ill = await admin.get<{ items: Code[] }>(CODES, { book_id: String(id), needs: 'broken' })
  expect(ill.body.items.map((row) => row.id).sort()).toEqual([codes[1]?.id, codes[3]?.id])
})

test('every scan is counted once, after it was answered', async () => {
  const { id } = await newBook()
  const code = await newCode(id, { url: 'https://a.example.org/' })
  const before = (await admin.get<Code>(`${CODE}/${code.id}`)).body.scans
  expect(before).toBe(0)
  await Promise.all(Array.from({ length: 40 }, (_, at) => app.http.inject({ method: 'GET', url: `/q/${code.code}`, headers: { 'user-agent': `phone ${at % 8}` } })))
  await expect.poll(async () => (await admin.get<Code>(`${CODE}/${code.id}`)).body.scans, { timeout: 5000 }).toBe(40)
  const { body } = await admin.get<{ days: { n: number; people: number }[] }>(`${CODE}/${code.id}/scans`)
  expect(body.days.at(-1)).toMatchObject({ n: 40, people: 8 })
})

/** What people do to printed codes and to what is behind them. */
const act = fc.record({ what: fc.constantFrom('retarget', 'film', 'empty', 'stop', 'resume', 'remove', 'edit', 'book', 'drop', 'restore'), which: fc.nat(2) })

test('a printed code answers in one hop whatever becomes of its target and its book, and stays as it was printed', { timeout: 120_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
    const { id } = await newBook()
    const codes = [await newCode(id, { url: 'https://a.example.org/' }), await newCode(id, { url: 'https://b.example.org/' }), await newCode(id, { url: 'https://c.example.org/' })]
    await shelve(id)
    expectSuccess(await admin.post(`${BOOK}/${id}/prints`, { copies: 1 }))
    for (const { what, which } of acts) {
      const at = `${CODE}/${codes[which]?.id}`
      if (what === 'retarget') await admin.put(`${at}/target`, { kind: 'url', url: `https://x${which}.example.org/`, reason: '换网址' })
      if (what === 'film') await admin.put(`${at}/target`, { kind: 'video', ref_id: 1, reason: '换视频' })
      // Content that was removed by other ways than those that ask first.
      if (what === 'empty') await app.db.query(sql`update qr_target set target_kind = 'micro', ref_id = 999999, url = null where id = ${codes[which]?.id}`)
      if (what === 'stop') await admin.post(`${at}/stop`, { reason: '内容有误' })
      if (what === 'resume') await admin.post(`${at}/resume`, {})
      if (what === 'remove') await admin.delete(at)
      if (what === 'edit') await admin.put(at, { name: `改名 ${++made}`, page_no: 1 + which, code: '22222222' })
      if (what === 'book') await admin.post(`${BOOK}/${id}/disable`, {})
      if (what === 'drop') await admin.delete(`${BOOK}/${id}`)
      if (what === 'restore') await admin.post(`${at}/restore`, {})
    }
    for (const { id: codeId, code } of codes) {
      const answer = await scan(code)
      expect([200, 302]).toContain(answer.statusCode)
      expect(answer.body).not.toContain('没有这个二维码')
      const [kept] = await app.db.query<{ code: string; deleted: boolean; state: number }>(sql`select code, deleted_at is not null as deleted, state from qr_target where id = ${codeId}`)
      expect(kept).toMatchObject({ code, deleted: false })
      expect(kept?.state).toBeGreaterThan(0)
    }
  }), { numRuns: 12 })
})

test('codes of one book come as pictures by chapter with a list for the page maker', async () => {
  const { id } = await newBook()
  await newCode(id, { url: 'https://a.example.org/', section: '第一章' })
  const picture = await admin.get(`${CODES}/pictures`, { book_id: String(id) })
  expect(picture.status).toBe(200)
  expect(picture.headers['content-type']).toBe('application/zip')
  expect((await admin.get(`${CODES}/pictures`, { book_id: '999999' })).body['detail']).toBe('这本书还没有二维码')
})

test('places of a page lead to what is there, which cannot be removed while they do', async () => {
  const { id } = await newBook()
  const { id: file } = await app.kernel.files.put(Readable.from([PNG]), { name: 'p1.png', staffId: admin.staffId })
  const page = await admin.post<WireRow<typeof bookPage>>(PAGE, { book_id: id, page_no: 1, image: fileUrl(file) })
  expectSuccess(page)
  const film = await newFilm('交集')
  const spot = { ...newSpot({ x: 0.1, y: 0.1, w: 0.3, h: 0.1 }), no: '1', kind: 'video' as const, ref_id: film }
  expectFieldRefusal(await admin.put(`${PAGE}/${page.body.id}`, { hotspots: [{ ...spot, ref_id: 999_999 }], rev: 1 }), 400, 'hotspots')
  expectFieldRefusal(await admin.put(`${PAGE}/${page.body.id}`, { hotspots: [{ ...spot, x: 0.9 }], rev: 1 }), 400, 'hotspots')
  expectSuccess(await admin.put(`${PAGE}/${page.body.id}`, { hotspots: [spot, newSpot({ x: 0.5, y: 0.5, w: 0.2, h: 0.2 })], rev: 1 }))
  const reader = await app.staff([bookPage.grant])
  const { body } = await reader.get<BookContent>(`${PAGES}/of/${id}`)
  expect(body.pages).toMatchObject([{ page_no: 1, spot_cnt: 2, unbound_cnt: 1 }])
  expect(body.targets).toMatchObject([{ kind: 'video', id: film, name: '交集' }])
  expectRefusal(await admin.delete(`${videoAsset.api.item}/${film}`), 409)
  const next = await newFilm('交集（新）')
  expect((await admin.post(`/material/api/end/assets/${film}/move_uses`, { into_id: next })).body).toMatchObject({ moved: 1 })
  expectSuccess(await admin.delete(`${videoAsset.api.item}/${film}`))
  expect((await admin.get<Row>(`${BOOK}/${id}`)).body).toMatchObject({ page_cnt: 1, unbound_cnt: 1 })
})

test('a book is passed by somebody else than who submitted it, and waits for them', async () => {
  const { id } = await newBook()
  expect((await admin.post(`${BOOK}/${id}/submit`, {})).body['detail']).toBe('还没有二维码，也没有电子页面，不能提交审核')
  await newCode(id, { url: 'https://a.example.org/' })
  expectSuccess(await admin.post(`${BOOK}/${id}/submit`, {}))
  expectRefusal(await admin.post(`${BOOK}/${id}/approve`, {}), 403)
  const reader = await app.staff([book.grant, standardId(book.grant, 'edit')])
  expectRefusal(await reader.post(`${BOOK}/${id}/approve`, {}), 403)
  expectSuccess(await other.post<Row>(`${BOOK}/${id}/approve`, {}))
  expect((await admin.get<Row>(`${BOOK}/${id}`)).body.state).toBe(BOOK_STATE.live)
})
