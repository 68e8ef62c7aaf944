import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inlineDoc } from '../../core/rich-text/rich-doc.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { BASE, book } from '../book/module.ts'
import { insertPractices } from '../practice/bank/write.server.ts'
import { STATUS } from '../practice/bank/practice.ts'
import { startWritten } from '../practice/edit/written.ts'
import type { SelectedSet } from '../practice/module.ts'
import type { MaterialContent, MaterialVersion } from './material/calls.ts'
import { trainMaterial } from './material/material.ts'
import { newPiece, practicesOf, type Piece } from './material/pieces.ts'
import { ORDER_STATE, writingOrder } from './order/writing-order.ts'
import { bookSets, EXCELLENT_GROUP, EXCELLENT_SETS, TRAINING } from './sets.ts'
import type { ExcellentLabel } from './excellent/calls.ts'
import type { Training } from './training/calls.ts'

const SETS = '/daoyuan/api/end/selected_practices'
const MATHS = 1
const TOMORROW = Math.floor(Date.now() / 1000) + 86_400

let app: TestApp
let editor: Caller
let bookId: number
let top: number
let leaves: number[]
let hard: number[]
let label: number

/** Official questions of a chapter, of one kind and difficulty. */
async function write(count: number, chapterId: number, exercise_type: number, difficulty: number, type = 1): Promise<number[]> {
  const rows = Array.from({ length: count }, (_, at) => {
    const start = startWritten(MATHS)
    const content = type === 1 ? start.content : { ...start.content, type: 4 as const, options: [], answer: { k: 'free' as const, parts: [] } }
    return { ...start, content: { ...content, stem: inlineDoc([`题 ${chapterId} ${exercise_type} ${difficulty} ${at} ${Math.random()}`]) }, pool: 'official' as const, level: 0, owner_id: null, status: STATUS.published, facts: { ...start.facts, exercise_type, difficulty }, chapter_ids: [chapterId], labels: label ? [{ id: label, main: true }] : [] }
  })
  return app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, rows as never))
}

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff(app.servedGrants)
  const [root] = await app.db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and subject_id = ${MATHS} and parent_id is null`)
  label = (await editor.post<{ id: number }>('/daoyuan/api/end/knowledge_label', { subject_id: MATHS, parent_id: root?.id, name: '集合' })).body.id
  const version = (await editor.post<{ id: number }>('/daoyuan/api/end/material_version', { subject_id: MATHS, name: '人教A版' })).body.id
  const partwork = (await editor.post<{ id: number }>('/daoyuan/api/end/partwork', { version_id: version, name: '必修第一册' })).body.id
  const chapter = async (name: string, more = {}) => (await editor.post<{ id: number }>('/daoyuan/api/end/chapter', { partwork_id: partwork, name, ...more })).body.id
  top = await chapter('第一章 集合')
  leaves = [await chapter('集合的概念', { parent_id: top }), await chapter('集合的运算', { parent_id: top })]
  await write(4, leaves[0] ?? 0, 1, 4)
  await write(3, leaves[0] ?? 0, 2, 3)
  await write(1, leaves[1] ?? 0, 1, 4)
  hard = await write(4, leaves[1] ?? 0, 3, 1)
  const answer = await editor.post<WireRow<typeof book>>(book.api.item, { name: '同步练习册', isbn: '9787100000001', subject_id: MATHS, partwork_id: partwork, answers_open: 1 })
  expectSuccess(answer)
  bookId = answer.body.id
}, 60_000)
afterAll(() => app.close())

const path = (more = '') => `${BASE}/training/${bookId}${more}`
const read = async () => (await editor.get<Training>(path())).body
const setOf = (training: Training, chapterId: number | undefined, group: number) => training.chapters.find(({ id }) => id === chapterId)?.groups.find(({ group_key }) => group_key === group)

test('targets are set for the whole book at once, what the bank has fills them without a question twice, and what is missing is told', async () => {
  expect((await read()).chapters.map(({ name, leaf }) => [name, leaf])).toEqual([['第一章 集合', false], ['集合的概念', true], ['集合的运算', true]])
  const targets = [{ group_key: 1, target_n: 3 }, { group_key: 2, target_n: 4 }]
  const set = await editor.put<Training>(path('/targets'), { targets })
  expect(set.status).toBe(200)
  expect([top, ...leaves].map((id) => setOf(set.body, id, 1)?.target_n)).toEqual([null, 3, 3])
  // Said once more for what is new alone: nothing changes.
  expect(setOf((await editor.put<Training>(path('/targets'), { targets: [{ group_key: 1, target_n: 9 }], only_new: true })).body, leaves[0], 1)?.target_n).toBe(3)
  const filled = await editor.post<{ filled: number; left: number; training: Training }>(path('/fill'), {})
  expect(filled.status).toBe(200)
  const { training } = filled.body
  expect([setOf(training, leaves[0], 1), setOf(training, leaves[0], 2), setOf(training, leaves[1], 1)]).toMatchObject([{ n: 3 }, { n: 4 }, { n: 3 }])
  expect(filled.body.left).toBe(12 - 0 + 2 - filled.body.filled)
  expect(training.doubles).toEqual([])
  expectFieldRefusal(await editor.put(path('/targets'), { targets, chapter_ids: [999_999] }), 400, 'chapter_ids')
})

test('sets of a book are those of its screen alone: another book, a looker and a chapter of another textbook are refused', async () => {
  const wanted = { scope: 'chapter', ref_id: String(leaves[0]), product_line: bookSets(bookId) }
  const worker = await app.staff([TRAINING])
  expect((await worker.get<{ sets: SelectedSet[] }>(SETS, wanted)).body.sets[0]?.items).toHaveLength(3)
  expectRefusal(await worker.put(SETS, { ...wanted, ref_id: leaves[0], group_key: 1, version_no: 2, practice_ids: [] }), 403)
  expectRefusal(await editor.get(SETS, { ...wanted, product_line: bookSets(999_999) }), 404)
  const other = await app.staff(app.servedGrants, { scopes: { subject: [3] } })
  expectRefusal(await other.get(path()), 404)
  expectRefusal(await worker.put(path('/targets'), { targets: [{ group_key: 1, target_n: 3 }] }), 403)
  const version = (await editor.post<{ id: number }>('/daoyuan/api/end/material_version', { subject_id: MATHS, name: '北师大版' })).body.id
  const partwork = (await editor.post<{ id: number }>('/daoyuan/api/end/partwork', { version_id: version, name: '必修第一册' })).body.id
  const foreign = (await editor.post<{ id: number }>('/daoyuan/api/end/chapter', { partwork_id: partwork, name: '集合' })).body.id
  expect((await editor.get<{ detail: string }>(SETS, { ...wanted, ref_id: String(foreign) })).body.detail).toBe('章节不属于这本图书的教材册别')
  expect((await editor.get<{ items: { title: string }[] }>(`/daoyuan/api/dou_practice/end/practice/${(await read()).doubles[0]?.practice_id ?? (await setIds(leaves[0] ?? 0, 1))[0]}/uses`)).body.items[0]?.title).toContain('图书训练')
})

async function setIds(chapterId: number, group: number): Promise<number[]> {
  const { body } = await editor.get<{ sets: SelectedSet[] }>(SETS, { scope: 'chapter', ref_id: String(chapterId), product_line: bookSets(bookId) })
  return body.sets.find(({ group_key }) => group_key === group)?.items.map(({ practice }) => practice.id) ?? []
}

type Order = WireRow<typeof writingOrder>
const order = (n: number, more: Record<string, unknown> = {}) => editor.post<Order & { detail?: string }>(writingOrder.api.item, { kind: 'set', book_id: bookId, chapter_id: leaves[1], group_key: 3, staff_id: editor.staffId, wanted: n, due_at: TOMORROW, ...more })

test('a hole becomes writing orders, never for more than it lacks, and what fills it closes them one after the other', async () => {
  expect((await order(1)).body.detail).toContain('不缺题')
  await editor.put(path('/targets'), { targets: [{ group_key: 3, target_n: 4 }], chapter_ids: [leaves[1]] })
  expectFieldRefusal(await order(5), 400, 'wanted')
  expectFieldRefusal(await order(2, { due_at: TOMORROW - 5 * 86_400 }), 400, 'due_at')
  const twice = await Promise.all([order(3), order(3)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
  const first = twice.find(({ status }) => status === 200)?.body as Order
  expect(first).toMatchObject({ name: '同步练习册 集合的运算 深度练', done: 0, base_n: 0, state: ORDER_STATE.open })
  const second = (await order(1)).body
  expect(second.base_n).toBe(3)
  expect((await read()).orders).toHaveLength(2)
  expect((await order(1)).body.detail).toContain('已经派出')
  const [waiting] = (await editor.get<{ items: { title: string; to: string }[] }>('/daoyuan/api/end/inbox/items', { kind: 'writing_orders' }).catch(() => ({ body: { items: [] } }))).body.items ?? []
  if (waiting) expect(waiting.title).toContain('集合的运算')
  const used = new Set([...await setIds(leaves[0] ?? 0, 1), ...await setIds(leaves[0] ?? 0, 2), ...await setIds(leaves[1] ?? 0, 1)])
  const free = [...hard.filter((id) => !used.has(id)), ...await write(4, leaves[1] ?? 0, 3, 2)].slice(0, 4)
  const put = async (ids: readonly number[]) => {
    const { body } = await editor.get<{ sets: SelectedSet[] }>(SETS, { scope: 'chapter', ref_id: String(leaves[1]), product_line: bookSets(bookId) })
    expectSuccess(await editor.put(SETS, { scope: 'chapter', ref_id: leaves[1], product_line: bookSets(bookId), group_key: 3, version_no: body.sets.find(({ group_key }) => group_key === 3)?.version_no ?? 0, target_n: 4, practice_ids: ids }))
  }
  await put(free.slice(0, 2))
  expect((await editor.get<Order>(`${writingOrder.api.item}/${first.id}`)).body).toMatchObject({ done: 2, state: ORDER_STATE.open })
  await put(free)
  for (const { id } of [first, second]) expect((await editor.get<Order>(`${writingOrder.api.item}/${id}`)).body).toMatchObject({ state: ORDER_STATE.filled, closed_at: expect.any(Number) })
  expect((await read()).orders).toEqual([])
})

test('a material is made of sets, printed once each, kept as versions, and led back to one of them', async () => {
  const made = await editor.post<{ id: number }>(path('/materials'), { name: '集合 训练', chapter_ids: leaves })
  expectSuccess(made)
  const at = `${trainMaterial.api.list}/${made.body.id}`
  const one = `${trainMaterial.api.item}/${made.body.id}`
  const { row, cards } = (await editor.get<MaterialContent>(`${at}/content`)).body
  const pieces = row.pieces as Piece[]
  expect(pieces[0]).toMatchObject({ kind: 'heading', text: '集合的概念', page: false })
  expect(pieces.find(({ text }) => text === '集合的运算')?.page).toBe(true)
  expect(cards).toHaveLength(practicesOf(pieces).length)
  expect(new Set(practicesOf(pieces)).size).toBe(practicesOf(pieces).length)
  expectSuccess(await editor.post(`${one}/finish`, {}))
  expectFieldRefusal(await editor.put(one, { pieces: [...pieces, { ...newPiece({ kind: 'practice', ref_id: practicesOf(pieces)[0] ?? 0 }) }], rev: 99 }), 400, 'pieces')
  const now = (await editor.get<MaterialContent>(`${at}/content`)).body.row
  const changed = await editor.put<WireRow<typeof trainMaterial>>(one, { pieces: [newPiece({ kind: 'text', text: '易错提醒' }), ...pieces.slice(0, 4)], layout: { paper: 'a3', answers: 'after', first_page: 12 }, rev: now.rev })
  expectSuccess(changed)
  expectSuccess(await editor.post(`${one}/finish`, {}))
  expect((await editor.post<{ detail: string }>(`${one}/finish`, {})).body.detail).toContain('与第 2 版相同')
  const versions = (await editor.get<{ items: MaterialVersion[] }>(`${at}/versions`)).body.items
  expect(versions.map(({ no }) => no)).toEqual([2, 1])
  expect(versions[1]?.pieces).toEqual(pieces)
  const word = await editor.get(`${at}/word`, { no: '1' })
  expect([word.status, word.headers['content-type']]).toEqual([200, expect.stringContaining('wordprocessingml')])
  expectRefusal(await editor.get(`${at}/word`, { no: '7' }), 404)
  const back = await editor.put(one, { pieces: versions[1]?.pieces, layout: versions[1]?.layout, rev: (await editor.get<MaterialContent>(`${at}/content`)).body.row.rev })
  expectSuccess(back)
  expect((await read()).chapters.every(({ materials }) => materials.length === 0)).toBe(true)
  await expect(app.db.query(sql`update train_material_version set no = 9 where material_id = ${made.body.id}`)).rejects.toThrow(/never changed/)
  const uses = await editor.get<{ items: { kind: string }[] }>(`/daoyuan/api/dou_practice/end/practice/${practicesOf(pieces)[0]}/uses`)
  expect(uses.body.items.map(({ kind }) => kind)).toContain('训练素材')
})

test('sets for the strongest take hard questions alone, by label', async () => {
  const CAT = String(MATHS)
  const at = async () => (await editor.get<{ labels: ExcellentLabel[] }>(`${BASE}/excellent`, { cat_id: CAT })).body.labels.find(({ id }) => id === label)
  const before = await at()
  expect(before).toMatchObject({ depth: 0, n: 0, target_n: null })
  expect(before?.offered).toBeGreaterThanOrEqual(4)
  expectSuccess(await editor.put(`${BASE}/excellent/targets`, { cat_id: MATHS, target_n: 3 }))
  const filled = await editor.post<{ filled: number; left: number }>(`${BASE}/excellent/fill`, { cat_id: MATHS })
  expect(filled.body).toMatchObject({ filled: 3, left: 0 })
  expect(await at()).toMatchObject({ n: 3, target_n: 3, alone: 3 })
  const easy = (await setIds(leaves[0] ?? 0, 1))[0]
  const put = await editor.put<{ detail: string; fields?: Record<string, string> }>(SETS, { scope: 'label', ref_id: label, product_line: EXCELLENT_SETS, group_key: EXCELLENT_GROUP, version_no: 2, practice_ids: [easy] })
  expectFieldRefusal(put, 400, 'practice_ids')
  const looker = await app.staff([TRAINING])
  expectRefusal(await looker.get(`${BASE}/excellent`, { cat_id: CAT }), 403)
})
