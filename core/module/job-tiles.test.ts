import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TileCount } from './dashboard.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('the home page counts a person\'s own running jobs and fresh failures', async () => {
  const [one, other] = [await app.staff([]), await app.staff([])]
  const add = (staffId: number, status: string, finishedDaysAgo: number | null) => app.kernel.db.query(sql`insert into job (kind, title, staff_id, status, input, finished_at)
    values ('test', '测试', ${staffId}, ${status}, '{}', ${finishedDaysAgo === null ? null : sql`now() - make_interval(days => ${finishedDaysAgo})`})`)
  await add(one.staffId, 'running', null)
  await add(one.staffId, 'waiting', null)
  await add(one.staffId, 'done', 0)
  await add(one.staffId, 'failed', 1)
  await add(one.staffId, 'failed', 20)
  await add(other.staffId, 'failed', 1)
  const { body } = await one.get<{ tiles: TileCount[] }>('/daoyuan/api/end/dashboard')
  expect(body.tiles.map(({ name, count, to }) => [name, count, to])).toEqual([
    ['job_running', 2, '/system/jobs?status=running'], ['job_failed', 1, '/system/jobs?status=failed'],
  ])
})
