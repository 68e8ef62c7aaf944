import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { APPLY_STATUS as S } from '../apply/module.ts'
import { bookLine } from '../book/module.ts'
import { copyQuotas, previewList, recallMarket, recallVirtual, requestOpenings, setQuotas, type ListCheck, type ListRow, type VirtualStory } from './calls.ts'
import { requests } from './market.server.ts'
import { marketApply } from './market-apply.ts'
import { marketUser, OPENING } from './opening.ts'
import { marketQuota, monthOf, monthBefore } from './quota.ts'
import { virtualOrder } from './virtual-order.ts'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
const MONTH = monthOf(NOW)
const { offers, orders, learners } = bookLine
const ITEM = marketApply.api.item

let app: TestApp
let manager: Caller
let auditor: Caller
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  manager = await app.staff(app.servedGrants)
  auditor = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

const mobile = () => `137${String(10_000_000 + ++n)}`

async function newOffer(): Promise<number> {
  const answer = await manager.post<WireRow>(offers.api.item, { title: `数字资源 ${++n}`, subject_id: 1, price: 29_00, valid_mode: 1, valid_days: 365 })
  expectSuccess(answer)
  await app.db.query(sql`update offer set state = 3 where id = ${answer.body.id}`)
  return answer.body.id
}

const give = (staffId: number, quota: number, month = MONTH) => manager.put<{ set: number }>(setQuotas.path, { month, staff_ids: [staffId], quota })

/** Somebody of the market with a quota of their own. */
async function marketer(quota?: number): Promise<Caller> {
  const one = await app.staff(app.servedGrants)
  if (quota !== undefined) expectSuccess(await give(one.staffId, quota))
  return one
}

const asked = (offer_id: number, lines: readonly string[], more: Record<string, unknown> = {}) => ({ org: `第${++n}中学`, applicant: '王老师', mobile: mobile(), region_code: '320508', offer_id, purpose: 2, days: 30, reason: '新学期试用', lines, ...more })

async function request(by: Caller, offer: number, lines: readonly string[], more: Record<string, unknown> = {}): Promise<number> {
  const answer = await by.post<{ id: number }>(requestOpenings.path, asked(offer, lines, more))
  expectSuccess(answer)
  return answer.body.id
}

const approve = (id: number, by = auditor) => by.post<WireRow>(`${ITEM}/${id}/approve`, {})
const openings = async (applyId: number) => (await manager.get<{ items: WireRow[] }>(marketUser.api.list, { apply_id: applyId, page_size: 100 })).body.items
const states = async (applyId: number) => (await openings(applyId)).map((row) => row['state']).toSorted()
const quotaOf = async (staffId: number) => (await manager.get<{ items: WireRow[] }>(marketQuota.api.list, { staff_id: staffId, month: MONTH })).body.items[0]

/** What must hold whatever was done: quota used is openings in force, an opening is in force exactly while its order and its entitlement are, a passed request has its effect and another has none. */
async function broken(): Promise<unknown[]> {
  const questions = [
    sql`select q.id from market_quota q where (select count(*) from market_grant g where g.quota_id = q.id and g.state = ${OPENING.active} and g.deleted_at is null) > q.quota`,
    sql`select g.id from market_grant g join orders o on o.id = g.order_id where (g.state in (${OPENING.active}, ${OPENING.expired})) <> (o.status in (4, 7))`,
    sql`select g.id from market_grant g where g.kind = 'market' and (g.state in (${OPENING.active}, ${OPENING.recalled}, ${OPENING.expired})) <> (g.order_id is not null)`,
    sql`select g.id from market_grant g where g.state = ${OPENING.active} and g.kind = 'market' and not exists (select 1 from order_item i join entitlement e on e.ref = 'order_item ' || i.id || ':' || i.ref_id and e.source = 5 and e.status = 1 and e.expire_at = g.expire_at and e.user_id = g.user_id where i.order_id = g.order_id)`,
    sql`select g.id from market_grant g join apply a on a.id = g.apply_id where g.kind = 'market' and g.state = ${OPENING.active} and a.status <> ${S.passed}`,
    sql`select a.id from apply a where a.kind = 'market_virtual' and a.status = ${S.passed} and not exists (select 1 from market_grant g where g.apply_id = a.id and g.order_id is not null)`,
    sql`select o.id from orders o where o.virtual = 1 and (o.amount <> 0 or o.paid <> 0 or o.refunded <> 0)`,
    sql`select p.id from payment p join orders o on o.id = p.order_id where o.virtual = 1`,
    sql`select g.user_id, g.offer_id from market_grant g where g.state = ${OPENING.active} and g.deleted_at is null group by 1, 2 having count(*) > 1`,
  ]
  return (await Promise.all(questions.map((question) => app.db.query(question)))).flatMap((rows, at) => rows.map((row) => ({ question: at, row })))
}

test('a list is told apart before anything is written, and only who can be opened for is named', async () => {
  const offer = await newOffer()
  const one = await marketer(5)
  const [fresh, known, has] = [mobile(), mobile(), mobile()]
  for (const number of [known, has]) expectSuccess(await manager.post('/daoyuan/api/end/users', { mobile: number, nickname: '林小满', real_name: '林小满', role: 1 }))
  expectSuccess(await manager.post<WireRow>(orders.api.item, { order_info: { items: [{ kind: 'offer', ref_id: offer, qty: 1 }], virtual: true }, user_info: { mobile: has, name: '林小满' } }))
  const lines = [`${fresh} 陈一诺`, known, `+86 ${has}`, fresh, '王小明']
  const seen = await one.post<ListCheck>(previewList.path, { offer_id: offer, lines })
  expect(seen.status).toBe(200)
  expect(seen.body.rows.map(({ state }) => state)).toEqual(['new', 'known', 'there', 'twice', 'bad'])
  expect(seen.body.rows.map(({ why }) => why?.slice(0, 4) ?? null)).toEqual([null, null, '已有权益', '与第 1', '没有 1'])
  expect(seen.body.rows[0]?.mobile).toMatch(/^137\*{4}/)
  expect(seen.body).toMatchObject({ counts: { new: 1, known: 1, there: 1, twice: 1, bad: 1 }, quota: { month: MONTH, quota: 5, used: 0 } })
  expectFieldRefusal(await one.post(requestOpenings.path, asked(offer, ['王小明'])), 400, 'lines')
  expectFieldRefusal(await one.post(requestOpenings.path, asked(0, lines)), 400, 'offer_id')
  const made = await one.post<{ id: number; named: number; left_out: ListRow[] }>(requestOpenings.path, asked(offer, lines))
  expectSuccess(made)
  expect(made.body).toMatchObject({ named: 2, left_out: [{ row: 3 }, { row: 4 }, { row: 5 }] })
  expect((await one.get<WireRow>(`${ITEM}/${made.body.id}`)).body).toMatchObject({ status: S.waiting, staff_id: one.staffId, people_cnt: 2, in_force: 0 })
  // Who stands on a list that waits is not asked for twice.
  const again = await one.post<ListCheck>(previewList.path, { offer_id: offer, lines: [fresh] })
  expect(again.body.rows[0]).toMatchObject({ state: 'there', why: expect.stringContaining('申请名单中') })
})

test('somebody else approves: a virtual order and an entitlement for each, for the days that were asked for, out of the quota', async () => {
  const offer = await newOffer()
  const one = await marketer(3)
  const numbers = [mobile(), mobile()]
  const id = await request(one, offer, numbers.map((number, at) => `${number} 学员${at}`), { days: 7 })
  expect((await approve(id, one)).body['detail']).toContain('请换一个人')
  const passed = await approve(id)
  expectSuccess(passed)
  expect(passed.body).toMatchObject({ status: S.passed, auditor_id: auditor.staffId, in_force: 2 })
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 2, left: 1, opened: 2, won: 0 })
  const [learner] = (await manager.get<{ items: WireRow[] }>(learners.api.list, { offer_id: offer })).body.items
  expect(learner).toMatchObject({ state: '生效中', source: 5 })
  expect(Number(learner?.['expire_at'])).toBeLessThan(NOW + 7 * DAY + 600)
  const { items: virtual } = (await manager.get<{ items: WireRow[] }>(virtualOrder.api.list, { goods_ref_id: offer })).body
  expect(virtual).toHaveLength(2)
  expect(virtual[0]).toMatchObject({ source: '市场开通', amount: 0, paid: 0, total: 29_00, until: learner?.['expire_at'] })
  const story = await manager.get<VirtualStory>(`${virtualOrder.api.item}/${virtual[0]?.id}/story`)
  expect(story.body).toMatchObject({ request: { id, days: 7, reason: '新学期试用' }, opened: [{ status: 1 }], log: [{ action: '开通' }, { action: '录单' }] })
  expect(await app.db.query(sql`select 1 from earning`)).toEqual([])
  expectRefusal(await approve(id), 409)
  expect(await broken()).toEqual([])
})

test('what is taken back gives its place back, one by one, by its order, or the whole request', async () => {
  const offer = await newOffer()
  const one = await marketer(4)
  const id = await request(one, offer, [mobile(), mobile(), mobile(), mobile()])
  expectSuccess(await approve(id))
  const rows = await openings(id)
  const ids = rows.map((row) => row.id)
  expectRefusal(await (await app.staff([marketUser.grant])).post(recallMarket.path, { ids: [ids[0]], reason: '试用结束' }), 403)
  expectRefusal(await manager.post(recallMarket.path, { ids: [ids[0]] }), 400)
  expectSuccess(await manager.post(recallMarket.path, { ids: [ids[0], ids[0]], reason: '试用结束' }))
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 3, left: 1, opened: 4 })
  expect((await openings(id)).find((row) => row.id === ids[0])).toMatchObject({ state: OPENING.recalled, note: '试用结束' })
  expectRefusal(await manager.post(recallMarket.path, { ids: [ids[0]], reason: '再收一次' }), 409)
  // The order's own way back, and the screen of virtual orders.
  expectSuccess(await manager.post(`${orders.api.item}/${rows[1]?.['order_id']}/refund`, { way: 'original', reason: '开错了' }))
  expectSuccess(await manager.post(recallVirtual.path, { ids: [rows[2]?.['order_id']], reason: '开错了' }))
  expectRefusal(await manager.post(recallVirtual.path, { ids: [rows[2]?.['order_id']], reason: '开错了' }), 400)
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 1, left: 3 })
  expectSuccess(await auditor.post(`${ITEM}/${id}/undo_apply`, { reason: '客户终止合作' }))
  expect(await states(id)).toEqual([3, 3, 3, 3])
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 0, left: 4 })
  expect((await manager.get<{ items: WireRow[] }>(learners.api.list, { offer_id: offer })).body.items.map((row) => row['state'])).toEqual(['已退款', '已退款', '已退款', '已退款'])
  expect(await broken()).toEqual([])
})

test('a request without a quota, above it, or for what is not sold says so before and opens nothing', async () => {
  const offer = await newOffer()
  const none = await marketer()
  const id = await request(none, offer, [mobile()])
  const problems = async (one: number) => (await auditor.get<{ problems: string[] }>(`${ITEM}/${one}/list`)).body.problems
  expect(await problems(id)).toEqual([expect.stringContaining('没有分配名额')])
  expect((await approve(id)).body['detail']).toContain('没有分配名额')
  expectSuccess(await give(none.staffId, 1))
  expectSuccess(await approve(id))
  const more = await request(none, offer, [mobile()])
  expect(await problems(more)).toEqual([expect.stringContaining('名额不足：共 1 个，在用 1 个，还要开通 1 人')])
  expectRefusal(await approve(more), 400)
  expect((await auditor.get<WireRow>(`${ITEM}/${more}`)).body['status']).toBe(S.waiting)
  expect(await states(more)).toEqual([OPENING.named])
  expectFieldRefusal(await give(none.staffId, 0), 400, 'quota')
  await app.db.query(sql`update offer set state = 4 where id = ${offer}`)
  expect((await problems(more))[0]).toContain('没有在售')
  expectSuccess(await auditor.post(`${ITEM}/${more}/reject`, { reason: '商品已下架' }))
  expect((await openings(more))[0]).toMatchObject({ state: OPENING.left, note: '申请被驳回：商品已下架' })
  expect(await broken()).toEqual([])
})

test('two who approve at once take the quota once, and nobody has the same thing twice', async () => {
  const offer = await newOffer()
  const one = await marketer(3)
  const made: number[] = []
  for (let at = 0; at < 4; at++) made.push(await request(one, offer, [mobile(), mobile()]))
  const done = await Promise.all(made.map((id, at) => approve(id, at % 2 === 0 ? auditor : manager)))
  expect(done.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 2, left: 1 })
  // The same request twice at once, then taken back twice at once.
  expectSuccess(await give(one.staffId, 20))
  const twice = made.filter((_, at) => done[at]?.status !== 200)[0] ?? 0
  const both = await Promise.all([approve(twice, auditor), approve(twice, manager)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const ids = (await openings(twice)).map(({ id }) => id)
  const back = await Promise.all([manager.post(recallMarket.path, { ids, reason: '同时收回' }), auditor.post(`${ITEM}/${twice}/undo_apply`, { reason: '同时收回' }), auditor.post(recallMarket.path, { ids: ids.toReversed(), reason: '同时收回' })])
  expect(back.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  expect(back.filter(({ status }) => status >= 500)).toEqual([])
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 2 })
  // One person on the lists of two people of the market: opened once.
  const shared = mobile()
  const two = await marketer(5)
  const [mine, theirs] = [await request(one, offer, [shared, mobile()]), await request(two, offer, [mobile(), mobile()])]
  await app.db.query(sql`update market_grant set mobile = ${shared} where id = (select max(id) from market_grant where apply_id = ${theirs})`)
  const raced = await Promise.all([approve(mine, auditor), approve(theirs, manager)])
  expect(raced.filter(({ status }) => status >= 500)).toEqual([])
  expect(await broken()).toEqual([])
})

test('what was asked for may be changed by whoever asked while it waits, and is looked at again', async () => {
  const offer = await newOffer()
  const one = await marketer(5)
  const id = await request(one, offer, [mobile()])
  const seen = (await auditor.get<WireRow>(`${ITEM}/${id}`)).body
  const colleague = await app.staff([marketApply.grant, marketApply.actions.edit ?? 0])
  expectRefusal(await colleague.put(`${ITEM}/${id}/list`, { lines: [mobile()] }), 403)
  expectRefusal(await colleague.put(`${ITEM}/${id}`, { days: 60 }), 403)
  expectSuccess(await one.put(`${ITEM}/${id}/list`, { lines: [mobile(), mobile(), mobile()], rev: seen.rev }))
  expect((await auditor.get<WireRow>(`${ITEM}/${id}`)).body['people_cnt']).toBe(3)
  expectRefusal(await auditor.post(`${ITEM}/${id}/approve`, { rev: seen.rev }), 409)
  // An auditor may mend it, and then does not approve it.
  expectSuccess(await manager.put(`${ITEM}/${id}`, { days: 14 }))
  expect((await approve(id, manager)).body['detail']).toContain('请换一个人')
  expectSuccess(await approve(id))
  expectRefusal(await one.put(`${ITEM}/${id}/list`, { lines: [mobile()] }), 403)
  expectRefusal(await one.put(`${ITEM}/${id}`, { days: 60 }), 403)
})

test('what is over falls back to the quota, and who buys afterwards counts as won', async () => {
  const offer = await newOffer()
  const one = await marketer(2)
  const number = mobile()
  const id = await request(one, offer, [number, mobile()])
  expectSuccess(await approve(id))
  await app.db.query(sql`update market_grant set start_at = start_at - interval '5 days' where apply_id = ${id}`)
  const placed = await manager.post<WireRow>(orders.api.item, { order_info: { items: [{ kind: 'offer', ref_id: offer, qty: 1 }] }, user_info: { mobile: number, name: '学员' } })
  expectSuccess(placed)
  expectSuccess(await manager.post(`${orders.api.item}/${placed.body.id}/pay`, { amount: 29_00, channel: 'wechat' }))
  expect((await openings(id)).map((row) => row['bought']).toSorted()).toEqual([29_00, null])
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 2, won: 1 })
  expect((await manager.get<{ total: number }>(marketUser.api.list, { apply_id: id, won: 'yes' })).body.total).toBe(1)
  await app.db.query(sql`update apply set due_at = now() - interval '1 minute' where id = ${id}`)
  await requests.sweep(app.kernel.db).run()
  expect((await manager.get<WireRow>(`${ITEM}/${id}`)).body).toMatchObject({ status: S.expired, in_force: 0 })
  expect(await states(id)).toEqual([OPENING.expired, OPENING.expired])
  expect(await quotaOf(one.staffId)).toMatchObject({ used: 0, left: 2, opened: 2 })
})

test('quotas are given by those with the right, and go on from the month before', async () => {
  const [one, two] = [await app.staff([]), await app.staff([])]
  const plain = await app.staff([marketUser.grant, marketUser.actions.edit ?? 0])
  expectRefusal(await plain.put(setQuotas.path, { month: MONTH, staff_ids: [one.staffId], quota: 5 }), 403)
  expectFieldRefusal(await manager.put(setQuotas.path, { month: MONTH, staff_ids: [999_999], quota: 5 }), 400, 'staff_ids')
  expectFieldRefusal(await manager.put(setQuotas.path, { month: '2026-13', staff_ids: [one.staffId], quota: 5 }), 400, 'month')
  expectSuccess(await give(one.staffId, 8, monthBefore(MONTH)))
  expectSuccess(await give(two.staffId, 6, monthBefore(MONTH)))
  expectSuccess(await give(two.staffId, 9))
  const copied = await manager.post<{ set: number }>(copyQuotas.path, { month: MONTH })
  expectSuccess(copied)
  expect(copied.body.set).toBe(1)
  expect([(await quotaOf(one.staffId))?.['quota'], (await quotaOf(two.staffId))?.['quota']]).toEqual([8, 9])
  expectRefusal(await manager.post(copyQuotas.path, { month: MONTH }), 400)
})
