import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PrivacySetting } from '../../core/audit/privacy.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { getPrivacy, PRIVACY_GRANT } from './privacy.ts'
import { securityLog } from './security.ts'

let app: TestApp
let keeper: Caller
beforeAll(async () => {
  app = await openTestApp()
  keeper = await app.staff([securityLog.grant, PRIVACY_GRANT])
})
afterAll(() => app.close())

test('who may decide what is hidden does, and the log says so', async () => {
  expect((await (await app.staff([securityLog.grant])).get(getPrivacy.path)).status).toBe(403)
  expect((await keeper.get<PrivacySetting>(getPrivacy.path)).body).toEqual({ reveal_daily: 200, mask_names: true })
  expect((await keeper.put(getPrivacy.path, { reveal_daily: -1, mask_names: true })).body).toMatchObject({ fields: { reveal_daily: '次数不能小于 0' } })
  expect((await keeper.put(getPrivacy.path, { reveal_daily: 50, mask_names: true })).status).toBe(200)
  expect((await keeper.get(getPrivacy.path)).body).toEqual({ reveal_daily: 50, mask_names: true })
  const [entry] = await app.db.query(sql`select staff_id, before, after from audit_log where entity = 'privacy_setting'`)
  expect(entry).toEqual({ staff_id: keeper.staffId, before: { reveal_daily: 200, mask_names: true }, after: { reveal_daily: 50, mask_names: true } })
})
