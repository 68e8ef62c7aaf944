import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPostgres } from '../database/postgres.server.ts'
import { sessionCookie } from '../http/server.server.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { Caller, openTestApp, type TestApp } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples, type Samples } from '../testing/sample.server.ts'

/** The embedded database belongs to one process. */
describe.runIf(process.env['TEST_DATABASE_URL'])('two processes on one database', () => {
  let one: TestApp
  let two: TestApp
  let samples: Samples
  beforeAll(async () => {
    one = await openTestApp()
    const url = one.db.url ?? ''
    two = await openTestApp({}, { ...await openPostgres(url), url })
    samples = await openSamples(one)
  })
  afterAll(async () => {
    await two.close()
    await one.close()
  })

  /** The same browser, led to the other process by the load balancer. */
  function there(caller: Caller): Caller {
    const other = new Caller(two, caller.staffId)
    for (const name of [sessionCookie(one.config), 'csrf']) other.setCookie(name, caller.cookie(name) ?? '')
    return other
  }
  const resource = () => {
    const found = [...one.kernel.registry.values()].map((service) => service.resource).find(({ actions, grant }) => actions.create && actions.update && one.allGrants.includes(grant))
    if (!found) throw new Error('no resource')
    return found
  }

  test('a session that began here goes on there, and ends there when it is ended here', async () => {
    const here = await one.login()
    expectSuccess(await there(here).get('/daoyuan/api/end/staff'))
    await here.post('/api/staffLogout')
    await vi.waitFor(async () => expect((await there(here).get('/daoyuan/api/end/staff')).status).toBe(401), { timeout: 30_000 })
  })

  test('a right that is given or taken here counts there at once', async () => {
    const { api, grant } = resource()
    const caller = await one.staff([])
    expectRefusal(await there(caller).get(api.list), 403)
    await one.grant(caller.staffId, [grant])
    await vi.waitFor(async () => expectSuccess(await there(caller).get(api.list)), { timeout: 30_000 })
    await one.grant(caller.staffId, [])
    await vi.waitFor(async () => expectRefusal(await there(caller).get(api.list), 403), { timeout: 30_000 })
  })

  test('what is written here is read there, and a write there from before is refused', async () => {
    const { api } = resource()
    const row = await samples.create(resource())
    const here = await one.login()
    const path = `${api.item}/${row.id}`
    expect((await there(here).get<WireRow>(path)).body.id).toBe(row.id)
    expect((await there(here).get(api.list, { ids: [row.id] })).body[api.reply.items]).toHaveLength(1)
    expectSuccess(await here.put(path, { rev: row.rev }))
    expectRefusal(await there(here).put(path, { rev: row.rev }), 409)
  })

  test('a request that reaches both is carried out once', async () => {
    const { api } = resource()
    const here = await one.login()
    for (let i = 0; i < 10; i++) {
      const input = await samples.input(resource())
      const headers = { 'idempotency-key': randomUUID() }
      const [first, second] = await Promise.all([here.post<WireRow>(api.item, input, headers), there(here).post<WireRow>(api.item, input, headers)])
      expectSuccess(first)
      expect(second.body).toEqual(first.body)
    }
  })

  test('counts agree again within seconds', async () => {
    const { api } = resource()
    const here = await one.login()
    const total = async (caller: Caller) => Number((await caller.get(api.list)).body[api.reply.total])
    const before = await total(there(here))
    await samples.create(resource())
    expect(await total(here)).toBe(before + 1)
    await vi.waitFor(async () => expect(await total(there(here))).toBe(before + 1), { timeout: 30_000, interval: 250 })
  })
})
