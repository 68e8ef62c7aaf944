import fc from 'fast-check'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asks, keptAnswers, surveyProblems, type SurveyAnswers, type SurveyItem } from '../../core/public-page/survey.ts'
import type { PublicPage } from '../../core/public-page/page.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { readOpen, takeAnswers } from './answer.server.ts'
import type { AnswerRow, CrossTable, Figures } from './calls.ts'
import { questionnaire, QUESTIONNAIRE_RIGHTS, QUESTIONNAIRE_STATE as S } from './questionnaire.ts'

const ITEM = questionnaire.api.item
type Row = WireRow<typeof questionnaire>
const options = (...ids: string[]) => ids.map((id) => ({ id, label: `选项 ${id}` }))
const ITEMS: SurveyItem[] = [
  { id: 'a', type: 'single', title: '是否在读', required: true, options: options('yes', 'no'), jumps: [{ any: ['no'], to: 'c' }] },
  { id: 'b', type: 'multi', title: '学科', required: true, options: options('x', 'y', 'z') },
  { id: 'c', type: 'nps', title: '推荐', required: true },
  { id: 'd', type: 'words', title: '为什么不推荐', show: { question: 'c', any: ['0', '1', '2', '3', '4', '5', '6'] }, most: 50 },
  { id: 'e', type: 'rank', title: '排序', options: options('k', 'l') },
]
let app: TestApp
let admin: Caller
let visitors = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

async function made(questions: SurveyItem[] = ITEMS, more: Record<string, unknown> = {}): Promise<Row> {
  const answer = await admin.post<Row>(ITEM, { title: '课程满意度', ...more })
  expectSuccess(answer)
  const saved = await admin.put<Row>(`${ITEM}/${answer.body.id}`, { questions, rev: answer.body.rev })
  expectSuccess(saved)
  return saved.body
}
const publish = (row: Pick<Row, 'id'>) => admin.post(`${ITEM}/${row.id}/publish`, {})
async function live(questions = ITEMS, more: Record<string, unknown> = {}): Promise<{ id: number; url: string }> {
  const { id } = await made(questions, more)
  expectSuccess(await publish({ id }))
  const { body } = await admin.get<{ path: string }>(`${ITEM}/${id}/link`)
  return { id, url: `/daoyuan/api/public/pages/${body.path.split('/').at(-1)}` }
}
const send = (url: string, answers: SurveyAnswers, more: Record<string, unknown> = {}) => app.nobody().post(url, { answers, seconds: 60, visitor: `visitor-${++visitors}`, ...more }, { 'idempotency-key': `key-${++visitors}` })
const figures = async (id: number) => (await admin.get<Figures>(`${ITEM}/${id}/figures`)).body

test('what cannot be reached, leads back or lacks options is not published', async () => {
  const back = await made([...ITEMS, { id: 'f', type: 'single', title: '再问', options: options('1', '2'), jumps: [{ any: ['1'], to: 'a' }] }])
  const refused = await publish(back)
  expectRefusal(refused, 400)
  expect(refused.body['detail']).toBe('第 6 题：只能跳到后面的题')
  const hidden = await publish(await made([{ id: 'a', type: 'single', title: '问', required: true, options: options('1', '2'), jumps: [{ any: ['1', '2'], to: 'end' }] }, { id: 'b', type: 'words', title: '永远问不到' }]))
  expect(hidden.body['detail']).toBe('第 2 题：没有任何回答能到达这里')
  expect((await publish(await made([]))).body['detail']).toBe('至少要有一道题')
  expectRefusal(await admin.put(`${ITEM}/${back.id}`, { questions: [{ id: 'a', type: 'dance', title: 'x' }], rev: back.rev }), 400)
})

test('somebody who goes back leaves nothing of the other branch, in the answers, in figures and in the sheet', async () => {
  const { id, url } = await live()
  const page = (await app.nobody().get<PublicPage>(url)).body
  expect(page.blocks.at(-1)).toMatchObject({ kind: 'survey', items: ITEMS })
  // First 在读 with subjects, then back: 不在读 leads past them; a low mark was raised, so its reason is gone too.
  const sent = await send(url, { a: 'no', b: ['x', 'y'], c: '9', d: '太贵', e: ['l', 'k'] })
  expect([sent.status, sent.body]).toEqual([200, { message: '已收到您的回答，感谢参与！' }])
  expect((await app.db.query(sql`select path, values from questionnaire_answer where questionnaire_id = ${id}`))[0]).toEqual({ path: ['a', 'c', 'e'], values: { a: ['no'], c: ['9'], e: ['l', 'k'] } })
  await send(url, { a: 'yes', b: ['x', 'y'], c: '3', d: '太贵' })
  const { questions, opened, answers } = await figures(id)
  expect([opened, answers]).toEqual([1, 2])
  expect(questions.map(({ id: q, base, answered }) => [q, base, answered])).toEqual([['a', 2, 2], ['b', 1, 1], ['c', 2, 2], ['d', 1, 1], ['e', 2, 1]])
  // Of several choices the shares are of people.
  expect(questions[1]?.options.map(({ count }) => count)).toEqual([1, 1, 0])
  expect(questions[2]?.nps).toEqual({ score: 0, promoters: 1, passives: 0, detractors: 1 })
  expect(questions[4]?.places).toEqual({ l: 1, k: 2 })
  const list = (await admin.get<{ items: AnswerRow[]; total: number }>(`${ITEM}/${id}/answers`)).body
  expect(list.items.map(({ values }) => values.map(({ words }) => words).join('/'))).toEqual(['选项 yes/选项 x、选项 y/3/太贵', '选项 no/9/选项 l > 选项 k'])
  expect((await admin.get(`${ITEM}/${id}/answers/export`)).headers['content-type']).toContain('spreadsheetml')
})

test('late, twice and unknown are refused in words, also by two at once', async () => {
  const { id, url } = await live()
  const good = { a: 'no', c: '8' }
  const both = await Promise.all([0, 1].map(() => send(url, good, { visitor: 'same-browser' })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.body['detail']).toBe('您已提交过')
  expect((await send(url, { a: 'maybe', c: '8' })).body['detail']).toBe('选项不存在，请刷新页面')
  expect((await send(url, { a: 'no' })).body['fields']).toEqual({ c: '这道题还没有回答' })
  expectSuccess(await admin.post(`${ITEM}/${id}/pause`, {}))
  expect((await send(url, good)).body['detail']).toBe('问卷已暂停，请稍后再来')
  expect((await app.nobody().get<PublicPage>(url)).body.closed).toBe('问卷已暂停，请稍后再来')
  expectSuccess(await admin.post(`${ITEM}/${id}/resume`, {}))
  await app.db.query(sql`update questionnaire set end_at = now() - interval '1 minute' where id = ${id}`)
  expect((await send(url, good)).body['detail']).toBe('问卷已结束')
  expectSuccess(await admin.post(`${ITEM}/${id}/end`, {}))
  expectRefusal(await admin.post(`${ITEM}/${id}/resume`, {}), 409)
  expect((await send(url, good)).body['detail']).toBe('问卷已结束')
})

test('after publishing words change and options are added; what was answered is not removed', async () => {
  const { id, url } = await live()
  const row = (await admin.get<Row>(`${ITEM}/${id}`)).body
  const [first, ...rest] = ITEMS as [SurveyItem, ...SurveyItem[]]
  const better = await admin.put<Row>(`${ITEM}/${id}`, { questions: [{ ...first, title: '现在在读吗', options: options('yes', 'no', 'soon') }, ...rest], rev: row.rev })
  expect(better.body.version).toBe(2)
  expectFieldRefusal(await admin.put(`${ITEM}/${id}`, { questions: rest, rev: better.body.rev }), 400, 'questions')
  expectSuccess(await send(url, { a: 'soon', b: ['z'], c: '10' }))
  expect((await app.db.query(sql`select version from questionnaire_answer where questionnaire_id = ${id}`))[0]).toEqual({ version: 2 })
  const removed = await admin.delete(`${ITEM}/${id}`)
  expectRefusal(removed, 400)
  const copy = (await admin.post<Row>(`${ITEM}/${id}/copy`, {})).body
  expect(copy).toMatchObject({ state: S.draft, title: '课程满意度-副本', answered: 0 })
  expect(copy.questions?.length).toBe(ITEMS.length)
})

test('who answers without a look does not count, unless asked for or put back by hand', async () => {
  const { id, url } = await live()
  await send(url, { a: 'no', c: '8' }, { seconds: 2 })
  await send(url, { a: 'no', c: '8' })
  const list = (await admin.get<{ items: AnswerRow[] }>(`${ITEM}/${id}/answers`, { only: 'careless' })).body.items
  expect(list.map(({ careless }) => careless)).toEqual(['平均每题 0.7 秒'])
  expect(await figures(id)).toMatchObject({ answers: 1, careless: 1 })
  expect((await admin.get<Figures>(`${ITEM}/${id}/figures`, { careless: '1' })).body.answers).toBe(2)
  expectSuccess(await admin.post(`${ITEM}/${id}/answers/${list[0]?.id}/exclude`, { excluded: false }))
  expect(await figures(id)).toMatchObject({ answers: 2, careless: 0 })
})

test('a learners’ app is given what is for somebody, once', async () => {
  const key = { authorization: `Bearer ${await makeAppKey(app, ['questionnaire'])}` }
  const user = (await admin.post<WireRow>('/daoyuan/api/end/users', { mobile: '13870009001', nickname: '林一', role: 1 })).body.id
  const { id } = await live(ITEMS, { title: '弹出' })
  const { id: far } = await live(ITEMS, { title: '别的产品线', lines: ['sync_course'] })
  const open = async () => (await app.nobody().call<{ items: { id: number }[] }>('GET', '/daoyuan/api/device/questionnaires', { user_id: user }, key)).body.items.map((one) => one.id)
  const offered = await open()
  expect([offered.includes(id), offered.includes(far)]).toEqual([true, false])
  const answer = (n: number) => app.nobody().post(`/daoyuan/api/device/questionnaires/${id}/answers`, { user_id: user, seconds: 30, answers: { a: 'no', c: '8' } }, { ...key, 'idempotency-key': `app-${n}` })
  expectSuccess(await answer(1))
  expectSuccess(await answer(1))
  expect((await answer(2)).body['detail']).toBe('您已提交过')
  expect(await open()).not.toContain(id)
  const sections = (await admin.get<{ sections: { name: string; rows?: unknown[] }[] }>(`/daoyuan/api/end/users/${user}/overview`)).body.sections
  expect(sections.find(({ name }) => name === 'questionnaire')?.rows).toHaveLength(1)
  const hidden = await live(ITEMS, { title: '匿名', anonymous: 1 })
  expectSuccess(await app.nobody().post(`/daoyuan/api/device/questionnaires/${hidden.id}/answers`, { user_id: user, seconds: 30, answers: { a: 'no', c: '8' } }, { ...key, 'idempotency-key': 'app-3' }))
  expect((await app.db.query(sql`select user_id, who is not null as known from questionnaire_answer where questionnaire_id = ${hidden.id}`))[0]).toEqual({ user_id: null, known: true })
})

test('rights: who may look does not read answers, who may not publish does not', async () => {
  const { id } = await live()
  const looker = await app.staff([QUESTIONNAIRE_RIGHTS.screen])
  expectSuccess(await looker.get(`${ITEM}/${id}`))
  for (const path of ['figures', 'answers', 'answers/export']) expectRefusal(await looker.get(`${ITEM}/${id}/${path}`), 403)
  expectRefusal(await looker.post(`${ITEM}/${id}/end`, {}), 403)
  expectRefusal(await admin.get(`${ITEM}/${id}/cross`, { row: 'a', col: 'd' }), 400)
})

test('whatever is answered, figures count what is kept: values on the path, no option more often than its question was seen', async () => {
  const { id } = await live()
  const answer = fc.record({ a: fc.constantFrom('yes', 'no'), b: fc.subarray(['x', 'y', 'z'], { minLength: 1 }), c: fc.integer({ min: 0, max: 10 }).map(String), d: fc.constantFrom('', '太贵'), e: fc.constantFrom([], ['k', 'l'], ['l', 'k']) })
  const all = fc.sample(answer, { numRuns: 60, seed: 7 })
  await app.kernel.db.transaction({ staff_id: null }, async (tx) => {
    const open = await readOpen(tx, id)
    if (open) for (const one of all) await takeAnswers(tx, open, one, { source: 'page', user_id: null, who: null, seconds: 90 })
  })
  expect(await app.db.query(sql`select 1 from questionnaire_answer a, jsonb_object_keys(a.values) k where a.questionnaire_id = ${id} and not k = any(a.path)`)).toEqual([])
  const kept = all.filter((one) => Object.keys(surveyProblems(ITEMS, one)).length === 0).map((one) => keptAnswers(ITEMS, one))
  expect(kept).toHaveLength(all.length)
  for (const { id: q, base, options: counted, nps, type } of (await figures(id)).questions) {
    expect(base).toBe(kept.filter(({ path }) => path.includes(q)).length)
    for (const { id: option, count } of counted) {
      expect(count).toBe(kept.filter(({ values }) => values[q]?.includes(option)).length)
      expect(count).toBeLessThanOrEqual(base)
    }
    if (type === 'single' || type === 'nps') expect(counted.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(base)
    if (nps) expect(nps.promoters + nps.passives + nps.detractors).toBe(base)
  }
  const cross = (await admin.get<CrossTable>(`${ITEM}/${id}/cross`, { row: 'a', col: 'c' })).body
  expect(Object.values(cross.counts).reduce((sum, n) => sum + n, 0)).toBe(cross.base)
  expect(ITEMS.filter(asks)).toHaveLength(5)
})
