import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '../database/database.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { fillPath, pathParams } from '../endpoint/define.ts'
import { asksForStaff } from '../grant/grant.ts'
import { serveConsole } from '../http/console.server.ts'
import { buildServer } from '../http/server.server.ts'
import { assemble } from '../module/assemble.server.ts'
import { Caller, openTestApp, type TestApp } from '../testing/app.server.ts'
import { withDatabase } from '../testing/database.server.ts'
import { hashToken, Sessions } from './session.server.ts'

const ME = '/daoyuan/api/end/staff'
const STAFFS = '/daoyuan/api/end/staffs'
const LOGIN = '/daoyuan/api/end_access_token'
const PASSWORD = 'Staff-pass1'
const badToken = { status: 401, body: { detail: '错误的token' } }

let app: TestApp
let db: Database
let staffScreen: number
beforeAll(async () => {
  app = await openTestApp()
  db = app.kernel.db
  const grant = app.served.find(({ endpoint }) => endpoint.method === 'GET' && endpoint.path === STAFFS)?.endpoint.grant
  staffScreen = Array.isArray(grant) ? Number(grant[0]) : 0
})
afterAll(() => app.close())

/** Resolves when a database connection has heard everything that was sent before. */
async function heard(on: Database): Promise<void> {
  const channel = `probe_${randomUUID().replaceAll('-', '')}`
  await new Promise<void>((resolve, reject) => {
    // By a statement: what a process sends itself it hears without the connection.
    on.listen(channel, () => resolve()).then(() => on.query(sql`select pg_notify(${channel}, '')`), reject)
  })
}

test('logging in makes a new token and the one that the browser had is dead', async () => {
  const caller = await app.staff([])
  const before = caller.cookie('session') ?? ''
  const [{ account } = { account: '' }] = await db.query<{ account: string }>(sql`select account from staff where id = ${caller.staffId}`)
  expect((await caller.post(LOGIN, { account, pwd: PASSWORD })).status).toBe(200)
  expect(caller.cookie('session')).not.toBe(before)
  expect((await caller.get(ME)).status).toBe(200)
  const thief = app.nobody()
  thief.setCookie('session', before)
  expect(await thief.get(ME)).toMatchObject(badToken)
})

test('a token that somebody else chose never becomes a session', async () => {
  const victim = app.nobody()
  victim.setCookie('session', 'chosen-by-somebody-else')
  await victim.post(LOGIN, { account: 'admin', pwd: 'Admin-pass1' })
  expect(victim.cookie('session')).not.toBe('chosen-by-somebody-else')
  const attacker = app.nobody()
  attacker.setCookie('session', 'chosen-by-somebody-else')
  expect(await attacker.get(ME)).toMatchObject(badToken)
})

/** Names and flags of the cookies of a login. */
async function flags(target: TestApp): Promise<string[]> {
  const answer = await target.nobody().post(LOGIN, { account: 'admin', pwd: 'Admin-pass1' })
  return [answer.headers['set-cookie']].flat().map((line) => String(line).replace(/=[^;]*/, '=…'))
}

test('cookies are out of reach of scripts and of other sites, and under TLS of other hosts', async () => {
  expect(await flags(app)).toEqual([
    'session=…; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax',
    'csrf=…; Max-Age=43200; Path=/; SameSite=Lax',
    'device=…; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax',
  ])
  const tls = await openTestApp({ PUBLIC_URL: 'https://console.example' })
  expect(await flags(tls)).toEqual([
    '__Host-session=…; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Lax',
    'csrf=…; Max-Age=43200; Path=/; Secure; SameSite=Lax',
    '__Host-device=…; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
  ])
  await tls.close()
})

test('no unsafe call is answered to a page of another site', async () => {
  const admin = await app.login()
  const forged = { status: 403, body: { detail: '页面已过期，请刷新后重试' } }
  const unsafe = app.served.filter(({ endpoint }) => endpoint.method !== 'GET')
  expect(unsafe.length).toBeGreaterThan(30)
  for (const { endpoint } of unsafe) {
    const path = fillPath(endpoint.path, Object.fromEntries(pathParams(endpoint.path).map((name) => [name, 1])))
    const disguises: Record<string, string>[] = !asksForStaff(endpoint.grant)
      ? [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]
      : [{ 'x-csrf-token': '' }, { 'x-csrf-token': 'guess' }]
    for (const headers of disguises) expect(await admin.call(endpoint.method, path, {}, headers), `${endpoint.method} ${path} ${JSON.stringify(headers)}`).toMatchObject(forged)
  }
  expect((await admin.get(ME)).status).toBe(200)
})

test('a session ends after two hours of silence and after twelve hours whatever happens', async () => {
  for (const [column, inside, outside] of [['seen_at', '119 minutes', '121 minutes'], ['created_at', '719 minutes', '721 minutes']] as const) {
    const caller = await app.staff([])
    const age = async (interval: string) => {
      await db.query(sql`update session set ${sql.identifier(column)} = now() - ${interval}::interval where hash = ${hashToken(caller.cookie('session') ?? '')}`)
      await app.kernel.sessions.changed(caller.staffId)
    }
    await age(inside)
    expect((await caller.get(ME)).status, `${column}`).toBe(200)
    await age(outside)
    expect(await caller.get(ME), `${column}`).toMatchObject(badToken)
    expect(await db.query(sql`select 1 from session where staff_id = ${caller.staffId}`)).toEqual([])
  }
})

test('parallel calls of a session whose last use is being written down all succeed', async () => {
  const caller = await app.staff([])
  const hash = hashToken(caller.cookie('session') ?? '')
  await db.query(sql`update session set seen_at = now() - interval '10 minutes' where hash = ${hash}`)
  await app.kernel.sessions.changed(caller.staffId)
  const answers = await Promise.all(Array.from({ length: 20 }, () => caller.get(ME)))
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(await db.query(sql`select seen_at > now() - interval '1 minute' as fresh from session where hash = ${hash}`)).toEqual([{ fresh: true }])
})

test('a changed password ends the other sessions and not this one', async () => {
  const here = await app.staff([], { account: 'two_places' })
  const there = await app.login('two_places', PASSWORD)
  expect((await here.post('/daoyuan/api/end/password', { old_password: PASSWORD, new_password: 'Another-pass2' })).status).toBe(200)
  expect(await there.get(ME)).toMatchObject(badToken)
  expect((await here.get(ME)).status).toBe(200)
  expect((await app.nobody().post(LOGIN, { account: 'two_places', pwd: PASSWORD })).status).toBe(400)
})

test('none of the last three passwords may be used again', async () => {
  const caller = await app.staff([])
  const change = (old_password: string, new_password: string) => caller.post('/daoyuan/api/end/password', { old_password, new_password })
  const refused = { status: 400, body: { fields: { new_password: '不能使用最近三次用过的密码' } } }
  expect(await change(PASSWORD, PASSWORD)).toMatchObject(refused)
  expect((await change(PASSWORD, 'First-word1')).status).toBe(200)
  expect((await change('First-word1', 'Second-word2')).status).toBe(200)
  expect(await change('Second-word2', PASSWORD)).toMatchObject(refused)
  expect((await change('Second-word2', 'Third-word3')).status).toBe(200)
  expect((await change('Third-word3', PASSWORD)).status).toBe(200)
})

test('with a first password nothing can be done but replacing it', async () => {
  const caller = await app.staff(app.allGrants)
  await db.query(sql`update credential set must_change = true where staff_id = ${caller.staffId}`)
  await app.kernel.sessions.changed(caller.staffId)
  expect((await caller.get(ME)).body).toMatchObject({ must: 'password' })
  const open = ['/api/staffLogout', '/daoyuan/api/end/password', ME]
  for (const { endpoint } of app.served) {
    if (!asksForStaff(endpoint.grant) || endpoint.stream || open.includes(endpoint.path)) continue
    const path = fillPath(endpoint.path, Object.fromEntries(pathParams(endpoint.path).map((name) => [name, 1])))
    expect(await caller.call(endpoint.method, path), `${endpoint.method} ${path}`).toMatchObject({ status: 403, body: { detail: '请先修改初始密码', must: 'password' } })
  }
  expect((await caller.post('/daoyuan/api/end/password', { old_password: PASSWORD, new_password: 'My-own-word1' })).status).toBe(200)
  expect((await caller.get(STAFFS)).status).toBe(200)
})

test('forced logout, a stopped account and changed rights count from the next request', async () => {
  const admin = await app.login()
  const caller = await app.staff([staffScreen])
  expect((await caller.get(STAFFS)).status).toBe(200)

  expect((await admin.put(`${STAFFS}/${caller.staffId}/grants`, { modules: [], scopes: {} })).status).toBe(200)
  expect((await caller.get(STAFFS)).status).toBe(403)
  expect((await admin.put(`${STAFFS}/${caller.staffId}/grants`, { modules: [staffScreen], scopes: {} })).status).toBe(200)
  expect((await caller.get(STAFFS)).status).toBe(200)

  expect((await admin.post(`${STAFFS}/${caller.staffId}/force_logout`)).body).toEqual({ ended: 1 })
  expect(await caller.get(STAFFS)).toMatchObject(badToken)

  const other = await app.staff([staffScreen])
  expect((await other.get(STAFFS)).status).toBe(200)
  expect((await admin.post(`${STAFFS}/${other.staffId}/stop`, { reason: '试用期结束' })).status).toBe(200)
  expect(await other.get(STAFFS)).toMatchObject(badToken)
})

test('rights changed in one process count in another from its next request', async (context) => {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) return context.skip('the embedded database belongs to one process')
  const [{ name } = { name: '' }] = await db.query<{ name: string }>(sql`select current_database() as name`)
  const otherDb = await openPostgres(withDatabase(url, name))
  const other = await assemble(app.config, otherDb, { groups: [] })
  try {
    const admin = await app.login()
    const here = await app.staff([staffScreen])
    const there = new Caller(other)
    for (const cookie of ['session', 'csrf']) there.setCookie(cookie, here.cookie(cookie) ?? '')
    expect((await there.get(STAFFS)).status).toBe(200)
    await admin.put(`${STAFFS}/${here.staffId}/grants`, { modules: [], scopes: {} })
    await heard(otherDb)
    expect((await there.get(STAFFS)).status).toBe(403)
    await admin.post(`${STAFFS}/${here.staffId}/force_logout`)
    await heard(otherDb)
    expect(await there.get(STAFFS)).toMatchObject(badToken)
  } finally {
    await other.http.close()
    await otherDb.close()
  }
})

test('a session that was read before rights changed is not remembered after', async () => {
  const caller = await app.staff([staffScreen])
  const token = caller.cookie('session') ?? ''
  const [read, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The same database, whose answers travel slowly.
  const slow: Database = {
    ...db,
    async query<Row extends object>(statement: Parameters<Database['query']>[0]) {
      const rows = await db.query<Row>(statement)
      read.resolve()
      await go.promise
      return rows
    },
  }
  const sessions = new Sessions(slow, [], app.config)
  await sessions.start()
  const reading = sessions.find(token)
  await read.promise
  await db.query(sql`delete from staff_module where staff_id = ${caller.staffId}`)
  await sessions.changed(caller.staffId)
  go.resolve()
  expect((await reading)?.staff.modules.size).toBe(1)
  expect((await sessions.find(token))?.staff.modules.size).toBe(0)
})

test('what changed while no message arrived counts as soon as messages arrive again', async (context) => {
  if (db.kind === 'embedded') return context.skip('nothing can come between the embedded database and its process')
  const caller = await app.staff([staffScreen])
  expect((await caller.get(STAFFS)).status).toBe(200)
  await db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`)
  await vi.waitFor(() => expect(db.isLive()).toBe(false), { timeout: 30_000 })
  await db.query(sql`delete from staff_module where staff_id = ${caller.staffId}`)
  await vi.waitFor(() => expect(db.isLive()).toBe(true), { timeout: 30_000 })
  expect((await caller.get(STAFFS)).status).toBe(403)
})

test('a login is in the login log, not among the changes of the person', async () => {
  const caller = await app.staff([])
  const [person] = await db.query<{ last_login_at: number | null }>(sql`select last_login_at from staff where id = ${caller.staffId}`)
  expect(person?.last_login_at).toBeGreaterThan(0)
  expect(await db.query(sql`select action from audit_log where entity = 'staff' and entity_id = ${caller.staffId}`)).toEqual([{ action: 'create' }])
})

test('somebody sees their own sessions and may end any but this one', async () => {
  const here = await app.staff([], { account: 'many_places' })
  const there = await app.login('many_places', PASSWORD)
  const { items } = (await here.get<{ items: { id: string; current: boolean }[] }>('/daoyuan/api/end/sessions')).body
  expect(items.map((item) => item.current).sort()).toEqual([false, true])
  expect(JSON.stringify(items)).not.toContain(hashToken(here.cookie('session') ?? ''))
  const [mine, others] = [items.find((item) => item.current), items.find((item) => !item.current)]
  expect((await here.delete(`/daoyuan/api/end/sessions/${mine?.id}`)).status).toBe(400)
  expect((await here.delete(`/daoyuan/api/end/sessions/${others?.id}`)).status).toBe(200)
  expect(await there.get(ME)).toMatchObject(badToken)
})

/** Headers that say how a browser has to treat an answer. */
function security(headers: Record<string, unknown>): Record<string, unknown> {
  const passing = new Set(['date', 'connection', 'content-length', 'x-request-id'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)).sort(([a], [b]) => a.localeCompare(b)))
}

test('security headers of an API answer', async () => {
  const answer = await app.nobody().get('/daoyuan/api/end/login_options')
  expect(security(answer.headers)).toMatchInlineSnapshot(`
    {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'self';base-uri 'none';font-src 'self' data:;form-action 'self';frame-ancestors 'none';img-src 'self' data: blob:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' 'unsafe-inline';media-src 'self' blob:;worker-src 'self' blob:;connect-src 'self'",
      "content-type": "application/json; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "origin-agent-cluster": "?1",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-dns-prefetch-control": "off",
      "x-download-options": "noopen",
      "x-frame-options": "DENY",
      "x-permitted-cross-domain-policies": "none",
      "x-xss-protection": "0",
    }
  `)
})

test('security headers of a console page under TLS', async () => {
  const config = { ...app.config, publicUrl: new URL('https://console.example'), legacyUrl: undefined }
  const http = await buildServer({ fingerprintKey: app.kernel.secrets.key('idempotency'), config, db, sessions: app.kernel.sessions, served: [], grantTitle: String })
  await serveConsole(http, config)
  const answer = await http.inject({ url: '/' })
  expect(answer.statusCode).toBe(200)
  expect(security(answer.headers)).toMatchInlineSnapshot(`
    {
      "content-security-policy": "default-src 'self';base-uri 'none';font-src 'self' data:;form-action 'self';frame-ancestors 'none';img-src 'self' data: blob:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' 'unsafe-inline';upgrade-insecure-requests;media-src 'self' blob:;worker-src 'self' blob:;connect-src 'self'",
      "content-type": "text/html",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "origin-agent-cluster": "?1",
      "referrer-policy": "same-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "x-dns-prefetch-control": "off",
      "x-download-options": "noopen",
      "x-frame-options": "DENY",
      "x-permitted-cross-domain-policies": "none",
      "x-xss-protection": "0",
    }
  `)
  await http.close()
})
