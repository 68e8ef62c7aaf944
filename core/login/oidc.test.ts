import { createServer, type Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { generate } from 'otplib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../database/database.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'

const START = '/daoyuan/api/end/oidc/start'
const FINISH = '/daoyuan/api/end/oidc/finish'
const ME = '/daoyuan/api/end/staff'
const SITE = 'http://console.test'
const timedOut = { status: 400, body: { detail: '登录已超时，请重新登录' } }
const failed = { status: 400, body: { detail: '统一登录失败，请重试或使用账号密码登录' } }

let app: TestApp
let db: Database
let server: Server
let issuer: string

/** A real identity provider on a port of its own; a person who logs in there has the account that they type. */
beforeAll(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  server.on('request', new Provider(issuer, {
    clients: [{ client_id: 'console', client_secret: 'a-secret-of-the-console', redirect_uris: [`${SITE}/new/auth-redirect`] }],
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email'] },
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...(id !== 'nameless' && { preferred_username: id }) }) }),
    cookies: { keys: ['cookies of the test'] },
    pkce: { required: () => true },
  }).callback())
  app = await openTestApp({
    PUBLIC_URL: SITE, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'a-secret-of-the-console', OIDC_NAME: '企业账号',
  })
  db = app.kernel.db
})
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  await db.query(sql`delete from login_log`)
  await db.query(sql`delete from login_failure`)
})

/** Begins at our side: where the browser is sent. */
async function start(caller: Caller, redirect?: string): Promise<URL> {
  const answer = await caller.get(START, redirect === undefined ? {} : { redirect })
  expect(answer.status).toBe(302)
  return new URL(String(answer.headers['location']))
}

/** A browser at the provider: logs in there as `account`, or turns back, until it is sent to the console again. */
async function atProvider(from: URL, account: string | undefined): Promise<Record<string, string>> {
  const cookies = new Map<string, string>()
  const go = async (url: URL, body?: URLSearchParams): Promise<URL> => {
    if (url.origin === SITE) return url
    const answer = await fetch(url, {
      redirect: 'manual', headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }, ...(body && { method: 'POST', body }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location) return go(new URL(location, url))
    const page = await answer.text()
    if (account === undefined) return go(new URL(/href="([^"]+\/abort)"/.exec(page)?.[1] ?? '', url))
    const action = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', url)
    return go(action, new URLSearchParams(page.includes('value="login"') ? { prompt: 'login', login: account, password: 'any' } : { prompt: 'consent' }))
  }
  const back = await go(from)
  expect(back.pathname).toBe('/new/auth-redirect')
  return Object.fromEntries(back.searchParams)
}

async function enter(account: string, redirect?: string) {
  const caller = app.nobody()
  const answer = await caller.post(FINISH, await atProvider(await start(caller, redirect), account))
  return { caller, answer }
}

test('whoever the provider vouches for is logged in and goes where they wanted', async () => {
  const person = await app.staff([], { account: 'linked' })
  const target = await start(app.nobody())
  expect(target.origin).toBe(issuer)
  expect(Object.fromEntries(target.searchParams)).toMatchObject({
    response_type: 'code', code_challenge_method: 'S256', redirect_uri: `${SITE}/new/auth-redirect`, state: expect.any(String), nonce: expect.any(String),
  })
  const { caller, answer } = await enter('Linked', '/course/list?page=2')
  expect(answer).toMatchObject({ status: 200, body: { staff: { id: person.staffId, account: 'linked' }, redirect: '/course/list?page=2' } })
  expect((await caller.get(ME)).body).toMatchObject({ account: 'linked' })
  expect(await db.query(sql`select method, result from login_log order by id desc limit 1`)).toEqual([{ method: 'oidc', result: 'ok' }])
  expect((await app.nobody().get('/daoyuan/api/end/login_options')).body).toMatchObject({ oidc: { name: '企业账号' } })
})

test('somebody who does not work here is told so', async () => {
  expect((await enter('stranger')).answer).toMatchObject({ status: 403, body: { detail: '没有账号为「stranger」的员工，请联系管理员开通' } })
  const person = await app.staff([], { account: 'left_us' })
  await db.query(sql`update staff set status = 2 where id = ${person.staffId}`)
  const { caller, answer } = await enter('left_us')
  expect(answer).toMatchObject({ status: 403, body: { detail: '员工账号「left_us」已停用，请联系管理员' } })
  expect(caller.cookie('session')).toBeUndefined()
  expect((await enter('nameless')).answer).toMatchObject({ status: 403, body: { detail: '统一登录没有提供您的账号，请联系管理员' } })
})

test('an answer of the provider works once, in the browser that asked for it, and as it was given', async () => {
  await app.staff([], { account: 'bound' })
  const caller = app.nobody()
  const answer = await atProvider(await start(caller), 'bound')
  const elsewhere = app.nobody()
  expect(await elsewhere.post(FINISH, answer), 'a browser that began nothing').toMatchObject(timedOut)
  const [mine, theirs] = [app.nobody(), app.nobody()]
  const stolen = await atProvider(await start(theirs), 'bound')
  await start(mine)
  expect(await mine.post(FINISH, stolen)).toMatchObject(timedOut)
  const sealed = caller.cookie('oidc') ?? ''
  expect((await caller.post(FINISH, answer)).status).toBe(200)
  expect(await caller.post(FINISH, answer), 'its cookie is gone').toMatchObject(timedOut)
  caller.setCookie('oidc', sealed)
  expect(await caller.post(FINISH, answer), 'the provider takes a code once').toMatchObject(failed)

  const again = app.nobody()
  const good = await atProvider(await start(again), 'bound')
  const other = app.nobody()
  const begun = await start(other)
  // Another's code under one's own state: the verifier and the nonce do not fit.
  expect(await other.post(FINISH, { ...good, state: begun.searchParams.get('state') ?? '' })).toMatchObject(failed)
  expect(await app.nobody().post(FINISH, { code: 'made-up', state: 'made-up' })).toMatchObject(timedOut)
  expect(await app.nobody().post(FINISH, {})).toMatchObject(timedOut)

  const late = app.nobody()
  const slow = await atProvider(await start(late), 'bound')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
  try {
    expect(await late.post(FINISH, slow)).toMatchObject(timedOut)
  } finally {
    vi.useRealTimers()
  }
  expect(await db.query(sql`select 1 from login_step`), 'whoever only begins leaves nothing behind').toEqual([])
})

test('an answer in the name of another provider is refused', async () => {
  await app.staff([], { account: 'mixed_up' })
  const caller = app.nobody()
  const answer = await atProvider(await start(caller), 'mixed_up')
  expect(answer['iss']).toBe(issuer)
  expect(await caller.post(FINISH, { ...answer, iss: 'https://evil.example' })).toMatchObject(failed)
})

test('turning back at the provider says so', async () => {
  const caller = app.nobody()
  const answer = await atProvider(await start(caller), undefined)
  expect(await caller.post(FINISH, answer)).toMatchObject({ status: 400, body: { detail: '您取消了统一登录' } })
})

test('only addresses inside the console are gone to afterwards', async () => {
  await app.staff([], { account: 'redirected' })
  for (const redirect of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/login']) {
    expect((await enter('redirected', redirect)).answer.body, `${redirect}`).toMatchObject({ redirect: '/' })
  }
})

test('a second factor is asked for here as well', async () => {
  const person = await app.staff([], { account: 'doubly' })
  const { secret } = (await person.post<{ secret: string }>('/daoyuan/api/end/totp')).body
  await person.post('/daoyuan/api/end/totp/confirm', { code: await generate({ secret }) })
  await db.query(sql`update credential set totp_step = 0 where staff_id = ${person.staffId}`)
  const { caller, answer } = await enter('doubly', '/teacher/class')
  expect(answer.body).toEqual({ step: 'totp', ticket: expect.any(String), redirect: '/teacher/class' })
  expect(caller.cookie('session')).toBeUndefined()
  const done = await caller.post('/daoyuan/api/end_access_token/totp', { ticket: answer.body['ticket'], code: await generate({ secret }) })
  expect(done).toMatchObject({ status: 200, body: { staff: { account: 'doubly' } } })
})

test('a provider that cannot be reached brings a sentence, and is asked again the next time', async () => {
  const lone = await openTestApp({ PUBLIC_URL: SITE, OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'console' })
  const caller = lone.nobody()
  const target = await start(caller)
  expect(target.href).toBe(`${SITE}/new/auth-redirect?error=temporarily_unavailable`)
  expect(await caller.post(FINISH, Object.fromEntries(target.searchParams))).toMatchObject({
    status: 400, body: { detail: '统一登录服务暂时无法访问，请稍后再试或使用账号密码登录' },
  })
  await lone.close()
})

test('without a provider there are no such calls', async () => {
  const plain = await openTestApp()
  expect((await plain.nobody().get(START)).status).toBe(404)
  await plain.close()
})
