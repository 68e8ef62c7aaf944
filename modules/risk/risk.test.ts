import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { runSweeps } from '../../core/job/sweep.server.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { screenId } from '../screens.ts'
import { accountMonitor, MONITOR_RIGHTS, MONITOR_STATUS as S } from './account-monitor.ts'
import type { MonitorStory, RuleFigures, SessionAnswer } from './calls.ts'
import { scoringSweeps } from './scoring.server.ts'
import { keepSessions, oldSessions, type Told } from './session.server.ts'

const { api: { list: LIST, item: ITEM } } = accountMonitor
const NOW = Math.floor(Date.now() / 1000)
const DAY = 86_400
type Row = WireRow<typeof accountMonitor>
let app: TestApp
let [ann, ben]: Caller[] = []
let key: Record<string, string>
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  ;[ann, ben] = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  key = { authorization: `Bearer ${await makeAppKey(app, ['session'])}` }
})
afterAll(() => app.close())

const a = () => ann as Caller
const b = () => ben as Caller
const CITIES = { suzhou: ['320508', 31.3, 120.6], beijing: ['110108', 39.9, 116.4], chengdu: ['510107', 30.6, 104.1] } as const
const session = (user_id: number, city: keyof typeof CITIES, device: string, back: number, hours: number, more: Partial<Told> = {}): Told => {
  const [region_code, lat, lng] = CITIES[city]
  return { user_id, session_key: `s${++n}-0000`, device_id: device, device_name: `手机 ${device}`, network: 'home', region_code, lat, lng, began_at: NOW - back * DAY, ended_at: NOW - back * DAY + Math.round(hours * 3600), pages: 10, answers: 5, fast: 0, ...more }
}
const user = async () => Number((await a().post<WireRow>('/daoyuan/api/end/users', { mobile: `136${String(70_000_000 + ++n)}`, nickname: `用户${n}`, role: 1 })).body.id)
const tell = (told: Told) => app.nobody().post<SessionAnswer & Record<string, unknown>>('/daoyuan/api/device/sessions', { ...told }, { ...key, 'idempotency-key': `tell-${++n}` })
const night = () => runSweeps(scoringSweeps(app.kernel.db))
const monitorOf = async (id: number) => (await a().get<{ items: Row[] }>(LIST, { status: [1, 2, 3, 4, 5, 6, 7].map(String), page_size: 100 })).body.items.find((row) => row.user_id === id)
const statusOf = async (id: number) => (await app.db.query<{ status: number }>(sql`select status from app_user where id = ${id}`))[0]?.status
/** Somebody whose account is used in two cities at once, day after day, and by more devices than a family has. */
async function sharer(): Promise<number> {
  const id = await user()
  await app.kernel.db.transaction({ staff_id: null }, (tx) => keepSessions(tx, Array.from({ length: 8 }, (_, day) => [session(id, 'suzhou', `a${day % 3}`, day + 1, 2), session(id, 'beijing', `b${day % 4}`, day + 1, 2), session(id, 'chengdu', 'c', day + 0.9, 1)]).flat()))
  await night()
  return id
}
async function caseOf(id: number): Promise<Row> {
  const row = await monitorOf(id)
  if (!row) throw new Error('no case')
  return row
}

test('what apps tell becomes facts, once; what cannot be is refused in words', async () => {
  const id = await user()
  const first = session(id, 'suzhou', 'x', 0.1, 1)
  expect((await tell(first)).body).toEqual({ notice: null, limited_until: null, ended: false })
  // The same session goes on.
  expectSuccess(await tell({ ...first, ended_at: first.ended_at + 600, pages: 40 }))
  expect(await app.db.query(sql`select pages::int as pages, extract(epoch from ended_at - began_at)::int as seconds from device_session where user_id = ${id}`)).toEqual([{ pages: 40, seconds: 4200 }])
  expectFieldRefusal(await tell({ ...first, ended_at: first.began_at - 1 }), 400, 'ended_at')
  expectFieldRefusal(await tell({ ...first, answers: 1, fast: 2 }), 400, 'fast')
  expectRefusal(await tell({ ...first, user_id: 999_999_999 }), 404)
  expectRefusal(await app.nobody().post('/daoyuan/api/device/sessions', { ...first }, { 'idempotency-key': 'nobody' }), 401)
})

test('a sharer waits for a person and is reminded; a family never comes near, whatever the night run does', async () => {
  const [bad, good] = [await sharer(), await user()]
  await app.kernel.db.transaction({ staff_id: null }, (tx) => keepSessions(tx, Array.from({ length: 12 }, (_, day) => ['a', 'b', 'c', 'd'].map((device) => session(good, 'suzhou', device, day + 1, 6))).flat()))
  await night()
  const row = await caseOf(bad)
  expect(row).toMatchObject({ status: S.waiting, rules: ['share'], cities: 3 })
  expect(row.score).toBeGreaterThanOrEqual(60)
  expect(await monitorOf(good)).toBeUndefined()
  // The machine did nothing but say so.
  expect(await statusOf(bad)).toBe(1)
  expect((await tell(session(bad, 'suzhou', 'a', 0.05, 0.5))).body.notice).toContain('仅限本人使用')
  const waits = (await a().get<{ items: { record: number }[] }>('/daoyuan/api/end/waiting', { kind: 'account_monitor' })).body.items
  expect(waits.map(({ record }) => record)).toContain(row.id)
  // Run again, it says nothing new.
  await night()
  const story = (await a().get<MonitorStory>(`${ITEM}/${row.id}/story`)).body
  expect(story.actions.map(({ kind }) => kind)).toEqual(['remind'])
  expect(story.lanes.length).toBeGreaterThan(6)
  expect(story.actions[0]?.evidence.length).toBeGreaterThan(0)
})

test('freezing is the account’s own, by somebody who may; an appeal suspends it, and another person answers', async () => {
  const id = await sharer()
  const row = await caseOf(id)
  const without = await app.staff([MONITOR_RIGHTS.screen, MONITOR_RIGHTS.id('freeze')])
  const refused = await without.post(`${ITEM}/${row.id}/freeze`, { reason: '多地登录' })
  expectRefusal(refused, 403)
  expect([await statusOf(id), (await caseOf(id)).status]).toEqual([1, S.waiting])
  expectSuccess(await a().post(`${ITEM}/${row.id}/freeze`, { reason: '多地登录，证据充分' }))
  expect([await statusOf(id), (await caseOf(id)).status]).toEqual([2, S.frozen])
  expect((await tell(session(id, 'suzhou', 'a', 0.05, 0.5))).body.ended).toBe(true)
  const appeal = (words: string) => app.nobody().post<{ due: number }>('/daoyuan/api/device/appeals', { user_id: id, words }, { ...key, 'idempotency-key': `appeal-${++n}` })
  expectRefusal(await appeal('冤枉'), 400)
  const made = await appeal('我在外地集训，平板是教练的')
  expectSuccess(made)
  expect(made.body.due).toBeGreaterThan(NOW + 47 * 3600)
  expect([await statusOf(id), (await caseOf(id)).status]).toEqual([1, S.appealed])
  expectRefusal(await appeal('再说一次，不是我'), 409)
  // Who froze it does not judge about it, and what was not done is not kept.
  expectRefusal(await a().post(`${ITEM}/${row.id}/accept`, { reason: '情况属实' }), [403, 409])
  expectRefusal(await b().post(`${ITEM}/${row.id}/keep_limited`, { reason: '不成立' }), [403, 409])
  expectSuccess(await b().post(`${ITEM}/${row.id}/keep_frozen`, { reason: '集训地没有登录记录' }))
  expect([await statusOf(id), (await caseOf(id)).status]).toEqual([2, S.frozen])
  expectSuccess(await b().post(`${ITEM}/${row.id}/release`, { reason: '用户已承诺不再外借' }))
  expect([await statusOf(id), (await caseOf(id)).status]).toEqual([1, S.cleared])
  const { actions } = (await a().get<MonitorStory>(`${ITEM}/${row.id}/story`)).body
  expect(actions.map(({ kind }) => kind)).toEqual(['release', 'keep', 'appeal', 'freeze', 'remind'])
})

test('a false alarm is counted by rule, and nothing more is said for a fortnight', async () => {
  const id = await sharer()
  const row = await caseOf(id)
  const before = (await a().get<{ items: RuleFigures[] }>(`${LIST}/rules`)).body.items.find(({ rule }) => rule === 'share')
  expectSuccess(await a().post(`${ITEM}/${row.id}/clear`, { reason: '电话核实，本人出差' }))
  const after = (await a().get<{ items: RuleFigures[] }>(`${LIST}/rules`)).body.items.find(({ rule }) => rule === 'share')
  expect(after?.dismissed).toBe((before?.dismissed ?? 0) + 1)
  await night()
  expect((await caseOf(id)).status).toBe(S.cleared)
  await app.db.query(sql`update account_monitor set quiet_until = now() - interval '1 hour' where id = ${row.id}`)
  await night()
  expect((await caseOf(id)).status).toBe(S.waiting)
  const limited = await a().post(`${ITEM}/${row.id}/limit`, { reason: '再次多地登录' })
  expectSuccess(limited)
  expect((await tell(session(id, 'suzhou', 'a', 0.05, 0.5))).body.limited_until).toBeGreaterThan(NOW + 6 * DAY)
  await app.db.query(sql`update account_monitor set acted_at = now() - interval '8 days' where id = ${row.id}`)
  await night()
  expect((await caseOf(id)).status).toBe(S.cleared)
})

test('a family in two cities is told so by a person, and then their cities are one', async () => {
  const id = await user()
  await app.kernel.db.transaction({ staff_id: null }, (tx) => keepSessions(tx, Array.from({ length: 10 }, (_, day) => ['a', 'b', 'c'].flatMap((device) => [session(id, 'suzhou', device, day + 1, 7), session(id, 'beijing', `${device}2`, day + 1, 7), session(id, 'beijing', 'far', day + 0.7, 1)])).flat()))
  await night()
  const row = await caseOf(id)
  expect(row.status).toBe(S.waiting)
  expectSuccess(await a().post(`${ITEM}/${row.id}/mark_family`, { reason: '父母两地，已核实' }))
  expect(await caseOf(id)).toMatchObject({ status: S.cleared, family: 1, score: 0, homes: ['1101', '3205'] })
})

test('kicked off by a person, everything older is over; old sessions go', async () => {
  const id = await sharer()
  const row = await caseOf(id)
  expectRefusal(await a().post(`${ITEM}/${row.id}/kick`, {}), 400)
  expectSuccess(await a().post(`${ITEM}/${row.id}/kick`, { reason: '借给他人' }))
  expect((await tell(session(id, 'suzhou', 'a', 0.05, 0.5))).body.ended).toBe(true)
  await app.kernel.db.transaction({ staff_id: null }, (tx) => keepSessions(tx, [session(id, 'suzhou', 'old', 100, 1)]))
  await runSweeps([oldSessions(app.kernel.db)])
  expect(await app.db.query(sql`select 1 from device_session where device_id = 'old'`)).toEqual([])
})

test('rights and reach', async () => {
  const id = await sharer()
  const row = await caseOf(id)
  const looker = await app.staff([screenId('/operate/accountMonitoring')])
  expectSuccess(await looker.get(`${ITEM}/${row.id}/story`))
  for (const step of ['freeze', 'limit', 'clear', 'mark_family', 'kick', 'rescore']) expectRefusal(await looker.post(`${ITEM}/${row.id}/${step}`, { reason: '试试看' }), 403)
  const far = await app.staff(app.servedGrants, { scopes: { agent: [999_999] } })
  expectRefusal(await far.get(`${ITEM}/${row.id}/story`), 404)
  expectRefusal(await far.post(`${ITEM}/${row.id}/freeze`, { reason: '看不见的' }), 404)
  const both = await Promise.all([a(), b()].map((who) => who.post(`${ITEM}/${row.id}/limit`, { reason: '多地登录' })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const sections = (await a().get<{ sections: { name: string; stats?: { label: string; value: unknown }[] }[] }>(`/daoyuan/api/end/users/${id}/overview`)).body.sections
  expect(sections.find(({ name }) => name === 'account_monitor')?.stats?.find(({ label }) => label === '状态')?.value).toBe('已限速')
})
