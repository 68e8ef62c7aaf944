import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { openEntitlements } from '../user/door.server.ts'
import type { OpenableOffer, ValidityFound, ValidityPreview } from './validity-calls.ts'
import { VALIDITY_RIGHTS, VALIDITY_STATUS as S, validityChange } from './validity.ts'

const AT = '/daoyuan/api/end/operate/validity'
const ITEM = validityChange.api.item
const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
const REASON = '系统故障补偿'
let app: TestApp
let [ann, ben]: Caller[] = []
let offer: WireRow
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  ;[ann, ben] = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  const course = await a().post<WireRow>(app.kernel.registry.get('excellent_training_offer')?.resource.api.item ?? '', { title: '补开课', subject_id: 101, price: 3000_00, valid_days: 60 })
  expectSuccess(course)
  offer = course.body
  await app.db.query(sql`update offer set state = 3 where id = ${offer.id}`)
})
afterAll(() => app.close())

const a = () => ann as Caller
const b = () => ben as Caller
interface Learner { id: number; mobile: string; entitlement: number }
/** Somebody who may use a product for so many days more. */
async function learner(days = 10, offer_id = 7): Promise<Learner> {
  const mobile = `138${String(60_000_000 + ++n)}`
  const { body } = await a().post<WireRow>('/daoyuan/api/end/users', { mobile, nickname: `学员${n}`, role: 1 })
  await app.kernel.db.transaction({ staff_id: null }, (tx) => openEntitlements(tx, null, [{ user_id: body.id, line: 'study_room', product: '自习套餐', offer_id, source: 3, ref: `test lesson ${n}:1`, start_at: NOW - 30 * DAY, expire_at: NOW + days * DAY }]))
  const [row] = await app.db.query<{ id: number }>(sql`select id from entitlement where user_id = ${body.id}`)
  return { id: body.id, mobile, entitlement: row?.id ?? 0 }
}
const endOf = async (id: number) => (await app.db.query<{ at: number }>(sql`select extract(epoch from expire_at)::int as at from entitlement where id = ${id}`))[0]?.at
const extend = (ids: number[], days: number, who = a()) => who.post<{ id: number; status: number; undo?: number }>(`${AT}/changes`, { ask: { kind: 'extend', ids, days }, reason: REASON })
const read = async (id: number) => (await a().get<WireRow<typeof validityChange>>(`${ITEM}/${id}`)).body

test('pasted numbers become people with everything that they may use, and lines that are none are said', async () => {
  const one = await learner()
  const { body } = await a().post<ValidityFound>(AT, { mobiles: [one.mobile, '123', one.mobile, '13800000001', ''] })
  expect(body.people).toMatchObject([{ id: one.id, bars: [{ id: one.entitlement, product: '自习套餐', line_name: '自习室', state: '生效中', fixed: null }] }])
  expect(body.people[0]?.mobile).not.toBe(one.mobile)
  expect(body.missing.map(({ row, why }) => [row, why])).toEqual([[2, expect.stringContaining('手机号')], [3, '与第 1 行重复'], [4, expect.stringContaining('没有这个用户')]])
  expectRefusal(await a().post(AT, { mobiles: [] }), 400)
  expectRefusal(await (await app.staff([])).post(AT, { mobiles: [one.mobile] }), 403)
})

test('the new end is shown before, given at once up to the limit, and taken back', async () => {
  const one = await learner(10)
  const ask = { kind: 'extend', ids: [one.entitlement], days: 30 }
  const preview = (await a().post<ValidityPreview>(`${AT}/preview`, { ask })).body
  expect(preview).toMatchObject({ good: 1, people: 1, second: null, rows: [{ before: NOW + 10 * DAY, after: NOW + 40 * DAY }] })
  const made = await extend([one.entitlement, one.entitlement], 30)
  expectSuccess(made)
  expect([made.body.status, await endOf(one.entitlement)]).toEqual([S.done, NOW + 40 * DAY])
  expectSuccess(await a().post(`/daoyuan/api/end/undo/${made.body.undo}`, {}))
  expect([(await read(made.body.id)).status, await endOf(one.entitlement)]).toEqual([S.undone, NOW + 10 * DAY])
})

test('what was changed since is not taken back', async () => {
  const one = await learner(10)
  const { body } = await extend([one.entitlement], 5)
  expectSuccess(await extend([one.entitlement], 5))
  const refused = await a().post(`${ITEM}/${body.id}/take_back`, { reason: '选错了' })
  expectRefusal(refused, 409)
  expect(refused.body['detail']).toContain('之后又被改过')
  expect(await endOf(one.entitlement)).toBe(NOW + 20 * DAY)
})

test('more than ninety days wait for another person, whether asked for at once or in parts', async () => {
  const one = await learner(10)
  expect((await extend([one.entitlement], 60)).body.status).toBe(S.done)
  const second = await extend([one.entitlement], 31)
  expect(second.body.status).toBe(S.waiting)
  expect(await endOf(one.entitlement)).toBe(NOW + 70 * DAY)
  const own = await a().post(`${ITEM}/${second.body.id}/approve`, {})
  expectRefusal(own, [403, 409])
  expect(own.body['detail']).toContain('自己提交')
  const waits = (await b().get<{ items: { title: string; record: number }[] }>('/daoyuan/api/end/waiting', { kind: 'validity_change' })).body.items
  expect(waits.map(({ record }) => record)).toContain(second.body.id)
  expectSuccess(await b().post(`${ITEM}/${second.body.id}/approve`, {}))
  expect(await endOf(one.entitlement)).toBe(NOW + 101 * DAY)
  // What a second person decided is not taken back.
  expectRefusal(await a().post(`${ITEM}/${second.body.id}/take_back`, { reason: '选错了' }), [403, 409])
  expectRefusal(await b().post(`${ITEM}/${second.body.id}/approve`, {}), 409)
})

test('two who agree at once give the time once', async () => {
  const one = await learner(10)
  const { body } = await extend([one.entitlement], 100)
  const carl = await app.staff(app.servedGrants)
  const both = await Promise.all([b(), carl].map((who) => who.post(`${ITEM}/${body.id}/approve`, {})))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await endOf(one.entitlement)).toBe(NOW + 110 * DAY)
})

test('more than fifty people wait, and two requests at once do not slip past the limit', async () => {
  const dora = await app.staff(app.servedGrants)
  const people: Learner[] = []
  for (let count = 0; count < 52; count++) people.push(await learner())
  const ids = people.map(({ entitlement }) => entitlement)
  const [first, last] = await Promise.all([extend(ids.slice(0, 30), 3, dora), extend(ids.slice(30), 3, dora)])
  expect([first?.body.status, last?.body.status].toSorted()).toEqual([S.waiting, S.done])
  const waiting = [first, last].find((one) => one?.body.status === S.waiting)?.body.id ?? 0
  expect((await read(waiting)).second).toContain('今天累计 52 人')
  expectSuccess(await dora.post(`${ITEM}/${waiting}/withdraw`, {}))
})

test('a course that was missing is opened, and found by what opened it; an approval in whose way something is does nothing', async () => {
  const one = await learner()
  const offers = (await a().get<{ items: OpenableOffer[] }>(`${AT}/offers`, { keyword: '补开' })).body.items
  expect(offers).toMatchObject([{ id: offer.id, valid: '60 天' }])
  const ask = { kind: 'open', user_ids: [one.id], line: 'excellent_training', offer_id: offer.id }
  const made = await a().post<{ id: number; status: number; undo: number }>(`${AT}/changes`, { ask, reason: '付款后没有开通' })
  expectSuccess(made)
  const bars = async () => (await a().post<ValidityFound>(AT, { mobiles: [one.mobile] })).body.people[0]?.bars ?? []
  expect((await bars()).map(({ product, cause }) => [product, cause])).toContainEqual(['补开课', `延期单 #${made.body.id}`])
  expectSuccess(await a().post(`/daoyuan/api/end/undo/${made.body.undo}`, {}))
  expect(await bars()).toHaveLength(1)
  const long = await extend([one.entitlement], 200)
  expectSuccess(await a().post(`/daoyuan/api/end/users/${one.id}/apply_close`, { reason: '用户要求' }))
  const refused = await b().post(`${ITEM}/${long.body.id}/approve`, {})
  expectRefusal(refused, 400)
  expect(refused.body['detail']).toContain('账号已注销')
  expect((await read(long.body.id)).status).toBe(S.waiting)
})

test('rights and reach hold on every way in', async () => {
  const one = await learner()
  const looker = await app.staff([VALIDITY_RIGHTS.screen])
  expectSuccess(await looker.post(AT, { mobiles: [one.mobile] }))
  expectRefusal(await extend([one.entitlement], 5, looker), 403)
  const limited = await app.staff([VALIDITY_RIGHTS.screen, VALIDITY_RIGHTS.id('extend')], { scopes: { agent: [999_999] } })
  expect((await limited.post<ValidityFound>(AT, { mobiles: [one.mobile] })).body.people).toEqual([])
  expectRefusal(await extend([one.entitlement], 5, limited), 404)
  expectRefusal(await extend([one.entitlement], 0), 400)
  expectRefusal(await extend([999_999_999], 5), 404)
  expectRefusal(await a().post(`${AT}/changes`, { ask: { kind: 'close' }, reason: REASON }), 400)
})
