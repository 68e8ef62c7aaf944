import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../../core/grant/grant.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import type { PaperContent } from '../calls.ts'
import { PAPERS } from '../paper.ts'
import type { SkeletonChoice } from './calls.ts'

const BASE = '/daoyuan/api/end/paper_skeletons'
const MATHS = 1
let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
})
afterAll(() => app.close())

const given = (name: string) => ({
  name, subject_id: MATHS, region: '新高考Ⅰ卷', year: 2024, duration: 120, secret: '绝密★启用前', school: '道远中学', marks: 1, notices: '填写姓名。\n用黑色签字笔。', status: 1,
  sections: [{ part: '第Ⅰ卷', name: '单选题', count: 8, score: 5, instruction: '只有一项符合要求。' }, { name: '解答题', count: 5, score: 15 }],
})

test('a paper is begun with a skeleton: its words, its sections, what each of them should have; it keeps them when the skeleton changes', async () => {
  const made = await admin.post<{ id: number; rev: number }>('/daoyuan/api/end/paper_skeletons', given('新高考数学'))
  expect(made.status).toBe(200)
  const { body: choices } = await admin.get<{ items: SkeletonChoice[] }>(`${BASE}/choices`, { level: 0 })
  expect(choices.items).toContainEqual({ id: made.body.id, name: '新高考数学', level: 0, subject_name: expect.any(String), region: '新高考Ⅰ卷', questions: 13, points: 115 })
  const paper = await admin.post<{ id: number; detail: string }>(`${BASE}/${made.body.id}/papers`, { name: '一模' })
  expect(paper.body.detail).toBe(`/papers/detail/${paper.body.id}`)
  const content = async () => (await admin.get<PaperContent>(`/daoyuan/api/end/paper/${paper.body.id}/content`)).body
  expect(await content()).toMatchObject({ duration: 120, body: {
    front: { secret: '绝密★启用前', school: '道远中学', marks: true, notices: '填写姓名。\n用黑色签字笔。', logo: null },
    sections: [{ part: '第Ⅰ卷', name: '单选题', wanted: 8, each: 5, instruction: '只有一项符合要求。', items: [] }, { name: '解答题', wanted: 5, each: 15 }],
  } })
  expect((await admin.put(`${BASE}/${made.body.id}`, { school: '别的学校', status: 0, rev: made.body.rev })).status).toBe(200)
  expect((await content()).body.front?.school).toBe('道远中学')
  // One that is no longer used is not offered, and begins nothing.
  expect((await admin.get<{ items: SkeletonChoice[] }>(`${BASE}/choices`)).body.items.map(({ id }) => id)).not.toContain(made.body.id)
  expect((await admin.post(`${BASE}/${made.body.id}/papers`, { name: '二模' })).status).toBe(400)
  // The words of the paper are edited in the paper; a school's sign from elsewhere is refused.
  const front = { secret: '', school: '新名', logo: null, notices: '', marks: false }
  const change = (value: object) => admin.post<PaperContent & { detail: string }>(`/daoyuan/api/end/paper/${paper.body.id}/changes`, { changes: [{ do: 'front', front: value }] })
  expect((await change(front)).body.body.front).toEqual(front)
  expect((await change({ ...front, logo: '/daoyuan/api/end/files/11111111-2222-4333-8444-555555555555' })).body.detail).toBe('校徽应来自试卷模板')
  expect((await change({ ...front, logo: 'https://example.com/logo.png' })).status).toBe(400)
})

test('who may not edit papers of the stage, or is limited to other subjects, begins none', async () => {
  const { body } = await admin.post<{ id: number }>('/daoyuan/api/end/paper_skeletons', given('限权数学'))
  const [senior, junior] = PAPERS.base.map(({ grant }) => grant)
  const other = await app.staff([junior ?? 0, standardId(junior ?? 0, 'edit')])
  expect((await other.post(`${BASE}/${body.id}/papers`, { name: '一模' })).status).toBe(403)
  const limited = await app.staff([senior ?? 0, standardId(senior ?? 0, 'edit')], { scopes: { subject: [2] } })
  expect((await limited.post(`${BASE}/${body.id}/papers`, { name: '一模' })).status).toBe(404)
  expect((await limited.get<{ items: SkeletonChoice[] }>(`${BASE}/choices`)).body.items).toEqual([])
  expect((await (await app.staff([senior ?? 0])).get(`${BASE}/choices`)).status).toBe(403)
})
