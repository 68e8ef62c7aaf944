import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flushSecurityLog } from '../audit/security.server.ts'
import { fillPath, pathParams, type Endpoint } from '../endpoint/define.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'

const LIMIT = 3

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT: String(LIMIT), OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'console' })
})
afterAll(() => app.close())

const send = ({ method, path }: Endpoint, remoteAddress: string) =>
  app.http.inject({ method, url: fillPath(path, Object.fromEntries(pathParams(path).map((name) => [name, 'x']))), remoteAddress, ...(method === 'POST' && { payload: {} }) })

const open = () => app.served.map(({ endpoint }) => endpoint).filter(({ grant }) => grant === 'public')

test('each call that anyone may make is limited by address, with a sentence and the moment to come back', async () => {
  const calls = open().filter(({ unlimited }) => !unlimited)
  expect(calls.length).toBeGreaterThan(6)
  for (const endpoint of calls) {
    for (let i = 0; i < LIMIT; i++) expect((await send(endpoint, '203.0.113.1')).statusCode, endpoint.path).not.toBe(429)
    const refused = await send(endpoint, '203.0.113.1')
    expect(refused.statusCode, endpoint.path).toBe(429)
    expect(refused.json()).toEqual({ detail: expect.stringMatching(/^操作过于频繁，请 \d+ 秒后再试$/) })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(endpoint, '203.0.113.2')).statusCode, 'another address').not.toBe(429)
  }
  await flushSecurityLog(app.kernel.db)
  expect(await app.db.query(sql`select distinct ip from security_log where kind = 'rate_limit'`)).toEqual([{ ip: '203.0.113.1' }])
})

test('a whole network of IPv6 is one address', async () => {
  const [endpoint] = open().filter(({ path }) => path.endsWith('/login_options'))
  if (!endpoint) throw new Error('no such call')
  const statuses = []
  for (let i = 1; i <= LIMIT + 1; i++) statuses.push((await send(endpoint, `2001:db8:7:7::${i}`)).statusCode)
  expect(statuses.at(-1)).toBe(429)
  expect((await send(endpoint, '2001:db8:7:8::1')).statusCode).toBe(200)
})

test('what machines ask, and what people do who are logged in, is not limited', async () => {
  for (const endpoint of open().filter(({ unlimited }) => unlimited)) {
    for (let i = 0; i <= LIMIT; i++) expect((await send(endpoint, '203.0.113.1')).statusCode).not.toBe(429)
  }
  const admin = await app.login()
  for (let i = 0; i <= LIMIT; i++) expect((await admin.get('/daoyuan/api/end/staff')).status).toBe(200)
})

test('a flood leaves nothing in the database but what the limit let through', async () => {
  const count = async () => (await app.db.query<{ n: number }>(sql`select (select count(*) from login_step) + (select count(*) from login_failure) + (select count(*) from login_log) as n`))[0]?.n ?? 0
  const before = await count()
  const flood = open().filter(({ unlimited }) => !unlimited)
  for (let i = 0; i < 30; i++) for (const endpoint of flood) await send(endpoint, '203.0.113.50')
  expect(await count() - before).toBeLessThanOrEqual(3 * LIMIT)
})
