import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, screenId, type TestApp } from '../testing/app.server.ts'
import { actionId } from '../grant/grant.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('everybody who is logged in can put words to all that can be granted', async () => {
  expect((await app.nobody().get('/daoyuan/api/end/action_titles')).status).toBe(401)
  const { body } = await (await app.staff([])).get<{ titles: Record<string, string> }>('/daoyuan/api/end/action_titles')
  expect(body.titles[actionId(screenId('/userManagement/staff'), 15)]).toBe('离职交接')
  expect(Object.keys(body.titles).map(Number).toSorted((a, b) => a - b)).toEqual(app.allGrants.toSorted((a, b) => a - b))
})
