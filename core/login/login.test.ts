import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, openTestApp, type TestApp } from '../testing/app.server.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('the account is trimmed, the password is sent as is', async () => {
  const good = await app.nobody().post('/daoyuan/api/end_access_token', { account: '  admin ', pwd: ADMIN.password })
  expect(good.status).toBe(200)
  expect(good.body['staff']).toMatchObject({ account: 'admin', role: 'super' })
  const bad = await app.nobody().post('/daoyuan/api/end_access_token', { account: 'admin', pwd: ` ${ADMIN.password}` })
  expect(bad).toMatchObject({ status: 400, body: { detail: '账号或密码错误' } })
})

test('without a session a call answers with the words that lead to the login page', async () => {
  const answer = await app.nobody().get('/daoyuan/api/end/staff')
  expect(answer).toMatchObject({ status: 401, body: { detail: '错误的token' } })
})

test('an unsafe call needs the token that only our own pages can read', async () => {
  const admin = await app.login()
  const forged = await admin.post('/api/staffLogout', {}, { 'x-csrf-token': 'guess' })
  expect(forged.status).toBe(403)
  expect((await admin.get('/daoyuan/api/end/staff')).status).toBe(200)
  expect((await admin.post('/api/staffLogout')).status).toBe(200)
  expect((await admin.get('/daoyuan/api/end/staff')).status).toBe(401)
})

test('under 等保 a password has to be changed after ninety days', async () => {
  const strict = await openTestApp({ PASSWORD_POLICY: 'dengbao' })
  const age = (days: number) => strict.kernel.db.query(sql`update credential set changed_at = now() - make_interval(days => ${days})`)
  const must = async () => (await strict.nobody().post<{ staff: { must: string | null } }>('/daoyuan/api/end_access_token', { account: 'admin', pwd: ADMIN.password })).body.staff.must
  await age(89)
  expect(await must()).toBeNull()
  await age(91)
  expect(await must()).toBe('password')
  await strict.close()
})

test('what is over is swept away, and what is not stays', async () => {
  const { db, sessions } = app.kernel
  const caller = await app.staff([])
  await db.query(sql`insert into login_step (key, body, expires_at) values ('old', '{}', now() - interval '1 second'), ('new', '{}', now() + interval '1 minute')`)
  await db.query(sql`insert into login_failure (key, failures, last_at) values ('old', 1, now() - interval '25 hours'), ('new', 1, now())`)
  await db.query(sql`insert into session (hash, staff_id, seen_at) values ('old', ${caller.staffId}, now() - interval '3 hours')`)
  await sessions.sweep()
  const left = await db.query(sql`select key from login_step where key in ('old', 'new') union all select key from login_failure where key in ('old', 'new')
    union all select 'session' from session where staff_id = ${caller.staffId}`)
  expect(left).toEqual([{ key: 'new' }, { key: 'new' }, { key: 'session' }])
})
