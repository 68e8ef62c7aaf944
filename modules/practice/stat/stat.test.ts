import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobOver } from '../../../core/testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { bankGrant, bankScreen, STATUS } from '../bank/practice.ts'
import { insertPractices } from '../bank/write.server.ts'
import { inlineDoc } from '../../../core/rich-text/rich-doc.ts'
import { startWritten } from '../edit/written.ts'
import type { Received, Statistics } from './calls.ts'

const PATH = '/daoyuan/api/end/practice_answers'
const P = '/daoyuan/api/dou_practice/end'
let app: TestApp
let sender: Caller
let ids: number[]

/** Two official questions and a draft. */
beforeAll(async () => {
  app = await openTestApp()
  sender = await app.staff([bankScreen('official', 0), bankGrant('official', 0, 'answers')])
  const start = startWritten(1)
  const made = (text: string, pool: 'official' | 'back', level = 0) => ({
    ...start, content: { ...start.content, stem: inlineDoc([text]), options: ['1', '2', '3', '4'].map((one, index) => ({ id: `o${index + 1}`, doc: inlineDoc([one]) })), answer: { k: 'one' as const, ok: 'o1' } },
    pool, level, owner_id: null, status: pool === 'official' ? STATUS.published : STATUS.draft,
  })
  ids = await app.db.transaction({ staff_id: null }, (tx) => insertPractices(tx, null, [made('最小的是', 'official'), made('最大的是', 'official'), made('草稿', 'back'), made('初中题', 'official', 1)]))
})
afterAll(() => app.close())

/** Learners of growing strength; the first question is answered the wrong way round. */
const records = (from: number, n: number) => Array.from({ length: n }, (_, index) => {
  const strong = index >= n / 2
  return [
    { practice_id: ids[0], sitting: from + index, score: strong ? 0 : 5, max: 5, picked: [strong ? 'o2' : 'o1'], seconds: 30 },
    { practice_id: ids[1], sitting: from + index, score: strong ? 5 : 0, max: 5, picked: [strong ? 'o1' : 'o3'], seconds: 60 },
  ]
}).flat()
const statistics = async (id: number | undefined) => (await sender.get<{ statistics: Statistics | null }>(`${P}/practice/${id}/statistics`)).body.statistics

test('answers are taken once, and figures follow', async () => {
  expect(await statistics(ids[0])).toBeNull()
  const answers = [...records(1, 40), { practice_id: ids[2], sitting: 1, score: 1, max: 1 }, { practice_id: ids[3], sitting: 1, score: 1, max: 1 }, { practice_id: 999_999, sitting: 1, score: 1, max: 1 }]
  const { body, status } = await sender.post<Received>(PATH, { answers })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ received: 80, repeated: 0, unknown: 3 })
  expect((await jobOver(sender, body.job_id, ['done'])).result).toEqual({ questions: 2 })
  expect((await sender.post<Received>(PATH, { answers })).body).toEqual({ received: 0, repeated: 80, unknown: 3, job_id: null })
  expect(await statistics(ids[0])).toMatchObject({ attempts: 40, facility: 0.5, discrimination: -1, avg_seconds: 30, flags: expect.arrayContaining(['negative_discrimination', 'wrong_key']), difficulty_est: null })
  const search = async (flags: string[]) => (await sender.post<{ items: { id: number }[] }>(`${P}/practices`, { pool: 'official', cat_id: 1, flags })).body.items.map(({ id }) => id)
  expect(await search(['wrong_key'])).toContain(ids[0])
  expect(await search(['too_easy'])).not.toContain(ids[0])
})

test('two hundred answers tell the difficulty', async () => {
  const { body } = await sender.post<Received>(PATH, { answers: records(1001, 170) })
  await jobOver(sender, body.job_id, ['done'])
  expect(await statistics(ids[1])).toMatchObject({ attempts: 210, difficulty_est: 3 })
})

test('what makes no sense is refused, and so is who may not send', async () => {
  expect(await sender.post(PATH, { answers: [{ practice_id: ids[0], sitting: 9000, score: 6, max: 5 }] })).toMatchObject({ status: 400, body: { detail: '第 1 条：得分不能超过满分' } })
  expect((await sender.post(PATH, { answers: [{ practice_id: ids[0], sitting: 9000, score: 0, max: 0 }] })).status).toBe(400)
  const reader = await app.staff([bankScreen('official', 0)])
  expect((await reader.post(PATH, { answers: records(5000, 1) })).status).toBe(403)
  const elsewhere = await app.staff([bankScreen('official', 1)])
  expect((await elsewhere.get(`${P}/practice/${ids[0]}/statistics`)).status).toBe(404)
  expect(await app.db.query(sql`select 1 from practice_answer where sitting >= 5000`)).toEqual([])
})
