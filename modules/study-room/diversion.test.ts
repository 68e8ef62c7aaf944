import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, screenId, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { activationCode } from './authorization-code.ts'
import { codeDiversion, DIVERSION_RIGHTS, DIVERSION_STATE, type DiversionEvidence, type Radar } from './diversion.ts'

const { list, item } = codeDiversion.api
let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
})
afterAll(() => app.close())

const one = async (query: ReturnType<typeof sql>) => (await app.db.query<{ id: number }>(query))[0]?.id ?? 0

/** A batch of a partner in Jiangsu with codes activated at home and in Anhui. */
async function batch(home: number, away: number) {
  const type = await one(sql`select id from room_type order by id limit 1`)
  const unit = await one(sql`select id from unit order by id limit 1`)
  const n = await one(sql`select (count(*) + 1)::int as id from partner`)
  const partner = await one(sql`insert into partner (name, contact, mobile, region_code, level, type_id, sign_at, expire_at, status) values (${`伙伴${n}`}, '王', ${String(15300000000 + n)}, '3205', 2, ${type}, now(), now() + interval '1 year', 1) returning id`)
  const school = (region: string) => one(sql`insert into app_school (name, partner_id, type_id, region_code, address, manager, mobile, expire_at, status) values (${`学校${region}`}, ${partner}, ${type}, ${region}, '人民路 1 号', '李', '15300000000', now() + interval '1 year', 1) returning id`)
  const [near, far] = [await school('3205'), await school('3401')]
  const group = await one(sql`insert into activation_code_group (name, partner_id, unit_id, count, code_len, redeem_before, purpose, status, total, used) values ('春季批次', ${partner}, ${unit}, 100, 12, now() + interval '1 year', 1, 1, 100, ${home + away}) returning id`)
  const codes = (at: number, many: number) => app.db.query(sql`insert into activation_code (code, group_id, partner_id, unit_id, status, redeem_before, school_id, mobile, activated_at, expire_at)
    select 'A****' || x, ${group}, ${partner}, ${unit}, 1, now() + interval '1 year', ${at}, '15312345678', now() - interval '2 hours' + make_interval(mins => x), now() + interval '1 year' from generate_series(1, ${many}::integer) x`)
  await codes(near, home)
  await codes(far, away)
  return { partner, group, far, codes }
}

const scan = (caller = admin) => caller.post<{ found: number }>(`${list}/scan`)
const cases = async (group: number, caller = admin) => (await caller.get<{ items: { id: number; status: number; codes: number; score: number }[] }>(list, { group_id: String(group) })).body.items

test('codes activated in another province make one case, with as many codes as the list behind it shows', async () => {
  const { group, partner } = await batch(10, 10)
  await scan()
  await scan()
  const [found, ...more] = await cases(group)
  expect(more).toEqual([])
  expect(found).toMatchObject({ status: DIVERSION_STATE.suspected, codes: 10 })
  const { body } = await admin.get<DiversionEvidence>(`${item}/${found?.id}/evidence`)
  expect(body.total).toBe(10)
  expect(body.codes[0]?.mobile).toBe('153****5678')
  const behind = await admin.get<{ total: number }>(activationCode.api.list, body.query)
  expect(behind.body.total).toBe(10)
  const { body: seen } = await admin.get<Radar>(`${list}/radar`, { days: '30' })
  expect(seen.flows).toContainEqual(expect.objectContaining({ from: '32', to: '34' }))
  const other = await app.staff([codeDiversion.grant], { scopes: { partner: [partner + 1000] } })
  expect((await other.get(`${item}/${found?.id}/evidence`)).status).toBe(404)
})

test('what a person has decided stays; only what is activated later is suspected again', async () => {
  const { group, far, codes } = await batch(10, 10)
  await scan()
  const [found] = await cases(group)
  expect((await admin.post(`${item}/${found?.id}/dismiss`)).status).toBe(400)
  expect((await admin.post(`${item}/${found?.id}/dismiss`, { reason: '学校搬迁，已核对' })).status).toBe(200)
  await scan()
  expect(await cases(group)).toHaveLength(1)
  await app.db.query(sql`update code_diversion set last_at = now() - interval '3 hours' where id = ${found?.id ?? 0}`)
  await codes(far, 8)
  await scan()
  expect((await cases(group)).map(({ status }) => status).sort()).toEqual([DIVERSION_STATE.suspected, DIVERSION_STATE.dismissed])
  // A batch and a province have one case that is open: the newest.
  const again = await admin.post(`${item}/${found?.id}/reopen`, { reason: '再看一次' })
  expect([again.status, JSON.stringify(again.body)]).toEqual([409, expect.stringContaining('已有更新的线索')])
  const newest = (await cases(group)).find(({ status }) => status === DIVERSION_STATE.suspected)
  expect((await admin.post(`${item}/${newest?.id}/confirm`, { reason: '合伙人承认' })).status).toBe(200)
  expect((await admin.post(`${item}/${found?.id}/reopen`, { reason: '再看一次' })).status).toBe(409)
  const [reopened] = await Promise.all([admin.post(`${item}/${newest?.id}/reopen`, { reason: '金额有误' }), scan(), scan()])
  expect(reopened.status).toBe(200)
  expect((await cases(group)).map(({ status }) => status).sort()).toEqual([DIVERSION_STATE.suspected, DIVERSION_STATE.dismissed])
})

test('who may look may not decide or look for more', async () => {
  const looker = await app.staff([screenId('/new-study-room/authorization-code')])
  expect((await looker.get(`${list}/radar`)).status).toBe(200)
  expect((await scan(looker)).status).toBe(403)
  expect(DIVERSION_RIGHTS.id('judge')).toBeGreaterThan(0)
})
