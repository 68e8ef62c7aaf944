import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, screenId, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { jobOver } from '../../core/testing/jobs.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import type { WaitingItem } from '../../core/inbox/waiting.ts'
import { agent } from '../agent/module.ts'
import { appUser } from '../user/module.ts'
import { addNote, rebuildStats, statBreakdown, statTiles, type BreakdownAnswer, type Note, type StatAnswer, type Summary } from './calls.ts'
import { listChecks, repairCheck, runChecks, type CheckRow } from './alert-calls.ts'
import { refresh } from './compute.server.ts'
import { DATA_RIGHTS } from './rights.ts'
import { sendSummaries } from './summary.server.ts'

const DAY = 86_400
const HOUR = 3600
const now = Math.floor(Date.now() / 1000)
const today = startOfDay(now)
const USERS = screenId('/userManagement/total')
let app: TestApp
let root: Caller
let made = 0

/** Users who registered at moments. */
const users = (moments: readonly number[], more: object = {}) => seedTransaction(app.db, (tx) => insertMany(tx, appUser, moments.map((register_at) => ({ user_no: `S${++made}`, mobile: `135${String(10_000_000 + made)}`, nickname: `学员${made}`, role: 1 as const, status: 1 as const, register_at, created_at: register_at, ...more }))))
const tiles = async (query: Record<string, unknown> = {}, who = root) => (await who.get<StatAnswer>(statTiles.path, query)).body
const tile = (answer: StatAnswer, name = 'new_user') => answer.tiles.find((one) => one.name === name)
/** How many records the list behind an address has. */
async function listed(to: string, who = root): Promise<number> {
  const { searchParams } = new URL(to, 'http://x')
  const answer = await who.get<{ total: number }>(appUser.api.list, Object.fromEntries(searchParams))
  expectSuccess(answer)
  return answer.body.total
}

beforeAll(async () => {
  app = await openTestApp()
  root = await app.login()
  await users([today - 3 * DAY + 10 * HOUR, today - 3 * DAY + 22 * HOUR, today - 3 * DAY, today - 3 * DAY - 1, today - DAY + HOUR, today - 40 * DAY + HOUR], { region_code: '3205' })
  await users([today - 5 * DAY + 9 * HOUR], { region_code: '330102' })
  await refresh(app.db, app.kernel.figures, now)
})
afterAll(() => app.close())

test('days are half open on China\'s clock, and a figure opens a list with as many records', async () => {
  const answer = await tiles({ range: 'custom', from: today - 3 * DAY, to: today - 3 * DAY })
  expect(answer.stretch).toMatchObject({ from: today - 3 * DAY, to: today - 2 * DAY, before_from: today - 4 * DAY, before_to: today - 3 * DAY })
  expect(tile(answer)).toMatchObject({ value: 3, before: 1 })
  const month = tile(await tiles())
  expect(month).toMatchObject({ value: 6, before: 1 })
  expect(month?.values.reduce((a, b) => a + b, 0)).toBe(6)
  expect(await listed(month?.behind[0]?.to ?? '')).toBe(6)
})

test('told apart by province, each number opens its records and together they are all', async () => {
  const { body } = await root.get<BreakdownAnswer>(statBreakdown.path, { by: 'province' })
  const cells = body.rows.map(({ title, cells: { new_user } }) => [title, new_user?.value])
  expect(cells).toEqual([['江苏省', 5], ['浙江省', 1]])
  for (const row of body.rows) expect(await listed(row.cells['new_user']?.to ?? '')).toBe(row.cells['new_user']?.value)
})

test('a record that changes its day has both counted again, whoever changes it', async () => {
  const [id = 0] = await users([today - 7 * DAY + HOUR])
  await refresh(app.db, app.kernel.figures, now)
  // It came by no way that the log knows.
  expect(tile(await tiles({ range: 'custom', from: today - 7 * DAY, to: today - 7 * DAY }))?.value).toBe(0)
  await app.db.transaction({ staff_id: null, action: 'update' }, (tx) => touch(tx, appUser, { register_at: today - 8 * DAY + HOUR }, id))
  await refresh(app.db, app.kernel.figures, now)
  expect(tile(await tiles({ range: 'custom', from: today - 8 * DAY, to: today - 8 * DAY }))?.value).toBe(1)
  expect(tile(await tiles({ range: 'custom', from: today - 7 * DAY, to: today - 7 * DAY }))?.value).toBe(0)
})

test('nobody sees a figure of more than they may see in its list', async () => {
  expectRefusal(await (await app.staff([USERS])).get(statTiles.path), 403)
  expect((await tiles({}, await app.staff([DATA_RIGHTS.screen]))).tiles).toEqual([])
  const own = await tiles({}, await app.staff([DATA_RIGHTS.screen, USERS]))
  expect(own.tiles.map(({ name }) => name)).toEqual(['new_user'])
  const [id = 0] = await seedTransaction(app.db, (tx) => insertMany(tx, agent, [{ name: '苏州代理', mobile: '13700000001', type: 1, level_id: 1, status: 1 } as never]))
  const scoped = await tiles({}, await app.staff([DATA_RIGHTS.screen, USERS], { scopes: { agent: [id] } }))
  expect(scoped).toMatchObject({ tiles: [], narrowed: true })
})

test('bad questions get one sentence', async () => {
  for (const query of [{ range: 'year' }, { range: 'custom' }, { range: 'custom', from: today, to: today - DAY }, { range: 'custom', from: today - 400 * DAY, to: today }, { range: 'custom', from: today + 2 * DAY, to: today + 3 * DAY }, { line: 'nothing' }, { channel: 'x' }]) expectRefusal(await root.get(statTiles.path, query), 400)
})

test('notes stand on their day, once, and go by whoever wrote them', async () => {
  const writer = await app.staff([DATA_RIGHTS.screen, DATA_RIGHTS.id('note'), USERS])
  expectRefusal(await (await app.staff([DATA_RIGHTS.screen])).post(addNote.path, { day: today, body: '双十一' }), 403)
  for (const body of [{ day: today, body: ' ' }, { day: today, body: '字'.repeat(41) }, { day: today + 3 * DAY, body: '明天的事' }]) expectRefusal(await writer.post(addNote.path, body), 400)
  const { body: { id } } = await writer.post<{ id: number }>(addNote.path, { day: today - DAY + 5 * HOUR, body: '支付故障', bad: true })
  expectRefusal(await writer.post(addNote.path, { day: today - DAY, body: '支付故障' }), 400)
  const noted = (answer: StatAnswer): Note | undefined => answer.notes.find((note) => note.id === id)
  expect(noted(await tiles({}, writer))).toMatchObject({ day: today - DAY, body: '支付故障', bad: true, mine: true })
  const other = await app.staff([DATA_RIGHTS.screen, DATA_RIGHTS.id('note'), USERS])
  expectRefusal(await other.delete(`${addNote.path}/${id}`), 400)
  expectSuccess(await writer.delete(`${addNote.path}/${id}`))
  expect(noted(await tiles({}, writer))).toBeUndefined()
})

test('a day that was counted otherwise is found by the check of the night, mended by a recount, and told until then', async () => {
  await app.db.query(sql`update stat_daily set value = value + 2 where figure = 'new_user' and day = ${today - 3 * DAY} and line = '' and dim = ''`)
  const { body: { job_id } } = await root.post<{ job_id: number }>(runChecks.path)
  const job = await jobOver(root, job_id)
  const checks = async () => (await root.get<{ items: CheckRow[] }>(listChecks.path)).body.items
  const found = (await checks()).find(({ name }) => name === 'stat_recount')
  expect(found).toMatchObject({ found: 1, problem: null })
  expect(found?.samples.join()).toContain('存为 5，应为 3')
  expect(found?.since).toBeGreaterThan(0)
  // Everything could be asked, and nothing else is wrong in a house where nothing has happened.
  expect((await checks()).filter(({ problem, found: n }) => problem !== null || n > 0).map(({ name }) => name)).toEqual(['stat_recount'])
  expect(job.result).toMatchObject({ wrong: 1 })
  const waits = async () => (await root.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting', { group: 'failed' })).body.items.filter(({ kind }) => kind === 'self_check')
  expect(await waits()).toHaveLength(1)
  expectRefusal(await root.post(repairCheck.path, { name: 'order_sums', reason: '试一试修复' }), 400)
  expectRefusal(await root.post(repairCheck.path, { name: 'nothing', reason: '试一试修复' }), 404)
  expectSuccess(await root.post(repairCheck.path, { name: 'stat_recount', reason: '按来源重新统计' }))
  expect((await checks()).find(({ name }) => name === 'stat_recount')).toMatchObject({ found: 0, since: null })
  expect(await waits()).toEqual([])
})

test('a rebuild counts days from their sources, as a job', async () => {
  await app.db.query(sql`delete from stat_daily where day >= ${today - 10 * DAY} and day < ${today}`)
  expect(tile(await tiles())?.value).toBe(0)
  expectRefusal(await root.post(rebuildStats.path, { from: today, to: today - DAY }), 400)
  const { body: { job_id } } = await root.post<{ job_id: number }>(rebuildStats.path, { from: today - 10 * DAY, to: today })
  const job = await jobOver(root, job_id)
  expect(job).toMatchObject({ status: 'done', result: { days: 11 } })
  expect(job.done).toBe(job.total)
  // With the one that was put onto another day before.
  expect(tile(await tiles())?.value).toBe(7)
})

test('a summary comes at its hour to whoever subscribed, and waits until it was read', async () => {
  const reader = await app.staff([DATA_RIGHTS.screen, USERS])
  expectRefusal(await reader.put('/daoyuan/api/end/monitor/stats/subscription', { hour: 24, line: '' }), 400)
  expectSuccess(await reader.put('/daoyuan/api/end/monitor/stats/subscription', { hour: 8, line: '' }))
  const inbox = async () => (await reader.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting', { kind: 'stat_summary' })).body.items
  await sendSummaries(app.db, app.kernel.sessions, today + DAY + 7 * HOUR + 3599)
  expect(await inbox()).toEqual([])
  await sendSummaries(app.db, app.kernel.sessions, today + DAY + 8 * HOUR)
  await sendSummaries(app.db, app.kernel.sessions, today + DAY + 8 * HOUR + 600)
  const [item, ...others] = await inbox()
  expect(others).toEqual([])
  const { body: { items } } = await reader.get<{ items: Summary[] }>('/daoyuan/api/end/monitor/stats/summaries')
  expect(items[0]).toMatchObject({ day: today, read: false, line: null })
  expect(items[0]?.rows.map(({ name }) => name)).toEqual(['new_user'])
  expectRefusal(await root.post(item?.done ?? '/', {}), 404)
  expectSuccess(await reader.post(item?.done ?? '/', {}))
  expect(await inbox()).toEqual([])
})
