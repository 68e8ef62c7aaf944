import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileUrl } from '../../../core/file/url.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../../core/testing/expect.server.ts'
import { STATUS } from '../../practice/bank/practice.ts'
import { insertPractices, updatePractice } from '../../practice/bank/write.server.ts'
import { startWritten } from '../../practice/edit/written.ts'
import type { QrResource } from '../../qr/module.ts'
import { book } from '../book.ts'
import { bookPage } from '../book-page.ts'
import type { BookContent, PrintCheck } from '../calls.ts'
import { stageCodes } from '../ebook.ts'
import { erratum } from '../errata/erratum.ts'
import type { Hotspot } from '../hotspot.ts'
import { PDF_STATE, type BookPdf, type Compared } from './calls.ts'
import { PAGE_NOTE } from './carry.ts'
import { madePdf, type DrawnPage } from './made-pdf-testing.server.ts'

const { api: { item: BOOK } } = book
const { api: { item: CODE } } = stageCodes('senior')
const PDF = BOOK.replace('pebs', 'peb_pdf')
const PAGES = 200
/** What reading a page may take, in milliseconds (teaching.md 3). */
const A_PAGE = 800
const MOST_RSS = 600 * 1024 * 1024

type Row = WireRow<typeof book>
type Code = WireRow<QrResource>

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

const WORDS = ['已知集合', '下列函数', '如图所示', '某工厂生产', '设等差数列', '在平面直角坐标系中', '甲乙两人']
const question = (n: number) => `${WORDS[n % WORDS.length]}${String.fromCodePoint(0x4e00 + (n * 7919) % 20_000)}${n * 37}${String.fromCodePoint(0x4e00 + (n * 104_729) % 20_000)}，求满足条件的值${n * n}。`

/** A page with four questions and, where it has one, its code. @param down how much further down everything stands */
const drawn = (printed: number, first: number, codes: readonly string[] = [], { down = 0, side = 15 } = {}): DrawnPage => ({
  lines: [{ text: `· ${printed} ·`, x: 100, y: 287 }, ...Array.from({ length: 4 }, (_, q) => [{ text: `${q + 1}. ${question(first + q)}`, x: 20, y: 20 + q * 60 + down }, { text: '写出必要的步骤。', x: 25, y: 28 + q * 60 + down }]).flat()],
  codes: codes.map((code, at) => ({ text: `HTTPS://Q.EXAMPLE.COM/Q/${code}`, x: 175, y: 30 + at * 60, side })),
})

async function newBook(pages: readonly number[]): Promise<{ id: number; codes: Code[] }> {
  const answer = await admin.post<Row>(BOOK, { name: `印刷册 ${++made}`, isbn: `979${String(made).padStart(10, '0')}`, subject_id: 1, answers_open: 1 })
  expectSuccess(answer)
  const codes: Code[] = []
  for (const page_no of pages) codes.push((await admin.post<Code>(CODE, { book_id: answer.body.id, name: `讲解 ${++made}`, place: 3, page_no, url: 'https://a.example.org/' })).body)
  expectSuccess(await admin.post(`${BOOK}/${answer.body.id}/submit`, {}))
  expectSuccess(await other.post(`${BOOK}/${answer.body.id}/approve`, {}))
  return { id: answer.body.id, codes }
}

async function send(id: number, content: Buffer): Promise<number> {
  const { id: file } = await app.kernel.files.put(Readable.from([content]), { name: '印刷.pdf', staffId: admin.staffId })
  const answer = await admin.post<{ id: number }>(`${BOOK}/${id}/pdfs`, { url: fileUrl(file), name: '印刷.pdf' })
  expectSuccess(answer)
  return answer.body.id
}

const list = async (id: number) => (await admin.get<{ items: BookPdf[] }>(`${bookPage.api.list}/pdfs/${id}`)).body.items
const compared = async (id: number) => (await admin.get<Compared>(`${PDF}/${id}`)).body
const readUp = (id: number, pdf: number, timeout = 60_000) => expect.poll(async () => (await list(id)).find((one) => one.id === pdf)?.state, { timeout, interval: 500 }).not.toBe(PDF_STATE.reading)
const checks = async (id: number) => (await admin.get<{ checks: PrintCheck[] }>(`${BOOK}/${id}/prints`)).body.checks.filter(({ ok }) => !ok).map(({ label }) => label)
const content = async (id: number) => (await admin.get<BookContent>(`${bookPage.api.list}/of/${id}`)).body

test('a file of 200 pages goes the whole way: pages, codes and questions found, places bound, checked, printed, kept', { timeout: 300_000 }, async () => {
  const { id, codes } = await newBook(Array.from({ length: 40 }, (_, at) => at * 5 + 1))
  const file = madePdf(Array.from({ length: PAGES }, (_, at) => drawn(at + 1, at * 4, at % 5 === 0 ? [codes[at / 5]!.code] : [])))
  const began = performance.now()
  let rss = 0
  const watch = setInterval(() => { rss = Math.max(rss, process.memoryUsage().rss) }, 100)
  const base = process.memoryUsage().rss
  const pdf = await send(id, file)
  await readUp(id, pdf, 200_000)
  clearInterval(watch)
  const took = (performance.now() - began) / PAGES
  console.log(`${PAGES} pages: ${took.toFixed(0)} ms a page, ${Math.round(rss / 1024 / 1024)} MB of memory, ${Math.round((rss - base) / 1024 / 1024)} of them by reading`)
  expect(took).toBeLessThan(A_PAGE)
  expect(rss - base).toBeLessThan(MOST_RSS)
  expect((await list(id))[0]).toMatchObject({ state: PDF_STATE.ready, pages: PAGES, read: PAGES })
  const { pages, lost } = await compared(pdf)
  expect(lost).toEqual([])
  expect(pages.map(({ spots }) => spots.map(({ no }) => no))).toEqual(Array.from({ length: PAGES }, () => ['1', '2', '3', '4']))
  const [first] = pages
  expect(first?.spots[1]?.y).toBeGreaterThan(0.25)
  expect((await app.http.inject({ method: 'GET', url: first?.image ?? '' })).statusCode).toBe(401)
  expect((await admin.get(first?.image ?? '')).headers['content-type']).toBe('image/jpeg')
  expect(await checks(id)).toEqual(['印刷文件'])
  expectRefusal(await admin.post(`${BOOK}/${id}/prints`, { copies: 10 }), 400)
  expectSuccess(await admin.post(`${PDF}/${pdf}/use`, {}))
  expect((await content(id)).pages).toHaveLength(PAGES)
  expect(await checks(id)).toEqual([])
  expectSuccess(await admin.post(`${BOOK}/${id}/prints`, { copies: 10 }))
  expect((await list(id))[0]).toMatchObject({ state: PDF_STATE.used, prints: [1] })
  expectRefusal(await admin.delete(`${PDF}/${pdf}`), 400)
})

test('a new print: a page put in, one taken out, text that went down; what was bound is bound, what is gone is decided', { timeout: 60_000 }, async () => {
  const { id, codes: [code] } = await newBook([2])
  const first = await send(id, madePdf([drawn(1, 0), drawn(2, 4, [code!.code]), drawn(3, 8)]))
  await readUp(id, first)
  expectSuccess(await admin.post(`${PDF}/${first}/use`, {}))
  const { pages: [, second] } = await content(id)
  const start = startWritten(1)
  const question = { ...start, content: { ...start.content, stem: inlineDoc(['半径为 3 的圆']) }, pool: 'official' as const, level: 0, owner_id: null, status: STATUS.published }
  const [practiceId = 0] = await app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, [question]))
  const bound = { kind: 'practice', ref_id: practiceId }
  const spots = (second?.hotspots ?? []) as Hotspot[]
  expectSuccess(await admin.put(`${bookPage.api.item}/${second?.id}`, { hotspots: spots.map((spot, at) => (at === 0 ? { ...spot, ...bound } : spot)), rev: second?.rev }))
  expectSuccess(await admin.post(`${BOOK}/${id}/prints`, { copies: 10 }))
  const next = await send(id, madePdf([drawn(1, 0), drawn(2, 100), drawn(3, 4, [code!.code], { down: 20, side: 11 })]))
  expectRefusal(await admin.post(`${BOOK}/${id}/pdfs`, { url: fileUrl('00000000-0000-4000-8000-000000000000'), name: 'x.pdf' }), 400)
  await readUp(id, next)
  const { pages, lost } = await compared(next)
  expect(pages.map(({ from_page, note }) => [from_page, note])).toEqual([[1, PAGE_NOTE.none], [null, PAGE_NOTE.fresh], [2, PAGE_NOTE.moved]])
  expect(pages[2]?.spots[0]).toMatchObject({ no: '1', ...bound })
  expect(pages[2]?.spots[0]?.y).toBeCloseTo(spots[0]!.y + 20 / 297, 2)
  expect(lost.map(({ from_page, done }) => [from_page, done])).toEqual([[3, null], [3, null], [3, null], [3, null]])
  expect((await admin.post(`${PDF}/${next}/use`, {})).body['detail']).toBe('还有 4 个热区没有对上，请逐个放到新页面或标为不再需要')
  const [one, ...rest] = lost.map(({ spot }) => spot.key)
  expectSuccess(await admin.put(`${PDF}/${next}/lost`, { keys: [one], page_no: 3 }))
  expectRefusal(await admin.put(`${PDF}/${next}/lost`, { keys: [one] }), 400)
  expectSuccess(await admin.put(`${PDF}/${next}/lost`, { keys: rest }))
  expect((await compared(next)).pages[2]?.spots).toHaveLength(5)
  const reader = await app.staff([bookPage.grant])
  expectRefusal(await reader.post(`${PDF}/${next}/use`, {}), 403)
  // Two people at once: one of them hears that it is done.
  const both = await Promise.all([admin.post(`${PDF}/${next}/use`, {}), other.post(`${PDF}/${next}/use`, {})])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await content(id)).pages.map(({ page_no }) => page_no)).toEqual([1, 2, 3])
  // The print before keeps its file with the places that it had; the code is too small and on another page by now.
  expect(await list(id)).toMatchObject([{ no: 2, state: PDF_STATE.used, prints: [] }, { no: 1, state: PDF_STATE.replaced, prints: [1] }])
  expect((await compared(first)).pages[1]?.spots[0]).toMatchObject({ no: '1', ...bound })
  expect(await checks(id)).toEqual(['错页', '大小', '未印'])
  // Corrected now, the question is wrong on the page that it had in the print, behind the code that stood there.
  await app.db.transaction({ staff_id: admin.staffId }, (tx) => updatePractice(tx, admin.staffId, { id: practiceId, version_no: 1 }, { ...question, content: { ...question.content, stem: inlineDoc(['半径为 2 的圆']) } }, { published: true }))
  const { body: { items: [erratumRow] } } = await admin.get<{ items: WireRow<typeof erratum>[] }>(erratum.api.list, { book_id: String(id) })
  expect(erratumRow).toMatchObject({ page_no: 2, print_from: 1, wrong: '题干：半径为 3 的圆', right: '题干：半径为 2 的圆', code_cnt: 1 })
  expectSuccess(await admin.put(`${CODE}/${code!.id}`, { page_no: 3 }))
  expectSuccess(await admin.post(`${erratum.api.item}/${erratumRow?.id}/confirm`, {}))
  await expect.poll(async () => (await app.http.inject({ method: 'GET', url: `/q/${code!.code}` })).body).toContain('半径为 2 的圆')
})

test('a file that is none, has a password or too many pages says so and can be given up', { timeout: 60_000 }, async () => {
  const { id } = await newBook([1])
  const broken = await send(id, Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF'))
  await readUp(id, broken)
  expect((await list(id))[0]).toMatchObject({ state: PDF_STATE.failed, error: expect.stringContaining('打不开') })
  expectSuccess(await admin.delete(`${PDF}/${broken}`))
  const thick = await send(id, madePdf(Array.from({ length: 601 }, () => ({ lines: [] }))))
  await readUp(id, thick)
  expect((await list(id))[0]).toMatchObject({ state: PDF_STATE.failed, error: 'PDF 有 601 页，最多 600 页' })
})
