import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { screenId } from '../screens.ts'
import type { ClientErrorEntry } from './errors.ts'
import type { HealthReport } from './health.ts'

const ERRORS = '/daoyuan/api/end/client_errors'
const SCREEN = screenId('/system/errors')

let app: TestApp
let viewer: Caller
beforeAll(async () => {
  app = await openTestApp()
  viewer = await app.staff([SCREEN, SCREEN * 100 + 11])
})
afterAll(() => app.close())

const errors = async (query: Record<string, unknown> = {}) => (await viewer.get<{ items: ClientErrorEntry[]; total: number }>(ERRORS, query)).body

test('errors of browsers are listed, the last first, and cleared by those who may', async () => {
  const person = await app.staff([])
  expect((await person.get(ERRORS)).status).toBe(403)
  for (const message of ['甲 100%', '乙', '丙']) await person.post(ERRORS, { message, url: '/new/a', release: 'r1' })
  await app.db.query(sql`update client_error set at = now() - interval '1 hour' where message = '丙'`)
  const page = await errors()
  expect(page.total).toBe(3)
  expect(page.items.map((item) => item.message)).toEqual(['乙', '甲 100%', '丙'])
  expect(page.items[0]).toMatchObject({ times: 1, staff_id: person.staffId, url: '/new/a', release: 'r1', at: expect.any(Number), first_at: expect.any(Number) })
  expect((await errors({ keyword: '100%' })).items.map((item) => item.message)).toEqual(['甲 100%'])
  expect((await errors({ keyword: '%' })).total).toBe(1)
  expect((await errors({ release: 'r2' })).total).toBe(0)
  expect((await errors({ page: 1, page_size: 2 })).items.map((item) => item.message)).toEqual(['丙'])

  expect((await (await app.staff([SCREEN])).delete(ERRORS, { all: '1' })).status).toBe(403)
  expect((await viewer.delete(ERRORS)).body).toEqual({ detail: '请选择要清除的错误' })
  expect((await viewer.delete(ERRORS, { ids: [page.items[0]?.id, page.items[1]?.id] })).body).toEqual({ removed: 2 })
  expect((await errors()).items.map((item) => item.message)).toEqual(['丙'])
  expect((await viewer.delete(ERRORS, { all: '1' })).body).toEqual({ removed: 1 })
})

test('the report tells how the product is, to those who may know', async () => {
  const path = '/daoyuan/api/end/health_report'
  expect((await viewer.get(path)).status).toBe(403)
  const { status, body } = await (await app.staff([screenId('/system/health')])).get<HealthReport>(path)
  expect(status).toBe(200)
  expect(body.database).toMatchObject({ kind: app.db.kind, version: expect.stringMatching(/^\d+/) })
  expect(body.database.bytes).toBeGreaterThan(1_000_000)
  const sizes = body.database.tables.map((table) => table.bytes)
  expect(sizes.length).toBeGreaterThan(10)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(body.sessions.online).toBeGreaterThanOrEqual(2)
  expect(body.jobs).toEqual({ waiting: 0, running: 0, failed_today: 0 })
  expect(body.process.memory.rss).toBeGreaterThan(10_000_000)
  expect(body.process.statements).toBeGreaterThan(10)
  expect(body.disk.total).toBeGreaterThan(body.disk.free)
  expect(body.process.event_loop.max).toBeGreaterThanOrEqual(0)
})
