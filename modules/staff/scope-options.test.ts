import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { SCOPE_OPTIONS } from './grants.ts'
import { STAFF_RIGHTS, STAFF_SCREEN } from './staff.ts'

let app: TestApp
const RIGHTS = [STAFF_SCREEN, STAFF_RIGHTS.id('grant')]

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('nobody without the staff screen', async () => {
  expect((await app.nobody().get(`${SCOPE_OPTIONS}/subject`)).status).toBe(401)
  expect((await (await app.staff([])).get(`${SCOPE_OPTIONS}/subject`)).status).toBe(403)
})

test('whoever grants rights finds what to limit others to, without the screen on which it is kept', async () => {
  const caller = await app.staff(RIGHTS)
  const found = await caller.get<{ items: { id: number; name: string }[] }>(`${SCOPE_OPTIONS}/subject`, { keyword: '数学' })
  expect(found.body.items.map((item) => item.id).sort((a, b) => a - b)).toEqual([1, 101, 201])
  expect((await caller.get<{ items: unknown[] }>(`${SCOPE_OPTIONS}/subject`, { ids: [102] })).body.items).toEqual([{ id: 102, name: '英语' }])
  for (const kind of ['agent', 'school', 'partner']) expect((await caller.get(`${SCOPE_OPTIONS}/${kind}`)).body).toEqual({ items: [] })
  expect((await caller.get(`${SCOPE_OPTIONS}/planet`)).status).toBe(404)
})

test('only what the caller sees', async () => {
  const caller = await app.staff(RIGHTS, { scopes: { subject: [2, 101] } })
  const found = await caller.get<{ items: { id: number }[] }>(`${SCOPE_OPTIONS}/subject`)
  expect(found.body.items.map((item) => item.id).sort((a, b) => a - b)).toEqual([2, 101])
  expect((await caller.get<{ items: unknown[] }>(`${SCOPE_OPTIONS}/subject`, { ids: [1, 2] })).body.items).toEqual([{ id: 2, name: '英语' }])
})
