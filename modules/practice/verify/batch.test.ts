import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { STATUS } from '../bank/practice.ts'
import { knowledgeLabel, writtenChoice } from '../edit/testing.server.ts'
import { TRUSTED_GRANT, type SampledQuestion, type VerifyBatch } from './batch-calls.ts'
import { ROUNDS, VERIFY_SCREEN } from './state.ts'

const B = '/daoyuan/api/end/verify_batches'
const P = '/daoyuan/api/dou_practice/end/practice'

let app: TestApp
let writer: Caller
let checker: Caller
let label: number
let cat: number
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  checker = await app.staff(app.servedGrants)
  label = await knowledgeLabel(app, writer, '集合')
  ;[{ subject_id: cat } = { subject_id: 0 }] = await app.db.query<{ subject_id: number }>(sql`select subject_id from label where id = ${label}`)
})
afterAll(() => app.close())

let nth = 0
/** Questions of a paper that wait for the first reading. */
async function submitted(count: number, facts: object = { source: 'college_entrance_exam_paper', source_paper: '2021 年全国卷' }): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at++) {
    const one = writtenChoice(label, [`可信来源第 ${++nth} 题，下列各数中最小的是`])
    const { body } = await writer.post<{ id: number }>(P, { ...one, facts: { ...(one as { facts: object }).facts, ...facts }, level: 0 })
    expect((await writer.put(`${P}/${body.id}/status`, { action: 'submit' })).status).toBe(200)
    ids.push(body.id)
  }
  return ids
}
const statuses = async (ids: readonly number[]) => (await app.db.query<{ status: number }>(sql`select status from practice where id = any(${sql.param([...ids])}::bigint[]) order by id`)).map(({ status }) => status)
const draw = async (caller = checker, round = 1) => caller.post<VerifyBatch>(B, { round, cat_id: cat })
const read = async (id: number, failed: readonly number[] = []) => {
  const { items } = (await checker.get<{ items: SampledQuestion[] }>(`${B}/${id}`)).body
  for (const { practice } of items) expect((await checker.put(`${B}/${id}/items/${practice.id}`, failed.includes(practice.id) ? { passed: false, errors: ['答案错'] } : { passed: true, errors: [] })).status).toBe(200)
  return items.map(({ practice }) => practice.id)
}

test('a sample is drawn of what is trusted and certain, read, and one signature passes the rest; within a day it is taken back', async () => {
  const ids = await submitted(24)
  const others = [...await submitted(1, { source: 'college_entrance_exam_paper', source_paper: null }), ...await submitted(1, { source: null, source_paper: '甲卷' })]
  const [doubtful = 0] = await submitted(1)
  await app.db.query(sql`insert into practice_import_item (import_id, ord, place, warnings, state, practice_id) values (0, 0, '第 1 题', '[]', 'problem', ${doubtful})`)
  expect((await checker.get(`${B}/count`, { round: '1', cat_id: String(cat) })).body).toEqual({ all: 24, sample: 20, uncertain: 1 })
  // Nobody passes their own.
  expect((await writer.get(`${B}/count`, { round: '1', cat_id: String(cat) })).body).toMatchObject({ all: 0 })
  const { body: batch } = await draw()
  expect(batch).toMatchObject({ state: 'reading', counts: { all: 24, sampled: 20, read: 0 } })
  // They are in a batch already.
  const second = await app.staff(app.servedGrants)
  expect((await draw(second)).status).toBe(400)
  expect((await checker.post(`${B}/${batch.id}/sign`)).body).toMatchObject({ detail: '样本还有 20 道没有校对' })
  expect((await second.post(`${B}/${batch.id}/sign`)).status).toBe(404)
  const sampled = await read(batch.id)
  // One that somebody has changed since is left as it was.
  const changed = ids.find((id) => !sampled.includes(id)) ?? 0
  await app.db.query(sql`update practice set version_no = version_no + 1 where id = ${changed}`)
  const signed = await checker.post<VerifyBatch>(`${B}/${batch.id}/sign`)
  expect(signed.body).toMatchObject({ state: 'signed', counts: { passed: 23, failed: 0 } })
  const passed = ids.filter((id) => id !== changed)
  expect(new Set(await statuses(passed))).toEqual(new Set([STATUS.second]))
  expect(await statuses([changed, ...others, doubtful])).toEqual([STATUS.first, STATUS.first, STATUS.first, STATUS.first])
  expect((await checker.post(`${B}/${batch.id}/sign`)).status).toBe(400)
  const [log] = await app.db.query(sql`select action, after from audit_log where entity = 'verify_batch' and entity_id = ${batch.id} and action = 'sign'`)
  expect(log).toMatchObject({ action: 'sign', after: { sampled: 20, failed: 0, done: 23 } })
  // The first reader is not the second.
  expect((await checker.get(`${B}/count`, { round: '2', cat_id: String(cat) })).body).toMatchObject({ all: 0 })
  expect((await checker.post(`${B}/${batch.id}/undo`)).body).toEqual({ undone: 23, kept: 0 })
  expect(new Set(await statuses(ids))).toEqual(new Set([STATUS.first]))
  expect((await checker.post(`${B}/${batch.id}/undo`)).status).toBe(400)
})

test('a sample with too many errors is not signed; after a day a signature stays', async () => {
  const { body: batch } = await draw()
  const items = (await checker.get<{ items: SampledQuestion[] }>(`${B}/${batch.id}`)).body.items
  await read(batch.id, items.slice(0, 1).map(({ practice }) => practice.id))
  expect((await checker.post(`${B}/${batch.id}/sign`)).body).toMatchObject({ detail: expect.stringMatching(/差错率 5%，超过 2%/) as string })
  expect((await checker.put(`${B}/${batch.id}/items/${items[0]?.practice.id}`, { passed: false, errors: [] })).status).toBe(400)
  expect((await checker.post(`${B}/${batch.id}/drop`)).status).toBe(200)
  const again = (await draw()).body
  await read(again.id)
  expect((await checker.post(`${B}/${again.id}/sign`)).status).toBe(200)
  await app.db.query(sql`update verify_batch set signed_at = now() - interval '25 hours' where id = ${again.id}`)
  expect((await checker.post(`${B}/${again.id}/undo`)).body).toMatchObject({ detail: '签署已超过 24 小时，不能撤销' })
})

test('the last round publishes, and taking it back takes the official questions away that nobody uses', async () => {
  const ids = await submitted(3)
  await app.db.query(sql`update practice set status = ${STATUS.final} where id = any(${sql.param(ids)}::bigint[])`)
  const { body: batch } = await draw(checker, 3)
  await read(batch.id)
  expect((await checker.post<VerifyBatch>(`${B}/${batch.id}/sign`)).body.counts.passed).toBe(3)
  const officials = await app.db.query<{ id: number; official: number }>(sql`select id, origin_id as official from practice where id = any(${sql.param(ids)}::bigint[]) order by id`)
  expect(await statuses(officials.map(({ official }) => official))).toEqual([STATUS.published, STATUS.published, STATUS.published])
  await app.db.query(sql`update practice set use_count = 1 where id = ${officials[0]?.official ?? 0}`)
  expect((await checker.post(`${B}/${batch.id}/undo`)).body).toEqual({ undone: 2, kept: 1 })
  expect(await statuses(ids)).toEqual([STATUS.published, STATUS.final, STATUS.final])
  expect(await app.db.query(sql`select 1 from practice where id = any(${sql.param(officials.map(({ official }) => official))}::bigint[]) and deleted_at is null`)).toHaveLength(1)
})

test('it takes the right beside that of the round', async () => {
  const first = ROUNDS[0]?.grant ?? 0
  expect((await (await app.staff([VERIFY_SCREEN, first])).get(`${B}/count`, { round: '1', cat_id: String(cat) })).status).toBe(403)
  expect((await (await app.staff([VERIFY_SCREEN, TRUSTED_GRANT])).get(`${B}/count`, { round: '1', cat_id: String(cat) })).status).toBe(403)
  expect((await (await app.staff([VERIFY_SCREEN, TRUSTED_GRANT, first])).get(`${B}/count`, { round: '1', cat_id: String(cat) })).status).toBe(200)
})
