import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileUrl } from '../../core/file/url.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { video } from '../../core/testing/uploads.server.ts'
import type { LessonGraph, LessonSection, LessonVideo, PaperMatrix } from './calls.ts'
import { coursePaper } from './course-paper.ts'
import { evaluation } from './evaluation.ts'
import { lesson } from './lesson.ts'
import { cycleThrough, type Edge } from './graph.ts'
import { lessonTag } from './tag.ts'
import { OPENING, RELATION, type RelationKind } from './relation-kind.ts'

const BASE = '/daoyuan/api'
let app: TestApp
let writer: Caller
let clip: number
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  clip = await newClip('导学.mp4')
})
afterAll(() => app.close())

async function newClip(name: string, state = 1): Promise<number> {
  const url = fileUrl((await app.kernel.files.put(Readable.from([video()]), { name, staffId: writer.staffId })).id)
  const [row] = await app.db.query<{ id: number }>(sql`insert into asset (kind, name, url, state, licence, seconds) values ('video', ${name}, ${url}, ${state}, 'own', 600) returning id`)
  return row?.id ?? 0
}
async function course(more: Record<string, unknown> = {}): Promise<number> {
  const made = await writer.post<WireRow>(lesson.api.item, { title: `课程 ${++count}`, subject_id: 1, price: 99_00, valid_days: 365, ...more })
  expectSuccess(made)
  return made.body.id
}
const section = async (id: number, input: Record<string, unknown>): Promise<LessonSection> => {
  const made = await writer.post<LessonSection & Record<string, unknown>>(`${BASE}/lessons/${id}/sections`, input)
  expectSuccess(made)
  return made.body
}
const sections = async (id: number) => (await writer.get<{ items: LessonSection[] }>(`${BASE}/lessons/${id}/sections`)).body.items
const videos = async (id: number) => (await writer.get<{ items: LessonVideo[] }>(`${BASE}/end/lessons/${id}/videos`)).body.items
const addVideo = async (id: number, input: Record<string, unknown>): Promise<LessonVideo> => {
  const made = await writer.post<LessonVideo & Record<string, unknown>>(`${BASE}/lessons/${id}/videos`, { asset_id: clip, ...input })
  expectSuccess(made)
  return made.body
}
const relate = (parent_id: number, child_ids: readonly number[], kind: RelationKind) => writer.post<{ detail: string; items: Record<string, unknown>[] }>(`${BASE}/lesson_relations`, { parent_id, child_ids, kind })
const sell = (id: number, state = 3) => app.db.query(sql`update offer set state = ${state}, cover = '/files/none' where id = ${id}`)
/** Names that learners see of a course. */
const seen = async (id: number) => (await app.db.query<{ names: string[] }>(sql`select array(select n->>'name' from jsonb_array_elements(v.body->'nodes') n where not (n->>'gone')::boolean) as names from outline o join outline_version v on v.outline_id = o.id and v.no = o.version_no
  where o.owner_kind = ${lesson.name} and o.owner_id = ${id}`))[0]?.names ?? []

describe('sections and videos', () => {
  test('two levels, in the order that is asked for; what has something below it becomes a chapter', async () => {
    const id = await course()
    const first = await section(id, { name: '第一章' })
    const second = await section(id, { name: '第二章' })
    const inner = await section(id, { name: '第一节', parent_id: first.id })
    await section(id, { name: '序', sort: 0 })
    expect((await sections(id)).map(({ name }) => name)).toEqual(['序', '第一章', '第一节', '第二章'])
    expectRefusal(await writer.post(`${BASE}/lessons/${id}/sections`, { name: '太深', parent_id: inner.id }), 400)
    expectSuccess(await writer.put(`${BASE}/lessons/${id}/sections/${second.id}`, { sort: 0 }))
    expectSuccess(await writer.put(`${BASE}/lessons/${id}/sections/${inner.id}`, { parent_id: second.id, free: true }))
    expect((await sections(id)).map(({ name, parent_id, free }) => [name, parent_id, free])).toEqual([['第二章', null, false], ['第一节', second.id, true], ['序', null, false], ['第一章', null, false]])
    expect(await seen(id)).toEqual(['第二章', '第一节', '序', '第一章'])
    const both = await writer.put(`${BASE}/lessons/${id}/sections/${second.id}`, { parent_id: first.id })
    expect(both.body['detail']).toBe('该章节下面还有内容，只能放在第一级')
    expectRefusal(await writer.delete(`${BASE}/lessons/${id}/sections/999999`), 404)
  })

  test('a video keeps its id when it is moved, renamed and replaced; one that cannot be played is refused', async () => {
    const id = await course()
    const [one, two] = [await section(id, { name: '第一节' }), await section(id, { name: '第二节' })]
    const { id: first } = await addVideo(id, { section_id: one.id, title: '导学' })
    const { id: second } = await addVideo(id, { section_id: one.id, title: '讲解', type: 2, sort: 0 })
    expect((await videos(id)).map(({ title }) => title)).toEqual(['讲解', '导学'])
    const other = await newClip('新的讲解.mp4')
    const put = await writer.put<LessonVideo>(`${BASE}/lessons/${id}/videos/${second}`, { asset_id: other, section_id: two.id, trial: true })
    expect(put.body).toMatchObject({ id: second, asset_id: other, section_id: two.id, type: 4, trial: true, title: '讲解' })
    expectSuccess(await writer.put(`${BASE}/lessons/${id}/videos/${first}`, { section_id: null }))
    expect((await videos(id)).map(({ title, section_id }) => [title, section_id])).toEqual([['讲解', two.id], ['导学', null]])
    expect((await sections(id)).map(({ name }) => name)).toEqual(['第一节', '第二节'])
    const broken = await writer.post(`${BASE}/lessons/${id}/videos`, { asset_id: await newClip('坏的.mp4', 3) })
    expect([broken.status, broken.body['detail']]).toEqual([400, '「坏的.mp4」素材失败，不能播放，不能放入课程'])
    expectFieldRefusal(await writer.post(`${BASE}/lessons/${id}/videos`, {}), 400, 'vod_id')
  })

  test('what somebody is editing is not published by the way; it waits and says so', async () => {
    const id = await course()
    await section(id, { name: '第一节' })
    await app.db.query(sql`update outline set state = 2 where owner_kind = ${lesson.name} and owner_id = ${id}`)
    expect((await section(id, { name: '第二节' })).waits).toBe('章节有未发布的改动，发布后学员可见')
    expect(await seen(id)).toEqual(['第一节'])
  })

  test('whoever may look at sections does not look after videos, and a course of another subject is unknown', async () => {
    const id = await course()
    const reader = await app.staff([206])
    expectSuccess(await reader.get(`${BASE}/lessons/${id}/sections`))
    expectRefusal(await reader.post(`${BASE}/lessons/${id}/videos`, { asset_id: clip }), 403)
    expectRefusal(await (await app.staff(app.servedGrants, { scopes: { subject: [3] } })).get(`${BASE}/lessons/${id}/sections`), 404)
  })
})

describe('relations', () => {
  test('a cycle is refused by its names, whatever the kinds, and nothing is written', async () => {
    const [a, b, c] = [await course({ title: '集合' }), await course({ title: '函数' }), await course({ title: '导数' })]
    expectSuccess(await relate(a, [b], RELATION.before))
    expectSuccess(await relate(b, [c], RELATION.bundle))
    const refused = await relate(c, [a], RELATION.gift)
    expect([refused.status, refused.body.detail]).toEqual([400, '关联形成了循环：「导数」 → 「集合」 → 「函数」 → 「导数」，请先解除其中一个'])
    expect((await relate(c, [], RELATION.gift)).body.items).toEqual([])
    expectFieldRefusal(await relate(a, [a], RELATION.gift), 400, 'child_ids')
    expectSuccess(await relate(c, [a], RELATION.alike))
    expectFieldRefusal(await relate(a, [c], RELATION.alike), 400, 'child_ids')
    const { body } = await writer.get<LessonGraph>(`${BASE}/end/lesson/${a}/graph`)
    expect(body.nodes.map(({ name }) => name)).toEqual(['集合', '函数', '导数'])
    expect(body.edges).toHaveLength(3)
  })

  test('whatever is set in whatever order: no way leads back, and what comes with a course is opened with it', async () => {
    const command = fc.record({ parent: fc.integer({ min: 0, max: 4 }), children: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }), kind: fc.constantFrom(RELATION.before, RELATION.bundle, RELATION.gift) })
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 10 }), async (commands) => {
      const ids = await Promise.all(Array.from({ length: 5 }, () => course()))
      let edges: Edge[] = []
      for (const { parent, children, kind } of commands) {
        const [from = 0, to] = [ids[parent], children.map((one) => ids[one] ?? 0)]
        const next = [...edges.filter((one) => one.parent !== from || one.kind !== kind), ...to.map((child) => ({ parent: from, child, kind }))]
        const fits = !cycleThrough(next, from)
        expect((await relate(from, to, kind)).status).toBe(fits ? 200 : 400)
        if (fits) edges = next
      }
      const stored = await app.db.query<Edge & Record<string, unknown>>(sql`select parent_id as parent, child_id as child, kind from lesson_relation where parent_id = any(${sql.param(ids)}::bigint[]) and deleted_at is null`)
      const key = ({ parent, child, kind }: Edge) => `${parent} ${child} ${kind}`
      expect(stored.map(key).toSorted()).toEqual(edges.map(key).toSorted())
      for (const id of ids) expect(cycleThrough(stored, id)).toBeUndefined()
      const opened = await app.db.query<{ line: string }>(sql`select offer_id || ' ' || ref_id as line from offer_item where offer_id = any(${sql.param(ids)}::bigint[])`)
      expect(opened.map(({ line }) => line).toSorted()).toEqual([...new Set(edges.filter((one) => OPENING.includes(one.kind as RelationKind)).map(({ parent, child }) => `${parent} ${child}`))].toSorted())
    }), { numRuns: 15 })
  })

  test('whoever may only look sets nothing', async () => {
    const [a, b] = [await course(), await course()]
    expectRefusal(await (await app.staff([202])).post(`${BASE}/lesson_relations`, { parent_id: a, child_ids: [b], kind: 1 }), 403)
  })
})

describe('tags with fixed behaviour', () => {
  const tag = async (name: string) => (await app.db.query<{ id: number }>(sql`select id from lesson_tag where name = ${name}`))[0]?.id ?? 0

  test('they keep their names and stay', async () => {
    const id = await tag('联报课程')
    expectFieldRefusal(await writer.put(`${lessonTag.api.item}/${id}`, { name: '打包' }), 400, 'name')
    expectRefusal(await writer.delete(`${lessonTag.api.item}/${id}`), 400)
    expectSuccess(await writer.put(`${lessonTag.api.item}/${id}`, { colour: 'error' }))
  })

  test('高考提升营 says for which year; 联报课程 brings two courses and costs no more than they do', async () => {
    expectFieldRefusal(await writer.post(lesson.api.item, { title: '提升营', subject_id: 1, price: 1, tag_ids: [await tag('高考提升营')] }), 400, 'exam_year')
    await course({ tag_ids: [await tag('高考提升营')], exam_year: new Date().getFullYear() + 1 })
    const [joint, a, b] = [await course({ price: 300_00, tag_ids: [await tag('联报课程')] }), await course(), await course()]
    await sell(joint, 4)
    for (const one of [a, b]) await sell(one)
    const shelve = () => writer.post(`${lesson.api.item}/${joint}/shelve`, {})
    expect((await shelve()).body['detail']).toBe('标签「联报课程」的课程须打包至少 2 门课程，现有 0 门')
    expectSuccess(await relate(joint, [a, b], RELATION.bundle))
    expect((await shelve()).body['detail']).toBe('标签「联报课程」的课程价格不能高于所含课程之和 198 元')
    expectSuccess(await writer.put(`${lesson.api.item}/${joint}`, { price: 150_00 }))
    expectSuccess(await shelve())
    expect((await relate(joint, [a], RELATION.bundle)).status).toBe(400)
  })
})

describe('evaluations', () => {
  test('what staff add is marked and never counts; a learner says once what they think, and nobody rewrites it', async () => {
    const id = await course()
    await sell(id)
    const key = await makeAppKey(app, ['lesson_evaluation'])
    const [user] = await app.db.query<{ id: number }>(sql`insert into app_user (user_no, mobile, nickname, role, status, register_at) values ('E-1', '13912340001', '小满', 1, 1, now()) returning id`)
    const say = (star: number) => app.http.inject({ method: 'POST', url: `${BASE}/device/lesson/evaluations`, payload: { user_id: user?.id, lesson_id: id, star, content: '讲得清楚' }, headers: { authorization: `Bearer ${key}`, 'idempotency-key': `said-${star}-${Date.now()}` } })
    expect((await say(3)).json()).toMatchObject({ detail: '学习过该课程才能评价' })
    await app.db.query(sql`insert into entitlement (line, user_id, product, offer_id, source, ref, start_at, expire_at, status) select 'lesson', ${user?.id}, '课程', ${id}, 3, ${`test ${id}`}, now() - interval '1 day', now() + interval '9 days', 1`)
    expect((await say(3)).statusCode).toBe(200)
    expect((await say(4)).json()).toMatchObject({ detail: '已经评价过该课程' })
    expectSuccess(await writer.post(evaluation.api.item, { subject_id: 1, target_id: id, nickname: '运营', star: 5, content: '推荐' }))
    const rows = (await writer.get<{ items: WireRow[] }>(evaluation.api.list, { lesson_id: id })).body.items
    for (const row of rows) expectSuccess(await writer.put(`${evaluation.api.item}/${row.id}`, { status: 1 }).then((answer) => (answer.status === 200 ? answer : writer.post(`${evaluation.api.item}/${row.id}/show`, {}))))
    const found = (await writer.get<WireRow>(`${lesson.api.item}/${id}`)).body
    expect([found['star'], found['comment_cnt']]).toEqual([3, 2])
    const own = rows.find((row) => row['virtual'] === 0)
    expect(own).toMatchObject({ nickname: '小**' })
    expectFieldRefusal(await writer.put(`${evaluation.api.item}/${own?.id}`, { content: '改写' }), 400, 'content')
    const answered = await writer.put<WireRow>(`${evaluation.api.item}/${own?.id}`, { reply: '谢谢', top: 1 })
    expect(answered.body).toMatchObject({ reply: '谢谢', top: 1, answerer_id: writer.staffId })
    expectRefusal(await (await app.staff([203, standardId(203, 'edit')])).post(`${evaluation.api.item}/${own?.id}/hide`, {}), 403)
  })
})

describe('papers of sections', () => {
  test('a paper made for a hole waits there until it is shelved, and then stands before learners', async () => {
    const id = await course()
    const [one, two] = [await section(id, { name: '第一节' }), await section(id, { name: '第二节' })]
    const [practice] = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, difficulty, option_layout, status, version_no, score) values (${`L-${id}`}, 'official', 0, 1, 1, 3, 1, 4, 1, 5) returning id`)
    const made = await writer.post<WireRow>(coursePaper.api.item, { name: '第一节随堂', subject_id: 1, lesson_id: id, section_id: one.id, slot: 1 })
    expectSuccess(made)
    const matrix = async () => (await writer.get<PaperMatrix>(`${BASE}/end/lesson/${id}/papers`)).body.sections
    expect((await matrix()).map(({ cells }) => cells['1']?.map(({ name, bound, tone }) => [name, bound, tone]))).toEqual([[['第一节随堂', false, 'wait']], []])
    await app.db.query(sql`insert into paper_body (paper_id, rev, body) values (${made.body.id}, 1, ${JSON.stringify({ sections: [{ key: 'a', name: '一', title: '', instruction: '', items: [{ practice_id: practice?.id, version_no: 1, score: 5, sub_scores: [] }] }] })}::jsonb) on conflict (paper_id) do update set body = excluded.body`)
    await app.db.query(sql`update paper set state = 1 where id = ${made.body.id}`)
    expectSuccess(await writer.post(`${coursePaper.api.item}/${made.body.id}/shelve`, {}))
    expect((await matrix())[0]?.cells['1']).toMatchObject([{ name: '第一节随堂', bound: true, tone: 'ok' }])
    const copied = await writer.post<PaperMatrix & { copied: number }>(`${BASE}/end/lesson/${id}/papers/copy_before`, { section_id: two.id, slot: 1 })
    expect(copied.body.copied).toBe(1)
    expect(copied.body.sections[1]?.cells['1']).toMatchObject([{ name: '第二节随堂', bound: false, questions: 1 }])
    expect((await writer.post(`${BASE}/end/lesson/${id}/papers/copy_before`, { section_id: one.id, slot: 2 })).body['detail']).toBe('上一章没有课后练习，没有可以复制的试卷')
    const bound = await writer.post<PaperMatrix>(`${BASE}/end/lesson/${id}/papers`, { section_id: two.id, slot: 3, paper_id: made.body.id })
    expect(bound.body.sections[1]?.cells['3']).toMatchObject([{ name: '第一节随堂', bound: true }])
    const dropped = await writer.delete<PaperMatrix>(`${BASE}/end/lesson/${id}/papers?section_id=${two.id}&slot=3&paper_id=${made.body.id}`)
    expect(dropped.body.sections[1]?.cells['3']).toEqual([])
  })
})
