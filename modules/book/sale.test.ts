import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { agent } from '../agent/module.ts'
import { activateBookCode, bookCode, bookCodeGroup } from './book-code.ts'
import { book } from './book.ts'
import { screenId } from '../screens.ts'
import { deletedOrders } from './deleted-orders.ts'
import { bookLine } from './line.ts'

const { offers, orders, learners } = bookLine
const DAY = 86_400

let app: TestApp
let admin: Caller
let shop: number
let bookId: number
let made = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.staff(app.servedGrants)
  const made = await admin.post<{ id: number }>(agent.api.item, { name: '新华书店', type: 2, mobile: '13900001111', level_id: 1 })
  expectSuccess(made)
  shop = made.body.id
  await app.db.query(sql`update agent set status = 1 where id = ${shop}`)
  const answer = await admin.post<{ id: number }>(book.api.item, { name: '数学练习册', isbn: '9787100000014', subject_id: 1, answers_open: 1 })
  expectSuccess(answer)
  bookId = answer.body.id
})
afterAll(() => app.close())

async function newOffer(): Promise<number> {
  const answer = await admin.post<WireRow>(offers.api.item, { title: `数字资源 ${++made}`, subject_id: 1, price: 29_00, valid_mode: 1, valid_days: 365, book_ids: [bookId] })
  expectSuccess(answer)
  await app.db.query(sql`update offer set state = 3 where id = ${answer.body.id}`)
  return answer.body.id
}

const batch = (offer_id: number, more: Record<string, unknown> = {}) => admin.post<WireRow>(bookCodeGroup.api.item, {
  name: `批次 ${++made}`, agent_id: shop, offer_id, book_id: bookId, print_no: 1, count: 3, code_len: 12, valid_months: 12, redeem_before: Math.floor(Date.now() / 1000) + 90 * DAY, purpose: 1, ...more,
})

test('codes are made for a shop, a book and a print, and one opens what is sold with the book', async () => {
  const offer = await newOffer()
  expectFieldRefusal(await batch(offer, { print_no: 3 }), 400, 'print_no')
  const group = await batch(offer)
  expectSuccess(group)
  const [code] = (await admin.get<{ items: WireRow[] }>(bookCode.api.list, { group_id: group.body.id })).body.items
  const { body: { value: whole } } = await admin.post<{ value: string }>(`${bookCode.api.item}/${code?.id}/reveal_code`)
  expectFieldRefusal(await admin.post(activateBookCode.path, { code: '22222222', mobile: '13911112222' }), 400, 'code')
  const done = await admin.post<{ offer_name: string }>(activateBookCode.path, { code: whole, mobile: '13911112222', name: '林小满' })
  expectSuccess(done)
  expect(done.body.offer_name).toMatch(/^数字资源/)
  const [learner] = (await admin.get<{ items: WireRow[] }>(learners.api.list, { offer_id: offer })).body.items
  expect(learner).toMatchObject({ state: '生效中', by_code: code?.['code'] })
  expectRefusal(await admin.post(activateBookCode.path, { code: whole, mobile: '13911113333' }), [400, 409])
  expectRefusal(await (await app.staff([bookCode.grant])).post(activateBookCode.path, { code: whole, mobile: '13911112222' }), 403)
  expect((await admin.get<WireRow>(`${offers.api.item}/${offer}`)).body['code_left']).toBe(2)
})

test('a book that is not in what is sold gets no codes of it, and a shop that does not work with us none at all', async () => {
  const offer = await newOffer()
  const other = await admin.post<{ id: number }>(book.api.item, { name: '物理练习册', isbn: '9787100000021', subject_id: 3, answers_open: 1 })
  expectFieldRefusal(await batch(offer, { book_id: other.body.id }), 400, 'book_id')
  await app.db.query(sql`update agent set status = 2 where id = ${shop}`)
  expectFieldRefusal(await batch(offer), 400, 'agent_id')
  await app.db.query(sql`update agent set status = 1 where id = ${shop}`)
})

test('what is bought opens an account, and a refund takes it back', async () => {
  const id = await newOffer()
  const placed = await admin.post<WireRow>(orders.api.item, { order_info: { items: [{ kind: 'offer', ref_id: id, qty: 1 }] }, user_info: { mobile: '13911114444', name: '林小满' } })
  expectSuccess(placed)
  expectSuccess(await admin.post(`${orders.api.item}/${placed.body.id}/pay`, { amount: 29_00, channel: 'wechat' }))
  const read = async () => (await admin.get<{ items: WireRow[] }>(learners.api.list, { offer_id: id })).body.items.map((row) => row['state'])
  expect(await read()).toEqual(['生效中'])
  expectSuccess(await admin.post(`${orders.api.item}/${placed.body.id}/refund`, { amount: 29_00, way: 'original', reason: '买错了' }))
  expect(await read()).toEqual(['已退款'])
})

test('an order that was deleted is listed, and comes back as it was', async () => {
  const id = await newOffer()
  const placed = await admin.post<WireRow>(orders.api.item, { order_info: { items: [{ kind: 'offer', ref_id: id, qty: 1 }] }, user_info: { mobile: '13911115555', name: '林小满' } })
  expectSuccess(placed)
  const deleted = async (keyword?: string, caller = admin) => (await caller.get<{ items: WireRow[]; total: number; can_restore: boolean }>(deletedOrders.path, keyword === undefined ? {} : { keyword })).body
  expect(await deleted()).toMatchObject({ items: [], total: 0 })
  expectSuccess(await admin.post(`${orders.api.item}/${placed.body.id}/cancel`, { reason: '重复下单' }))
  expectSuccess(await admin.delete(`${orders.api.item}/${placed.body.id}`))
  const looker = await app.staff([screenId('/practiceBook/deleteOrders')])
  expect(await deleted(undefined, looker)).toMatchObject({ items: [{ id: placed.body.id, updated_by_name: expect.any(String) }], total: 1, can_restore: false })
  expect((await deleted('不存在的')).total).toBe(0)
  expectSuccess(await admin.post(`${orders.api.item}/${placed.body.id}/restore`, {}))
  expect((await deleted()).total).toBe(0)
  expectRefusal(await (await app.staff([orders.grant])).get(deletedOrders.path), 403)
})
