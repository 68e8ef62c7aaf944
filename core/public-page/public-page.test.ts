import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { badRequest } from '../error/error.ts'
import { buildServer } from '../http/server.server.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { answerProblems } from './answers.ts'
import type { PublicAnswers, PublicPage } from './page.ts'
import { createPublicLink, publicPageCalls, revokePublicLinks, type PublicPageKind } from './public-page.server.ts'

const PAGE: PublicPage = {
  title: '课后问卷', send: '提交',
  blocks: [
    { kind: 'text', text: '请填写' },
    { kind: 'choose', key: 'score', label: '满意度', required: true, options: ['满意', '不满意'] },
    { kind: 'choose', key: 'why', label: '原因', options: ['进度', '作业'], several: true },
    { kind: 'ask', key: 'words', label: '建议', max: 5 },
  ],
}
/** A kind that no module has. */
const survey: PublicPageKind = {
  name: 'test_survey',
  load: async (_tx, { refId }) => (refId === 404 ? undefined : refId === 7 ? { title: '学习报告', blocks: [] } : PAGE),
  async answer(tx, { refId }, answers: PublicAnswers) {
    if (answers['words'] === '拒绝') throw badRequest('问卷已截止')
    await tx.query(sql`insert into test_answer (ref, answers) values (${refId}, ${JSON.stringify(answers)}::jsonb)`)
    return '感谢您的反馈'
  },
}
let app: TestApp
let http: FastifyInstance
beforeAll(async () => {
  app = await openTestApp()
  await app.db.script('create table test_answer (ref bigint, answers jsonb)')
  const { db, secrets, sessions } = app.kernel
  http = await buildServer({ config: { ...app.config, rateLimit: 20 }, db, sessions, fingerprintKey: secrets.key('idempotency'), served: publicPageCalls([survey]), grantTitle: String })
})
afterAll(async () => {
  await http.close()
  await app.close()
})

let visitors = 0
const link = (ref: number, until?: Date) => app.kernel.db.transaction({ staff_id: null }, (tx) => createPublicLink(tx, survey, ref, null, until))
const path = (token: string) => `/daoyuan/api/public/pages/${token}`
const read = (token: string, remoteAddress = `203.0.113.${++visitors}`) => http.inject({ url: path(token), remoteAddress })
const send = (token: string, answers: unknown, key = `answer-${++visitors}`, headers = {}) =>
  http.inject({ method: 'POST', url: path(token), payload: { answers }, headers: { 'idempotency-key': key, ...headers }, remoteAddress: `203.0.113.${++visitors}` })
const NO_PAGE = { detail: '链接无效或已过期' }

test('a link of 128 random bits opens one page to anybody, and says so to no search engine', async () => {
  const token = await link(1)
  expect(token).toMatch(/^[\w-]{22}$/)
  const answer = await read(token)
  expect([answer.statusCode, answer.json()]).toEqual([200, PAGE])
  expect(answer.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  const [row] = await app.db.query(sql`select opened_at is not null as opened from public_link where token = ${token}`)
  expect(row).toEqual({ opened: true })
})

test('what is wrong, over, revoked or gone looks the same', async () => {
  const over = await link(1, new Date(Date.now() - 1000))
  const revoked = await link(2)
  expect((await read(revoked)).statusCode).toBe(200)
  await app.kernel.db.transaction({ staff_id: null }, (tx) => revokePublicLinks(tx, survey, 2))
  for (const token of [over, revoked, await link(404), 'A'.repeat(22), 'x', `${'A'.repeat(21)}'`]) {
    for (const answer of [await read(token), await send(token, { score: '满意' })]) expect([answer.statusCode, answer.json()], token).toEqual([404, NO_PAGE])
  }
  const open = await link(1, new Date(Date.now() + 60_000))
  expect((await read(open)).statusCode, 'not over yet').toBe(200)
})

test('answers are checked against the page, and sent twice they are taken once', async () => {
  const token = await link(3)
  const refused = await send(token, { words: '一二三四五六', why: ['进度', '别的'] })
  expect(refused.json()).toEqual({ detail: '请填写「满意度」', fields: { score: '请填写「满意度」', why: '「原因」的选项已变化，请刷新页面', words: '「建议」最多 5 个字' } })
  expect((await send(token, { score: ['满意', '不满意'] })).json()).toMatchObject({ detail: '「满意度」只能选一项' })
  expect((await send(token, { score: '满意', words: '拒绝' })).json()).toEqual({ detail: '问卷已截止' })
  for (let i = 0; i < 2; i++) {
    const answer = await send(token, { score: '满意', why: ['进度', '作业'], other: 'unasked' }, 'twice')
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: '感谢您的反馈' }])
  }
  expect(await app.db.query(sql`select ref, answers from test_answer`)).toEqual([{ ref: 3, answers: { score: '满意', why: ['进度', '作业'] } }])
  expect((await send(await link(7), {})).json(), 'a page that asks nothing').toEqual({ detail: '该页面不需要提交' })
})

test('pages of other sites send nothing, and one address guesses only so often', async () => {
  const token = await link(4)
  expect((await send(token, { score: '满意' }, 'evil', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  const statuses = []
  for (let i = 0; i <= 20; i++) statuses.push((await read('B'.repeat(22), '198.51.100.9')).statusCode)
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 404))
  expect(statuses[20]).toBe(429)
})

test('two kinds are not called the same; the browser finds the same mistakes', () => {
  expect(() => publicPageCalls([survey, survey])).toThrow('two kinds of public pages are called test_survey')
  expect(answerProblems(PAGE, {})).toEqual({ score: '请填写「满意度」' })
  expect(answerProblems(PAGE, { score: '满意', words: '很好' })).toEqual({})
})
