import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { screenId } from '../screens.ts'
import type { AnyOrderDetail, FoundLine } from './calls.ts'

const SN = '/daoyuan/api/end/operate/sn'
const MOBILE = '13911112222'
let app: TestApp
let admin: Caller
let order: WireRow
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.staff(app.servedGrants)
  const of = (name: string) => app.kernel.registry.get(name)?.resource.api.item ?? ''
  const course = await admin.post<WireRow>(of('excellent_training_offer'), { title: '冲刺营', subject_id: 101, price: 3000_00, valid_days: 200 })
  expectSuccess(course)
  await app.db.query(sql`update offer set state = 3 where id = ${course.body.id}`)
  const placed = await admin.post<WireRow>(of('excellent_training_order'), { order_info: { items: [{ kind: 'offer', ref_id: course.body.id, qty: 1 }] }, package_price: { discount: 200_00, paid: 0 }, user_info: { mobile: MOBILE, name: '林小满' } })
  expectSuccess(placed)
  order = placed.body
  expectSuccess(await admin.post(`${of('excellent_training_order')}/${order.id}/pay`, { amount: 2800_00, channel: 'wechat' }))
  expectSuccess(await admin.post(of('pad'), { sn: 'DYT100000001', model: 'DY-T10' }))
})
afterAll(() => app.close())

const look = async (lines: string[], who = admin) => (await who.post<{ items: FoundLine[]; counts: Record<string, number> }>(SN, { lines })).body

test('mixed lines are told apart, each with what this person may see of it', async () => {
  const { items, counts } = await look([`${MOBILE.slice(0, 3)} ${MOBILE.slice(3)}`, String(order['order_no']), 'dyt1-0000-0001', 'DYTI00000001', '', 'ＤＹＴ１'.concat('０'.repeat(7), '１'), 'ZZ', '13900000000'])
  expect(items.map(({ row, state, items: found }) => [row, state, found.map(({ kind }) => kind)])).toEqual([
    [1, 'found', ['用户']], [2, 'found', [expect.stringContaining('订单')]], [3, 'found', ['平板']], [4, 'many', ['平板']], [6, 'same', []], [7, 'bad', []], [8, 'none', []],
  ])
  expect(items[0]?.items[0]?.facts.some(({ value }) => value.includes(MOBILE))).toBe(false)
  expect(counts).toEqual({ found: 3, many: 1, none: 1, bad: 1, same: 1 })
  // Whoever has only this screen is told of nothing that they could not open.
  const bare = await look([MOBILE, String(order['order_no'])], await app.staff([screenId('/operate/query/sn')]))
  expect(bare.items.map(({ state }) => state)).toEqual(['none', 'none'])
  expectRefusal(await admin.post(SN, { lines: Array.from({ length: 501 }, () => 'A') }), 400)
})

test('an order of any line says where its money went, and is found by its buyer', async () => {
  const at = `/daoyuan/api/end/orders/${String(order['order_no'])}`
  const paid = await admin.get<AnyOrderDetail>(at)
  expect(paid.status).toBe(200)
  expect(paid.body.steps.map(({ label, amount }) => [label, amount])).toEqual([['标价合计', 3000_00], ['改价', -200_00], ['应付', 2800_00], ['收款 · 微信', 2800_00], ['净收', 2800_00]].map(([label, amount]) => [expect.stringContaining(String(label).slice(0, 2)), amount]))
  expect(paid.body.opened).toMatchObject([{ product: '冲刺营', state: '生效中' }])
  expectSuccess(await admin.post(`${app.kernel.registry.get('excellent_training_order')?.resource.api.item}/${order.id}/refund`, { amount: 800_00, items: [], way: 'original', reason: '少上几次' }))
  const { steps } = (await admin.get<AnyOrderDetail>(at)).body
  // What is left is what came in less what went back.
  expect(steps.at(-1)?.amount).toBe(2000_00)
  expect((await admin.get<{ items: { order_no: string }[] }>('/daoyuan/api/end/operate/orders', { mobile: MOBILE })).body.items.map(({ order_no }) => order_no)).toEqual([order['order_no']])
  expectRefusal(await (await app.staff([screenId('/operate/orderDetail')])).get(at), 404)
})
