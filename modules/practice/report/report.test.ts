import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { bankScreen, STATUS } from '../bank/practice.ts'
import { knowledgeLabel, writtenChoice } from '../edit/testing.server.ts'
import { VERIFY_SCREEN } from '../verify/state.ts'
import type { OwnReport, Report } from './calls.ts'
import { REPORT_STATUS } from './report.ts'
import { passPractice } from '../verify/testing.ts'

let app: TestApp
let writer: Caller
let readers: Caller[]
let label: number
let nth = 0
const P = '/daoyuan/api/dou_practice/end/practice'
const R = '/daoyuan/api/end/practice_report'
const V = '/daoyuan/api/end/practice_verifies'

beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  readers = [await app.staff(app.servedGrants), await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  label = await knowledgeLabel(app, writer, '集合')
}, 120_000)
afterAll(() => app.close())

const written = (text: string) => writtenChoice(label, [text])
const draft = async () => (await writer.post<{ id: number }>(P, { ...written(`第 ${++nth} 题，下列各数中第 ${nth * 7} 小的是`), level: 0 })).body.id
async function through(id: number): Promise<number> {
  await writer.put(`${P}/${id}/status`, { action: 'submit' })
  let official = 0
  for (const reader of readers) official = (await passPractice<{ official_id: number }>(reader, id)).body.official_id
  expect(official).toBeGreaterThan(0)
  return official
}
const reportsOf = async (id: number) => (await readers[0]!.get<{ items: Report[] }>(`${P}/${id}/reports`)).body.items
const report = (id: number, body: Record<string, unknown>, by = readers[0]!) => by.post<{ id: number }>(`${P}/${id}/reports`, body)
const revisionOf = async (id: number) => (await app.db.query<{ id: number; urgent: number; status: number; owner_id: number; rev: number }>(sql`select id, urgent, status, owner_id, rev from practice where pool = 'back' and origin_id = ${id} and status <> ${STATUS.published} order by id desc`))[0]

test('a report that is accepted opens an urgent revision for the writer and is settled when that is published', async () => {
  const id = await through(await draft())
  expect((await report(id, { content: '少了类型' })).body).toMatchObject({ fields: { kind: '请选择错误类型' } })
  const made = await report(id, { kind: 'answer', content: '答案应为 B' })
  expect(made.status).toBe(200)
  expect((await report(id, { kind: 'answer', content: '再说一遍' })).body.id).toBe(made.body.id)
  expect((await report(id, { kind: 'answer' }, readers[1]!)).body.id).not.toBe(made.body.id)
  expect((await writer.get<{ items: OwnReport[] }>('/daoyuan/api/end/own_practice_reports')).body.items.filter(({ practice_id }) => practice_id === id)).toHaveLength(2)
  const [card] = (await writer.post<{ items: { id: number; report_count: number }[] }>('/daoyuan/api/dou_practice/end/practices', { pool: 'official', reported: 1, ids: [id] })).body.items
  expect(card?.report_count).toBe(2)
  expect((await readers[1]!.post(`${R}/${made.body.id}/take`)).body).toMatchObject({ status: REPORT_STATUS.taken })
  expect((await readers[1]!.post(`${R}/${made.body.id}/accept`)).body).toMatchObject({ status: REPORT_STATUS.accepted })
  const revision = await revisionOf(id)
  const [own] = await app.db.query<{ owner_id: number }>(sql`select owner_id from practice where id = ${id}`)
  expect(revision).toMatchObject({ urgent: 1, status: STATUS.draft, owner_id: own?.owner_id })
  expect((await reportsOf(revision?.id ?? 0)).find((one) => one.id === made.body.id)).toMatchObject({ status: REPORT_STATUS.accepted, fixed_at: null })
  // It waits before everything else.
  const other = await draft()
  await writer.put(`${P}/${other}/status`, { action: 'submit' })
  expect((await writer.put(`${P}/${revision?.id}`, { ...written('改过的第 1 题，下列各数中最小的是'), rev: revision?.rev })).status).toBe(200)
  await writer.put(`${P}/${revision?.id}/status`, { action: 'submit' })
  const queue = (await readers[0]!.get<{ items: { practice: { id: number } }[] }>(V)).body.items
  expect(queue[0]?.practice.id).toBe(revision?.id)
  for (const reader of readers) expect((await passPractice(reader, revision?.id ?? 0)).status).toBe(200)
  expect((await reportsOf(id)).find((one) => one.id === made.body.id)?.fixed_at).not.toBeNull()
}, 60_000)

test('a refusal says why; what is decided stays decided', async () => {
  const id = await through(await draft())
  const { id: one } = (await report(id, { kind: 'stem', content: '看不懂' })).body
  expect((await readers[1]!.post(`${R}/${one}/refuse`, {})).status).toBe(400)
  expect((await readers[1]!.post(`${R}/${one}/refuse`, { reason: '题干没有错' })).body).toMatchObject({ status: REPORT_STATUS.refused })
  expect((await readers[1]!.post(`${R}/${one}/accept`)).status).toBe(409)
  expect(await revisionOf(id)).toBeUndefined()
  expect((await writer.get<{ items: OwnReport[] }>('/daoyuan/api/end/own_practice_reports')).body.items.filter(({ practice_id }) => practice_id === id)).toEqual([])
}, 60_000)

test('a revision that is given up leaves the report to be decided again', async () => {
  const id = await through(await draft())
  const { id: one } = (await report(id, { kind: 'formula' })).body
  await readers[1]!.post(`${R}/${one}/accept`)
  expect((await writer.put(`${P}/${(await revisionOf(id))?.id}/status`, { action: 'void', reason: '不改了' })).status).toBe(200)
  expect((await reportsOf(id))[0]).toMatchObject({ status: REPORT_STATUS.open, handled_at: null })
}, 60_000)

test('rights: a learner\'s word is passed on by whoever receives answers, and decided by whoever may', async () => {
  const id = await through(await draft())
  const reader = await app.staff([bankScreen('official', 0), VERIFY_SCREEN])
  expect((await report(id, { kind: 'other', user_id: 7 }, reader)).status).toBe(403)
  expect((await report(id, { kind: 'other', user_id: 7 })).status).toBe(200)
  const [said] = await reportsOf(id)
  expect(said).toMatchObject({ staff_name: null })
  expect((await reader.post(`${R}/${said?.id}/accept`)).status).toBe(403)
  const junior = await app.staff([bankScreen('official', 1)])
  expect((await report(id, { kind: 'other' }, junior)).status).toBe(404)
  expect((await junior.get(`${P}/${id}/reports`)).status).toBe(404)
}, 60_000)
