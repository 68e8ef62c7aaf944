import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { agent, AGENT_STATUS } from './agent.ts'
import type { ProxyUser } from './lookup.ts'

let app: TestApp
let anybody: Caller
beforeAll(async () => {
  app = await openTestApp()
  anybody = await app.staff([])
})
afterAll(() => app.close())

test('agents are listed by name, type and status for everybody, within their scope', async () => {
  expect(await app.nobody().get('/daoyuan/api/proxy_users')).toMatchObject({ status: 401, body: { detail: '错误的token' } })
  const ids = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, agent, [
    { name: '苏州区域代理', mobile: '13911110001', type: 1, level_id: 1, status: AGENT_STATUS.active, balance: 500 },
    { name: '观前书店', mobile: '13911110002', type: 2, level_id: 2 },
  ]))
  const answer = await anybody.get<{ proxy_users: ProxyUser[]; total: number }>('/daoyuan/api/proxy_users?page=0')
  expect(answer.body).toEqual({
    proxy_users: [{ id: ids[0], name: '苏州区域代理', type: 1, status: 1 }, { id: ids[1], name: '观前书店', type: 2, status: 0 }],
    total: 2,
  })
  expect((await anybody.get('/daoyuan/api/proxy_users?page=1')).body).toEqual({ proxy_users: [], total: 2 })
  expect((await anybody.get('/daoyuan/api/proxy_users?page=-1')).status).toBe(400)
  const limited = await app.staff([], { scopes: { agent: [ids[1] ?? 0] } })
  expect((await limited.get('/daoyuan/api/proxy_users?page=0')).body).toMatchObject({ proxy_users: [{ name: '观前书店' }], total: 1 })
})
