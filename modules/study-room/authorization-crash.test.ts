import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../core/database/database.server.ts'
import { openEmbedded } from '../../core/database/embedded.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestDatabase, type TestDatabase } from '../../core/testing/database.server.ts'
import { loginTo, startProduct, type Product } from '../../core/testing/process.server.ts'
import { activationCodeGroup } from './authorization-code.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { unit } from './unit.ts'

const ACCOUNT = { ADMIN_ACCOUNT: 'admin', ADMIN_PASSWORD: 'Admin-pass1' }
const COUNT = 50_000
const DAY = 86_400

const dataDir = mkdtempSync(join(tmpdir(), 'daoyuan-codes-'))
const open: (Product | TestDatabase)[] = []
afterAll(async () => {
  for (const one of open.reverse()) await ('kill' in one ? one.kill() : one.close())
  rmSync(dataDir, { recursive: true, force: true })
})

/** Looks into the database while no product runs on it. */
async function look<Result>(shared: TestDatabase | undefined, work: (db: Database) => Promise<Result>): Promise<Result> {
  if (shared) return work(shared)
  const db = await openEmbedded(dataDir)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

test('kill -9 in the middle of a batch of 50,000 codes leaves all of them or none', async () => {
  const shared = process.env['TEST_DATABASE_URL'] ? await openTestDatabase() : undefined
  if (shared) open.push(shared)
  const env: Record<string, string> = { ...ACCOUNT, DATA_DIR: dataDir, ...(shared && { DATABASE_URL: shared.url ?? '' }) }
  const start = async () => {
    const product = await startProduct(env)
    open.push(product)
    return product
  }
  await (await start()).kill()
  const now = Math.floor(Date.now() / 1000)
  const [owner, product] = await look(shared, (db) => seedTransaction(db, async (tx) => [
    ...await insertMany(tx, partner, [{
      name: '苏州启航', contact: '王', mobile: '13900110001', region_code: '320508', level: 4, type_id: 1, sign_at: now - DAY, expire_at: now + 300 * DAY, status: PARTNER_STATUS.signed, code_quota: 4 * COUNT, used_quota: 0,
    }]),
    ...await insertMany(tx, unit, [{ name: '初中全科年卡', subjects: ['数学'], months: 12 }]),
  ]))

  let broken = 0
  for (const delay of [400, 1500]) {
    const running = await start()
    const call = await loginTo(running, ACCOUNT.ADMIN_ACCOUNT, ACCOUNT.ADMIN_PASSWORD)
    const asked = call('POST', activationCodeGroup.api.item, {
      name: `断电批次${delay}`, partner_id: owner, unit_id: product, count: COUNT, code_len: 12, valid_months: 12, redeem_before: now + 90 * DAY, purpose: 1,
    }).then(({ status, body }) => ({ status, body }), () => undefined)
    await new Promise((resolve) => setTimeout(resolve, delay))
    await running.kill()
    const answer = await asked
    if (answer === undefined) broken++
    const [found] = await look(shared, (db) => db.query<{ batches: number; codes: number; secrets: number; used: number }>(sql`select (select count(*) from activation_code_group) as batches,
      (select count(*) from activation_code) as codes, (select count(*) from code_secret) as secrets, (select used_quota from partner where id = ${owner}) as used`))
    const whole = (found?.batches ?? 0) * COUNT
    expect(found, `after ${delay} ms`).toEqual({ batches: found?.batches, codes: whole, secrets: whole, used: whole })
    // What was answered is there.
    if (answer?.status === 200) expect(found?.batches).toBeGreaterThan(0)
  }
  expect(broken, 'the power went while codes were being made').toBeGreaterThan(0)

  // The next start makes the batch as if nothing had been.
  const again = await start()
  const call = await loginTo(again, ACCOUNT.ADMIN_ACCOUNT, ACCOUNT.ADMIN_PASSWORD)
  const answer = await call<{ total: number; left: number }>('POST', activationCodeGroup.api.item, {
    name: '恢复后的批次', partner_id: owner, unit_id: product, count: COUNT, code_len: 12, valid_months: 12, redeem_before: now + 90 * DAY, purpose: 1,
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.body).toMatchObject({ total: COUNT, left: COUNT })
}, 600_000)
