import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import { TREND_DAYS, type TileCount, type TrendLine } from '../../core/module/dashboard.ts'
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

const tilesOf = async (modules: number[], scopes?: Record<string, number[]>) => {
  const caller = await app.staff(modules, scopes && { scopes })
  const answer = await caller.get<{ tiles: TileCount[] }>(DASHBOARD)
  expect(answer.status).toBe(200)
  // Everybody has jobs; they are tested where they are.
  return { caller, tiles: answer.body.tiles.filter(({ name }) => !name.startsWith('job_')) }
}

test('the numbers are for people who are logged in', async () => {
  expect((await app.nobody().get(DASHBOARD)).status).toBe(401)
})

test('a tile needs its grant', async () => {
  expect((await tilesOf([])).tiles).toEqual([])
  expect((await tilesOf([partner.grant])).tiles.map((tile) => tile.name)).toEqual(['partner_expiring'])
  expect((await tilesOf([partner.grant, schoolStudent.grant])).tiles.map((tile) => tile.name)).toEqual(['partner_expiring', 'student_expiring'])
})

test('a tile counts what the list behind it shows, within the person\'s scope', async () => {
  const { caller, tiles: [tile] } = await tilesOf([partner.grant])
  expect(tile).toMatchObject({ count: 2, tone: 'warning' })
  expect(tile?.to.startsWith('/new-study-room/partner?')).toBe(true)
  const query = Object.fromEntries(new URLSearchParams(tile?.to.split('?')[1]))
  const list = await caller.get<{ items: { id: number }[]; total: number }>(partner.api.list, query)
  expect(list.body.total).toBe(2)
  expect(list.body.items.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2).sort())
  expect((await tilesOf([partner.grant], { partner: [ids[1] ?? 0, ids[2] ?? 0] })).tiles[0]?.count).toBe(1)
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
  await insert(mine.id, today - 29 * DAY - 1)
  await insert(mine.id, today - 60 * DAY - 1)
  await insert(other.id, today)
  const read = async (modules: number[], scopes?: Record<string, number[]>) => {
    const caller = await app.staff(modules, scopes && { scopes })
    const numbers = await caller.get<{ has_trends: boolean }>(DASHBOARD)
    const answer = await caller.get<{ days: number[]; trends: TrendLine[] }>(`${DASHBOARD}/trends`)
    expect(answer.status).toBe(200)
    expect(numbers.body.has_trends).toBe(answer.body.trends.length > 0)
    return answer.body
  }
  expect((await read([])).trends).toEqual([])
  const { days, trends: [students] } = await read([schoolStudent.grant], { school: [mine.id] })
  expect([days.length, days[0], days.at(-1)]).toEqual([TREND_DAYS, today - 29 * DAY, today])
  expect(students).toMatchObject({ name: 'new_student', as: 'number', before: 1, values: [1, ...Array.from({ length: 27 }, () => 0), 1, 1] })
  expect((await read([schoolStudent.grant])).trends[0]?.values.at(-1)).toBeGreaterThanOrEqual(2)
})
