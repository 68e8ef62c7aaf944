import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TileCount } from '../../core/module/dashboard.ts'
import { insertMany, setUp } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { schoolStudent } from './school-student.ts'

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
  ids = await setUp(app.kernel.db, (tx) => insertMany(tx, partner, [
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

