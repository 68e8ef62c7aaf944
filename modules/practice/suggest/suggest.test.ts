import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobOver } from '../../../core/testing/jobs.server.ts'
import { browserHeaders } from '../../../core/testing/uploads.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { seededRandom } from '../../../core/setup/random.ts'
import { bankGrant, bankScreen } from '../bank/practice.ts'
import { SENIOR_MATHS } from '../demo/maths.ts'
import { knowledgeLabel, writtenChoice } from '../edit/testing.server.ts'
import type { ImportItem } from '../import/calls.ts'
import type { Suggestion } from './calls.ts'
import { ASKED, NeighbourIndex, suggestFrom, termsOf } from './neighbours.ts'

const P = '/daoyuan/api/dou_practice/end/practice'
const I = '/daoyuan/api/end/practice_imports'

let app: TestApp
let writer: Caller
let labels: { ellipse: number; osmosis: number }
let cat: number
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  labels = { ellipse: await knowledgeLabel(app, writer, '椭圆的离心率'), osmosis: await knowledgeLabel(app, writer, '等比数列求和') }
  ;[{ subject_id: cat } = { subject_id: 0 }] = await app.db.query<{ subject_id: number }>(sql`select subject_id from label where id = ${labels.ellipse}`)
  const store = async (label: number, words: string, difficulty: number) => {
    const one = writtenChoice(label, [words])
    expect((await writer.post(P, { ...one, facts: { ...(one as { facts: object }).facts, difficulty }, level: 0 })).status).toBe(200)
  }
  for (const words of ['已知椭圆的焦点和短轴端点，求椭圆的离心率', '椭圆的长轴是短轴的三倍，求它的离心率', '过椭圆焦点的弦长为四，求离心率的值']) await store(labels.ellipse, words, 2)
  for (const words of ['等比数列的首项和公比已知，求前几项和', '等比数列前三项的和为七，求公比']) await store(labels.osmosis, words, 4)
})
afterAll(() => app.close())

const asked = (words: string) => ({ content: writtenChoice(labels.ellipse, [words]).content, cat_id: cat })

test('the label and the difficulty of the nearest questions are suggested, with these as the reason, as far as the person sees them', async () => {
  const { body } = await writer.post<Suggestion>('/daoyuan/api/end/practice_suggestions', asked('椭圆的两个焦点与短轴构成正三角形，求椭圆的离心率'))
  expect(body.labels[0]).toMatchObject({ id: labels.ellipse })
  expect(body.labels[0]?.path.at(-1)).toBe('椭圆的离心率')
  expect(body.labels[0]?.neighbours).toHaveLength(3)
  expect(body.difficulty).toBe(2)
  // Somebody of another stage sees none of them.
  const junior = await app.staff([bankScreen('back', 1)])
  expect((await junior.post<Suggestion>('/daoyuan/api/end/practice_suggestions', asked('椭圆的离心率是多少'))).body).toEqual({ labels: [], difficulty: null, sure: false })
  expect((await writer.post('/daoyuan/api/end/practice_suggestions', { content: 3, cat_id: cat })).status).toBe(400)
})

test('in a preview suggestions wait beside what the file does not say, and are accepted one by one or where they are sure', async () => {
  const rows = [{ question: '已知椭圆的焦点和短轴的端点，求椭圆的离心率____', answer: '二分之一', subject: '数学' }, { question: '等比数列求和：首项一，公比二，求前五项和____', answer: '31', subject: '数学', knowledge: ['没有人知道的知识点'] }]
  const file = await app.http.inject({
    method: 'POST', url: `${I}/files`, headers: { ...browserHeaders(writer), 'content-type': 'multipart/form-data; boundary=xx' },
    payload: `--xx\r\ncontent-disposition: form-data; name="file"; filename="建议.jsonl"\r\ncontent-type: application/octet-stream\r\n\r\n${rows.map((row) => JSON.stringify(row)).join('\n')}\r\n--xx--\r\n`,
  })
  const { id, job_id } = (await writer.post<{ id: number; job_id: number }>(I, { file_id: file.json<{ id: string }>().id, level: 0 })).body
  await jobOver(writer, job_id, ['done'])
  const items = async () => (await writer.get<{ items: ImportItem[] }>(`${I}/${id}/items`)).body.items
  const [first, second] = await items()
  expect(first?.suggested?.labels[0]?.path.at(-1)).toBe('椭圆的离心率')
  expect(second?.question?.labels).toEqual([['没有人知道的知识点']])
  // A label that was not suggested is none.
  expect((await writer.post(`${I}/${id}/suggestions`, { items: [{ ord: 0, label_id: 1 }] })).body).toMatchObject({ changed: 0 })
  expect((await writer.post(`${I}/${id}/suggestions`, { items: [{ ord: 0, label_id: labels.ellipse }, { ord: 1, label_id: second?.suggested?.labels[0]?.id ?? 0 }] })).body).toEqual({ changed: 2, left: 0 })
  const [named, kept] = await items()
  expect(named).toMatchObject({ suggested: null, question: { difficulty: 2 } })
  expect(named?.question?.labels[0]?.at(-1)).toBe('椭圆的离心率')
  // What the file said stays; the difficulty that it did not say is taken.
  expect(kept?.question?.labels).toEqual([['没有人知道的知识点']])
  const other = await app.staff([bankScreen('back', 0), bankGrant('back', 0, 'import')])
  expect((await other.post(`${I}/${id}/suggestions`, {})).status).toBe(404)
})

test('on the demo bank the right label is among three for nearly every question that was left out', () => {
  const random = seededRandom(21)
  const made = Array.from({ length: 40 }, () => SENIOR_MATHS.map((template) => template(random))).flat().flatMap((one) => (one.content ? [{ ...one, content: one.content }] : []))
  const names = [...new Set(made.map(({ subtopic }) => subtopic))]
  const index = new NeighbourIndex()
  for (const [id, { content, subtopic }] of made.entries()) if (id % 5 !== 0) index.add({ id, labels: [{ id: names.indexOf(subtopic), main: true }], difficulty: null }, termsOf(content, new Map()))
  index.finish()
  const held = made.filter((_, at) => at % 5 === 0)
  const hits = held.filter(({ content, subtopic }) => suggestFrom(index.nearest(termsOf(content, new Map()), ASKED)).labels.some(({ id }) => names[id] === subtopic)).length
  expect(held.length).toBeGreaterThan(50)
  expect(hits / held.length).toBeGreaterThan(0.95)
})
