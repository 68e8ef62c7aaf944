import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WaitingItem, WaitingSum } from '../inbox/waiting.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('a person\'s own fresh failures wait for them', async () => {
  const [one, other] = [await app.staff([]), await app.staff([])]
  const add = (staffId: number, status: string, finishedDaysAgo: number | null) => app.kernel.db.query(sql`insert into job (kind, title, staff_id, status, input, finished_at)
    values ('test', '测试', ${staffId}, ${status}, '{}', ${finishedDaysAgo === null ? null : sql`now() - make_interval(days => ${finishedDaysAgo})`})`)
  await add(one.staffId, 'running', null)
  await add(one.staffId, 'waiting', null)
  await add(one.staffId, 'done', 0)
  await add(one.staffId, 'failed', 1)
  await add(one.staffId, 'failed', 20)
  await add(other.staffId, 'failed', 1)
  const { body } = await one.get<{ waiting: WaitingSum[] }>('/daoyuan/api/end/dashboard')
  expect(body.waiting.map(({ name, count, late, to }) => [name, count, late, to])).toEqual([['job_failed', 1, 0, '/system/jobs?status=failed']])
  const { items } = (await one.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting')).body
  expect(items.map(({ kind, title, due }) => [kind, title, due])).toEqual([['job_failed', '测试', null]])
})
