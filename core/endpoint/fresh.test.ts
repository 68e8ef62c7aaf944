import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flushSecurityLog } from '../audit/security.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { NO_ID } from '../testing/wrong.ts'
import { fillPath, pathParams, type Endpoint } from './define.ts'

const STAFFS = '/daoyuan/api/end/staffs'
const verifyFirst = { status: 403, body: { detail: '请先确认身份再继续', verify: true } }

/** What weighs most: granting, resetting, clearing factors, ending the sessions of others, and how one proves who one is. */
const HEAVY = [
  `PUT ${STAFFS}/{id}/grants`, `POST ${STAFFS}/{id}/reset_password`, `POST ${STAFFS}/{id}/reset_factors`, `POST ${STAFFS}/{id}/force_logout`,
  'POST /daoyuan/api/end/users/{id}/reset_password', 'POST /daoyuan/api/end/users/{id}/force_logout',
  `POST ${STAFFS}/{id}/stop`, `POST ${STAFFS}/{id}/leave`, 'PUT /daoyuan/api/end/second_factor',
  'POST /daoyuan/api/end/totp', 'POST /daoyuan/api/end/totp/disable', 'POST /daoyuan/api/end/totp/recovery_codes',
  'POST /daoyuan/api/end/passkeys', 'POST /daoyuan/api/end/passkeys/options', 'DELETE /daoyuan/api/end/passkeys/{id}',
]

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  await growOld()
})
afterAll(() => app.close())

/** Makes it long ago that anybody proved who they are. */
async function growOld(): Promise<void> {
  await app.db.query(sql`update session set verified_at = now() - interval '5 minutes 1 second'`)
  await app.kernel.sessions.changed()
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const always = () => app.served.map(({ endpoint }) => endpoint).filter(({ fresh }) => fresh === true)
const send = (endpoint: Endpoint, body: Record<string, unknown>) =>
  admin.call(endpoint.method, fillPath(endpoint.path, Object.fromEntries(pathParams(endpoint.path).map((name) => [name, NO_ID]))), body)

test('what weighs most says so in its definition', () => {
  expect(HEAVY.filter((name) => !always().some((endpoint) => nameOf(endpoint) === name))).toEqual([])
})

test('every such call waits for a fresh proof once its input is good', async () => {
  const good = { reason: '测试原因', modules: [], scopes: {}, rule: 'all', pwd: 'x', code: 'x', name: '手机', response: { id: 'x', response: {} }, to_id: 1, class_id: 1, next_class_id: 1, line: 1, expected: 1, change_id: 1, query: {}, job_id: 1, file_id: '00000000-0000-4000-8000-000000000000' }
  for (const endpoint of always()) expect(await send(endpoint, good), nameOf(endpoint)).toMatchObject(verifyFirst)
  // Being asked is no sign of an attack.
  await flushSecurityLog(app.kernel.db)
  expect(await app.db.query(sql`select detail from security_log where kind = 'refused'`)).toEqual([])
})

test('inputs that weigh so much wait for it, others of the same call do not', async () => {
  const partners = '/daoyuan/api/end/self_study_room/partners'
  expect(await admin.post(`${partners}/export`, { plain: true })).toMatchObject(verifyFirst)
  expect((await admin.post(`${partners}/export`, { plain: false })).status).toBe(200)
  const person = { account: 'heavy_one', name: '重一', mobile: '13712349999' }
  expect(await admin.post(STAFFS, { ...person, role: 'super' })).toMatchObject(verifyFirst)
  const { body: { id } } = await admin.post<{ id: number }>(STAFFS, { ...person, role: 'operator' })
  expect(await admin.put(`${STAFFS}/${id}`, { role: 'super' })).toMatchObject(verifyFirst)
  expect((await admin.put(`${STAFFS}/${id}`, { role: 'finance' })).status).toBe(200)
  expect(await admin.post(`${STAFFS}/bulk`, { action: 'update', ids: [id], values: { role: 'super' } })).toMatchObject(verifyFirst)
  expect(await admin.post(`${STAFFS}/bulk`, { action: 'stop', ids: [id], reason: '测试原因' })).toMatchObject(verifyFirst)
  expect((await admin.post(`${STAFFS}/bulk`, { action: 'update', ids: [id], values: { department: '别处' } })).status).toBe(200)
})

test('a proof is good for five minutes, also one that this process has not heard of yet', async () => {
  const { staffId } = await app.staff([])
  const path = `${STAFFS}/${staffId}/force_logout`
  expect(await admin.post(path)).toMatchObject(verifyFirst)
  expect(await admin.post('/daoyuan/api/end/verify', { pwd: 'Wrong-pass1' })).toMatchObject({ status: 400 })
  expect(await admin.post(path)).toMatchObject(verifyFirst)
  // Another process takes the proof: nobody tells this one.
  await app.db.query(sql`update session set verified_at = now() - interval '4 minutes 50 seconds' where staff_id = ${admin.staffId}`)
  expect((await admin.post(path)).status).toBe(200)
  await growOld()
  expect(await admin.post(path)).toMatchObject(verifyFirst)
  expect((await admin.post('/daoyuan/api/end/verify', { pwd: 'Admin-pass1' })).status).toBe(200)
  expect((await admin.post(path)).status).toBe(200)
})
