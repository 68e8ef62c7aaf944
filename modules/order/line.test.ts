import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { readPage } from '../../core/resource/list.server.ts'
import { openTestApp, type TestApp } from '../../core/testing/app.server.ts'
import { userOfMobile } from '../user/door.server.ts'
import { addOrderWatcher, placeOrder, type Beside, type OrderCause } from './door.server.ts'
import { lockAnyOrder, workOf, type OrderContext, type OrderRow } from './engine.server.ts'
import { post } from './ledger.server.ts'
import { netBack, netOf, spread } from './money-rules.ts'
import { pay, reprice } from './money.server.ts'
import { partsOf } from './new-order.ts'
import { askRefund } from './refund.server.ts'
import { serveOrders } from './serve.server.ts'
import { serveTrial, staffOf, TRIAL_PRICES, TRIAL_SIDE, trialLine } from './trial-testing.server.ts'

let app: TestApp
let staff: Staff
let user: number
const changes: [string, number][] = []
const served = serveTrial(({ item }, by) => changes.push([item.kind, by]))

beforeAll(async () => {
  app = await openTestApp()
  await app.db.script(TRIAL_SIDE)
  staff = await staffOf(app.kernel.db, (await app.staff(app.servedGrants)).staffId)
  user = await app.kernel.db.transaction({ staff_id: null, silent: true }, (tx) => userOfMobile(tx, null, { mobile: '13612345678', name: '学员' }))
})
afterAll(() => app.close())

const inside = <Result>(act: (work: OrderContext, tx: Queryable) => Promise<Result>) => app.kernel.db.transaction({ staff_id: staff.id }, (tx) => act(workOf(served, tx, staff), tx))
const place = (qty: number, boxes: number, beside: Beside = {}, className = '一班') => inside((work) => placeOrder(work, staff, {
  order_info: { items: [{ kind: 'course', price: TRIAL_PRICES.course, qty }, { kind: 'box', price: TRIAL_PRICES.box, qty: boxes }], biz_type: 1, virtual: false },
  package_price: { discount: 0, paid: 0 }, referrer_info: {}, user_info: { learner_id: user, class_name: className },
}, new Map([...app.kernel.registry].map(([name, known]) => [name, known.resource])), beside))
const paid = (order: OrderRow) => inside(async (work, tx) => pay(work, await lockAnyOrder(tx, order.id), { amount: order.amount, channel: 'wechat' }))
const itemsOf = (order: OrderRow) => app.db.query<{ id: number; kind: string; net: number; qty: number; refunded_qty: number }>(sql`select id, kind, net::float8 as net, qty::int as qty, refunded_qty::int as refunded_qty from order_item where order_id = ${order.id} order by id`)

test('a line is one row: a buyer of its own kind, no account, what it adds in a table of its own', async () => {
  const order = await paid(await place(2, 1))
  expect(order).toMatchObject({ buyer_kind: 'user', buyer_ref_id: user, place_ref_id: null, status: 4, paid: 2 * TRIAL_PRICES.course + TRIAL_PRICES.box })
  expect(changes).toEqual([['course', 2], ['box', 1]])
  expect(await app.db.query(sql`select 1 from ledger where order_id = ${order.id}`)).toEqual([])
  expect(await app.db.query(sql`select s.class_name from orders o join trial_side s on s.id = o.side_id where o.id = ${order.id}`)).toEqual([{ class_name: '一班' }])
})

test('what a line adds is a column and a filter of its orders', async () => {
  const other = await place(1, 1, {}, '二班')
  const { rows } = await readPage(app.kernel.db, served.resource, staff, { class_name: '二班' }, {})
  expect(rows.map(({ id, class_name }) => ({ id, class_name }))).toEqual([{ id: other.id, class_name: '二班' }])
})

test('the parts that a line does not ask are left out', () => {
  expect(partsOf(trialLine).map(({ key }) => key)).toEqual(['user_info', 'order_info', 'package_price'])
  expect(partsOf({ ...trialLine, referred: undefined as never, goods: [{ kind: 'pad', label: '平板', unit: '台', ships: true }] }).map(({ key }) => key)).toContain('receiving_info')
})

test('a discount has its reasons, is spread over the items to the fen, and 改价 moves the part by hand alone', async () => {
  const order = await place(3, 3, { discounts: [{ kind: 'coupon', ref_id: 5, amount: 1000 }], origins: [{ kind: 'link', ref_id: 8 }], checkout_no: 'C1' })
  const due = 3 * TRIAL_PRICES.course + 3 * TRIAL_PRICES.box - 1000
  expect(order).toMatchObject({ amount: due, discount: 1000 })
  expect((await itemsOf(order)).reduce((sum, { net }) => sum + net, 0)).toBe(due)
  expect(await app.db.query(sql`select kind, ref_id::int as ref_id from order_origin where order_id = ${order.id}`)).toEqual([{ kind: 'link', ref_id: 8 }])
  await expect(inside(async (work, tx) => reprice(work, await lockAnyOrder(tx, order.id), 999, '再便宜些'))).rejects.toThrow('优惠券和活动已优惠 10.00 元，优惠金额不能更低')
  const cheaper = await inside(async (work, tx) => reprice(work, await lockAnyOrder(tx, order.id), 1501, '再便宜些'))
  expect((await itemsOf(order)).reduce((sum, { net }) => sum + net, 0)).toBe(cheaper.amount)
  expect(await app.db.query(sql`select kind, amount::int as amount from order_discount where order_id = ${order.id} order by id`)).toEqual([{ kind: 'coupon', amount: 1000 }, { kind: 'manual', amount: 501 }])
})

test('what goes back is refunded for what was paid for it, and all of it together is what was paid', async () => {
  const order = await paid(await place(3, 1, { discounts: [{ kind: 'activity', ref_id: 1, amount: 1 }] }))
  const [course] = await itemsOf(order)
  const back: number[] = []
  for (let n = 0; n < 3; n++) {
    const { order: after } = await inside(async (work, tx) => askRefund(work, await lockAnyOrder(tx, order.id), { items: [{ id: course?.id ?? 0, qty: 1 }], way: 'original', reason: '不学了' }))
    back.push(after.refunded)
  }
  expect(back[2]).toBe(course?.net)
  const { order: all } = await inside(async (work, tx) => askRefund(work, await lockAnyOrder(tx, order.id), { way: 'original', reason: '不学了' }))
  expect(all).toMatchObject({ refunded: order.amount, status: 12 })
})

test('watchers see each payment, refund and step in its transaction, and can refuse', async () => {
  const seen: [number, number, OrderCause][] = []
  const stop = addOrderWatcher({ moved: async (_tx, before, after, cause) => void seen.push([before.paid, after.paid, cause]) })
  const order = await place(1, 1)
  await paid(order)
  await inside(async (work, tx) => askRefund(work, await lockAnyOrder(tx, order.id), { way: 'original', reason: '不学了' }))
  stop()
  expect(seen.map(([before, after, cause]) => [before, after, cause.split(' ')[0]])).toEqual([[0, order.amount, 'payment'], [order.amount, order.amount, 'move'], [order.amount, order.amount, 'refund']])
  const refuse = addOrderWatcher({ moved: () => Promise.reject(new Error('not booked')) })
  const next = await place(1, 1)
  await expect(paid(next)).rejects.toThrow('not booked')
  refuse()
  expect(await app.db.query(sql`select 1 from payment where order_id = ${next.id}`)).toEqual([])
})

test('an order that was to be paid by a moment is closed after it, and takes no money before the clock gets to it', async () => {
  const order = await place(1, 1, { close_at: Math.floor(Date.now() / 1000) - 1 })
  await expect(paid(order)).rejects.toThrow('超时关闭')
  const late = await place(1, 1, { close_at: Math.floor(Date.now() / 1000) + 900 })
  await serveOrders(trialLine, served.resource, { effects: served.effects, path: '/new-study-room/partner-order' }).sweep(app.kernel.db).run()
  expect(await app.db.query(sql`select id::int as id, status from orders where id = any(${sql.param([order.id, late.id])}::bigint[]) order by id`)).toEqual([{ id: order.id, status: 10 }, { id: late.id, status: 1 }])
})

test('an account is given or charged for one thing once, and owes where it may', async () => {
  const book = (mayOwe: boolean) => app.kernel.db.transaction({ staff_id: null }, (tx) => post(tx, null, { kind: 'trial', id: 3, ...(mayOwe && { mayOwe: true as const }) }, [{ amount: -500, kind: 'commission', ref: { kind: 'earning', id: 9 } }]))
  await book(true)
  await expect(book(true)).rejects.toThrow('该笔账目已入账，不能重复入账')
  expect(await app.db.query(sql`select kind, amount::int as amount, ref_kind, ref_id::int as ref_id from ledger where account_kind = 'trial'`)).toEqual([{ kind: 'commission', amount: -500, ref_kind: 'earning', ref_id: 9 }])
})

test('a sum is spread to the fen, and pieces of an item add up to its net', () => {
  expect(spread(100, [1, 1, 1])).toEqual([34, 33, 33])
  expect(spread(10_000_000_000, [9_999_999_999, 1])).toEqual([9_999_999_999, 1])
  expect(spread(0, [0, 0])).toEqual([0, 0])
  expect([0, 1, 2].map((from) => netOf({ net: 100, qty: 3 }, from, 1)).reduce((sum, one) => sum + one, 0)).toBe(100)
  expect(netBack([{ id: 1, net: 100, qty: 3, refunded_qty: 1 }], [{ id: 1, qty: 2 }])).toBe(67)
})
