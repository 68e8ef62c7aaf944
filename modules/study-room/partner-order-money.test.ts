import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Answer, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { type OrderRight, orderRight } from '../order/module.ts'
import { partnerOrder } from './partner-order.ts'
import { PARTNER_STATUS, partner } from './partner.ts'

const { list: LIST, item: ITEM } = partnerOrder.api
const RECEIVER = { name: '李收', mobile: '15800001111', region_code: '320508', address: '观前街 1 号' }
const right = (name: OrderRight) => orderRight(partnerOrder, name)
const EDIT = standardId(partnerOrder.grant, 'edit')
const LOOK = [partnerOrder.grant, EDIT]

let app: TestApp
let clerk: Caller
let second: Caller
let partnerId = 0
let made = 0
beforeAll(async () => {
  app = await openTestApp()
  clerk = await app.staff(app.servedGrants)
  second = await app.staff(app.servedGrants)
})
beforeEach(async () => {
  const now = Math.floor(Date.now() / 1000)
  ;[partnerId = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, partner, [{
    name: `合伙人${++made}`, contact: '王启航', mobile: `136${String(10_000_000 + made)}`, region_code: '320508', level: 4, type_id: 1,
    sign_at: now - 86_400, expire_at: now + 300 * 86_400, status: PARTNER_STATUS.signed,
  }]))
})
afterAll(() => app.close())

const service = (price: number, qty = 1) => ({ order_info: { items: [{ kind: 'service', price, qty }] }, user_info: { partner_id: partnerId } })
const act = (who: Caller, id: number, action: string, body?: Record<string, unknown>) => who.post<WireRow>(`${ITEM}/${id}/${action}`, body)
const pay = (id: number, amount: number, channel: string) => act(clerk, id, 'pay', { amount, channel })

/** An order in force that was paid in these parts. */
async function effective(parts: [amount: number, channel: string][], given?: Record<string, unknown>): Promise<WireRow> {
  const { body: order } = await clerk.post<WireRow>(ITEM, given ?? service(parts.reduce((sum, [amount]) => sum + amount, 0)))
  for (const [amount, channel] of parts) expectSuccess(await pay(order.id, amount, channel))
  const answer = await act(second, order.id, 'approve')
  expectSuccess(answer)
  return answer.body
}

const refund = (who: Caller, id: number, amount: number, way: string, more: Record<string, unknown> = {}) => act(who, id, 'refund', { amount, way, reason: '客户要求', ...more })
const lastRefund = async (id: number) => (await app.db.query<{ id: number; parts: unknown }>(sql`select id, parts from refund where order_id = ${id} order by id desc limit 1`))[0]
const agree = async (who: Caller, id: number) => act(who, id, `refund/${(await lastRefund(id))?.id}/approve`)
const entries = (id: number) => app.db.query(sql`select kind, amount, channel from ledger where order_id = ${id} order by id`)
const balance = async () => (await app.db.query<{ balance: number }>(sql`select coalesce(balance, 0) as balance from partner where id = ${partnerId}`))[0]?.balance
const itemsOf = (id: number) => app.db.query<{ id: number; qty: number; refunded_qty: number; granted_qty: number }>(sql`select id, qty, refunded_qty, granted_qty from order_item where order_id = ${id} order by id`)
const fullDay = () => app.db.query(sql`update refund set asked_at = asked_at - interval '2 days'`)

/** Refunds that others were let have today do not count for those of this test. */
beforeEach(() => fullDay())

test('what is no money is not taken as money, whatever the amount', async () => {
  const { body: order } = await clerk.post<WireRow>(ITEM, service(3_999_99))
  for (const channel of ['free', 'code']) expectFieldRefusal(await pay(order.id, 3_999_99, channel), 400, 'channel', channel)
  for (const pay_channel of ['free', 'code']) expectFieldRefusal(await clerk.post(ITEM, { ...service(3_999_99), package_price: { paid: 3_999_99, pay_channel } }), 400, 'package_price.pay_channel', pay_channel)
  expect(await app.db.query(sql`select 1 from payment p join orders o on o.id = p.order_id where o.buyer_kind = 'partner' and o.buyer_ref_id = ${partnerId}`)).toEqual([])
})

test('what was paid by no money before that was refused is never paid out', async () => {
  const { body: order } = await clerk.post<WireRow>(ITEM, service(3_999_99))
  await app.db.query(sql`insert into payment (order_id, at, amount, channel) values (${order.id}, now(), 399999, 'free')`)
  await app.db.query(sql`update orders set paid = 399999, pay_channel = 'free', status = 8 where id = ${order.id}`)
  for (const way of ['original', 'balance', 'cash']) expectFieldRefusal(await refund(clerk, order.id, 3_999_99, way), 400, 'amount', way)
  expect([await balance(), await entries(order.id)]).toEqual([0, []])
  // What it opened can be taken back all the same.
  expect((await refund(clerk, order.id, 0, 'original')).body).toMatchObject({ status: 12, refunded: 0 })
})

test('money goes back by the channels that it came by, each at most what it brought', async () => {
  const order = await effective([[300_00, 'cash'], [200_00, 'wechat']])
  expect((await clerk.get<{ sources: unknown }>(`${ITEM}/${order.id}/detail`)).body.sources).toEqual([
    { channel: 'wechat', paid: 200_00, refunded: 0, left: 200_00 }, { channel: 'cash', paid: 300_00, refunded: 0, left: 300_00 },
  ])
  expectSuccess(await refund(clerk, order.id, 250_00, 'original'))
  expect((await lastRefund(order.id))?.parts).toEqual([{ from: 'wechat', to: 'wechat', amount: 200_00 }, { from: 'cash', to: 'cash', amount: 50_00 }])
  // Said by channel, it is that channel alone; twice the same channel is its sum.
  expectFieldRefusal(await refund(clerk, order.id, 100, 'original', { parts: [{ channel: 'wechat', amount: 100 }] }), 400, 'parts')
  expectFieldRefusal(await refund(clerk, order.id, 260_00, 'original', { parts: [{ channel: 'cash', amount: 130_00 }, { channel: 'cash', amount: 130_00 }] }), 400, 'amount')
  expectFieldRefusal(await refund(clerk, order.id, 200_00, 'original', { parts: [{ channel: 'cash', amount: 100_00 }] }), 400, 'parts')
  expectSuccess(await refund(clerk, order.id, 250_00, 'original', { parts: [{ channel: 'cash', amount: 125_00 }, { channel: 'cash', amount: 125_00 }] }))
  const sums = await app.db.query(sql`select channel, sum(amount)::float8 as n from ledger where order_id = ${order.id} and kind in ('payment', 'payout') group by 1 order by 1`)
  expect(sums).toEqual([{ channel: 'cash', n: 0 }, { channel: 'wechat', n: 0 }])
})

test('another way needs a second person with a right of its own, and the books say so', async () => {
  const order = await effective([[300_00, 'wechat']])
  const asked = await refund(clerk, order.id, 100_00, 'cash')
  expect(asked.body).toMatchObject({ status: 11, refunded: 0 })
  expectRefusal(await agree(clerk, order.id), 403)
  const decider = await app.staff([...LOOK, right('decide')])
  expectRefusal(await agree(decider, order.id), 403)
  expectSuccess(await agree(second, order.id))
  expect(await entries(order.id)).toEqual([
    { kind: 'payment', amount: 300_00, channel: 'wechat' }, { kind: 'order', amount: -300_00, channel: 'wechat' },
    { kind: 'refund', amount: 100_00, channel: 'wechat' }, { kind: 'other_payout', amount: -100_00, channel: 'cash' },
  ])
  // Paid by cash, given back in cash: that is no other way, whatever it is called.
  expect((await refund(clerk, (await effective([[50_00, 'cash']])).id, 50_00, 'cash')).body).toMatchObject({ status: 12 })
})

test('an item that is named three times goes back once', async () => {
  const pads = { order_info: { items: [{ kind: 'pad', price: 100_00, qty: 2 }] }, receiving_info: RECEIVER, user_info: { partner_id: partnerId } }
  const [first, other] = [await effective([[200_00, 'cash']], pads), await effective([[200_00, 'cash']], pads)]
  const [item] = await itemsOf(first.id)
  const thrice = Array.from({ length: 3 }, () => ({ id: item?.id, qty: 2 }))
  expectFieldRefusal(await refund(clerk, first.id, 1_00, 'original', { items: thrice }), 400, 'items')
  expectFieldRefusal(await refund(clerk, first.id, 1_00, 'original', { items: [{ id: item?.id, qty: -1 }] }), 400, 'items.0.qty')
  expectRefusal(await refund(clerk, first.id, 1_00, 'original', { items: [{ id: (await itemsOf(other.id))[0]?.id, qty: 1 }] }), 400)
  expectSuccess(await refund(clerk, first.id, 200_00, 'original', { items: [{ id: item?.id, qty: 1 }, { id: item?.id, qty: 1 }] }))
  expect(await itemsOf(first.id)).toMatchObject([{ refunded_qty: 2, granted_qty: 0 }])
  expect(await app.db.query(sql`select pad_cnt from partner where id = ${partnerId}`)).toEqual([{ pad_cnt: 2 }])
  await expect(app.db.query(sql`update order_item set granted_qty = -1 where id = ${item?.id ?? 0}`)).rejects.toThrow(/granted/)
  await expect(app.db.query(sql`update order_item set refunded_qty = 3 where id = ${item?.id ?? 0}`)).rejects.toThrow(/refunded/)
})

test('with 录单 alone nothing is paid, given away or sold for less', async () => {
  const writer = await app.staff(LOOK)
  const priced = { order_info: { items: [{ kind: 'service', qty: 1 }] }, user_info: { partner_id: partnerId } }
  const setting = (prices: Record<string, number>) => clerk.put(`${LIST}/setting`, { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30, prices })
  // Without a list price somebody says what it costs: that is what 改价 is for.
  expectRefusal(await writer.post(ITEM, service(100_00)), 403)
  expectFieldRefusal(await writer.post(ITEM, priced), 400, 'order_info.items.0.price')
  expectFieldRefusal(await setting({ boat: 1 }), 400, 'prices')
  expectSuccess(await setting({ service: 2_999_00 }))
  expect((await writer.post<WireRow>(ITEM, priced)).body).toMatchObject({ total: 2_999_00, amount: 2_999_00, status: 1 })
  const attempts: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['virtual', { virtual: true }, {}], ['all off', {}, { discount: 2_999_00 }], ['a fen off', {}, { discount: 1 }],
    ['paid in cash', {}, { paid: 2_999_00, pay_channel: 'cash' }], ['paid from the balance', {}, { paid: 100, pay_channel: 'balance' }],
  ]
  for (const [name, info, package_price] of attempts) {
    expectRefusal(await writer.post(ITEM, { ...priced, order_info: { ...priced.order_info, ...info }, package_price }), 403, name)
    const { body: draft } = await writer.post<{ id: number }>(`${LIST}/drafts`, { step: 4, body: { ...priced, order_info: { ...priced.order_info, ...info }, package_price } })
    expectRefusal(await writer.post(`${LIST}/drafts/${draft.id}/place`), 403, `${name} by way of a draft`)
  }
  expectRefusal(await writer.post(ITEM, service(1)), 403)
  // Each right opens its own door, and no other.
  expectSuccess(await (await app.staff([...LOOK, right('reprice')])).post(ITEM, service(1)))
  expectSuccess(await (await app.staff([...LOOK, right('pay')])).post(ITEM, { ...priced, package_price: { paid: 2_999_00, pay_channel: 'cash' } }))
  expectSuccess(await (await app.staff([...LOOK, right('virtual')])).post(ITEM, { ...priced, order_info: { ...priced.order_info, virtual: true } }))
  expectRefusal(await (await app.staff([...LOOK, right('reprice'), right('pay')])).post(ITEM, { ...priced, order_info: { ...priced.order_info, virtual: true } }), 403)
  expectSuccess(await setting({}))
})

test('a virtual order stays one: no price is asked for it later', async () => {
  const { body: order } = await clerk.post<WireRow>(ITEM, { ...service(100_00), order_info: { items: [{ kind: 'service', price: 100_00, qty: 1 }], virtual: true } })
  await act(second, order.id, 'reject', { reason: '信息不全' })
  expectRefusal(await act(clerk, order.id, 'reprice', { discount: 0, reason: '收款' }), 409)
})

test('the second person is not evaded by splitting, within an order or over a day', async () => {
  const order = await effective([[20_000_00, 'transfer']])
  expect((await refund(clerk, order.id, 4_999_99, 'original')).body['status']).toBe(13)
  await fullDay()
  // The order has its limit whenever it is asked.
  expect((await refund(clerk, order.id, 1, 'original')).body['status']).toBe(11)
  expectSuccess(await agree(second, order.id))
  // What a second person let through counts for nobody.
  const small = await effective([[4_000_00, 'transfer']])
  expect((await refund(clerk, small.id, 4_000_00, 'original')).body['status']).toBe(12)
  const next = await effective([[4_000_00, 'transfer']])
  expect((await refund(clerk, next.id, 1_000_00, 'original')).body['status']).toBe(11)
  expect((await refund(second, (await effective([[4_000_00, 'transfer']])).id, 1_000_00, 'original')).body['status']).toBe(13)
})

test('of ten refunds that one person asks for at once only so many go through as the day allows', async () => {
  const orders = await Promise.all(Array.from({ length: 10 }, () => effective([[1_000_00, 'cash']])))
  const answers: Answer<WireRow>[] = await Promise.all(orders.map(({ id }) => refund(clerk, id, 1_000_00, 'original')))
  expect(answers.map(({ body }) => body['status']).toSorted()).toEqual([...Array.from({ length: 6 }, () => 11), ...Array.from({ length: 4 }, () => 12)])
})

test('no sum is larger than the largest, by whatever way', async () => {
  const largest = 10_000_000_000
  const many = (price: number, qty: number, rows = 1) => clerk.post<WireRow>(ITEM, { order_info: { items: Array.from({ length: rows }, () => ({ kind: 'service', price, qty })) }, user_info: { partner_id: partnerId } })
  expectFieldRefusal(await many(largest, 100_000, 50), 400, 'order_info.items')
  expectFieldRefusal(await many(largest, 2), 400, 'order_info.items')
  expectFieldRefusal(await many(largest / 2, 1, 3), 400, 'order_info.items')
  const { body: order } = await many(largest, 1)
  expect(order['total']).toBe(largest)
  expectFieldRefusal(await pay(order.id, largest + 1, 'transfer'), 400, 'amount')
  expectFieldRefusal(await clerk.post(`${partner.api.item}/${partnerId}/top_up`, { amount: largest + 1, channel: 'transfer' }), 400, 'amount')
  await expect(app.db.query(sql`insert into ledger (account_kind, account_id, amount, kind) values ('partner', ${partnerId}, ${largest + 1}, 'top_up')`)).rejects.toThrow(/amount/)
  await expect(app.db.query(sql`insert into payment (order_id, at, amount, channel) values (${order.id}, now(), 0, 'cash')`)).rejects.toThrow(/amount/)
})
