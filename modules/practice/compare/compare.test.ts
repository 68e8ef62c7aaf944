import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upload } from '../../../core/testing/uploads.server.ts'
import { jobOver } from '../../../core/testing/jobs.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../../core/testing/app.server.ts'
import { bankScreen, STATUS } from '../bank/practice.ts'
import { type Inline } from '../../../core/rich-text/rich-doc.ts'
import type { Alike } from '../edit/calls.ts'
import { knowledgeLabel, writtenChoice } from '../edit/testing.server.ts'
import { drawing, DRAWINGS } from '../picture/testing.ts'
import { COMPARE, COMPARE_SCREEN, type MergedPair, type Pair, type Use } from './calls.ts'
import { passPractice } from '../verify/testing.ts'

let app: TestApp
let writer: Caller
let readers: Caller[]
let label: number
const C = '/daoyuan/api/end/practice_compares'
const P = '/daoyuan/api/dou_practice/end/practice'
const LONG = '某校为了解学生每周课外阅读的情况，随机抽取了若干名学生进行调查，并把调查结果绘制成统计图，下列结论中一定正确的是'

beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  readers = [await app.staff(app.servedGrants), await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  label = await knowledgeLabel(app, writer, '统计')
})
afterAll(() => app.close())

const written = (...text: Inline[]) => writtenChoice(label, text, ['甲', '乙', '丙', '丁'])
async function draft(...text: Inline[]): Promise<number> {
  const answer = await writer.post<{ id: number }>(P, { ...written(...text), level: 0 })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.id
}
/** Through all three rounds. */
async function publish(id: number): Promise<number> {
  expect((await writer.put(`${P}/${id}/status`, { action: 'submit' })).status).toBe(200)
  let official = 0
  for (const reader of readers) official = Number((await passPractice(reader, id)).body['official_id'] ?? 0)
  expect(official).toBeGreaterThan(0)
  return official
}
const pairs = async (kind: string, who = writer) => (await who.get<{ items: Pair[]; total: number }>(C, { kind, cat_id: 1 })).body.items
const status = async (id: number) => (await app.db.query<{ status: number }>(sql`select status from practice where id = ${id}`))[0]?.status
const sent = (pair: Pair, into: 'left' | 'right') => ({ into, ...pair[into].written, left_rev: pair.left.practice.rev, right_rev: pair.right.practice.rev })

test('a revision is merged field by field into the official question, which keeps its id', async () => {
  const official = await publish(await draft('修订前的题目，请选出其中唯一正确的说法'))
  const revision = (await writer.post<{ id: number; rev: number }>(`${P}/${official}/revise`)).body
  expect((await writer.put(`${P}/${revision.id}`, { ...written('修订后的题目，请选出其中唯一正确的说法'), facts: { ...written('').facts, difficulty: 1 }, rev: revision.rev })).status).toBe(200)
  const [pair] = await pairs('revision')
  expect([pair?.left.practice.id, pair?.right.practice.id]).toEqual([revision.id, official])
  if (!pair) return
  // The new stem, the old difficulty.
  const choice = { ...sent(pair, 'right'), content: pair.left.written.content }
  expect((await writer.post(`${C}/${pair.id}/merge`, { ...choice, left_rev: choice.left_rev - 1 })).status).toBe(409)
  expect((await writer.post(`${C}/${pair.id}/merge`, { ...choice, into: 'left' })).status).toBe(400)
  expect((await writer.post<MergedPair>(`${C}/${pair.id}/merge`, choice)).body).toMatchObject({ practice_id: official })
  const now = (await writer.get<{ difficulty: number; status: number; version_no: number; content: unknown }>(`${P}/${official}`)).body
  expect(now).toMatchObject({ difficulty: 3, status: STATUS.published, version_no: 2 })
  expect(JSON.stringify(now.content)).toContain('修订后的题目')
  expect(await status(revision.id)).toBe(STATUS.published)
  expect(await pairs('revision')).toEqual([])
})

test('duplicates are found while they are written; merging moves what used the other one', async () => {
  const one = await publish(await draft(`${LONG}哪一个`))
  const other = await draft(`${LONG}哪一项`)
  const found = (await pairs('dup')).find(({ left, right }) => [left.practice.id, right.practice.id].includes(one) && [left.practice.id, right.practice.id].includes(other))
  expect(found?.score).toBeGreaterThan(0.8)
  if (!found) return
  const into = found.left.practice.id === one ? 'left' : 'right'
  expect((await writer.post(`${C}/${found.id}/merge`, { ...sent(found, into), into: into === 'left' ? 'right' : 'left' })).status).toBe(400)
  const asker = await draft('一道带着举一反三的题目，请选择')
  expect((await writer.post('/daoyuan/api/end/practice_one_2_three', { practice_id: asker, child_ids: [other] })).status).toBe(200)
  const merged = await writer.post<MergedPair>(`${C}/${found.id}/merge`, sent(found, into))
  expect(merged.body).toEqual({ practice_id: one, moved: 1, left_alone: 0 })
  expect(await status(other)).toBe(STATUS.void)
  expect((await writer.get<{ items: { practice: { id: number } }[] }>(`/daoyuan/api/end/practice_one_2_three/list/${asker}`)).body.items.map(({ practice }) => practice.id)).toEqual([one])
  expect((await writer.get<{ items: Use[] }>(`${P}/${one}/uses`)).body.items.map(({ kind }) => kind)).toContain('举一反三')
})

test('papers show the question that remains, with the points of the other', async () => {
  const text = '在一次植树活动中各班植树的棵数如统计表所示，根据表中的信息，下列说法错误的是哪一个选项'
  const one = await publish(await draft(`${text}甲`))
  await writer.put('/daoyuan/api/end/practice_verifies/settings', { needs_analysis: true, banned: [], duplicate_from: 1, tiers: [], blind_second: false })
  const two = await publish(await draft(`${text}乙丙`))
  const paper = (await writer.post<{ id: number }>('/daoyuan/api/end/base_practice_paper/senior', { name: '含重复题的试卷', subject_id: 1 })).body.id ?? 0
  const found = (await pairs('dup')).find(({ left, right }) => left.practice.id === one && right.practice.id === two)
  expect(found).toBeDefined()
  if (!found) return
  const item = { practice_id: two, version_no: 0, score: 5, sub_scores: [] }
  expect((await writer.post(`/daoyuan/api/end/paper/${paper}/changes`, { changes: [{ do: 'section', key: 'a', name: '单选题', title: '', instruction: '' }, { do: 'item', section: 'a', item }] })).status).toBe(200)
  expect((await writer.get<{ items: Use[] }>(`${P}/${two}/uses`)).body.items).toMatchObject([{ kind: '试卷', title: '含重复题的试卷' }])
  expect((await writer.post<MergedPair>(`${C}/${found.id}/merge`, sent(found, 'left'))).body).toEqual({ practice_id: one, moved: 1, left_alone: 0 })
  const [row] = await app.db.query<{ practice_id: number; score: number }>(sql`select practice_id, score::float8 as score from paper_item where paper_id = ${paper}`)
  expect(row).toEqual({ practice_id: one, score: 5 })
  expect(await status(two)).toBe(STATUS.off)
})

test('two that somebody called different are not found again; a scan finds what was never looked at', async () => {
  const text = '小明计划用若干天读完一本书，第一天读了全书的一部分，第二天又读了余下的一部分，则还没有读的部分占全书的'
  const one = await draft(`${text}多少`)
  const two = await draft(`${text}几成`)
  const mine = async () => (await pairs('dup')).find(({ left, right }) => left.practice.id === one && right.practice.id === two)
  const pair = await mine()
  expect((await writer.post(`${C}/${pair?.id}/resolve`, { verdict: 'distinct' })).status).toBe(200)
  const { rev } = (await writer.get<{ rev: number }>(`${P}/${two}`)).body
  expect((await writer.put(`${P}/${two}`, { ...written(`${text}几成`), rev })).status).toBe(200)
  expect(await mine()).toBeUndefined()
  await app.db.query(sql`delete from practice_compare where left_id = ${one} and right_id = ${two}`)
  const { job_id } = (await writer.post<{ job_id: number }>(`${C}/scan`, { cat_id: 1 })).body
  await expect.poll(async () => (await app.db.query<{ status: string }>(sql`select status from job where id = ${job_id}`))[0]?.status, { timeout: 20_000 }).toMatch(/done|finished|ok|success/)
  expect(await mine()).toBeDefined()
})

/** Uploads a drawing as somebody would: as it was made, or halved and compressed. */
async function picture(name: string, as: 'made' | 'copy' = 'made'): Promise<Inline> {
  const made = sharp(Buffer.from(drawing(DRAWINGS[name] ?? '')))
  const file = as === 'made' ? await upload(app, writer, 'image', '图.png', await made.png().toBuffer()) : await upload(app, writer, 'image', '图.jpg', await made.resize(150).jpeg({ quality: 40 }).toBuffer())
  expect(file.status, JSON.stringify(file.body)).toBe(200)
  return { t: 'img', asset: file.body.url }
}
const pairOf = async (one: number, other: number) => (await pairs('dup')).find(({ left, right }) => left.practice.id === Math.min(one, other) && right.practice.id === Math.max(one, other))
const alike = async (...text: Inline[]) => (await writer.post<{ items: Alike[] }>('/daoyuan/api/end/practice_alike', { content: written(...text).content, cat_id: 1 })).body.items.map(({ practice, kind }) => ({ id: practice.id, kind }))

test('a question about another picture is no duplicate; one about a copy of the picture is found, whatever its few words', async () => {
  const one = await draft('看图选择', await picture('star'))
  const variant = await draft('看图选择', await picture('slope'))
  expect(await pairOf(one, variant)).toBeUndefined()
  // Pasted and not saved yet.
  const pasted = await picture('star', 'copy')
  expect(await alike('读示意图，正确的是', pasted)).toEqual([{ id: one, kind: 'suspected' }])
  expect(await alike('看图选择', pasted)).toEqual([{ id: one, kind: 'same' }, { id: variant, kind: 'variant' }])
  const copy = await draft('读示意图，正确的是', pasted)
  expect(await pairOf(one, copy)).toMatchObject({ score: 0.8 })
  expect(await pairOf(variant, copy)).toBeUndefined()
  // The picture is exchanged.
  const { rev } = (await writer.get<{ rev: number }>(`${P}/${variant}`)).body
  expect((await writer.put(`${P}/${variant}`, { ...written('下图所示的是', await picture('star', 'copy')), rev })).status).toBe(200)
  expect(await pairOf(one, variant)).toMatchObject({ score: 0.8 })
})

test('a scan looks at pictures that nobody has looked at: copies are found, and what was taken for the same is no more', async () => {
  const one = await draft('选出图示', await picture('heart'))
  const copy = await draft('图中所示的是', await picture('heart', 'copy'))
  const other = await draft('选出图示', await picture('parabola'))
  await app.db.query(sql`delete from practice_band where practice_id in (${one}, ${copy}, ${other})`)
  await app.db.query(sql`truncate picture_hash`)
  await app.db.query(sql`delete from practice_compare where right_id in (${copy}, ${other})`)
  await app.db.query(sql`insert into practice_compare (left_id, right_id, kind, score) values (${one}, ${other}, 'dup', 1)`)
  const { job_id } = (await writer.post<{ job_id: number }>(`${C}/scan`, { cat_id: 1 })).body
  await jobOver(writer, job_id, ['done'])
  expect(await pairOf(one, copy)).toMatchObject({ score: 0.8 })
  expect(await pairOf(one, other)).toBeUndefined()
})

test('nobody compares across the border of their subjects, or without the right', async () => {
  const physics = await app.staff(app.servedGrants, { scopes: { subject: [3] } })
  expect((await pairs('dup', physics)).length).toBe(0)
  const [open] = await pairs('dup')
  if (!open) return
  expect((await physics.post(`${C}/${open.id}/resolve`, { verdict: 'both' })).status).toBe(404)
  const viewer = await app.staff([COMPARE_SCREEN, bankScreen('back', 0), bankScreen('official', 0)])
  expect((await viewer.post(`${C}/${open.id}/resolve`, { verdict: 'both' })).status).toBe(403)
  const bare = await app.staff([COMPARE_SCREEN, COMPARE, bankScreen('back', 0), bankScreen('official', 0)])
  expect((await bare.post(`${C}/${open.id}/merge`, sent(open, 'left'))).status).toBe(403)
})
