import { dictionary } from '@zxcvbn-ts/language-common'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seed } from '../module/seed.server.ts'
import { openTestApp, type TestApp } from '../testing/app.server.ts'
import { commonProblem } from './password.server.ts'
import { passwordPolicies, passwordProblem } from '../session/policy.ts'

const SENTENCE = '该密码过于常见，容易被猜到，请换一个'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('the three thousand commonest passwords that the rules would let through are refused, however they are spelled', async () => {
  const allowed = dictionary['passwords-common'].filter((password) => passwordProblem(passwordPolicies.asvs, password, 'nobody') === undefined)
  expect(allowed.length).toBeGreaterThan(3000)
  for (const password of allowed.slice(0, 3000)) expect(await commonProblem(password), password).toBe(SENTENCE)
  for (const password of ['Password1', 'PASSWORD123', 'Woaini1314', 'Qwer1234', 'ｐａｓｓｗｏｒｄ１']) expect(await commonProblem(password), password).toBe(SENTENCE)
  for (const password of ['Admin-pass1', 'xinren-123456', 'kongtian 88 yun']) expect(await commonProblem(password), password).toBeUndefined()
})

test('nobody chooses one, and the field says so', async () => {
  const caller = await app.staff([])
  const change = (new_password: string) => caller.post('/daoyuan/api/end/password', { old_password: 'Staff-pass1', new_password })
  expect(await change('Qwerty123')).toMatchObject({ status: 400, body: { fields: { new_password: SENTENCE } } })
  expect((await change('Kongtian-88')).status).toBe(200)
})

test('nor does the first administrator get one', async () => {
  await app.db.query(sql`delete from installation where key = 'admin'`)
  await app.db.query(sql`update staff set deleted_at = now()`)
  await app.db.query(sql`delete from staff`)
  await expect(seed({ ...app.config, adminPassword: 'password123' }, app.kernel, [], [], () => {})).rejects.toThrow(`ADMIN_PASSWORD：${SENTENCE}`)
  expect(await app.db.query(sql`select 1 from staff`)).toEqual([])
})
