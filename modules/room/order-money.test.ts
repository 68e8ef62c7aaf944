import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { type OrderRight, orderRight } from '../order/module.ts'
import { partner, school } from '../study-room/module.ts'
import { userOrder } from './orders.ts'
import { PARTNER_ROOMS } from './ownerships.ts'

const ITEM = userOrder.api.item
const PRICE = 2_999_00
const right = (name: OrderRight) => orderRight(userOrder, name)
const EDIT = [userOrder.grant, standardId(userOrder.grant, 'edit')]
const DESK = [PARTNER_ROOMS.side.screens.member, PARTNER_ROOMS.member.rights.id('sell')]

let app: TestApp
let clerk: Caller
let second: Caller
const place = { room: 0, member: 0, card: 0 }
beforeAll(async () => {
  app = await openTestApp()
  clerk = await app.staff(app.servedGrants)
  second = await app.staff(app.servedGrants)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(app.kernel.db, async (tx) => {
    const region = { region_code: '320508', address: '观前街 1 号', type_id: 1 }
    const [partnerId = 0] = await insertMany(tx, partner, [{ ...region, name: '启航', contact: '王启航', mobile: '13900130001', level: 4, sign_at: now - 86_400, expire_at: now + 86_400 * 300, status: 1 }])
    const [school_id = 0] = await insertMany(tx, school, [{ ...region, name: '一校', partner_id: partnerId, manager: '李校长', mobile: '13900140000', expire_at: now + 86_400 * 300, status: 1 as const }])
    ;[place.room = 0] = await insertMany(tx, PARTNER_ROOMS.room, [{ name: '一号室', school_id, type_id: 1, status: 1 }])
    ;[place.member = 0] = await insertMany(tx, PARTNER_ROOMS.member, [{ name: '张三', mobile: '13700137000', school_id, status: 1 }])
    ;[place.card = 0] = await insertMany(tx, PARTNER_ROOMS.card, [{ name: '年卡', school_id, kind: 7, quota: 0, valid_days: 365, price: PRICE, status: 1 }])
  })
})
afterAll(() => app.close())

const order = (item: Record<string, unknown> = {}, more: Record<string, unknown> = {}, info: Record<string, unknown> = {}) =>
  ({ order_info: { items: [{ kind: 'card', ref_id: place.card, qty: 1, ...item }], ...info }, user_info: { room_id: place.room, member_id: place.member }, ...more })
const cards = async () => (await app.db.query<{ n: number }>(sql`select count(*) as n from user_card`))[0]?.n
const desk = (who: Caller, given: Record<string, unknown>) => who.post<WireRow>(`${PARTNER_ROOMS.member.api.item}/${place.member}/card`, { card_id: place.card, room_id: place.room, ...given })

test('with 录单 alone no card of 2,999.00 is opened, by whatever trick', async () => {
  const writer = await app.staff(EDIT)
  const attempts: Record<string, Record<string, unknown>> = {
    'paid in cash': order({}, { package_price: { paid: PRICE, pay_channel: 'cash' } }),
    'a price of a fen': order({ price: 1 }), 'a price of nothing': order({ price: 0 }), 'all of it off': order({}, { package_price: { discount: PRICE } }),
    'virtual': order({}, {}, { virtual: true }), 'a dear price with more off': order({ price: PRICE * 2 }, { package_price: { discount: PRICE * 2 } }),
  }
  for (const [name, body] of Object.entries(attempts)) expectRefusal(await writer.post(ITEM, body), 403, name)
  for (const pay_channel of ['free', 'code']) expectFieldRefusal(await writer.post(ITEM, order({}, { package_price: { paid: PRICE, pay_channel } })), 400, 'package_price.pay_channel', pay_channel)
  expect(await cards()).toBe(0)
  expect((await writer.post<WireRow>(ITEM, order())).body).toMatchObject({ amount: PRICE, paid: 0, status: 1 })
  expect(await cards()).toBe(0)
})

test('the desk sells for the price; less needs 改价 there too', async () => {
  const seller = await app.staff(DESK)
  expectRefusal(await desk(seller, { paid: PRICE - 1, pay_channel: 'cash' }), 403)
  expectRefusal(await desk(seller, { paid: 0, pay_channel: 'free' }), 403)
  expectFieldRefusal(await desk(seller, { pay_channel: 'free' }), 400, 'pay_channel')
  expectSuccess(await desk(seller, { pay_channel: 'cash' }))
  expectSuccess(await desk(await app.staff([...DESK, right('reprice')]), { paid: 100, pay_channel: 'cash' }))
})

test('a store pays out no cash that never came in', async () => {
  const { body: sold } = await clerk.post<WireRow>(ITEM, order({}, { package_price: { paid: PRICE, pay_channel: 'wechat' } }))
  const before = await app.db.query(sql`select channel, sum(amount)::float8 as n from ledger where account_kind = 'room' group by 1 order by 1`)
  expect((await clerk.post<WireRow>(`${ITEM}/${sold.id}/refund`, { amount: PRICE, way: 'cash', reason: '退现金' })).body['status']).toBe(11)
  expect(await app.db.query(sql`select channel, sum(amount)::float8 as n from ledger where account_kind = 'room' group by 1 order by 1`)).toEqual(before)
  const [asked] = await app.db.query<{ id: number }>(sql`select id from refund where order_id = ${sold.id}`)
  expectRefusal(await (await app.staff([...EDIT, right('decide')])).post(`${ITEM}/${sold.id}/refund/${asked?.id}/approve`), 403)
  expectSuccess(await second.post(`${ITEM}/${sold.id}/refund/${asked?.id}/approve`))
  expect(await app.db.query(sql`select kind, channel, amount from ledger where order_id = ${sold.id} order by id`)).toEqual([
    { kind: 'payment', channel: 'wechat', amount: PRICE }, { kind: 'other_refund', channel: 'cash', amount: -PRICE },
  ])
})

test('money back without the goods is a lower price: it needs 改价 or a second person', async () => {
  const { body: sold } = await clerk.post<WireRow>(ITEM, order({}, { package_price: { paid: PRICE, pay_channel: 'wechat' } }))
  const refunder = await app.staff([userOrder.grant, right('refund')])
  const [item] = await app.db.query<{ id: number }>(sql`select id from order_item where order_id = ${sold.id}`)
  expect((await refunder.post<WireRow>(`${ITEM}/${sold.id}/refund`, { amount: PRICE - 1, way: 'original', reason: '少收一点' })).body['status']).toBe(11)
  const [asked] = await app.db.query<{ id: number }>(sql`select id from refund where order_id = ${sold.id}`)
  expectSuccess(await second.post(`${ITEM}/${sold.id}/refund/${asked?.id}/refuse`, { reason: '不同意' }))
  // With the card it is an ordinary refund, of as much as one likes.
  expect((await refunder.post<WireRow>(`${ITEM}/${sold.id}/refund`, { amount: PRICE - 100, way: 'original', reason: '扣手续费', items: [{ id: item?.id, qty: 1 }] })).body['status']).toBe(13)
})
