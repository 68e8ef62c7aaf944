import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WaitingItem } from '../../core/inbox/waiting.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, screenId, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { appUser } from '../user/module.ts'
import { alert, ALERT_STATE as S, alertRule, alertSilence } from './alert.ts'
import { alertChooser, tryRule, type AlertDetail } from './alert-calls.ts'
import { refresh } from './compute.server.ts'
import { COMPARE } from './firing.ts'
import { MONITOR_RIGHTS } from './rights.ts'
import { watch } from './watch.server.ts'

const HOUR = 3600
const hour = Math.floor(Date.now() / 1000 / HOUR) * HOUR
const WEEKS = 6 * 7 * 24
let app: TestApp
let root: Caller
let made = 0

const users = (moments: readonly number[]) => seedTransaction(app.db, (tx) => insertMany(tx, appUser, moments.map((register_at) => ({ user_no: `A${++made}`, mobile: `136${String(10_000_000 + made)}`, nickname: `学员${made}`, role: 1 as const, status: 1 as const, register_at, created_at: register_at }))))
const look = async (at: number) => {
  await refresh(app.db, app.kernel.figures, at)
  await watch(app.db, at)
}
const rule = () => ({ name: '注册骤降', figure: 'new_user', compare: COMPARE.dropped, limit_value: 80, recover_value: 40, window_hours: 2, for_n: 2, min_base: 2, level: 3, notify_id: root.staffId, repeat_hours: 6, runbook: '先看短信' })
const list = async (query: Record<string, unknown> = {}) => (await root.get<{ items: WireRow<typeof alert>[] }>(alert.api.list, query)).body.items
const detail = async (id: number, who = root) => (await who.get<AlertDetail>(`${alert.api.item}/${id}/detail`)).body
const waits = async (who = root) => (await who.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting', { kind: 'alert_open' })).body.items

beforeAll(async () => {
  app = await openTestApp()
  root = await app.login()
  // Two an hour for six weeks, and nobody in the last six hours.
  await users(Array.from({ length: WEEKS }, (_, at) => hour - (at + 7) * HOUR).flatMap((at) => [at + 60, at + 1800]))
  await refresh(app.db, app.kernel.figures, hour + 60)
})
afterAll(() => app.close())

test('a rule is tried on the past before it is saved, and one that contradicts itself is refused at its field', async () => {
  const { name, level, notify_id, repeat_hours, runbook, ...asked } = rule()
  expect([name, level, notify_id, repeat_hours, runbook].every(Boolean)).toBe(true)
  const tried = await root.post<{ times: number; episodes: { began: number; ended: number | null }[] }>(tryRule.path, asked)
  expectSuccess(tried)
  expect(tried.body).toMatchObject({ times: 1, days: 60 })
  expect(tried.body.episodes[0]?.ended).toBeNull()
  expect((await root.post<{ times: number }>(tryRule.path, { ...asked, for_n: 12 })).body.times).toBe(0)
  for (const [bad, field] of [[{ figure: 'nothing' }, 'figure'], [{ recover_value: 80 }, 'recover_value'], [{ limit_value: 120 }, 'limit_value'], [{ group_by: 'line' }, 'group_by'], [{ line: 'partner' }, 'line'], [{ quiet_from: 22 }, 'quiet_to'], [{ compare: COMPARE.below, limit_value: 5, recover_value: 4 }, 'recover_value']] as const) {
    const answer = await root.post<{ fields?: Record<string, string> }>(alertRule.api.item, { ...rule(), ...bad })
    expectRefusal(answer, 400)
    expect(Object.keys(answer.body.fields ?? {}), JSON.stringify(bad)).toContain(field)
  }
  expectRefusal(await (await app.staff([MONITOR_RIGHTS.screen])).post(tryRule.path, asked), 403)
  expectSuccess(await root.post(alertRule.api.item, rule()))
})

test('it fires once, is looked after, silenced for a while, and is over when things are as before', async () => {
  // Two bad hours were before anybody watched: the last one counts with them.
  await look(hour + 90)
  await look(hour + 700)
  const [one, ...others] = await list({ view: 'living' })
  expect(others).toEqual([])
  const id = one?.id ?? 0
  expect(one).toMatchObject({ title: '注册骤降', state: S.open, level: 3, value: 0, expected: 4 })
  expect((await waits()).map(({ record }) => record)).toEqual([id])
  const seen = await detail(id)
  expect(seen).toMatchObject({ figure_title: '新增用户', rule: { runbook: '先看短信' } })
  expect(seen.points.length).toBeGreaterThan(24)
  expect(seen.gap).toBeLessThan(0)
  // Who only looks does nothing to it.
  const looker = await app.staff([MONITOR_RIGHTS.screen])
  expectSuccess(await looker.get(`${alert.api.item}/${id}/detail`))
  for (const [path, body] of [['ack', {}], ['assign', { owner_id: root.staffId }], ['ignore', { until: hour + 9000, reason: '已知的停机' }], ['silence', { until: hour + 9000, reason: '已知的停机' }], ['notes', { body: '查过了' }]] as const) expectRefusal(await looker.post(`${alert.api.item}/${id}/${path}`, body), 403)
  expectRefusal(await root.post(`${alert.api.item}/${id}/assign`, { owner_id: looker.staffId }), 400)
  expectRefusal(await root.post(`${alert.api.item}/${id}/silence`, { until: hour - 60, reason: '已知的停机' }), 400)
  expectRefusal(await root.post(`${alert.api.item}/${id}/silence`, { until: hour + 40 * 86_400, reason: '已知的停机' }), 400)
  const until = Math.floor(Date.now() / 1000) + 2 * HOUR
  expectSuccess(await root.post(`${alert.api.item}/${id}/silence`, { until, reason: '短信通道升级' }))
  expect(await waits()).toEqual([])
  const [silence] = (await root.get<{ items: WireRow<typeof alertSilence>[] }>(alertSilence.api.list, { view: 'now' })).body.items
  expectSuccess(await root.post(`${alertSilence.api.item}/${silence?.id ?? 0}/end`))
  expectRefusal(await root.post(`${alertSilence.api.item}/${silence?.id ?? 0}/end`), 400)
  expect(await waits()).toHaveLength(1)
  expectSuccess(await root.post(`${alert.api.item}/${id}/ack`, { rev: (await detail(id)).row.rev }))
  expect(await waits()).toEqual([])
  expect((await detail(id)).row).toMatchObject({ state: S.doing, owner_id: root.staffId })
  expectSuccess(await root.post(`${alert.api.item}/${id}/notes`, { body: '短信额度用完，已充值' }))
  // The hours after it are as they always were.
  await users(Array.from({ length: 7 }, (_, at) => hour + at * HOUR).flatMap((at) => [at + 60, at + 1800]))
  await look(hour + 2 * HOUR + 30)
  expect((await detail(id)).row.state).toBe(S.doing)
  await look(hour + 6 * HOUR + 30)
  const over = await detail(id)
  expect(over.row).toMatchObject({ state: S.recovered, fingerprint: null })
  expect(over.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['fire', 'silence', 'ack', 'note', 'recover']))
  expectRefusal(await root.post(`${alert.api.item}/${id}/ignore`, { until, reason: '已经恢复了' }), 400)
  expect((await root.get<{ items: { id: number }[] }>(alertChooser.path)).body.items.map((item) => item.id)).toEqual([id])
})

test('what is ignored comes back when its time is over and nothing is better, and a stopped rule has no open alerts', async () => {
  const [kept] = (await root.get<{ items: WireRow<typeof alertRule>[] }>(alertRule.api.list)).body.items
  // Nobody for six hours again; the day after tomorrow's hours are not there yet.
  await look(hour + 13 * HOUR + 30)
  const [open] = await list({ view: 'living' })
  expect(open).toMatchObject({ state: S.open })
  const id = open?.id ?? 0
  const until = Math.floor(Date.now() / 1000) + HOUR
  expectSuccess(await root.post(`${alert.api.item}/${id}/ignore`, { until, reason: '夜里停机维护' }))
  await watch(app.db, until - 60)
  expect((await detail(id)).row.state).toBe(S.ignored)
  await watch(app.db, until + 60)
  expect((await detail(id)).row.state).toBe(S.open)
  expect((await detail(id)).similar).toHaveLength(1)
  expectRefusal(await root.delete(`${alertRule.api.item}/${kept?.id ?? 0}`), 400)
  expectSuccess(await root.put(`${alertRule.api.item}/${kept?.id ?? 0}`, { status: 0 }))
  expect(await list({ view: 'living' })).toEqual([])
  expect((await detail(id)).row.state).toBe(S.recovered)
  expect(await app.db.query(sql`select 1 from alert where fingerprint is not null`)).toEqual([])
  expectRefusal(await (await app.staff([screenId('/operate/feedback')])).get(`${alert.api.item}/${id}/detail`), 403)
})
