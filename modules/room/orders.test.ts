import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { partner, school } from '../study-room/module.ts'
import { CARD_STATUS } from './card-state.ts'
import { roomOrder, userOrder } from './orders.ts'
import { PARTNER_ROOMS } from './ownerships.ts'

let app: TestApp
let seller: Caller
const place = { partner: 0, school: 0, room: 0, otherRoom: 0, member: 0, card: 0 }
beforeAll(async () => {
  app = await openTestApp()
  seller = await app.staff(app.servedGrants)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(app.kernel.db, async (tx) => {
    const region = { region_code: '320508', address: '观前街 1 号', type_id: 1 }
    ;[place.partner = 0] = await insertMany(tx, partner, [{ ...region, name: '启航', contact: '王启航', mobile: '13900130001', level: 4, sign_at: now - 86_400, expire_at: now + 86_400 * 300, status: 1 }])
    const schools = await insertMany(tx, school, ['一校', '二校'].map((name, n) => ({ ...region, name, partner_id: place.partner, manager: '李校长', mobile: `1390014000${n}`, expire_at: now + 86_400 * 300, status: 1 as const })))
    place.school = schools[0] ?? 0
    const rooms = await insertMany(tx, PARTNER_ROOMS.room, schools.map((school_id) => ({ name: '一号室', school_id, type_id: 1, status: 1 })))
    Object.assign(place, { room: rooms[0], otherRoom: rooms[1] })
    ;[place.member = 0] = await insertMany(tx, PARTNER_ROOMS.member, [{ name: '张三', mobile: '13700137000', school_id: place.school, status: 1 }])
    ;[place.card = 0] = await insertMany(tx, PARTNER_ROOMS.card, [{ name: '十次卡', school_id: place.school, kind: 2, quota: 10, valid_days: 90, price: 200_00, stock: 3, status: 1 }])
  })
})
afterAll(() => app.close())

const USER = userOrder.api.item
const buy = (qty: number, more: Record<string, unknown> = {}) => seller.post<WireRow>(USER, {
  order_info: { items: [{ kind: 'card', ref_id: place.card, price: 200_00, qty }] }, user_info: { room_id: place.room, member_id: place.member }, ...more,
})
const cardsOf = () => app.db.query<{ status: number; paid: number; order_no: string | null }>(sql`select status, paid, order_no from user_card where member_id = ${place.member} order by id`)
const sold = async () => (await app.db.query<{ sold: number }>(sql`select coalesce(sold, 0) as sold from member_card where id = ${place.card}`))[0]?.sold

test('a member gets cards exactly while they are paid for, and the room has the money', async () => {
  const { body: order } = await buy(2, { package_price: { discount: 40_00 } })
  expect(order).toMatchObject({ amount: 360_00, school_id: place.school, partner_id: place.partner, buyer_name: '张*' })
  expect(await cardsOf()).toEqual([])
  expect((await seller.post<WireRow>(`${USER}/${order.id}/pay`, { amount: 360_00, channel: 'cash' })).body['status']).toBe(4)
  expect(await cardsOf()).toEqual(Array.from({ length: 2 }, () => ({ status: CARD_STATUS.unused, paid: 180_00, order_no: order['order_no'] })))
  expect(await sold()).toBe(2)

  const [item] = await app.db.query<{ id: number }>(sql`select id from order_item where order_id = ${order.id}`)
  expectSuccess(await seller.post(`${USER}/${order.id}/refund`, { amount: 180_00, way: 'cash', reason: '退一张', items: [{ id: item?.id, qty: 1 }] }))
  expect((await cardsOf()).map(({ status }) => status)).toEqual([CARD_STATUS.unused, CARD_STATUS.refunded])
  expectSuccess(await seller.post(`${USER}/${order.id}/refund`, { amount: 180_00, way: 'cash', reason: '全退' }))
  expect((await cardsOf()).map(({ status }) => status)).toEqual([CARD_STATUS.refunded, CARD_STATUS.refunded])
  expect(await sold()).toBe(0)
  const [books] = await app.db.query(sql`select sum(amount)::float8 as sum, count(*) as n from ledger where account_kind = 'room' and account_id = ${place.room}`)
  expect(books).toEqual({ sum: 0, n: 3 })
})

test('what is out of stock cannot be paid for, and nothing of the payment stays', async () => {
  const { body: order } = await buy(4)
  expectRefusal(await seller.post(`${USER}/${order.id}/pay`, { amount: 800_00, channel: 'cash' }), 409)
  expect(await app.db.query(sql`select 1 from payment where order_id = ${order.id}`)).toEqual([])
  expect(await sold()).toBe(0)
})

test('member, card and room belong to one school', async () => {
  expectFieldRefusal(await buy(1, { user_info: { room_id: place.otherRoom, member_id: place.member } }), 400, 'user_info.member_id')
  expectFieldRefusal(await buy(1, { user_info: { room_id: place.room } }), 400, 'user_info.member_id')
})

test('a room buys pads for its partner, sends are possible, and a manager of another partner sees none of it', async () => {
  const answer = await seller.post<WireRow>(roomOrder.api.item, {
    order_info: { items: [{ kind: 'pad', price: 900_00, qty: 3 }] }, receiving_info: { name: '李收', mobile: '15800001111', region_code: '320508', address: '观前街 1 号' },
    package_price: { paid: 2_700_00, pay_channel: 'transfer' }, user_info: { room_id: place.room },
  })
  expect(answer.body).toMatchObject({ status: 5, ship_status: 1, buyer_name: '李校长' })
  expect(await app.db.query(sql`select pad_cnt from partner where id = ${place.partner}`)).toEqual([{ pad_cnt: 3 }])
  expect((await seller.post<WireRow>(`${roomOrder.api.item}/${answer.body.id}/ship`, { company: '顺丰速运', no: 'SF7654321' })).body['status']).toBe(6)
  const stranger = await app.staff(app.servedGrants, { scopes: { partner: [place.partner + 1000] } })
  expect((await stranger.get<{ items: unknown[] }>(roomOrder.api.list)).body.items).toEqual([])
  expectRefusal(await stranger.get(`${roomOrder.api.item}/${answer.body.id}`), 404)
  expectRefusal(await app.nobody().get(roomOrder.api.list), 401)
})
