import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { APP_KEY_GRANT, appClient, appScopes } from './app-client.ts'

/** A real call of learners' apps. */
const LOGIN = '/daoyuan/api/end/users/login'
const SCOPE = 'learner_login'
const { item, list } = appClient.api

let app: TestApp
let admin: Caller
let requests = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
})
afterAll(() => app.close())

const call = (key: string) => app.nobody().post(LOGIN, { mobile: '13700000000', password: 'Nobody-1' }, { authorization: `Bearer ${key}`, 'idempotency-key': `test-${++requests}` })
/** Refused for the number, not for the key. */
const ADMITTED = { status: 403, body: { detail: '手机号或密码错误' } }
const NOT_KNOWN = { status: 401, body: { detail: '错误的token' } }
const shown = async (name: string) => (await admin.get<{ items: WireRow[] }>(list, { keyword: name })).body.items[0]

test('a key is shown once, works at once, and only its hash is kept', async () => {
  const { body: client } = await admin.post<{ id: number }>(item, { name: '小程序', scopes: [SCOPE], remark: '测试' })
  expect(await shown('小程序')).toMatchObject({ per_minute: 600, status: 1, key_hint: null, last_used_at: null })
  const make = (headers = {}) => admin.post<{ key: string }>(`${item}/${client.id}/key`, {}, headers)
  const { body: { key } } = await make({ 'idempotency-key': 'make-once' })
  expect(key).toMatch(/^dk_[\w-]{43}$/)
  expect((await make({ 'idempotency-key': 'make-once' })).status, 'shown once').toBe(409)
  expect(await call(key)).toMatchObject(ADMITTED)
  expect(await shown('小程序')).toMatchObject({ key_hint: `${key.slice(0, 8)}…`, last_used_at: expect.any(Number) })
  const kept = JSON.stringify([await app.db.query(sql`select * from app_client_key`), await app.db.query(sql`select * from app_client`), await app.db.query(sql`select * from audit_log`), await app.db.query(sql`select * from request_once`)])
  expect(kept).not.toContain(key)
  const { body: { key: second } } = await make()
  expect(await call(key), 'the key before').toMatchObject(NOT_KNOWN)
  expect(await call(second)).toMatchObject(ADMITTED)
})

test('what is revoked, switched off or removed opens nothing; what was switched on again does', async () => {
  const key = await makeAppKey(app, [SCOPE], { name: '平板端' })
  const row = await shown('平板端')
  const put = (status: number) => admin.put(`${item}/${row?.id}`, { status })
  expectSuccess(await put(0))
  expect(await call(key)).toMatchObject(NOT_KNOWN)
  expect(await admin.post(`${item}/${row?.id}/key`)).toMatchObject({ status: 400, body: { detail: '该应用已停用，请先启用' } })
  await put(1)
  expect(await call(key)).toMatchObject(ADMITTED)
  expectFieldRefusal(await admin.post(`${item}/${row?.id}/revoke_key`, {}), 400, 'reason')
  expectSuccess(await admin.post(`${item}/${row?.id}/revoke_key`, { reason: '密钥泄露' }))
  expect(await call(key)).toMatchObject(NOT_KNOWN)
  expect(await admin.post(`${item}/${row?.id}/revoke_key`, { reason: '再次吊销' })).toMatchObject({ status: 400, body: { detail: '该应用没有可吊销的密钥' } })
  const other = await makeAppKey(app, [SCOPE], { name: '已删应用' })
  await admin.delete(`${item}/${(await shown('已删应用'))?.id}`)
  expect(await call(other)).toMatchObject(NOT_KNOWN)
})

test('an app makes as many calls in a minute as it may', async () => {
  const key = await makeAppKey(app, [SCOPE], { per_minute: 2 })
  for (let i = 0; i < 2; i++) expect(await call(key)).toMatchObject(ADMITTED)
  expect(await call(key)).toMatchObject({ status: 429, body: { detail: '调用过于频繁，每分钟最多 2 次' } })
  expect(await call(await makeAppKey(app, [SCOPE], { per_minute: 2 })), 'another app').toMatchObject(ADMITTED)
})

test('who guesses keys is stopped, and who has one goes on', async () => {
  const key = await makeAppKey(app, [SCOPE])
  for (let i = 0; i < 60; i++) await call(`dk_${'x'.repeat(43)}`)
  expect((await call(`dk_${'x'.repeat(43)}`)).status).toBe(429)
  expect(await call(key)).toMatchObject(ADMITTED)
})

test('keys are made by whoever has the right, and what they open is named', async () => {
  const clerk = await app.staff([appClient.grant, standardId(appClient.grant, 'edit')])
  const { body: client } = await clerk.post<{ id: number }>(item, { name: '无权生成', scopes: [SCOPE] })
  expect((await clerk.post(`${item}/${client.id}/key`)).status).toBe(403)
  expect((await (await app.staff([APP_KEY_GRANT])).post(`${item}/${client.id}/key`)).status).toBe(200)
  expect((await clerk.get<{ items: object[] }>(appScopes.path)).body.items).toContainEqual({ name: SCOPE, label: '学习端登录和改密', calls: expect.arrayContaining([`学习端登录校验：POST ${LOGIN}`]) })
})
