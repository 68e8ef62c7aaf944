import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobOver } from '../../../core/testing/jobs.server.ts'
import { browserHeaders, fetchPath } from '../../../core/testing/uploads.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { PAPERS } from '../paper.ts'
import type { Answer, LoosePage, Marking, PrintedCard, Results } from './calls.ts'
import { damage, drawCard, seeded, type Stroke } from './card-testing.ts'
import type { Grey } from './pixels.ts'

const MATHS = 1
const RESOURCE = PAPERS.base[0]!
const END = '/daoyuan/api/end'

let app: TestApp
let admin: Caller
let marker: Caller
let paper = 0
let card: PrintedCard
const practices: number[] = []

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  marker = await app.staff([RESOURCE.grant, RESOURCE.rights.id('mark')])
  const doc = { t: 'doc', v: 1, c: [{ t: 'p', c: ['题'] }] }
  const analysis = { hint: null, solution: null, comment: null, pitfall: null }
  const base = { stem: doc, option_layout: 1, analysis, category: null, children: [] }
  const options = ['a', 'b', 'c', 'd'].map((id) => ({ id, doc }))
  const contents = [
    ...Array.from({ length: 6 }, () => ({ ...base, type: 1, score: 5, options, answer: { k: 'one', ok: 'b' } })),
    { ...base, type: 2, score: 6, options, answer: { k: 'many', ok: ['a', 'c'], rule: 'gaokao' } },
    { ...base, type: 4, score: 12, options: [], answer: { k: 'free', parts: [] } },
  ]
  for (const [at, content] of contents.entries()) {
    const [row] = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, option_layout, status, version_no, score) values (${`C1-${at}`}, 'official', 0, ${MATHS}, ${content.type}, 1, 4, 1, ${content.score}) returning id`)
    practices.push(row?.id ?? 0)
    await app.db.query(sql`insert into practice_body (practice_id, content) values (${row?.id ?? 0}, ${JSON.stringify(content)}::jsonb)`)
  }
  paper = (await admin.post<{ id: number }>(RESOURCE.api.item, { name: '期中考试', subject_id: MATHS })).body.id
  const changes = [{ do: 'section', key: 'a', name: '选择题', title: '', instruction: '' }, ...practices.map((practice_id, at) => ({ do: 'item', section: 'a', item: { practice_id, version_no: 0, score: contents[at]!.score, sub_scores: [] } }))]
  expect((await admin.post(`${END}/paper/${paper}/changes`, { changes })).status).toBe(200)
  const made = await admin.post<PrintedCard>(`${END}/paper/${paper}/card`, { sheet: 'a4', person: 'number', digits: 8 })
  expect(made.status).toBe(200)
  card = made.body
})
afterAll(() => app.close())

/** A page with a number and answers, as a scanner sees it. */
function scanned(number: string, answers: readonly string[], { faint = '', turn = 1, seed = 1 } = {}): Grey {
  const random = seeded(seed)
  const page = card.layout.pages[0]!
  const strokes = page.bubbles.flatMap((bubble): Stroke[] => {
    const filled = bubble.field === 'number' ? number[bubble.index] === bubble.value : bubble.field === 'choice' ? answers[bubble.index]?.includes(bubble.value) : false
    return filled ? [{ bubble, strength: faint === `${bubble.index}${bubble.value}` ? 0.28 : 0.75, cover: 0.95, off: 0.1 }] : []
  })
  return damage(drawCard(card.layout, page, card.id, 1, strokes, 6, random), { turn, perspective: 0.002, scale: 1, blur: 0.6, noise: 4, shade: 0.05, ground: 252 }, random)
}
const pngOf = ({ width, height, data }: Grey) => sharp(data, { raw: { width, height, channels: 1 } }).png().toBuffer()

async function send(name: string, bytes: Buffer, caller = marker): Promise<string> {
  const edge = 'card-edge'
  const payload = Buffer.concat([Buffer.from(`--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`), bytes, Buffer.from(`\r\n--${edge}--\r\n`)])
  const answer = await app.http.inject({ method: 'POST', url: `${END}/card_scans`, headers: { ...browserHeaders(caller), 'content-type': `multipart/form-data; boundary=${edge}` }, payload })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ id: string }>().id
}
const sitting = async (roster = '') => (await marker.post<{ id: number }>(`${END}/paper/${paper}/markings`, { name: '一场', roster })).body.id
const at = (id: number, path = '') => `${END}/card_markings/${id}${path}`
async function read(id: number, files: readonly string[]): Promise<Marking> {
  const { body, status } = await marker.post<{ job_id: number }>(at(id, '/scans'), { file_ids: files })
  expect(status).toBe(200)
  await jobOver(marker, body.job_id, ['done'])
  return (await marker.get<Marking>(at(id))).body
}

const RIGHT = ['B', 'B', 'B', 'B', 'B', 'B', 'AC']

test('cards are read, looked over, marked, and come to points, figures and the bank’s own statistics', async () => {
  const id = await sitting('考号\t姓名\t班级\n20260001\t张三\t1班\n20260002\t李四\t1班\n20260009\t王五\t1班')
  const files = [
    await send('1.png', await pngOf(scanned('20260001', RIGHT))),
    await send('2.png', await pngOf(scanned('20260002', ['B', 'B', 'A', 'B', '', 'B', 'A'], { faint: '5B', turn: 182, seed: 2 }))),
    await send('3.png', await pngOf(scanned('20260777', ['A', 'A', 'A', 'A', 'A', 'A', 'ABC'], { seed: 3 }))),
  ]
  const read1 = await read(id, files)
  expect(read1).toMatchObject({ candidates: 3, pages: { all: 3, read: 3, loose: 0, twice: 0, failed: 0 }, doubtful: 1, unscored: 3, broken: [] })
  const [unsure] = (await marker.get<{ items: Answer[] }>(at(id, '/doubtful'))).body.items
  expect(unsure).toMatchObject({ number: '20260002', label: '6', choices: ['A', 'B', 'C', 'D'], letters: ['B'] })
  const place = unsure!.places[0]!
  const picture = await fetchPath(app, marker, `${END}/card_pages/${place.page_id}/picture?x=${place.box.x}&y=${place.box.y}&w=${place.box.w}&h=${place.box.h}`)
  expect(picture.headers['content-type']).toBe('image/jpeg')
  expect((await sharp(picture.rawPayload).metadata()).width).toBe(Math.round(place.box.w * 6))
  expect((await marker.post<{ detail: string }>(at(id, '/finish'))).body.detail).toBe('还有 1 处填涂存疑，请先核对')
  expect((await marker.put(`${END}/card_pages/${unsure!.page_id}/marks/${unsure!.question}`, { letters: ['B'] })).status).toBe(200)
  const [written] = (await marker.get<{ items: { question: number; card_id: number; left: number }[] }>(at(id, '/written'))).body.items
  expect(written).toMatchObject({ question: 7, left: 3 })
  const answers = (await marker.get<{ items: Answer[] }>(at(id, '/answers'), { card_id: String(written!.card_id), question: '7' })).body.items
  expect((await marker.put<{ detail: string }>(`${END}/card_pages/${answers[0]!.page_id}/marks/7`, { score: 13 })).body.detail).toBe('本题最多 12 分')
  for (const [index, answer] of answers.entries()) expect((await marker.put(`${END}/card_pages/${answer.page_id}/marks/7`, { score: 12 - index })).status).toBe(200)
  const results = (await marker.get<Results>(at(id, '/results'))).body
  // Half of the two right ones, by the rule of the gaokao.
  expect(results.candidates.map(({ number, name, who, choice, total, open }) => [number, name, who, choice, total, open])).toEqual([
    ['20260001', '张三', 'listed', 36, 48, 0], ['20260002', '李四', 'listed', 23, 34, 0], ['20260777', '', 'unknown', 0, 10, 0],
  ])
  expect(results.missing).toEqual([{ number: '20260009', name: '王五', class: '1班' }])
  expect(results.questions[0]).toMatchObject({ label: '1', rate: 2 / 3, chosen: [{ letters: 'A', count: 1, right: false }, { letters: 'B', count: 2, right: true }] })
  const sheet = await fetchPath(app, marker, at(id, '/sheet'))
  expect(sheet.statusCode).toBe(200)
  expect((await marker.post<{ sent: number }>(at(id, '/finish'))).body).toEqual({ sent: 24 })
  const kept = await app.db.query<{ score: number; picked: string[] }>(sql`select score::float8 as score, picked from practice_answer where practice_id = ${practices[6]} order by sitting desc`)
  expect(kept).toEqual([{ score: 6, picked: ['a', 'c'] }, { score: 3, picked: ['a'] }, { score: 0, picked: ['a', 'b', 'c'] }])
  expect((await marker.put<{ detail: string }>(`${END}/card_pages/${answers[0]!.page_id}/marks/7`, { score: 1 })).body.detail).toBe('这场阅卷已经完成，不能再修改')
})

test('the same page twice is said and not counted, a number that cannot be read is asked for, what is no card is listed', async () => {
  const id = await sitting()
  const first = await pngOf(scanned('20260001', RIGHT))
  const marking = await read(id, [await send('甲.png', first), await send('乙.png', await pngOf(scanned('20260001', RIGHT, { seed: 9 }))), await send('丙.png', await pngOf(scanned('2026', RIGHT, { seed: 4 }))), await send('丁.png', await sharp({ create: { width: 600, height: 800, channels: 3, background: 'white' } }).png().toBuffer())])
  expect(marking).toMatchObject({ candidates: 1, pages: { all: 4, read: 1, loose: 1, twice: 1, failed: 1 } })
  // The very same file is not even read again.
  const again = await marker.post<{ job_id: number; added: number; again: number }>(at(id, '/scans'), { file_ids: [await send('甲（再传）.png', first)] })
  expect(again.body).toMatchObject({ added: 0, again: 1 })
  await jobOver(marker, again.body.job_id, ['done'])
  const { items } = (await marker.get<{ items: LoosePage[] }>(at(id, '/loose'))).body
  const page = (state: LoosePage['state']) => items.find((one) => one.state === state)!
  expect(page('twice').problem).toMatch(/^考号 20260001 的第 1 页已经有了/)
  expect(page('failed').problem).toMatch(/定位块/)
  expect(page('loose').problem).toBe('考号没有填涂清楚（2026????）')
  const type = (one: LoosePage, number: string) => marker.put<{ state: string; detail: string }>(`${END}/card_pages/${one.id}/number`, { number })
  expect((await type(page('loose'), '20260001')).body.state).toBe('twice')
  expect((await type(page('loose'), '20260003')).body.state).toBe('read')
  expect((await type(page('failed'), '20260004')).body.detail).toBe('这一页没有识别出答题卡，请重新扫描')
  expect((await marker.delete(`${END}/card_pages/${page('failed').id}`)).status).toBe(200)
  expect((await marker.get<Marking>(at(id))).body).toMatchObject({ candidates: 2, pages: { all: 3, read: 2, twice: 1, failed: 0 } })
})

test('a card is read by what was printed, though the paper changed since; the same card has one number', async () => {
  const before = await admin.post<PrintedCard>(`${END}/paper/${paper}/card`, { sheet: 'a4', person: 'number', digits: 8 })
  expect(before.body.id).toBe(card.id)
  await admin.post(`${END}/paper/${paper}/changes`, { changes: [{ do: 'drop-item', practice_id: practices[0] }] })
  expect((await admin.post<PrintedCard>(`${END}/paper/${paper}/card`, { sheet: 'a4', person: 'number', digits: 8 })).body.id).not.toBe(card.id)
  const id = await sitting()
  expect(await read(id, [await send('旧卡.png', await pngOf(scanned('20260001', RIGHT)))])).toMatchObject({ candidates: 1 })
  expect((await marker.get<Results>(at(id, '/results'))).body.candidates[0]).toMatchObject({ choice: 36 })
  await admin.post(`${END}/paper/${paper}/changes`, { changes: [{ do: 'item', section: 'a', item: { practice_id: practices[0], version_no: 0, score: 5, sub_scores: [] } }] })
})

test('front and back may be files of their own; a back that is not the front’s is asked about', async () => {
  const essay = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, option_layout, status, version_no, score) select 'C2-' || n, 'official', 0, ${MATHS}, 4, 1, 4, 1, 15 from generate_series(1, 6) n returning id`)
  const content = { type: 4, stem: null, options: [], option_layout: 1, answer: { k: 'free', parts: [] }, analysis: { hint: null, solution: null, comment: null, pitfall: null }, score: 15, category: null, children: [] }
  for (const row of essay) await app.db.query(sql`insert into practice_body (practice_id, content) values (${row.id}, ${JSON.stringify(content)}::jsonb)`)
  const long = (await admin.post<{ id: number }>(RESOURCE.api.item, { name: '两页的试卷', subject_id: MATHS })).body.id
  await admin.post(`${END}/paper/${long}/changes`, { changes: [{ do: 'section', key: 'a', name: '解答题', title: '', instruction: '' }, ...essay.map((row) => ({ do: 'item', section: 'a', item: { practice_id: row.id, version_no: 0, score: 15, sub_scores: [] } }))] })
  const { id: code, layout } = (await admin.post<PrintedCard>(`${END}/paper/${long}/card`, { sheet: 'a4', person: 'number', digits: 8 })).body
  expect(layout.pages.length).toBe(2)
  const side = async (no: number, number: string, seed: number) => {
    const random = seeded(seed)
    const page = layout.pages[no - 1]!
    const strokes = page.bubbles.flatMap((bubble): Stroke[] => (bubble.value === (bubble.field === 'number' ? number[bubble.index] : bubble.field === 'check' ? number.at(bubble.index - 2) : '') ? [{ bubble, strength: 0.8, cover: 0.9, off: 0.1 }] : []))
    return send(`${seed}.png`, await pngOf(damage(drawCard(layout, page, code, 1, strokes, 6, random), { turn: 0.5, perspective: 0.002, scale: 1, blur: 0.6, noise: 4, shade: 0.05, ground: 252 }, random)))
  }
  const id = (await marker.post<{ id: number }>(`${END}/paper/${long}/markings`, { name: '一场' })).body.id
  const marking = await read(id, [await side(1, '20260001', 1), await side(2, '20260001', 2), await side(1, '20260002', 3), await side(2, '20260003', 4)])
  expect(marking).toMatchObject({ candidates: 2, pages: { all: 4, read: 3, loose: 1 } })
  const [page] = (await marker.get<{ items: LoosePage[] }>(at(id, '/loose'))).body.items
  expect(page).toMatchObject({ page_no: 2, guess: '20260002', problem: '考号末两位（03）没有填涂清楚，或与前一页不是同一考生' })
  const lacking = (await marker.get<Results>(at(id, '/results'))).body.candidates
  expect(lacking.map(({ number, lacking: pages }) => [number, pages])).toEqual([['20260001', 0], ['20260002', 1]])
  // Two people type at once: one of them has the page.
  const typed = await Promise.all(['20260002', '20260002'].map((number) => marker.put<{ state: string }>(`${END}/card_pages/${page!.id}/number`, { number })))
  expect(typed.map(({ body }) => body.state)).toEqual(['read', 'read'])
  expect((await marker.get<Marking>(at(id))).body.pages).toMatchObject({ read: 4, loose: 0, twice: 0 })
})

test('whoever may not mark is refused everywhere, and a broken PDF says so', async () => {
  const id = await sitting()
  const [broken] = [await send('坏.pdf', Buffer.from('%PDF-1.4\nnothing'))]
  expect((await read(id, [broken!])).broken).toEqual([{ name: '坏.pdf', problem: 'PDF 打不开：文件已损坏或设有密码' }])
  const editor = await app.staff([RESOURCE.grant, standardId(RESOURCE.grant, 'edit')])
  const other = PAPERS.base[1]!
  const elsewhere = await app.staff([other.grant, other.rights.id('mark')])
  for (const caller of [editor, elsewhere]) {
    for (const path of [`${END}/paper/${paper}/markings`, at(id), at(id, '/loose'), at(id, '/doubtful'), at(id, '/results'), at(id, '/sheet'), at(id, '/written')]) expect((await caller.get(path)).status, path).toBeGreaterThanOrEqual(403)
    expect((await caller.post(at(id, '/finish'))).status).toBeGreaterThanOrEqual(403)
    expect((await caller.post(at(id, '/scans'), { file_ids: [broken!] })).status).toBeGreaterThanOrEqual(403)
  }
  expect((await editor.post(`${END}/paper/${paper}/card`, { sheet: 'a4', person: 'number', digits: 8 })).status).toBe(200)
})
