import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { bankScreen, STATUS } from '../bank/practice.ts'
import { insertPractices } from '../bank/write.server.ts'
import type { Use } from '../compare/calls.ts'
import { moveUses } from '../compare/uses.server.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import { startWritten } from '../edit/written.ts'
import { screenId } from '../../screens.ts'
import type { Selected, SelectedSet, SetChapter } from './calls.ts'

const PATH = '/daoyuan/api/end/selected_practices'
let app: TestApp
let editor: Caller
let ids: number[]
let chapters: number[]

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff(app.servedGrants)
  const make = (text: string, pool: 'official' | 'back', subject = 1) => {
    const start = startWritten(subject)
    return { ...start, content: { ...start.content, stem: inlineDoc([text]) }, pool, level: 0, owner_id: null, status: pool === 'official' ? STATUS.published : STATUS.draft }
  }
  ids = await app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, [make('甲', 'official'), make('乙', 'official'), make('丙', 'official'), make('草稿', 'back'), make('物理', 'official', 3)]))
  const version = (await editor.post<{ id: number }>('/daoyuan/api/end/material_version', { subject_id: 1, name: '人教A版' })).body.id
  const book = (await editor.post<{ id: number }>('/daoyuan/api/end/partwork', { version_id: version, name: '必修第一册' })).body.id
  chapters = []
  for (const name of ['第一章', '第二章']) chapters.push((await editor.post<{ id: number }>('/daoyuan/api/end/chapter', { partwork_id: book, name })).body.id)
})
afterAll(() => app.close())

const build = (group_key: number, places: readonly number[], version_no: number, more: Record<string, unknown> = {}, who = editor) =>
  who.put<{ sets: SelectedSet[]; detail?: string }>(PATH, { scope: 'chapter', ref_id: chapters[0], group_key, version_no, practice_ids: places.map((place) => ids[place]), ...more })
const chosen = (sets: readonly SelectedSet[], group: number) => sets.find(({ group_key }) => group_key === group)?.items.map(({ practice }) => practice.id)

test('a set is rebuilt as a whole, in its order, and says who else has its questions', async () => {
  const first = await build(2, [2, 0], 0, { target_n: 5 })
  expect(first.status, first.body.detail).toBe(200)
  expect(chosen(first.body.sets, 2)).toEqual([ids[2], ids[0]])
  expect((await build(2, [0, 1], 1)).status).toBe(200)
  const { sets } = (await build(1, [1], 0)).body
  expect(chosen(sets, 2)).toEqual([ids[0], ids[1]])
  expect(sets.find(({ group_key }) => group_key === 1)?.items[0]?.elsewhere).toEqual(['第一章 精选'])
  expect(sets.find(({ group_key }) => group_key === 2)).toMatchObject({ version_no: 2, target_n: null })
  const log = await app.db.query(sql`select before, after from audit_log where entity = 'selected_set' and action = 'rebuild' order by id`)
  expect(log[1]).toEqual({ before: { practice_ids: [ids[2], ids[0]] }, after: { practice_ids: [ids[0], ids[1]] } })
})

test('a rebuild that began earlier, drafts and other subjects are refused, and nothing changes', async () => {
  expect((await build(2, [2], 1)).status).toBe(409)
  expect(await build(2, [3], 2)).toMatchObject({ status: 400, body: { detail: '只能选入正式题库的试题' } })
  expect(await build(2, [4], 2)).toMatchObject({ status: 400, body: { detail: '试题与章节应为同一学科' } })
  expect((await editor.call('DELETE', `/daoyuan/api/end/chapter/${chapters[0]}`)).status).toBe(409)
  const physics = await app.staff(app.servedGrants, { scopes: { subject: [3] } })
  expect((await build(2, [], 2, {}, physics)).status).toBe(404)
  const reader = await app.staff([screenId('/practice/ebook-catalogue-label'), bankScreen('official', 0)])
  expect((await build(2, [], 2, {}, reader)).status).toBe(403)
  expect(chosen((await reader.get<{ sets: SelectedSet[] }>(PATH, { scope: 'chapter', ref_id: chapters[0] })).body.sets, 2)).toEqual([ids[0], ids[1]])
})

test('two that rebuild at once: one is told, and the set is one of the two', async () => {
  const answers = await Promise.all([build(3, [0], 0), build(3, [1], 0)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a set is a use of its questions, and follows a merge', async () => {
  const uses = await editor.get<{ items: Use[] }>(`/daoyuan/api/dou_practice/end/practice/${ids[0]}/uses`)
  expect(uses.body.items).toContainEqual({ kind: '精选题', title: '必修第一册 第一章 精选', path: expect.stringContaining(`id=${chapters[0]}`) })
  const me = { id: editor.staffId, account: '', name: '', role: '', modules: new Set<number>(), scopes: {}, masksNames: true }
  await app.db.transaction({ staff_id: editor.staffId }, (tx) => moveUses(tx, me, ids[0] ?? 0, ids[2] ?? 0))
  const { sets } = (await editor.get<{ sets: SelectedSet[] }>(PATH, { scope: 'chapter', ref_id: chapters[0] })).body
  expect(chosen(sets, 2)).toEqual([ids[2], ids[1]])
})

test('a label and a line of products have sets of their own, which follow a merge of labels', async () => {
  const [root] = await app.db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and subject_id = 1 and parent_id is null`)
  const make = async (name: string) => (await editor.post<{ id: number }>('/daoyuan/api/end/knowledge_label', { subject_id: 1, parent_id: root?.id, name })).body.id
  const [one, two] = [await make('函数'), await make('数列')]
  const put = (ref_id: number, places: readonly number[], more: Record<string, unknown> = {}) =>
    editor.put<{ sets: SelectedSet[] }>(PATH, { scope: 'label', ref_id, group_key: 4, version_no: 0, practice_ids: places.map((place) => ids[place]), ...more })
  expect(chosen((await put(one, [0, 1])).body.sets, 4)).toEqual([ids[0], ids[1]])
  expect((await put(one, [2], { product_line: 'sync_course' })).status).toBe(200)
  expect((await put(one, [2], { product_line: 'junior_training' })).body).toMatchObject({ detail: '产品线与学段不符' })
  const { sets } = (await put(two, [1, 2])).body
  expect(sets.find(({ group_key }) => group_key === 4)?.items[0]?.elsewhere).toEqual(['函数 培优'])
  const read = async (id: number, more = {}) => chosen((await editor.get<{ sets: SelectedSet[] }>(PATH, { scope: 'label', ref_id: id, ...more })).body.sets, 4)
  expect(await read(one, { product_line: 'sync_course' })).toEqual([ids[2]])
  const uses = await editor.get<{ items: Use[] }>(`/daoyuan/api/dou_practice/end/practice/${ids[2]}/uses`)
  expect(uses.body.items.map(({ title }) => title)).toContain('知识点 函数 培优 高中同步')
  expect((await editor.call('DELETE', `/daoyuan/api/end/knowledge_label/${one}`)).status).toBe(409)
  const catalogue = await app.staff([screenId('/practice/ebook-catalogue-label'), bankScreen('official', 0)])
  expect((await catalogue.get(PATH, { scope: 'label', ref_id: one })).status).toBe(403)
  expect((await editor.post(`/daoyuan/api/end/knowledge_label/${one}/merge`, { into_id: two })).status).toBe(200)
  expect(await read(two)).toEqual([ids[1], ids[2], ids[0]])
  expect(await read(two, { product_line: 'sync_course' })).toEqual([ids[2]])
}, 60_000)

test('whoever works on a line chooses its sets: what is missing is shown, proposed from the chapter and saved; the bank is not needed', async () => {
  const CAT = 101
  const line = { product_line: 'junior_training' }
  const screen = screenId('/juniorTraining/content')
  const version = (await editor.post<{ id: number }>('/daoyuan/api/end/material_version', { subject_id: CAT, name: '人教版' })).body.id
  const book = (await editor.post<{ id: number }>('/daoyuan/api/end/partwork', { version_id: version, name: '七年级上册' })).body.id
  const chapterOf = async (name: string, more = {}) => (await editor.post<{ id: number }>('/daoyuan/api/end/chapter', { partwork_id: book, name, ...more })).body.id
  const top = await chapterOf('有理数')
  const below = await chapterOf('正数和负数', { parent_id: top })
  const other = await chapterOf('整式')
  const make = (text: string, exercise_type: number, difficulty: number, chapter_id: number) => {
    const start = startWritten(CAT)
    return { ...start, content: { ...start.content, stem: inlineDoc([text]) }, pool: 'official' as const, level: 1, owner_id: null, status: STATUS.published, facts: { ...start.facts, exercise_type, difficulty }, chapter_ids: [chapter_id] }
  }
  const own = await app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, [make('负一', 1, 4, below), make('负二', 2, 3, below), make('负三', 1, 2, top), make('负二', 1, 4, below), make('整式一', 1, 4, other)]))
  const worker = await app.staff([screen, screen * 100 + 1])
  const propose = (more: Record<string, unknown>) => worker.post<{ items: Selected[] }>(`${PATH}/propose`, { ref_id: top, ...line, group_key: 1, n: 5, ...more })
  const idsOf = (items: readonly Selected[]) => items.map(({ practice }) => practice.id)
  // The kind of exercise first, nearest to its difficulty; one of two that ask the same; nothing of another chapter.
  const { body: proposed } = await propose({})
  expect(idsOf(proposed.items).slice(0, 2)).toEqual([own[0], own[2]])
  expect(proposed.items).toHaveLength(3)
  expect(idsOf((await propose({ taken: [own[0]], n: 1 })).body.items)).toEqual([own[2]])
  const put = (group_key: number, practice_ids: readonly (number | undefined)[], more: Record<string, unknown> = {}, who = worker) => who.put<{ sets: SelectedSet[] }>(PATH, { scope: 'chapter', ref_id: top, ...line, group_key, version_no: 0, practice_ids, ...more })
  expect((await put(1, [own[0], own[1], own[3]], { target_n: 5 })).body.sets.find(({ group_key }) => group_key === 1)?.items.map(({ twins }) => twins.length)).toEqual([0, 1, 1])
  const { body: { chapters: shown } } = await worker.get<{ chapters: SetChapter[] }>(`${PATH}/progress`, { partwork_id: book, ...line })
  expect(shown.map(({ name, depth, offered }) => [name, depth, offered])).toEqual([['有理数', 0, 4], ['正数和负数', 1, 3], ['整式', 0, 1]])
  expect(shown[0]?.groups[0]).toEqual({ group_key: 1, n: 3, target_n: 5 })
  // What another set of the book has is not proposed again.
  expect(idsOf((await propose({ group_key: 2 })).body.items)).toEqual([own[2]])
  // Only the line's own sets of chapters are theirs, and looking is not editing.
  expect((await put(1, [], { product_line: '' })).status).toBe(403)
  expect((await worker.get(PATH, { scope: 'label', ref_id: 1, ...line })).status).toBe(403)
  const looker = await app.staff([screen])
  expect(chosen((await looker.get<{ sets: SelectedSet[] }>(PATH, { scope: 'chapter', ref_id: top, ...line })).body.sets, 1)).toHaveLength(3)
  expect((await put(2, [own[2]], {}, looker)).status).toBe(403)
  expect((await looker.post(`${PATH}/propose`, { ref_id: top, ...line, group_key: 1, n: 1 })).status).toBe(403)
}, 60_000)
