import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { audioAsset, imageAsset } from '../asset/module.ts'
import type { Publication } from '../companion/calls.ts'
import type { PackTerm } from '../companion/pack-term.ts'
import { companionTeacher } from '../companion/teacher.ts'
import { screenId } from '../screens.ts'
import { accompany } from './accompany.ts'

const BASE = '/daoyuan/api/end/accompany'
let app: TestApp
let [manager, second, tutor]: Caller[] = []
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  ;[manager, second] = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  tutor = await app.staff(['/accompany/tutor/student', '/accompany/tutor/task', '/accompany/tutor/task/content'].flatMap((path) => [screenId(path as never), standardId(screenId(path as never), 'edit')]))
  await seedTransaction(app.kernel.db, (tx) => insertMany(tx, companionTeacher as never, [{ staff_id: tutor?.staffId, name: '王老师', kinds: ['accompany'], level: 2, max_students: 20, subject_ids: [1], lesson_rate: 4000, month_rate: 15_000, status: 2 }] as never))
})
afterAll(() => app.close())

const m = () => manager as Caller
const term = (key: string, word: string, more: Partial<PackTerm> = {}): PackTerm => ({ key: `term-${key}`, kind: 'word', word, ...more })
const item = (key: string, terms?: string[]) => ({ key: `item-${key}`, kind: 'article', title: `内容${key}`, body: '一段文字', ...(terms && { terms }) })
async function pack(): Promise<WireRow & { path: string }> {
  const made = await m().post<WireRow>(`${BASE}/research/packs`, { name: `词条资料${++n}`, subject_id: 1, sort: 10 })
  expectSuccess(made)
  return { ...made.body, path: `${BASE}/research/packs/${made.body.id}` }
}
async function shelved(): Promise<WireRow & { path: string }> {
  const one = await pack()
  expectSuccess(await m().put(one.path, { terms: [term('a', 'clue'), term('b', 'hint')], items: [item('1', ['term-a']), item('2')] }))
  expectSuccess(await m().post(`${one.path}/submit`))
  expectSuccess(await (second as Caller).post(`${one.path}/approve`))
  return one
}

test('terms keep their order and what uses them; what they name must be there', async () => {
  const one = await pack()
  expectSuccess(await m().put(one.path, { terms: [term('b', 'hint'), term('a', 'clue')], items: [item('1', ['term-a'])] }))
  const { body } = await m().get<WireRow & { terms: PackTerm[] }>(one.path)
  expect(body.terms.map(({ word }) => word)).toEqual(['hint', 'clue'])
  expect(body['term_cnt']).toBe(2)
  expectFieldRefusal(await m().put(one.path, { terms: [term('a', 'clue'), term('c', 'CLUE')] }), 400, 'terms')
  // A term that an item still uses is not taken away without it.
  expectFieldRefusal(await m().put(one.path, { terms: [term('b', 'hint')] }), 400, 'items')
  expectSuccess(await m().put(one.path, { terms: [term('b', 'hint')], items: [item('1', [])] }))
  expectFieldRefusal(await m().put(one.path, { terms: [term('b', 'hint', { sound_id: 987_654 })] }), 400, 'terms')
  expectRefusal(await m().put(one.path, { terms: [term('b', 'hint')], rev: 1 }), 409)
  expectRefusal(await (tutor as Caller).put(one.path, { terms: [] }), 403)
})

test('a version says what it changes and who stays; tasks keep theirs, and readers see the terms of the newest', async () => {
  const one = await shelved()
  const student = await m().post<WireRow>(`${BASE}/manager/students`, { name: '林小满', mobile: `136${String(30_000_000 + ++n)}`, grade: 8, teacher_id: (await app.db.query<{ id: number }>(sql`select id from companion_teacher limit 1`))[0]?.id })
  expectSuccess(student)
  const task = await (tutor as Caller).post<WireRow>(`${BASE}/teacher/tasks`, { title: '背单词', task_kind: 'recite', student_ids: [student.body.id], pack_id: one.id, due_at: Math.floor(Date.now() / 1000) + 86_400, full: 100, lessons: 0 })
  expectSuccess(task)
  expectSuccess(await m().put(one.path, { terms: [term('a', 'clue', { example: 'a clue' }), term('c', 'infer')], items: [item('1', ['term-a', 'term-c']), item('2')] }))
  const { body: asked } = await m().get<Publication>(`${one.path}/publication`)
  expect(asked).toEqual({ version: 1, items: { added: [], changed: ['内容1'], removed: [] }, terms: { added: ['infer'], changed: ['clue'], removed: ['hint'] }, stays: [{ version: 1, tasks: 1, students: 1 }] })
  const read = async () => (await (tutor as Caller).get<{ lesson_packs: { version: number; terms: PackTerm[] }[] }>(`${BASE}/research/lesson_packs?lesson_pack_id=${one.id}`)).body.lesson_packs[0]
  expect((await read())?.terms.map(({ word }) => word)).toEqual(['clue', 'hint'])
  expectSuccess(await m().post(`${one.path}/publish`))
  expect(await read()).toMatchObject({ version: 2, terms: [{ word: 'clue' }, { word: 'infer' }] })
  expect((await m().post(`${one.path}/publish`)).body['detail']).toBe('内容没有变化，不需要发布新版本')
  expect(await app.db.query(sql`select pack_version from companion_task where id = ${task.body.id}`)).toEqual([{ pack_version: 1 }])
  expect(await app.db.query(sql`select jsonb_array_length(terms) as n from pack_version where pack_id = ${one.id} order by version`)).toEqual([{ n: 2 }, { n: 2 }])
})

test('a sound and a picture of the library are heard and seen by tutors, stay while a term needs them, and can be replaced', async () => {
  const asset = async (kind: 'audio' | 'image') => (await seedTransaction(app.kernel.db, (tx) => insertMany(tx, (kind === 'audio' ? audioAsset : imageAsset) as never, [{ kind, name: `${kind}${++n}`, url: `/daoyuan/api/end/files/00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, state: 2, bytes: 10 }] as never)))[0] ?? 0
  const [sound, other, picture] = [await asset('audio'), await asset('audio'), await asset('image')]
  const one = await pack()
  // A picture is no sound.
  expectFieldRefusal(await m().put(one.path, { terms: [term('a', 'clue', { sound_id: picture })], items: [] }), 400, 'terms')
  expectSuccess(await m().put(one.path, { terms: [term('a', 'clue', { sound_id: sound, picture_id: picture })], items: [item('1', ['term-a'])] }))
  expect((await m().get<{ items: { id: number }[] }>(`${one.path}/assets`)).body.items.map(({ id }) => id).toSorted()).toEqual([sound, picture].toSorted())
  const gone = await m().delete(`${audioAsset.api.item}/${sound}`)
  expectRefusal(gone, 409)
  expect(gone.body['detail']).toContain(`资料包「词条资料`)
  const { packsAsUsers } = await import('../companion/pack-uses.server.ts')
  const [staff] = [{ id: m().staffId, modules: new Set(app.servedGrants), scopes: {}, role: '' }]
  const moved = await app.kernel.db.transaction({ staff_id: m().staffId, action: 'replace' }, (tx) => packsAsUsers(accompany).move(tx, staff as never, sound, other))
  expect(moved).toEqual({ moved: 1, left_alone: 0 })
  expect((await m().get<{ terms: PackTerm[] }>(one.path)).body.terms[0]?.sound_id).toBe(other)
})
