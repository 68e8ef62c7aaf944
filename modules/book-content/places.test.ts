import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inlineDoc } from '../../core/rich-text/rich-doc.ts'
import { screenId } from '../screens.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { BASE, book } from '../book/module.ts'
import { combination } from '../combination/module.ts'
import { insertPractices } from '../practice/bank/write.server.ts'
import { STATUS } from '../practice/bank/practice.ts'
import { startWritten } from '../practice/edit/written.ts'
import { bookCombination, type ComboContent } from './combos/combos.ts'
import type { GaokaoGap, GaokaoMatrix } from './gaokao/calls.ts'
import type { MeasureContent } from './measure/calls.ts'
import { MEASURE_STATE, measurement } from './measure/measurement.ts'
import { orderSweep } from './order/order.server.ts'
import { ORDER_STATE, writingOrder } from './order/writing-order.ts'

const MATHS = 1
const LAST_YEAR = new Date().getFullYear() - 1

let app: TestApp
let editor: Caller
let bookId: number
let labels: number[]

async function write(count: number, more: { label?: number; difficulty?: number; facts?: Record<string, unknown> }): Promise<number[]> {
  const [category] = await app.db.query<{ id: number }>(sql`select id from practice_category where subject_id = ${MATHS} and type = 1 order by id limit 1`)
  const rows = Array.from({ length: count }, () => {
    const start = startWritten(MATHS)
    return { ...start, content: { ...start.content, stem: inlineDoc([`题 ${Math.random()}`]) }, pool: 'official' as const, level: 0, owner_id: null, status: STATUS.published, facts: { ...start.facts, difficulty: more.difficulty ?? 3, category_id: category?.id ?? null, ...more.facts }, labels: more.label ? [{ id: more.label, main: true }] : [] }
  })
  return app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, rows as never))
}

beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://q.example.com' })
  editor = await app.staff(app.servedGrants)
  const [root] = await app.db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and subject_id = ${MATHS} and parent_id is null`)
  labels = []
  for (const name of ['集合', '函数', '数列']) labels.push((await editor.post<{ id: number }>('/daoyuan/api/end/knowledge_label', { subject_id: MATHS, parent_id: root?.id, name })).body.id)
  const made = await editor.post<{ id: number }>(book.api.item, { name: '测评用书', isbn: '9787100000002', subject_id: MATHS, answers_open: 1 })
  expectSuccess(made)
  bookId = made.body.id
}, 60_000)
afterAll(() => app.close())

const scan = async (code: string) => (await app.http.inject({ method: 'GET', url: `/q/${code}` })).body

test('a measurement is composed by knowledge and difficulty, published, and stands behind a code of its book until it is put out of use', async () => {
  for (const difficulty of [5, 3, 1]) await write(2, { label: labels[0], difficulty })
  await write(2, { label: labels[1], difficulty: 3 })
  const row = { name: '阶段测评', subject_id: MATHS, book_id: bookId, label_ids: labels.slice(0, 2), per_label: 3, curve: 1, minutes: 20 }
  expectFieldRefusal(await editor.post(measurement.api.item, { ...row, bands: [{ from: 60, name: '合格', advice: '' }] }), 400, 'bands')
  const made = await editor.post<{ id: number }>(measurement.api.item, row)
  expectSuccess(made)
  const at = `${measurement.api.list}/${made.body.id}`
  const one = `${measurement.api.item}/${made.body.id}`
  expect((await editor.post<{ detail: string }>(`${one}/publish`, {})).body.detail).toBe('还没有组卷，不能发布')
  const composed = (await editor.post<MeasureContent>(`${at}/compose`, {})).body
  const questions = composed.row.questions as { label_id: number; difficulty: number; practice_id: number }[]
  expect(questions.map(({ label_id }) => labels.indexOf(label_id))).toEqual([0, 0, 0, 1, 1])
  expect(questions.slice(0, 3).map(({ difficulty }) => difficulty)).toEqual([5, 3, 1])
  expect(composed.lacks).toEqual(['「函数」题库只有 2 道，少于 3 道'])
  const swapped = (await editor.post<MeasureContent>(`${at}/swap`, { practice_id: questions[0]?.practice_id })).body
  expect(swapped.cards).toHaveLength(5)
  expect(swapped.cards.some(({ id }) => id === questions[0]?.practice_id)).toBe(false)
  expect((await editor.post<{ detail: string }>(`${at}/codes`, { name: '测评', page_no: 9 })).body.detail).toBe('测评还没有发布，不能放进图书')
  expectSuccess(await editor.post(`${one}/publish`, {}))
  expectRefusal(await editor.put(one, { minutes: 40 }), 403)
  expectRefusal(await editor.post(`${at}/compose`, {}), 400)
  const placed = (await editor.post<MeasureContent>(`${at}/codes`, { name: '阶段测评一', page_no: 9 })).body
  const [code] = placed.codes
  expect(await scan(code?.code ?? '')).toContain('阶段测评')
  expect(await scan(code?.code ?? '')).toContain('扫描本二维码作答')
  expectRefusal(await editor.delete(one), 400)
  expectSuccess(await editor.post(`${one}/disable`, {}))
  expect((await editor.get<{ items: { kind: string }[] }>(`/daoyuan/api/dou_practice/end/practice/${placed.cards[0]?.id}/uses`)).body.items.map(({ kind }) => kind)).toContain('测评')
  const looker = await app.staff([measurement.grant])
  expect((await looker.get<MeasureContent>(`${at}/content`)).body.row.state).toBe(MEASURE_STATE.off)
  expectRefusal(await looker.post(`${at}/compose`, {}), 403)
})

test('a combination is given a place in a book with a code of its own, and says what of it is gone', async () => {
  const draft = (await editor.post<{ id: number }>(combination.api.item, { name: '学习单', subject_id: MATHS, items: [{ key: 'a', kind: 'text', ref_id: 0, title: '学习目标', text: '会用定义', page: false }] })).body.id
  const place = { book_id: bookId, combination_id: draft, name: '第一节 学习单', page_no: 12 }
  expectFieldRefusal(await editor.post(bookCombination.api.item, place), 400, 'ref_id')
  expectSuccess(await editor.post(`${combination.api.item}/${draft}/publish`, {}))
  const made = await editor.post<{ id: number; code: string }>(bookCombination.api.item, place)
  expectSuccess(made)
  expectFieldRefusal(await editor.post(bookCombination.api.item, place), 409, 'name')
  const [row] = (await editor.get<{ items: Record<string, unknown>[] }>(bookCombination.api.list)).body.items
  expect(row).toMatchObject({ code: made.body.code, name: '第一节 学习单', page_no: 12, item_cnt: 1, standing: '已发布', target_name: '学习单' })
  expect((await editor.get<ComboContent>(`${bookCombination.api.list}/${made.body.id}/content`)).body.items).toEqual([{ kind: expect.any(String), title: '学习目标', page: 1, health: { tone: 'ok', words: '可用' } }])
  expect(await scan(made.body.code)).toContain('扫描本二维码查看')
  expect((await editor.delete(`${combination.api.item}/${draft}`)).status).toBe(409)
  // A code of this list leads to combinations alone.
  expectRefusal(await editor.put(`${bookCombination.api.item}/${made.body.id}/target`, { kind: 'url', url: 'https://a.example.org/' }), 400)
  const looker = await app.staff([bookCombination.grant])
  expectRefusal(await looker.post(bookCombination.api.item, place), 403)
})

test('an exam that is missing is made of what the bank has of it, its gaps are told, and an order for another is closed by its paper', async () => {
  const facts = { source: 'college_entrance_exam_paper', source_years: [LAST_YEAR], exam_region_id: 1, source_order: 1 }
  await write(3, { label: labels[2], facts })
  const read = async () => (await editor.get<GaokaoMatrix>(`${BASE}/gaokao`, { cat_id: String(MATHS) })).body
  expect((await read()).cells.find(({ year, region_id }) => year === LAST_YEAR && region_id === 1)).toMatchObject({ papers: [], loose: 3 })
  const twice = await Promise.all([0, 1].map(() => editor.post<{ id: number; questions: number }>(`${BASE}/gaokao`, { cat_id: MATHS, year: LAST_YEAR, region_id: 1 })))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
  const made = twice.find(({ status }) => status === 200)?.body
  expect(made?.questions).toBe(3)
  const cell = (await read()).cells.find(({ year, region_id }) => year === LAST_YEAR && region_id === 1)
  expect(cell).toMatchObject({ loose: 0, papers: [{ questions: 3, labelled: 3, filmed: 0 }] })
  const gaps = (await editor.get<{ items: GaokaoGap[]; total: number }>(`${BASE}/gaokao/papers/${made?.id}`)).body
  expect(gaps.total).toBe(3)
  expect(gaps.items[0]?.lacks).toContain('视频')
  const order = await editor.post<{ id: number; name: string }>(writingOrder.api.item, { kind: 'gaokao', subject_id: MATHS, year: LAST_YEAR, region_id: 2, staff_id: editor.staffId, wanted: 2, due_at: Math.floor(Date.now() / 1000) + 86_400 })
  expectSuccess(order)
  expect(order.body.name).toBe(`${LAST_YEAR} 年 全国Ⅱ卷 数学真题`)
  expect((await read()).cells.find(({ region_id }) => region_id === 2)?.order).toMatchObject({ id: order.body.id })
  await write(2, { facts: { ...facts, exam_region_id: 2 } })
  expectSuccess(await editor.post(`${BASE}/gaokao`, { cat_id: MATHS, year: LAST_YEAR, region_id: 2 }))
  await orderSweep(app.db).run()
  expect((await editor.get<{ state: number }>(`${writingOrder.api.item}/${order.body.id}`)).body.state).toBe(ORDER_STATE.filled)
  expectRefusal(await editor.post(`${BASE}/gaokao`, { cat_id: MATHS, year: LAST_YEAR + 5, region_id: 1 }), 400)
  expectRefusal(await editor.get(`${BASE}/gaokao`, { cat_id: '101' }), 400)
  const looker = await app.staff([screenId('/practiceBook/content/gaokaoPractice')])
  expectRefusal(await looker.post(`${BASE}/gaokao`, { cat_id: MATHS, year: LAST_YEAR, region_id: 3 }), 403)
})
