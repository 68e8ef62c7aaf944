import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import type { WaitingItem, WaitingSum } from '../../core/inbox/waiting.ts'
import type { TrendCard } from '../../core/module/dashboard.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { openSamples } from '../../core/testing/sample.server.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { schoolStudent } from './school-student.ts'
import { school } from './school.ts'

const DASHBOARD = '/daoyuan/api/end/dashboard'
const DAY = 86_400

let app: TestApp
let ids: number[]
beforeAll(async () => {
  app = await openTestApp()
  const now = Math.floor(Date.now() / 1000)
  const row = (mobile: string, days: number, status: (typeof PARTNER_STATUS)[keyof typeof PARTNER_STATUS] = PARTNER_STATUS.signed) => ({
    name: `合伙人${mobile.slice(-2)}`, contact: '王', mobile, region_code: '320508', level: 4 as const, type_id: 1, sign_at: now - 400 * DAY, expire_at: now + days * DAY, status,
  })
  ids = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, partner, [
    row('13900120001', 1), row('13900120002', 29), row('13900120003', 40), row('13900120004', -3), row('13900120005', 5, PARTNER_STATUS.ended),
  ]))
})
afterAll(() => app.close())

const waitingOf = async (modules: number[], scopes?: Record<string, number[]>) => {
  const caller = await app.staff(modules, scopes && { scopes })
  const answer = await caller.get<{ waiting: WaitingSum[] }>(DASHBOARD)
  expect(answer.status).toBe(200)
  return { caller, waiting: answer.body.waiting }
}

test('the numbers are for people who are logged in', async () => {
  expect((await app.nobody().get(DASHBOARD)).status).toBe(401)
})

test('what waits needs its grant, and nothing that is zero is told', async () => {
  expect((await waitingOf([])).waiting).toEqual([])
  expect((await waitingOf([schoolStudent.grant])).waiting).toEqual([])
  expect((await waitingOf([partner.grant, schoolStudent.grant])).waiting.map(({ name }) => name)).toEqual(['partner_expiring'])
})

test('what waits is what the list behind it shows, within the person\'s scope, what is due first, first', async () => {
  const { caller, waiting: [sum] } = await waitingOf([partner.grant])
  expect(sum).toMatchObject({ count: 2, late: 0, group: 'watch', first: { id: ids[0], title: '合伙人01' } })
  expect(sum?.to.startsWith('/new-study-room/partner?')).toBe(true)
  const query = Object.fromEntries(new URLSearchParams(sum?.to.split('?')[1]))
  const list = await caller.get<{ items: { id: number }[]; total: number }>(partner.api.list, query)
  expect(list.body.total).toBe(2)
  expect(list.body.items.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2).sort())
  expect((await waitingOf([partner.grant], { partner: [ids[1] ?? 0, ids[2] ?? 0] })).waiting[0]?.count).toBe(1)
  const items = await caller.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting', { kind: 'partner_expiring' })
  expect(items.body.items.map(({ id, resource }) => [id, resource])).toEqual(ids.slice(0, 2).map((id) => [id, 'partner']))
  // What is only watched is no part of the inbox.
  expect((await caller.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting')).body.items).toEqual([])
  expect((await (await app.staff([])).get('/daoyuan/api/end/waiting', { kind: 'partner_expiring' })).status).toBe(404)
})


test('trends are of the person\'s own students, day by day on Shanghai\'s clock, and absent without the grant', async () => {
  const { db } = app.kernel
  const samples = await openSamples(app)
  const [mine, other] = [await samples.create(school), await samples.create(school)]
  const today = startOfDay(Math.floor(Date.now() / 1000))
  const insert = async (schoolId: number, at: number) => {
    const { id } = await samples.create(schoolStudent, { school_id: schoolId })
    await db.query(sql`update school_student set created_at = to_timestamp(${at}) where id = ${id}`)
  }
  await insert(mine.id, today)
  await insert(mine.id, today - 1)
  await insert(mine.id, today - 29 * DAY)
  await insert(mine.id, today - 30 * DAY)
  await insert(mine.id, today - 60 * DAY - 1)
  await insert(other.id, today)
  const read = async (modules: number[], scopes?: Record<string, number[]>) => {
    const caller = await app.staff(modules, scopes && { scopes })
    const numbers = await caller.get<{ has_trends: boolean }>(DASHBOARD)
    const answer = await caller.get<{ trends: TrendCard[] }>(`${DASHBOARD}/trends`)
    expect(answer.status).toBe(200)
    expect(numbers.body.has_trends).toBe(answer.body.trends.length > 0)
    return answer.body
  }
  expect((await read([])).trends).toEqual([])
  const { trends: [students] } = await read([schoolStudent.grant], { school: [mine.id] })
  expect(students).toMatchObject({ name: 'new_student', as: 'number', days: 30, value: 3, before: 1, before_values: [...Array.from({ length: 29 }, () => 0), 1], values: [1, ...Array.from({ length: 27 }, () => 0), 1, 1] })
  expect((await read([schoolStudent.grant])).trends[0]?.values.at(-1)).toBeGreaterThanOrEqual(2)
})
