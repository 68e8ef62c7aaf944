import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileUrl } from '../../../core/file/url.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../../core/testing/expect.server.ts'
import { STATUS } from '../../practice/bank/practice.ts'
import { insertPractices, readWritten, updatePractice } from '../../practice/bank/write.server.ts'
import { startWritten } from '../../practice/edit/written.ts'
import type { QrResource } from '../../qr/module.ts'
import { book } from '../book.ts'
import { bookPage } from '../book-page.ts'
import { stageCodes } from '../ebook.ts'
import { newSpot } from '../hotspot.ts'
import type { ErrataSheet } from './calls.ts'
import { erratum, ERRATUM_STATE } from './erratum.ts'

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const { api: { item: BOOK } } = book
const { api: { item: CODE } } = stageCodes('senior')
const { api: { item: ERRATUM, list: ERRATA } } = erratum

type Row = WireRow<typeof book>
type Code = WireRow<QrResource>
type Erratum = WireRow<typeof erratum>

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

const scan = async (code: string) => (await app.http.inject({ method: 'GET', url: `/q/${code}` })).body

/** A question of the official bank with a stem. */
async function newPractice(stem: string): Promise<number> {
  const start = startWritten(1)
  const [id = 0] = await app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, [{ ...start, content: { ...start.content, stem: inlineDoc([stem]) }, pool: 'official', level: 0, owner_id: null, status: STATUS.published }]))
  return id
}

/** Publishes the question with another stem, as a revision does. @param minutes when that is, from now */
async function correct(id: number, stem: string, minutes = 1): Promise<void> {
  await app.db.transaction({ staff_id: admin.staffId }, async (tx) => {
    const input = await readWritten(tx, id)
    const [row] = await tx.query<{ version_no: number }>(sql`select version_no from practice where id = ${id}`)
    if (!input || !row) throw new Error('no question')
    await updatePractice(tx, admin.staffId, { id, version_no: row.version_no }, { ...input, content: { ...input.content, stem: inlineDoc([stem]) } }, { published: true })
    await tx.query(sql`update practice_version set at = now() + make_interval(mins => ${minutes}) where practice_id = ${id} and version_no > ${row.version_no}`)
  })
}

/** A book that is in use, with codes on pages. */
async function newBook(pages: readonly number[]): Promise<{ id: number; codes: Code[] }> {
  const answer = await admin.post<Row>(BOOK, { name: `勘误册 ${++made}`, isbn: `979${String(made).padStart(10, '0')}`, subject_id: 1, answers_open: 1 })
  expectSuccess(answer)
  const codes: Code[] = []
  for (const page_no of pages) {
    const code = await admin.post<Code>(CODE, { book_id: answer.body.id, name: `讲解 ${++made}`, place: 3, page_no, url: 'https://a.example.org/' })
    expectSuccess(code)
    codes.push(code.body)
  }
  expectSuccess(await admin.post(`${BOOK}/${answer.body.id}/submit`, {}))
  expectSuccess(await other.post(`${BOOK}/${answer.body.id}/approve`, {}))
  return { id: answer.body.id, codes }
}

const print = async (id: number, fixed: readonly number[] = []) => expectSuccess(await admin.post(`${BOOK}/${id}/prints`, { copies: 100, fixed: [...fixed] }))

async function newPage(bookId: number, page_no: number, practiceId: number): Promise<void> {
  const { id: file } = await app.kernel.files.put(Readable.from([PNG]), { name: 'p.png', staffId: admin.staffId })
  const page = await admin.post<WireRow<typeof bookPage>>(bookPage.api.item, { book_id: bookId, page_no, image: fileUrl(file) })
  expectSuccess(page)
  expectSuccess(await admin.put(`${bookPage.api.item}/${page.body.id}`, { hotspots: [{ ...newSpot({ x: 0.1, y: 0.1, w: 0.5, h: 0.2 }), no: '1', kind: 'practice', ref_id: practiceId }], rev: 1 }))
}

const errataOf = async (id: number) => (await admin.get<{ items: Erratum[] }>(ERRATA, { book_id: String(id), sort: 'id' })).body.items

test('a question corrected after its book was printed is drafted as an erratum, once, and stands behind its page\'s codes when confirmed', async () => {
  const { id, codes: [here, elsewhere] } = await newBook([12, 30])
  const practiceId = await newPractice('已知圆的半径为 3，求面积。')
  await newPage(id, 12, practiceId)
  await correct(practiceId, '已知圆的半径为 4，求面积。', -1)
  expect(await errataOf(id)).toEqual([])
  await print(id)
  await correct(practiceId, '已知圆的半径为 5，求面积。')
  const [draft, ...more] = await errataOf(id)
  expect(more).toEqual([])
  expect(draft).toMatchObject({ page_no: 12, print_from: 1, print_to: null, state: ERRATUM_STATE.waiting, practice_id: practiceId, code_cnt: 1, copies: 100 })
  expect([draft?.wrong, draft?.right]).toEqual(['题干：已知圆的半径为 4，求面积。', '题干：已知圆的半径为 5，求面积。'])
  // Corrected once more before anybody looked: the same draft says what is right by now.
  await correct(practiceId, '已知圆的半径为 6，求面积。')
  expect((await errataOf(id)).map(({ wrong, right }) => [wrong.includes('4'), right.includes('6')])).toEqual([[true, true]])
  expect(await scan(here!.code)).not.toContain('半径为 6')
  expectSuccess(await other.post(`${ERRATUM}/${draft?.id}/confirm`, {}))
  await expect.poll(() => scan(here!.code)).toContain('半径为 6')
  expect(await scan(here!.code)).toContain('第 12 页（第 1 次印刷起）')
  expect(await scan(elsewhere!.code)).not.toContain('半径为 6')
  expect((await errataOf(id))[0]?.state).toBe(ERRATUM_STATE.shown)
  // What is right again is no new fault; what is confirmed is not changed behind its back.
  expectRefusal(await admin.put(`${ERRATUM}/${draft?.id}`, { right: '别的' }), 403)
  await correct(practiceId, '已知圆的半径为 7，求面积。')
  expect((await errataOf(id)).map(({ wrong, state }) => [wrong.includes('6'), state])).toEqual([[false, ERRATUM_STATE.shown], [true, ERRATUM_STATE.waiting]])
})

test('a print without the fault closes it; its readers of older prints still see it, new codes do not', async () => {
  const { id, codes: [old] } = await newBook([5])
  await print(id)
  const answer = await admin.post<Erratum>(ERRATUM, { book_id: id, page_no: 5, print_from: 1, wrong: '答案：A', right: '答案：B', level: 3 })
  expectSuccess(answer)
  expectSuccess(await admin.post(`${ERRATUM}/${answer.body.id}/confirm`, {}))
  const todo = () => admin.get<{ total: number }>(ERRATA, { book_id: String(id), needs: 'reprint' })
  expect((await todo()).body.total).toBe(1)
  expect((await admin.get<{ items: { kind: string }[] }>('/daoyuan/api/end/waiting', { kind: 'book_reprint' })).body.items.length).toBeGreaterThan(0)
  const { body: before } = await admin.get<{ checks: { label: string; ok: boolean }[] }>(`${BOOK}/${id}/prints`)
  expect(before.checks.find(({ label }) => label === '勘误')?.ok).toBe(false)
  const fresh = (await admin.post<Code>(CODE, { book_id: id, name: '新讲解', place: 3, page_no: 5, url: 'https://b.example.org/' })).body
  await print(id, [answer.body.id])
  expect((await errataOf(id))[0]).toMatchObject({ state: ERRATUM_STATE.reprinted, print_to: 1 })
  expect((await todo()).body.total).toBe(0)
  await expect.poll(() => scan(old!.code)).toContain('答案：B')
  expect(await scan(old!.code)).toContain('（第 1 次印刷）')
  expect(await scan(fresh.code)).not.toContain('答案：B')
  const { body: sheet } = await admin.get<ErrataSheet>(`${BOOK}/${id}/errata`)
  expect(sheet.lines).toMatchObject([{ page_no: 5, print_from: 1, print_to: 1 }])
  expectSuccess(await admin.post(`${ERRATUM}/${answer.body.id}/recall`, { reason: '原文无误' }))
  await expect.poll(() => scan(old!.code)).not.toContain('答案：B')
})

test('prints that are none of the book\'s are refused, and what was confirmed is not removed; the right is its own', async () => {
  const { id } = await newBook([1])
  const given = { book_id: id, page_no: 1, print_from: 1, wrong: 'a', right: 'b', level: 1 }
  expectFieldRefusal(await admin.post(ERRATUM, given), 400, 'book_id')
  await print(id)
  expectFieldRefusal(await admin.post(ERRATUM, { ...given, print_from: 2 }), 400, 'print_from')
  expectFieldRefusal(await admin.post(ERRATUM, { ...given, print_to: 2 }), 400, 'print_to')
  const answer = await admin.post<Erratum>(ERRATUM, given)
  const reader = await app.staff([book.grant])
  expectRefusal(await reader.post(`${ERRATUM}/${answer.body.id}/confirm`, {}), 403)
  expectSuccess(await admin.post(`${ERRATUM}/${answer.body.id}/confirm`, {}))
  expectRefusal(await admin.delete(`${ERRATUM}/${answer.body.id}`), 403)
})

test('an address of our own is gone to behind the fault, not past it', async () => {
  const { id, codes: [code] } = await newBook([3])
  expectSuccess(await admin.put(`${CODE}/${code?.id}/target`, { kind: 'url', url: 'https://q.example.com/new/s/x' }))
  await print(id)
  const answer = await admin.post<Erratum>(ERRATUM, { book_id: id, page_no: 3, print_from: 1, wrong: '误字', right: '正字', level: 1 })
  expectSuccess(await admin.post(`${ERRATUM}/${answer.body.id}/confirm`, {}))
  await expect.poll(() => scan(code!.code)).toContain('正字')
  expect(await scan(code!.code)).toContain('https://q.example.com/new/s/x')
})

/** A sequence of prints, errata over ranges of them, and codes that came with one of them. */
const history = fc.record({
  prints: fc.integer({ min: 1, max: 3 }), codes: fc.array(fc.record({ page: fc.integer({ min: 1, max: 2 }), before: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 3 }),
  errata: fc.array(fc.record({ page: fc.integer({ min: 1, max: 2 }), from: fc.integer({ min: 1, max: 3 }), to: fc.option(fc.integer({ min: 1, max: 3 })) }), { minLength: 1, maxLength: 3 }),
})

test('an erratum shows behind the codes of its page in its prints, and behind no others', { timeout: 120_000 }, async () => {
  await fc.assert(fc.asyncProperty(history, async ({ prints, codes, errata }) => {
    const { id } = await newBook([9])
    const standing: { code: string; page: number; since: number }[] = []
    for (let no = 1; no <= prints; no++) {
      for (const { page, before } of codes) {
        if (Math.min(before, prints) !== no) continue
        standing.push({ page, since: no, code: (await admin.post<Code>(CODE, { book_id: id, name: `码 ${++made}`, place: 3, page_no: page, url: 'https://a.example.org/' })).body.code })
      }
      await print(id)
    }
    const said: { mark: string; page: number; from: number; to: number }[] = []
    for (const { page, from, to } of errata) {
      const [first, last] = [Math.min(from, prints), to === null ? null : Math.max(Math.min(from, prints), Math.min(to, prints))]
      const mark = `正文${++made}号`
      const answer = await admin.post<Erratum>(ERRATUM, { book_id: id, page_no: page, print_from: first, print_to: last, wrong: '误', right: mark, level: 1 })
      expectSuccess(answer)
      expectSuccess(await admin.post(`${ERRATUM}/${answer.body.id}/confirm`, {}))
      said.push({ mark, page, from: first, to: last ?? prints })
    }
    for (const { code, page, since } of standing) {
      const shown = await scan(code)
      // A code stands in every print from its first on.
      for (const one of said) expect(shown.includes(one.mark)).toBe(one.page === page && since <= one.to)
    }
  }), { numRuns: 8 })
})
