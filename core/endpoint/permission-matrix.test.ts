import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asksForStaff, screenOf } from '../grant/grant.ts'
import { notTeacher } from '../error/error.ts'
import { sessionCookie } from '../http/server.server.ts'
import { Caller, makeAppKey, openTestApp } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { registeredRoutes } from '../testing/routes.server.ts'
import { NO_ID } from '../testing/wrong.ts'
import { fillPath, pathParams, type Endpoint } from './define.ts'

const app = await openTestApp()
const person = await app.staff([])
let keys = 0
const site = await app.http.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

const calls = app.served.map(({ endpoint }) => endpoint)
const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`
const table = calls.map((endpoint) => [nameOf(endpoint), endpoint] as const)
/** A path whose records do not exist: a call that may be made then changes nothing. */
const pathOf = (endpoint: Endpoint) => fillPath(endpoint.path, Object.fromEntries(pathParams(endpoint.path).map((name) => [name, NO_ID])))

/** Calls that anyone may make: a new one is a decision, so it has to be written down here. */
const PUBLIC = [/^\/daoyuan\/api\/end_access_token(\/|$)/, /^\/daoyuan\/api\/end\/(captcha|login_options)$/, /^\/daoyuan\/api\/end\/oidc(\/|$)/, /^\/(healthz|metrics)$/, /^\/daoyuan\/api\/public\/pages\/\{token\}$/, /^\/[qQ]\/\{code\}(\/video)?$/]
/** Protocols that bring their own routes; each asks for a session by itself. */
const PROTOCOLS = [/^\/daoyuan\/api\/end\/uploads(\/|$)/]

/** Makes a call in a fresh session of the person who holds exactly these ids. */
async function callWith(ids: readonly number[], endpoint: Endpoint, headers: Record<string, string> = {}) {
  await app.grant(person.staffId, ids)
  const caller = await app.enter(new Caller(app, person.staffId))
  if (!endpoint.stream) return caller.call(endpoint.method, pathOf(endpoint), {}, headers)
  // A stream never ends: only its beginning is of interest.
  const stop = new AbortController()
  const cookie = `${sessionCookie(app.config)}=${caller.cookie(sessionCookie(app.config))}`
  const answer = await fetch(new URL(pathOf(endpoint), site), { method: endpoint.method, headers: { cookie, ...headers }, signal: stop.signal })
  const body = answer.ok ? {} : ((await answer.json()) as Record<string, unknown>)
  stop.abort()
  return { status: answer.status, body, headers: {} }
}

beforeAll(() => {
  expect(calls.length).toBeGreaterThan(100)
  expect(new Set(table.map(([name]) => name)).size, 'two calls of one name').toBe(calls.length)
})

test('the server answers nothing but declared calls and known protocols', async () => {
  const routes = registeredRoutes(app.http)
  const declared = new Set(calls.map(nameOf))
  expect(routes.filter((route) => declared.has(route)).sort()).toEqual([...declared].sort())
  const others = routes.filter((route) => !declared.has(route))
  expect(others.filter((route) => !PROTOCOLS.some((known) => known.test(route.split(' ')[1] ?? '')))).toEqual([])
  for (const route of others) {
    const [method = '', path = ''] = route.split(' ')
    const answer = await app.http.inject({ method: method as 'POST', url: path.replace(/\{\w+\}/g, '1') })
    expect(answer.statusCode, route).toBe(401)
  }
})

test('every call declares who may make it, with ids that can be granted or whose screen is still to come', () => {
  const screens = new Set(app.screens.map((screen) => screen.id))
  const shown = new Set(app.kernel.grantTree.flatMap((group) => group.screens.map((screen) => screen.id)))
  for (const [name, { grant, path, summary }] of table) {
    expect(summary, name).not.toBe('')
    if (grant === 'public') expect(PUBLIC.some((known) => known.test(path)), `${name} is open to anyone`).toBe(true)
    if (typeof grant === 'string') continue
    expect(grant.length, name).toBeGreaterThan(0)
    for (const id of grant) {
      expect(screens, `${name} asks for ${id}`).toContain(screenOf(id))
      if (shown.has(screenOf(id))) expect(app.allGrants, `${name} asks for ${id}, which nobody can be granted`).toContain(id)
    }
  }
})

test.each(table.filter(([, { grant }]) => grant !== 'public'))('%s is closed to whoever is not logged in', async (_name, endpoint) => {
  const answer = await app.nobody().call(endpoint.method, pathOf(endpoint))
  expect(answer).toMatchObject({ status: 401, body: { detail: '错误的token' } })
})

test.each(table.filter(([, { grant }]) => grant === 'device'))('%s is closed to people, logged in or not', async (_name, endpoint) => {
  const answer = await callWith(app.servedGrants, endpoint)
  expect(answer).toMatchObject({ status: 401, body: { detail: '错误的token' } })
})

test.each(table.filter(([, { grant }]) => Array.isArray(grant)))('%s is closed to whoever lacks its id', async (_name, endpoint) => {
  const others = app.servedGrants.filter((id) => !(endpoint.grant as readonly number[]).includes(id))
  const answer = await callWith(others, endpoint)
  expectRefusal(answer, 403)
  expect(answer.body['detail']).toMatch(/^没有「.+」权限，请联系管理员开通$/)
  expect(answer.body['detail'], 'the sentence says the title, not the number').not.toMatch(/「\d+」/)
})

describe.each(table.filter(([, { app: scope }]) => scope))('%s, a call of learners\' apps,', (_name, endpoint) => {
  const scope = endpoint.app?.name ?? ''
  const send = (key: string, headers: Record<string, string> = { 'idempotency-key': `matrix-${++keys}` }) => app.nobody().call(endpoint.method, pathOf(endpoint), {}, { authorization: `Bearer ${key}`, ...headers })

  test('is open to a key that was given it, and to no other', async () => {
    expect(endpoint.grant).toBe('device')
    const opened = await send(await makeAppKey(app, [scope]))
    expect([401, 429], JSON.stringify(opened.body)).not.toContain(opened.status)
    expect(String(opened.body['detail'] ?? '')).not.toMatch(/^该应用没有/)
    expect(await send(await makeAppKey(app, ['another']))).toMatchObject({ status: 403, body: { detail: `该应用没有「${endpoint.app?.label}」权限，请联系管理员开通` } })
    expect(await send(`dk_${'A'.repeat(43)}`)).toMatchObject({ status: 401, body: { detail: '错误的token' } })
  })

  test.runIf(endpoint.method !== 'GET')('writes under a key of the request alone', async () => {
    expect(await send(await makeAppKey(app, [scope]), {})).toMatchObject({ status: 400, body: { detail: '写入请求须带 Idempotency-Key，重试时使用同一个值' } })
  })
})

test.each(table.filter(([, { grant }]) => grant !== 'device'))('%s is open to whoever holds one of its ids', async (_name, endpoint) => {
  const keys = Array.isArray(endpoint.grant) ? (endpoint.grant as readonly number[]).map((id) => [id]) : [[]]
  for (const ids of keys) {
    const answer = endpoint.grant === 'public' ? await app.nobody().call(endpoint.method, pathOf(endpoint)) : await callWith(ids, endpoint)
    // The specification refuses those who teach nobody by the same status (spec 8): the grant let them through.
    if (answer.body['detail'] !== notTeacher().message) expect([401, 403], `${ids} ${JSON.stringify(answer.body)}`).not.toContain(answer.status)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    if (answer.status === 200) expectSuccess(answer)
    else expectRefusal(answer, answer.status)
  }
})

test.each(table.filter(([, { method }]) => method !== 'GET'))('%s is closed to pages of other sites', async (_name, endpoint) => {
  const ids = Array.isArray(endpoint.grant) ? (endpoint.grant as readonly number[]) : []
  const forged: Record<string, string>[] = !asksForStaff(endpoint.grant) ? [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }] : [{ 'x-csrf-token': '' }, { 'x-csrf-token': 'guess' }]
  for (const headers of forged) {
    const answer = !asksForStaff(endpoint.grant) ? await app.nobody().call(endpoint.method, pathOf(endpoint), {}, headers) : await callWith(ids, endpoint, headers)
    expect(answer).toMatchObject({ status: 403, body: { detail: '页面已过期，请刷新后重试' } })
  }
})

test('a right that is taken away is gone with the next call', async () => {
  const endpoint = calls.find(({ method, grant }) => method === 'GET' && Array.isArray(grant))
  if (!endpoint || typeof endpoint.grant === 'string') throw new Error('no call asks for an id')
  const caller = await app.enter(new Caller(app, person.staffId))
  await app.grant(person.staffId, endpoint.grant)
  expect((await caller.get(pathOf(endpoint))).status).not.toBe(403)
  await app.grant(person.staffId, [])
  expect((await caller.get(pathOf(endpoint))).status).toBe(403)
})
