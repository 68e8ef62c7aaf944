import { generate } from 'otplib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../database/database.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { hashToken } from '../session/session.server.ts'

const LOGIN = '/daoyuan/api/end_access_token'
const TOTP = '/daoyuan/api/end/totp'
const VERIFY = '/daoyuan/api/end/verify'
const ME = '/daoyuan/api/end/staff'
const STAFFS = '/daoyuan/api/end/staffs'
const PASSWORD = 'Staff-pass1'
const verifyFirst = { status: 403, body: { detail: '请先确认身份再继续', verify: true } }
const wrongCode = { status: 400, body: { fields: { code: '验证码不正确或已使用过' } } }

let app: TestApp
let db: Database
beforeAll(async () => {
  // Codes depend on the time: it stands still, so that none grows old between making and using it.
  vi.useFakeTimers({ toFake: ['Date'] })
  app = await openTestApp()
  db = app.kernel.db
})
afterAll(async () => {
  vi.useRealTimers()
  await app.close()
})
beforeEach(async () => {
  await db.query(sql`delete from login_log`)
  await db.query(sql`delete from login_failure`)
})

/** The code of now, or of so many steps away. */
const codeOf = (secret: string, steps = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })

/** Codes that were used may be used again. */
const forgetSteps = () => db.query(sql`update credential set totp_step = 0`)

/** Makes it long ago that somebody proved who they are. */
async function growOld(caller: Caller): Promise<void> {
  await db.query(sql`update session set verified_at = now() - interval '1 hour' where hash = ${hashToken(caller.cookie('session') ?? '')}`)
  await app.kernel.sessions.changed()
}

interface Person {
  caller: Caller
  account: string
  secret: string
  recovery: string[]
}

/** Somebody with a second factor whose codes have not been used. */
async function person(account: string): Promise<Person> {
  const caller = await app.staff([], { account })
  const { secret } = (await caller.post<{ secret: string }>(TOTP)).body
  const { recovery_codes } = (await caller.post<{ recovery_codes: string[] }>(`${TOTP}/confirm`, { code: await codeOf(secret) })).body
  await forgetSteps()
  return { caller, account, secret, recovery: recovery_codes }
}

/** The first step of a login. */
async function ticketOf({ account }: Person): Promise<{ caller: Caller; ticket: string }> {
  const caller = app.nobody()
  const answer = await caller.post<{ step: string; ticket: string }>(LOGIN, { account, pwd: PASSWORD })
  expect(answer.body).toEqual({ step: 'totp', ticket: expect.any(String) })
  return { caller, ticket: answer.body.ticket }
}

test('setting up shows the secret, and counts after a first right code', async () => {
  const caller = await app.staff([], { account: 'careful' })
  const begun = await caller.post<{ secret: string; uri: string }>(TOTP)
  const { secret, uri } = begun.body
  expect(new URL(uri).protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri)).toMatch(/^otpauth:\/\/totp\/道远后台:careful\?/)
  expect(new URL(uri).searchParams.get('secret')).toBe(secret)
  expect((await app.nobody().post(LOGIN, { account: 'careful', pwd: PASSWORD })).body).toHaveProperty('staff')
  expect(await caller.post(`${TOTP}/confirm`, { code: await codeOf(secret, 5) })).toMatchObject({ status: 400, body: { fields: { code: '验证码不正确，请检查手机时间是否准确' } } })
  const confirmed = await caller.post<{ recovery_codes: string[] }>(`${TOTP}/confirm`, { code: await codeOf(secret) })
  expect(new Set(confirmed.body.recovery_codes).size).toBe(8)
  expect((await caller.get(TOTP)).body).toEqual({ enabled: true, forced: false, recovery_codes: 8 })
  expect((await caller.post(TOTP)).status).toBe(409)
  expect((await caller.post(`${TOTP}/confirm`, { code: await codeOf(secret, 1) })).status).toBe(409)
})

test('neither the secret nor a recovery code lies in the database in the clear', async () => {
  const { secret, recovery, caller } = await person('stored')
  const [row] = await db.query<{ text: string; totp_secret: string }>(sql`select to_jsonb(c)::text as text, totp_secret from credential c where staff_id = ${caller.staffId}`)
  expect(row?.text).not.toContain(secret)
  for (const code of recovery) expect(row?.text).not.toContain(code)
  expect(app.kernel.secrets.decrypt(row?.totp_secret ?? '', `totp ${caller.staffId}`)).toBe(secret)
  expect(() => app.kernel.secrets.decrypt(row?.totp_secret ?? '', 'totp 1')).toThrow('authenticate')
})

test('logging in takes password and code, and opens nothing before the second', async () => {
  const who = await person('two_steps')
  const { caller, ticket } = await ticketOf(who)
  expect(caller.cookie('session')).toBeUndefined()
  expect((await caller.get(ME)).status).toBe(401)
  expect(await caller.post(`${LOGIN}/totp`, { ticket, code: '000000' })).toMatchObject(wrongCode)
  expect(await caller.post(`${LOGIN}/totp`, { ticket: 'made-up', code: await codeOf(who.secret) })).toMatchObject({ status: 400, body: { detail: '登录已超时，请重新登录' } })
  expect(await caller.post(`${LOGIN}/totp`, { ticket, code: await codeOf(who.secret) })).toMatchObject({ status: 200, body: { staff: { account: 'two_steps', must: null } } })
  expect((await caller.get(ME)).status).toBe(200)
  const log = await db.query<{ entry: string }>(sql`select method || ' ' || result as entry from login_log order by id`)
  expect(log.map((row) => row.entry)).toEqual(['password ok', 'password step', 'totp wrong', 'totp ok'])
})

test('a code works once, at the same time too, and none before it works after it', async () => {
  const who = await person('replayed')
  const [one, two, three] = [await ticketOf(who), await ticketOf(who), await ticketOf(who)]
  const code = await codeOf(who.secret)
  const answers = await Promise.all([one, two].map(({ caller, ticket }) => caller.post(`${LOGIN}/totp`, { ticket, code })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
  expect(await three.caller.post(`${LOGIN}/totp`, { ticket: three.ticket, code })).toMatchObject(wrongCode)
  expect(await three.caller.post(`${LOGIN}/totp`, { ticket: three.ticket, code: await codeOf(who.secret, -1) })).toMatchObject(wrongCode)
  expect((await three.caller.post(`${LOGIN}/totp`, { ticket: three.ticket, code: await codeOf(who.secret, 1) })).status).toBe(200)
})

test('clocks may differ by one step and not by two', async () => {
  const who = await person('clocks')
  for (const [steps, status] of [[-2, 400], [2, 400], [-1, 200], [0, 200], [1, 200]] as const) {
    const { caller, ticket } = await ticketOf(who)
    expect((await caller.post(`${LOGIN}/totp`, { ticket, code: await codeOf(who.secret, steps) })).status, `${steps}`).toBe(status)
  }
})

test('a ticket works once and for five minutes', async () => {
  const who = await person('tickets')
  const { caller, ticket } = await ticketOf(who)
  expect((await caller.post(`${LOGIN}/totp`, { ticket, code: await codeOf(who.secret, -1) })).status).toBe(200)
  expect((await caller.post(`${LOGIN}/totp`, { ticket, code: await codeOf(who.secret) })).body['detail']).toBe('登录已超时，请重新登录')
  const late = await ticketOf(who)
  await db.query(sql`update login_step set expires_at = expires_at - interval '5 minutes'`)
  expect((await late.caller.post(`${LOGIN}/totp`, { ticket: late.ticket, code: await codeOf(who.secret) })).body['detail']).toBe('登录已超时，请重新登录')
})

test('wrong codes lock like wrong passwords, and the right password does not forgive them', async () => {
  const who = await person('guessed')
  for (let i = 0; i < 3; i++) {
    const { caller, ticket } = await ticketOf(who)
    expect(await caller.post(`${LOGIN}/totp`, { ticket, code: '000000' })).toMatchObject(wrongCode)
  }
  const [row] = await db.query<{ failures: number }>(sql`select failures from login_failure`)
  expect(row?.failures).toBe(3)
  await db.query(sql`update login_failure set failures = 0`)
  const { caller, ticket } = await ticketOf(who)
  for (let i = 0; i < 5; i++) expect(await caller.post(`${LOGIN}/totp`, { ticket, code: '000000' })).toMatchObject(wrongCode)
  expect(await caller.post(`${LOGIN}/totp`, { ticket, code: await codeOf(who.secret) })).toMatchObject({ status: 429, body: { detail: '登录失败次数过多，请 15 分钟后再试' } })
  expect((await app.nobody().post(LOGIN, { account: who.account, pwd: PASSWORD })).status).toBe(429)
})

test('a recovery code stands in for the phone, once', async () => {
  const who = await person('phoneless')
  const [first = '', second = ''] = who.recovery
  const { caller, ticket } = await ticketOf(who)
  expect((await caller.post(`${LOGIN}/totp`, { ticket, code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` })).status).toBe(200)
  expect((await caller.get(TOTP)).body).toMatchObject({ recovery_codes: 7 })
  const again = await ticketOf(who)
  expect(await again.caller.post(`${LOGIN}/totp`, { ticket: again.ticket, code: first })).toMatchObject(wrongCode)
  const renewed = await caller.post<{ recovery_codes: string[] }>(`${TOTP}/recovery_codes`)
  expect(renewed.body.recovery_codes).toHaveLength(8)
  expect(await again.caller.post(`${LOGIN}/totp`, { ticket: again.ticket, code: second })).toMatchObject(wrongCode)
  expect((await again.caller.post(`${LOGIN}/totp`, { ticket: again.ticket, code: renewed.body.recovery_codes[0] })).status).toBe(200)
})

test('turning it off takes a fresh login, the password and a code; turning it on or off ends other sessions', async () => {
  const who = await person('leaving')
  const { caller, ticket } = await ticketOf(who)
  await caller.post(`${LOGIN}/totp`, { ticket, code: await codeOf(who.secret, -1) })
  const off = async (body: Record<string, unknown>) => caller.post(`${TOTP}/disable`, body)
  expect(await off({ pwd: 'Wrong-pass1', code: await codeOf(who.secret) })).toMatchObject({ status: 400, body: { fields: { pwd: '密码不正确' } } })
  expect(await off({ pwd: PASSWORD, code: '000000' })).toMatchObject({ status: 400, body: { fields: { code: '验证码不正确' } } })
  await growOld(caller)
  expect(await off({ pwd: PASSWORD, code: await codeOf(who.secret) })).toMatchObject(verifyFirst)
  expect((await caller.post(VERIFY, { pwd: PASSWORD })).status).toBe(200)
  expect((await who.caller.get(ME)).status).toBe(200)
  expect((await off({ pwd: PASSWORD, code: await codeOf(who.secret) })).status).toBe(200)
  expect((await who.caller.get(ME)).status).toBe(401)
  expect((await caller.get(ME)).status).toBe(200)
  expect((await app.nobody().post(LOGIN, { account: 'leaving', pwd: PASSWORD })).body).toHaveProperty('staff')
  const log = await db.query<{ action: string }>(sql`select action from audit_log where entity = 'staff' and entity_id = ${who.caller.staffId} and action like 'totp%' order by id`)
  expect(log.map((row) => row.action)).toEqual(['totp_on', 'totp_off'])
})

test('proving again who one is takes the password or a code, and guessing it locks', async () => {
  const who = await person('asked_again')
  await growOld(who.caller)
  expect(await who.caller.post(`${TOTP}/recovery_codes`)).toMatchObject(verifyFirst)
  expect((await who.caller.post(VERIFY, {})).status).toBe(400)
  expect((await who.caller.post(VERIFY, { code: '000000' })).status).toBe(400)
  expect((await who.caller.post(VERIFY, { code: await codeOf(who.secret) })).status).toBe(200)
  expect((await who.caller.post(`${TOTP}/recovery_codes`)).status).toBe(200)
  await growOld(who.caller)
  for (let i = 0; i < 5; i++) expect((await who.caller.post(VERIFY, { pwd: 'Wrong-pass1' })).status).toBe(400)
  expect((await who.caller.post(VERIFY, { pwd: PASSWORD })).status).toBe(429)
  expect(await who.caller.post(`${TOTP}/recovery_codes`)).toMatchObject(verifyFirst)
})

test('whoever is told to use a second factor sets it up before anything else', async () => {
  const admin = await app.login()
  const caller = await app.staff(app.allGrants, { account: 'forced' })
  const { rev } = (await admin.get<{ rev: number }>(`${STAFFS}/${caller.staffId}`)).body
  expect((await admin.put(`${STAFFS}/${caller.staffId}`, { two_factor: 1, rev })).status).toBe(200)
  const again = await app.login('forced', PASSWORD)
  expect((await again.get(ME)).body).toMatchObject({ must: 'totp' })
  for (const path of [STAFFS, '/daoyuan/api/end/sessions', '/daoyuan/api/end/passkeys']) {
    expect(await again.get(path)).toMatchObject({ status: 403, body: { detail: '请先设置两步验证', must: 'totp' } })
  }
  expect((await again.post('/daoyuan/api/end/password', { old_password: PASSWORD, new_password: 'Another-pass2' })).status).toBe(403)
  const { secret } = (await again.post<{ secret: string }>(TOTP)).body
  expect((await again.post(`${TOTP}/confirm`, { code: await codeOf(secret) })).status).toBe(200)
  expect((await again.get(ME)).body).toMatchObject({ must: null })
  expect((await again.get(STAFFS)).status).toBe(200)
})

test('an administrator clears the factors of somebody who lost them', async () => {
  const admin = await app.login()
  const who = await person('lost_all')
  const path = `${STAFFS}/${who.caller.staffId}/reset_factors`
  expect((await app.nobody().post(path)).status).toBe(401)
  expect((await (await app.staff([])).post(path)).status).toBe(403)
  expect((await admin.post(`${STAFFS}/${admin.staffId}/reset_factors`)).status).toBe(400)
  expect((await admin.post(path)).body).toEqual({ totp: true, passkeys: 0 })
  expect((await who.caller.get(ME)).status).toBe(401)
  expect((await app.nobody().post(LOGIN, { account: 'lost_all', pwd: PASSWORD })).body).toHaveProperty('staff')
  const [log] = await db.query(sql`select staff_id, before from audit_log where entity = 'staff' and entity_id = ${who.caller.staffId} and action = 'reset_factors'`)
  expect(log).toEqual({ staff_id: admin.staffId, before: { totp: true, passkeys: 0 } })
})

test('a secret of another installation says what to do, and recovery codes still work', async () => {
  const who = await person('moved')
  await db.query(sql`update credential set totp_secret = 'v1.AAAA' where staff_id = ${who.caller.staffId}`)
  const { caller, ticket } = await ticketOf(who)
  expect((await caller.post(`${LOGIN}/totp`, { ticket, code: '123456' })).body['detail']).toBe('两步验证已失效，请使用恢复码，或联系管理员清除两步验证')
  expect((await caller.post(`${LOGIN}/totp`, { ticket, code: who.recovery[0] })).status).toBe(200)
})
