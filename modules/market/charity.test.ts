import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import type { ApplyCheck } from '../apply/calls.ts'
import { APPLY_STATUS as S } from '../apply/module.ts'
import { bookLine } from '../book/module.ts'
import { charities } from './charity.server.ts'
import { recallCharity, type ListCheck } from './calls.ts'
import { charityApply } from './charity-apply.ts'
import { charityUser, OPENING } from './opening.ts'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
const ITEM = charityApply.api.item

let app: TestApp
let writer: Caller
let auditor: Caller
let offer: number
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  auditor = await app.staff(app.servedGrants)
  const answer = await writer.post<WireRow>(bookLine.offers.api.item, { title: '公益数字资源', subject_id: 1, price: 29_00, valid_mode: 1, valid_days: 365 })
  expectSuccess(answer)
  offer = answer.body.id
  await app.db.query(sql`update offer set state = 3 where id = ${offer}`)
})
afterAll(() => app.close())

const mobile = () => `136${String(10_000_000 + ++n)}`
const school = (more: Record<string, unknown> = {}) => ({ org: `希望小学${++n}`, applicant: '周敏', mobile: mobile(), region_code: '520302', licence_no: `1252${n}`, offer_id: offer, quota: 3, due_at: NOW + 90 * DAY, ...more })

async function applied(more: Record<string, unknown> = {}): Promise<number> {
  const answer = await writer.post<WireRow>(ITEM, school(more))
  expectSuccess(answer)
  expectSuccess(await writer.post(`${ITEM}/${answer.body.id}/submit`, {}))
  // What a school sends is uploaded by its own call; only that it is there matters here.
  await app.db.query(sql`update apply set licence = '{/file/1}' where id = ${answer.body.id}`)
  return answer.body.id
}

async function passed(more: Record<string, unknown> = {}): Promise<number> {
  const id = await applied(more)
  expectSuccess(await auditor.put(`${ITEM}/${id}/evidence`, { evidence: ['org', 'need'] }))
  expectSuccess(await auditor.post(`${ITEM}/${id}/approve`, {}))
  return id
}

const open = (id: number, lines: readonly string[], by = writer) => by.post<{ opened: number }>(`${ITEM}/${id}/places`, { lines })
const read = async (id: number) => (await writer.get<WireRow>(`${ITEM}/${id}`)).body
const people = async (id: number) => (await writer.get<{ items: WireRow[] }>(charityUser.api.list, { apply_id: id, page_size: 100 })).body.items
const running = async () => (await app.db.query<{ n: number }>(sql`select count(*)::int as n from entitlement where source = 4 and status = 1 and expire_at > now() and deleted_at is null`))[0]?.n

test('a school passes once somebody else has looked at its hardship; its people learn until its last day is over', async () => {
  const id = await applied()
  expect((await writer.post(`${ITEM}/${id}/approve`, {})).body['detail']).toContain('请换一个人')
  expect((await auditor.get<ApplyCheck>(`${ITEM}/${id}/check`)).body.problems).toEqual([expect.stringContaining('还没有核对困难证明')])
  expectRefusal(await auditor.post(`${ITEM}/${id}/approve`, {}), 400)
  expectRefusal(await open(id, [mobile()]), 409)
  expectRefusal(await (await app.staff([charityApply.grant])).put(`${ITEM}/${id}/evidence`, { evidence: ['need'] }), 403)
  expectSuccess(await auditor.put(`${ITEM}/${id}/evidence`, { evidence: ['need', 'visit'] }))
  expectSuccess(await auditor.post(`${ITEM}/${id}/approve`, {}))
  expect(await read(id)).toMatchObject({ status: S.passed, used: 0, left: 3 })
  const one = mobile()
  const seen = await writer.post<ListCheck>(`${ITEM}/${id}/places/list`, { lines: [`${one} 石头`, one, '没有号码'] })
  expect(seen.body).toMatchObject({ counts: { new: 1, twice: 1, bad: 1 }, quota: { quota: 3, used: 0 } })
  const opened = await open(id, [`${one} 石头`, one, '没有号码'])
  expectSuccess(opened)
  expect(opened.body.opened).toBe(1)
  const [row] = await people(id)
  expect(row).toMatchObject({ state: OPENING.active, offer_id: offer })
  expect(Number(row?.['expire_at'])).toBeGreaterThan(NOW + 90 * DAY)
  const learners = (await writer.get<{ items: WireRow[] }>(bookLine.learners.api.list, { user_id: Number(row?.['user_id']) })).body.items
  expect(learners).toMatchObject([{ state: '生效中', source: 4, expire_at: row?.['expire_at'] }])
  expectFieldRefusal(await open(id, [one]), 400, 'lines')
})

test('two who open at once take each place once; what is taken back is free again', async () => {
  const id = await passed()
  const done = await Promise.all([open(id, [mobile(), mobile()]), open(id, [mobile(), mobile()], auditor), open(id, [mobile(), mobile()])])
  expect(done.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await read(id)).toMatchObject({ used: 2, left: 1 })
  const before = await running()
  const [one, two] = await people(id)
  expectSuccess(await writer.post(recallCharity.path, { ids: [one?.id], reason: '已转学' }))
  expectRefusal(await writer.post(recallCharity.path, { ids: [one?.id], reason: '已转学' }), 409)
  expect(await read(id)).toMatchObject({ used: 1, left: 2 })
  expect(await running()).toBe((before ?? 0) - 1)
  const rev = (await read(id)).rev
  expectFieldRefusal(await auditor.put(`${ITEM}/${id}/adjust`, { quota: 5, due_at: NOW - 2 * DAY, reason: '续一学期' }), 400, 'due_at')
  expectSuccess(await auditor.put(`${ITEM}/${id}/adjust`, { quota: 5, due_at: NOW + 200 * DAY, reason: '续一学期', rev }))
  expectRefusal(await auditor.put(`${ITEM}/${id}/adjust`, { quota: 6, due_at: NOW + 200 * DAY, reason: '续一学期', rev }), 409)
  expect(Number((await people(id)).find((row) => row.id === two?.id)?.['expire_at'])).toBeGreaterThan(NOW + 199 * DAY)
})

test('taken back or over, nobody of it may use anything', async () => {
  const [back, over] = [await passed(), await passed()]
  for (const id of [back, over]) expectSuccess(await open(id, [mobile(), mobile()]))
  expectRefusal(await writer.put(`${ITEM}/${back}`, { quota: 1 }), 403)
  const before = await running() ?? 0
  expectSuccess(await auditor.post(`${ITEM}/${back}/undo_apply`, { reason: '材料不实' }))
  expect((await people(back)).map((row) => [row['state'], row['note']])).toEqual([[OPENING.recalled, '材料不实'], [OPENING.recalled, '材料不实']])
  expect(await running()).toBe(before - 2)
  await app.db.query(sql`update apply set due_at = now() - interval '12 hours' where id = ${over}`)
  await charities.sweep(app.kernel.db).run()
  // The last day still counts.
  expect((await read(over))['status']).toBe(S.passed)
  await app.db.query(sql`update apply set due_at = now() - interval '2 days' where id = ${over}`)
  await charities.sweep(app.kernel.db).run()
  expect(await read(over)).toMatchObject({ status: S.expired, used: 0 })
  expect((await people(over)).map((row) => row['state'])).toEqual([OPENING.expired, OPENING.expired])
  expect(await app.db.query(sql`select g.id from market_grant g join apply a on a.id = g.apply_id where g.kind = 'charity' and g.state = 2 and a.status <> 3`)).toEqual([])
})
