import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actionId } from '../grant/grant.ts'
import { openTestApp, screenId, type Caller, type TestApp } from '../testing/app.server.ts'

const RULE = '/daoyuan/api/end/second_factor'
const ME = '/daoyuan/api/end/staff'
const mustTotp = { body: { must: 'totp' } }

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** As if they had set one up. */
async function hasFactor(target: TestApp, caller: Caller): Promise<void> {
  await target.db.query(sql`update credential set totp_confirmed = true where staff_id = ${caller.staffId}`)
  await target.kernel.sessions.changed(caller.staffId)
}

test('an administrator asks a second factor of all, or of those who may do everything, from the next call on', async () => {
  const [admin, clerk, other] = [await app.login(), await app.staff([]), await app.staff([], { role: 'super' })]
  expect((await admin.get(RULE)).body).toEqual({ rule: 'chosen', least: 'chosen' })
  expect((await clerk.get(ME)).body).toMatchObject({ must: null })
  expect((await admin.put(RULE, { rule: 'super' })).body).toEqual({ rule: 'super', least: 'chosen' })
  expect(await admin.get(ME), 'who decided it as well').toMatchObject(mustTotp)
  expect(await other.get(ME)).toMatchObject(mustTotp)
  expect((await clerk.get(ME)).body).toMatchObject({ must: null })
  await hasFactor(app, admin)
  expect((await admin.put(RULE, { rule: 'all' })).status).toBe(200)
  expect(await clerk.get(ME)).toMatchObject(mustTotp)
  expect((await clerk.get('/daoyuan/api/end/totp')).body).toMatchObject({ forced: true })
  expect((await admin.put(RULE, { rule: 'chosen' })).body).toEqual({ rule: 'chosen', least: 'chosen' })
  expect((await clerk.get(ME)).body).toMatchObject({ must: null })
  expect((await admin.put(RULE, { rule: 'nobody' })).status).toBe(400)
  const log = await app.db.query(sql`select before, after from audit_log where action = 'second_factor' order by id`)
  expect(log[0]).toEqual({ before: { second_factor: 'chosen' }, after: { second_factor: 'super' } })
})

test('the setting is a right of its own, and weighs enough for a fresh proof', async () => {
  const screen = screenId('/userManagement/staff')
  expect((await (await app.staff([screen])).put(RULE, { rule: 'all' })).status).toBe(403)
  const holder = await app.staff([screen, actionId(screen, 17)])
  await app.db.query(sql`update session set verified_at = now() - interval '6 minutes' where staff_id = ${holder.staffId}`)
  await app.kernel.sessions.changed(holder.staffId)
  expect(await holder.put(RULE, { rule: 'chosen' })).toMatchObject({ status: 403, body: { verify: true } })
})

test('where others reach the installation, whoever may do everything has a second factor, whatever is set', async () => {
  const live = await openTestApp({ PUBLIC_URL: 'https://console.example', DATABASE_URL: 'postgres://user:secret@db.example/daoyuan', SECRET_KEY: 'k'.repeat(32) })
  try {
    const [admin, clerk] = [await live.login(), await live.staff([])]
    expect(await admin.get(ME)).toMatchObject(mustTotp)
    expect(await admin.get('/daoyuan/api/end/staffs')).toMatchObject({ status: 403, body: { detail: '请先设置两步验证', must: 'totp' } })
    expect((await clerk.get(ME)).body).toMatchObject({ must: null })
    await hasFactor(live, admin)
    expect((await admin.get(RULE)).body).toEqual({ rule: 'super', least: 'super' })
    expect(await admin.put(RULE, { rule: 'chosen' })).toMatchObject({ status: 400, body: { detail: '本系统通过 HTTPS 对外提供服务，超级管理员必须使用两步验证' } })
    // A row from before the installation was reached by others.
    await live.db.query(sql`insert into installation (key, value) values ('second_factor', '"chosen"')`)
    await live.db.query(sql`update credential set totp_confirmed = false where staff_id = ${admin.staffId}`)
    await live.kernel.sessions.changed()
    expect(await admin.get(ME)).toMatchObject(mustTotp)
  } finally {
    await live.close()
  }
})
