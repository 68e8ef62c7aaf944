import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../database/database.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { allowsPasskeys } from './site.server.ts'

const OPTIONS = '/daoyuan/api/end_access_token/passkey_options'
const LOGIN = '/daoyuan/api/end_access_token/passkey'
const PASSKEYS = '/daoyuan/api/end/passkeys'
const ME = '/daoyuan/api/end/staff'
const refused = { status: 400, body: { detail: '通行密钥验证失败，请重试或使用其他方式登录' } }
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

let app: TestApp
let db: Database
beforeAll(async () => {
  app = await openTestApp()
  db = app.kernel.db
})
afterAll(() => app.close())
beforeEach(async () => {
  await db.query(sql`delete from login_log`)
})

/** What a phone or a security key does (WebAuthn level 2, section 6), with one key of its own. */
class Authenticator {
  readonly id = randomBytes(32)
  counter = 0
  origin = 'http://localhost'
  site = 'localhost'
  /** Present and, by finger or PIN, known. */
  flags = 0x05
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  private data(flags: number, more: Uint8Array = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(this.site), Buffer.from([flags]), counter, more])
  }

  register({ challenge }: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    // COSE: an elliptic key (1: 2) for ES256 (3: -7) on P-256 (-1: 1) with its two coordinates.
    const cose = isoCBOR.encode(new Map<number, number | Uint8Array>([[1, 2], [3, -7], [-1, 1], [-2, Buffer.from(x, 'base64url')], [-3, Buffer.from(y, 'base64url')]]))
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cose])
    const object = isoCBOR.encode(new Map<string, Parameters<typeof isoCBOR.encode>[0]>([['fmt', 'none'], ['attStmt', new Map()], ['authData', new Uint8Array(this.data(this.flags | 0x40, attested))]]))
    return {
      id: this.id.toString('base64url'), rawId: this.id.toString('base64url'), type: 'public-key', clientExtensionResults: {},
      response: {
        clientDataJSON: this.clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(object).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  sign({ challenge }: PublicKeyCredentialRequestOptionsJSON): AuthenticationResponseJSON {
    this.counter++
    const [data, client] = [this.data(this.flags), this.clientData('webauthn.get', challenge)]
    return {
      id: this.id.toString('base64url'), rawId: this.id.toString('base64url'), type: 'public-key', clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), this.keys.privateKey).toString('base64url'),
      },
    }
  }
}

async function add(caller: Caller, authenticator: Authenticator, name = '手机') {
  const options = (await caller.post<PublicKeyCredentialCreationOptionsJSON>(`${PASSKEYS}/options`)).body
  return caller.post<{ id: string }>(PASSKEYS, { name, response: authenticator.register(options) })
}

async function loginChallenge(caller: Caller): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return (await caller.post<PublicKeyCredentialRequestOptionsJSON>(OPTIONS)).body
}

async function enter(authenticator: Authenticator) {
  const caller = app.nobody()
  return { caller, answer: await caller.post(LOGIN, { response: authenticator.sign(await loginChallenge(caller)) }) }
}

test('a passkey is added and logs in without an account name', async () => {
  const owner = await app.staff([], { account: 'keyholder' })
  const authenticator = new Authenticator()
  const asked = (await owner.post<PublicKeyCredentialCreationOptionsJSON>(`${PASSKEYS}/options`)).body
  expect(asked).toMatchObject({
    rp: { id: 'localhost' }, user: { name: 'keyholder' }, authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const added = await add(owner, authenticator)
  expect(added).toMatchObject({ status: 200, body: { name: '手机', used_at: null } })

  const login = await loginChallenge(app.nobody())
  expect(login.allowCredentials ?? []).toEqual([])
  const { caller, answer } = await enter(authenticator)
  expect(answer).toMatchObject({ status: 200, body: { staff: { account: 'keyholder' } } })
  expect((await caller.get(ME)).status).toBe(200)
  const [key] = (await caller.get<{ items: { id: string; used_at: number | null }[] }>(PASSKEYS)).body.items
  expect(key).toMatchObject({ id: added.body.id, used_at: expect.any(Number) })
  expect(await db.query(sql`select method, result from login_log order by id desc limit 1`)).toEqual([{ method: 'passkey', result: 'ok' }])
})

test('an answer works once, and only for a challenge of ours', async () => {
  const authenticator = new Authenticator()
  await add(await app.staff([]), authenticator)
  const caller = app.nobody()
  const response = authenticator.sign(await loginChallenge(caller))
  expect((await caller.post(LOGIN, { response })).status).toBe(200)
  expect(await app.nobody().post(LOGIN, { response })).toMatchObject(refused)
  const uncounted = new Authenticator()
  Object.defineProperty(uncounted, 'counter', { get: () => 0, set: () => {} })
  await add(await app.staff([]), uncounted)
  const once = uncounted.sign(await loginChallenge(caller))
  const answers = await Promise.all([caller, app.nobody()].map((who) => who.post(LOGIN, { response: once })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const foreign = authenticator.sign({ challenge: randomBytes(32).toString('base64url') } as PublicKeyCredentialRequestOptionsJSON)
  expect((await app.nobody().post(LOGIN, { response: foreign })).status).toBe(400)
  const [early, late, changed] = [await loginChallenge(caller), await loginChallenge(caller), await loginChallenge(caller)]
  // Nobody makes a challenge last longer.
  const bytes = Buffer.from(changed.challenge, 'base64url')
  bytes.writeUInt32BE(bytes.readUInt32BE(16) + 3600, 16)
  const longer = { ...changed, challenge: bytes.toString('base64url') }
  expect((await caller.post(LOGIN, { response: authenticator.sign(longer) })).status).toBe(400)
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    vi.setSystemTime(Date.now() + 4 * 60_000)
    expect((await caller.post(LOGIN, { response: authenticator.sign(early) })).status).toBe(200)
    vi.setSystemTime(Date.now() + 2 * 60_000)
    expect(await caller.post(LOGIN, { response: authenticator.sign(late) })).toMatchObject({ status: 400, body: { detail: '登录已超时，请重试' } })
  } finally {
    vi.useRealTimers()
  }
})

test('whoever only asks to log in by a passkey leaves nothing behind', async () => {
  const count = () => db.query(sql`select count(*) as n from login_step`)
  const before = await count()
  for (let i = 0; i < 20; i++) await loginChallenge(app.nobody())
  expect(await count()).toEqual(before)
})

test('a passkey proves again who is there: one of their own, for a challenge of this person, once', async () => {
  const [owner, other] = [await app.staff([]), await app.staff([])]
  const [mine, theirs] = [new Authenticator(), new Authenticator()]
  const OPTIONS = '/daoyuan/api/end/verify/passkey_options'
  const PROVE = '/daoyuan/api/end/verify/passkey'
  expect(await owner.post(OPTIONS)).toMatchObject({ status: 400, body: { detail: '您还没有添加通行密钥' } })
  await add(owner, mine)
  await add(other, theirs)
  await db.query(sql`update session set verified_at = now() - interval '6 minutes'`)
  await app.kernel.sessions.changed()
  const ask = async (who: Caller) => (await who.post<PublicKeyCredentialRequestOptionsJSON>(OPTIONS)).body
  const verifyFirst = { status: 403, body: { verify: true } }
  expect((await owner.post(PROVE, { response: theirs.sign(await ask(owner)) })).status).toBe(400)
  expect((await owner.post(PROVE, { response: mine.sign(await ask(other)) })).status, 'a challenge of somebody else').toBe(400)
  expect((await owner.post(PROVE, { response: mine.sign(await loginChallenge(owner)) })).status, 'a challenge of a login').toBe(400)
  expect(await owner.post(`${PASSKEYS}/options`)).toMatchObject(verifyFirst)
  const response = mine.sign(await ask(owner))
  expect((await owner.post(PROVE, { response })).status).toBe(200)
  expect((await owner.post(`${PASSKEYS}/options`)).status).toBe(200)
  expect((await owner.post(PROVE, { response })).status).toBe(400)
  expect(await other.post(`${PASSKEYS}/options`), 'theirs alone').toMatchObject(verifyFirst)
})

test('a copy betrays itself by its counter', async () => {
  const authenticator = new Authenticator()
  await add(await app.staff([]), authenticator)
  for (let i = 0; i < 3; i++) expect((await enter(authenticator)).answer.status).toBe(200)
  authenticator.counter = 1
  expect((await enter(authenticator)).answer).toMatchObject(refused)
  expect(await db.query(sql`select result from login_log order by id desc limit 1`)).toEqual([{ result: 'wrong' }])
  // Original and copy at the same time, with the same count.
  const answers = await Promise.all([app.nobody(), app.nobody()].map(async (caller) => {
    const asked = await loginChallenge(caller)
    authenticator.counter = 10
    return caller.post(LOGIN, { response: authenticator.sign(asked) })
  }))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
})

test('another key, another site, another origin and an unknown hand are refused', async () => {
  const authenticator = new Authenticator()
  await add(await app.staff([]), authenticator)
  const twin = new Authenticator()
  Object.assign(twin, { id: authenticator.id, counter: 10 })
  expect((await enter(twin)).answer).toMatchObject(refused)
  expect((await enter(new Authenticator())).answer).toMatchObject(refused)
  for (const change of [{ site: 'evil.example' }, { origin: 'https://evil.example' }, { flags: 0x01 }, { flags: 0x00 }]) {
    const before = { site: authenticator.site, origin: authenticator.origin, flags: authenticator.flags }
    Object.assign(authenticator, change)
    expect((await enter(authenticator)).answer, `${JSON.stringify(change)}`).toMatchObject(refused)
    Object.assign(authenticator, before)
  }
  expect((await enter(authenticator)).answer.status).toBe(200)
})

test('nothing that is not an answer of a browser does harm', async () => {
  const caller = app.nobody()
  for (const response of ['text', null, {}, { id: 'x', response: {} }, { id: 'x', response: { clientDataJSON: 'bm9wZQ' } }]) {
    expect((await caller.post(LOGIN, { response })).status, `${JSON.stringify(response)}`).toBe(400)
  }
  const owner = await app.staff([])
  const { challenge } = (await owner.post<PublicKeyCredentialCreationOptionsJSON>(`${PASSKEYS}/options`)).body
  const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url')
  expect(await owner.post(PASSKEYS, { name: '手机', response: { id: 'x', response: { clientDataJSON } } })).toMatchObject(refused)
})

test('adding and deleting want a fresh proof, renaming does not, and each knows only its own', async () => {
  const owner = await app.staff([], { account: 'tidy' })
  const authenticator = new Authenticator()
  const { id } = (await add(owner, authenticator)).body
  const stranger = await app.staff([])
  expect((await stranger.delete(`${PASSKEYS}/${id}`)).status).toBe(404)
  expect((await stranger.put(`${PASSKEYS}/${id}`, { name: '我的' })).status).toBe(404)
  const theirs = (await stranger.post<PublicKeyCredentialCreationOptionsJSON>(`${PASSKEYS}/options`)).body
  expect((await owner.post(PASSKEYS, { name: '手机', response: new Authenticator().register(theirs) })).status).toBe(400)

  await db.query(sql`update session set verified_at = now() - interval '6 minutes'`)
  await app.kernel.sessions.changed()
  const verifyFirst = { status: 403, body: { detail: '请先确认身份再继续', verify: true } }
  expect(await owner.post(`${PASSKEYS}/options`)).toMatchObject(verifyFirst)
  expect(await owner.delete(`${PASSKEYS}/${id}`)).toMatchObject(verifyFirst)
  expect((await owner.put(`${PASSKEYS}/${id}`, { name: '办公室电脑' })).status).toBe(200)
  expect((await owner.get(PASSKEYS)).body).toMatchObject({ items: [{ id, name: '办公室电脑' }], total: 1 })
  expect((await owner.post('/daoyuan/api/end/verify', { pwd: 'Staff-pass1' })).status).toBe(200)

  const elsewhere = (await enter(authenticator)).caller
  expect((await owner.delete(`${PASSKEYS}/${id}`)).status).toBe(200)
  expect((await elsewhere.get(ME)).status).toBe(401)
  expect((await enter(authenticator)).answer).toMatchObject(refused)
})

test('one passkey belongs to one person, and a stopped person cannot use theirs', async () => {
  const owner = await app.staff([])
  const authenticator = new Authenticator()
  await add(owner, authenticator)
  expect(await add(await app.staff([]), authenticator)).toMatchObject({ status: 400, body: { detail: '这个通行密钥已经添加过' } })
  await db.query(sql`update staff set status = 0 where id = ${owner.staffId}`)
  expect((await enter(authenticator)).answer).toMatchObject(refused)
  expect(await db.query(sql`select result from login_log order by id desc limit 1`)).toEqual([{ result: 'disabled' }])
})

test('passkeys are offered where browsers allow them', async () => {
  const offered = ['https://console.example', 'http://localhost:5800', 'https://localhost', 'http://console.example', 'http://127.0.0.1:5800', 'https://192.168.1.2', 'https://[::1]:5800']
    .filter((address) => allowsPasskeys(new URL(address)))
  expect(offered).toEqual(['https://console.example', 'http://localhost:5800', 'https://localhost'])
  expect((await app.nobody().get('/daoyuan/api/end/login_options')).body).toEqual({
    password: true, passkey: true, oidc: null, password_policy: { minLength: 8, classes: 2 },
  })
})
