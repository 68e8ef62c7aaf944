import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { video } from '../../../core/testing/uploads.server.ts'
import { fileUrl } from '../../../core/file/url.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { LESSONS } from './lesson.ts'

const [SENIOR, JUNIOR] = LESSONS
const PATH = '/micro_material/api/end/knowledge/micro/lesson'
/** 高中数学 of the product's own subjects. */
const MATHS = 2

let app: TestApp
let editor: Caller
let label = 0
let below = 0
let clip = ''
const practices: number[] = []

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.staff([SENIOR.grant, standardId(SENIOR.grant, 'edit'), SENIOR.rights.id('approve')])
  const insertLabel = async (name: string, parent: number | null, path: string, depth: number) => (await app.db.query<{ id: number }>(sql`
    insert into label (kind, subject_id, parent_id, name, path, depth, status) values ('knowledge', ${MATHS}, ${parent}, ${name}, ${path}, ${depth}, 1) returning id`))[0]?.id ?? 0
  label = await insertLabel('函数', null, '/', 0)
  below = await insertLabel('单调性', label, `/${label}/`, 1)
  clip = fileUrl((await app.kernel.files.put(Readable.from([video()]), { name: '单调性.mp4', staffId: editor.staffId })).id)
  for (let i = 0; i < 3; i++) {
    const [row] = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, status) values (${`M${i}`}, 'official', 0, ${MATHS}, 1, 4) returning id`)
    practices.push(row?.id ?? 0)
  }
})
afterAll(() => app.close())

const body = (more: object = {}) => ({ cat_id: MATHS, name: '单调性的判断', label_ids: [below], video: clip, duration: 300, ...more })
const create = async (more: object = {}) => (await editor.post<{ id: number }>(PATH, body(more))).body.id

test('a lesson is made by the words of the spec, and a label finds what stands below it', async () => {
  const id = await create({ practice_ids: [practices[1], practices[0]] })
  const found = await editor.get<{ items: { id: number; label_ids: number[] }[]; total: number }>(PATH, { label_id: String(label) })
  expect(found.body).toMatchObject({ total: 1, items: [{ id, label_ids: [below] }] })
  expect((await editor.get<{ total: number }>(PATH, { label_id: String(below), keyword: '判断' })).body.total).toBe(1)
  expect((await app.db.query<{ practice_id: number }>(sql`select practice_id from micro_practice where lesson_id = ${id} order by ord`)).map((row) => row.practice_id)).toEqual([practices[1], practices[0]])
})

test('what is wrong is said in words and nothing is written', async () => {
  const before = await app.db.query(sql`select id from micro_lesson`)
  for (const [more, field, words] of [
    [{ duration: 901 }, 'duration', '900'], [{ video: undefined }, 'video', '视频'], [{ label_ids: [] }, 'label_id', '主知识点'], [{ label_ids: [999_999] }, 'label_id', '不存在'],
    [{ practice_ids: [999_999] }, 'practice_ids', '不存在'], [{ cat_id: 999 }, 'cat_id', '学科'],
  ] as const) {
    const answer = await editor.post<{ fields: Record<string, string> }>(PATH, body(more))
    expect(answer.status, field).toBe(400)
    expect(answer.body.fields[field]).toContain(words)
  }
  expect(await app.db.query(sql`select id from micro_lesson`)).toEqual(before)
})

test('an update leaves alone what it does not name', async () => {
  const id = await create({ teacher: '陈老师', practice_ids: [practices[0]] })
  expect((await editor.put(`${PATH}/${id}`, { name: '改名' })).status).toBe(200)
  expect((await editor.get(`${SENIOR.api.item}/${id}`)).body).toMatchObject({ name: '改名', teacher: '陈老师', practice_count: 1, video: clip })
})

test('the shelf is a right of its own, and each state allows its own steps', async () => {
  const id = await create()
  const writer = await app.staff([SENIOR.grant, standardId(SENIOR.grant, 'edit')])
  expect((await writer.put(`${PATH}/${id}/status`, { status: 1 })).status).toBe(403)
  expect((await editor.put(`${PATH}/${id}/status`, { status: 0 })).status).toBe(409)
  expect((await editor.put(`${PATH}/${id}/status`, { status: 1 })).status).toBe(200)
  expect((await editor.put(`${PATH}/${id}/status`, { status: 0 })).status).toBe(200)
})

test('a person of another stage or subject neither sees nor changes it', async () => {
  const id = await create()
  const junior = await app.staff([JUNIOR.grant, standardId(JUNIOR.grant, 'edit')])
  const other = await app.staff([SENIOR.grant, standardId(SENIOR.grant, 'edit')], { scopes: { subject: [3] } })
  for (const person of [junior, other]) {
    expect((await person.put(`${PATH}/${id}`, { name: '不该改' })).status).toBe(404)
    expect((await person.get(`/micro_material/api/end/micro_lesson/${id}/practices`)).status).toBe(404)
    expect((await person.get<{ total: number }>(PATH)).body.total).toBe(0)
    expect((await person.post(PATH, body())).status).toBe(400)
  }
})

test('plays count once each, and nine tenths of a lesson is all of it', async () => {
  const id = await create()
  const plays = [{ lesson_id: id, user_id: 1, seconds: 270, at: 1_790_000_000 }, { lesson_id: id, user_id: 2, seconds: 100, at: 1_790_000_000 }, { lesson_id: 999_999, seconds: 1, at: 1_790_000_000 }]
  expect((await editor.post('/micro_material/api/end/micro_lesson/plays', { plays })).body).toEqual({ received: 2 })
  expect((await editor.post('/micro_material/api/end/micro_lesson/plays', { plays })).body).toEqual({ received: 0 })
  expect((await editor.get(`${SENIOR.api.item}/${id}`)).body).toMatchObject({ play_count: 2, finished_share: 0.5 })
  expect((await editor.get(`/micro_material/api/end/micro_lesson/${id}/plays`)).body).toEqual({ days: [{ day: '2026-09-21', plays: 2, finished: 1 }] })
})
