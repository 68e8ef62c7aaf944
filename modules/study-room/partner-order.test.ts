import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { activationCodeGroup } from './authorization-code.ts'
import { partnerOrder } from './partner-order.ts'
import { PARTNER_STATUS, partner } from './partner.ts'
import { unit } from './unit.ts'

const ITEM = partnerOrder.api.item
const LIST = partnerOrder.api.list
const S = { unpaid: 1, auditing: 2, rejected: 3, effective: 8, cancelled: 9, refunding: 11, refunded: 12, part: 13 }

let app: TestApp
let seller: Caller
let auditor: Caller
let unitId: number
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  seller = await app.staff(app.servedGrants)
  auditor = await app.staff(app.servedGrants)
  ;[unitId = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, unit, [{ name: '初中全科年卡', subjects: ['数学'], months: 12, status: 1 }]))
})
afterAll(() => app.close())

async function newPartner(): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const [id = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, partner, [{
    name: `合伙人${++count}`, contact: '王启航', mobile: `139${String(10_000_000 + count)}`, region_code: '320508', level: 4, type_id: 1,
    sign_at: now - 86_400, expire_at: now + 300 * 86_400, status: PARTNER_STATUS.signed,
  }]))
  return id
}

const RECEIVER = { name: '李收', mobile: '15800001111', region_code: '320508', address: '观前街 1 号' }

/** A hundred codes at 120 yuan and ten pads at 900: 21,000 yuan. */
const bought = (partnerId: number, more: Record<string, unknown> = {}) => ({
  order_info: { items: [{ kind: 'code', ref_id: unitId, price: 120_00, qty: 100 }, { kind: 'pad', price: 900_00, qty: 10 }] },
  receiving_info: RECEIVER,
  user_info: { partner_id: partnerId },
  ...more,
})

async function place(partnerId: number, more: Record<string, unknown> = {}): Promise<WireRow> {
  const answer = await seller.post<WireRow>(ITEM, bought(partnerId, more))
  expectSuccess(answer)
  return answer.body
}

const act = (caller: Caller, id: number, action: string, body: Record<string, unknown> = {}) => caller.post<WireRow>(`${ITEM}/${id}/${action}`, body)

async function partnerRow(id: number) {
  const [row] = await app.db.query<{ code_quota: number | null; pad_cnt: number | null; balance: number | null; sum: number; expire_at: number }>(
    sql`select code_quota, pad_cnt, balance, expire_at, (select coalesce(sum(amount), 0)::float8 from ledger where account_kind = 'partner' and account_id = ${id}) as sum from partner where id = ${id}`,
  )
  return row
}

/** An order that is paid and approved. */
async function effective(partnerId: number, more?: Record<string, unknown>): Promise<WireRow> {
  const order = await place(partnerId, more)
  expectSuccess(await act(seller, order.id, 'pay', { amount: order['amount'], channel: 'transfer' }))
  const answer = await act(auditor, order.id, 'approve')
  expectSuccess(answer)
  return answer.body
}

test('nobody without a session or a right orders anything', async () => {
  expectRefusal(await app.nobody().post(ITEM, {}), 401)
  expectRefusal(await (await app.staff([partnerOrder.grant])).post(ITEM, bought(1)), 403)
  for (const action of ['pay', 'reprice', 'refund', 'ship', 'approve']) expectRefusal(await act(await app.staff([partnerOrder.grant]), 1, action), 403)
})

test('an order is paid in two parts, approved by somebody else, and in force from then on', async () => {
  const id = await newPartner()
  const order = await place(id)
  expect(order).toMatchObject({ goods: '授权码·初中全科年卡×100、平板×10', total: 21_000_00, amount: 21_000_00, paid: 0, status: S.unpaid, ship_status: 1, buyer_name: '王启航' })
  expect(order['order_no']).toMatch(/^\d{16}$/)
  expectFieldRefusal(await act(seller, order.id, 'pay', { amount: 30_000_00, channel: 'transfer' }), 400, 'amount')
  expect((await act(seller, order.id, 'pay', { amount: 1_000_00, channel: 'wechat' })).body).toMatchObject({ status: S.unpaid, paid: 1_000_00 })
  expect((await act(seller, order.id, 'pay', { amount: 20_000_00, channel: 'transfer', trade_no: 'T1' })).body).toMatchObject({ status: S.auditing, paid: 21_000_00, pay_channel: 'transfer', pay_no: 'T1' })
  expect(await partnerRow(id)).toMatchObject({ code_quota: 0, balance: 0, sum: 0 })

  // Who wrote it down is told why the audit is not theirs, and the call says the same; nobody else hears of it.
  const row = async (who: Caller) => (await who.get(`${ITEM}/${order.id}`)).body
  const words = '订单审核须由另一人处理，不能是同一人'
  expect(await row(seller)).toMatchObject({ can: expect.not.arrayContaining(['reject']), cannot: { approve: words, reject: words } })
  expect(await row(auditor)).toMatchObject({ can: expect.arrayContaining(['reject']) })
  expect(await row(auditor)).not.toHaveProperty('cannot')
  expect(await act(seller, order.id, 'approve')).toMatchObject({ status: 403, body: { detail: words } })
  expect(await act(seller, order.id, 'reject', { reason: '不同意' })).toMatchObject({ status: 403, body: { detail: words } })
  expect((await act(auditor, order.id, 'approve')).body).toMatchObject({ status: S.effective, auditor_id: auditor.staffId })
  expect(await partnerRow(id)).toMatchObject({ code_quota: 100, pad_cnt: 10, balance: 0, sum: 0 })
  // The codes themselves came with the approval.
  const batches = await app.db.query(sql`select g.order_id, g.total, g."left", g.unit_id, (select count(*) from activation_code c where c.group_id = g.id and c.status = 0) as codes, (select used_quota from partner where id = ${id}) as used_quota
    from activation_code_group g where g.partner_id = ${id}`)
  expect(batches).toEqual([{ order_id: order.id, total: 100, left: 100, unit_id: unitId, codes: 100, used_quota: 100 }])
  expectRefusal(await act(auditor, order.id, 'approve'), 409)

  const { body } = await seller.get<{ log: { action: string }[]; payments: unknown[]; items: { granted_qty: number }[]; receiver: { mobile: string } }>(`${ITEM}/${order.id}/detail`)
  expect(body.log.map(({ action }) => action).reverse()).toEqual(['create', 'payment', 'pay', 'approve'])
  expect(body.payments).toHaveLength(2)
  expect(body.items.map(({ granted_qty }) => granted_qty)).toEqual([100, 10])
  expect(body.receiver.mobile).toBe('158****1111')
  expect((await act(seller, order.id, 'receiver/reveal')).body).toEqual({ value: RECEIVER.mobile })
})

test('what was rejected is put right and submitted again', async () => {
  const id = await newPartner()
  const order = await place(id)
  await act(seller, order.id, 'pay', { amount: 21_000_00, channel: 'transfer' })
  expectFieldRefusal(await act(auditor, order.id, 'reject', {}), 400, 'reason')
  expect((await act(auditor, order.id, 'reject', { reason: '凭证不清晰' })).body['status']).toBe(S.rejected)
  expectRefusal(await act(auditor, order.id, 'approve'), 409)
  // All of it was paid: it goes straight back to the auditor.
  expect((await act(seller, order.id, 'resubmit')).body['status']).toBe(S.auditing)
  expect((await act(auditor, order.id, 'approve')).body['status']).toBe(S.effective)
  expect((await partnerRow(id))?.code_quota).toBe(100)
})

describe('refunds', () => {
  test('a small one is done at once and takes back what it names', async () => {
    const id = await newPartner()
    const order = await effective(id)
    const { body: detail } = await seller.get<{ items: { id: number }[] }>(`${ITEM}/${order.id}/detail`)
    const [codes] = detail.items
    expectFieldRefusal(await act(seller, order.id, 'refund', { amount: 21_000_01, way: 'original', reason: '多退一分' }), 400, 'amount')
    expectFieldRefusal(await act(seller, order.id, 'refund', { amount: 100, way: 'original', reason: '太多', items: [{ id: codes?.id, qty: 101 }] }), 400, 'items')
    const part = await act(seller, order.id, 'refund', { amount: 1_200_00, way: 'original', reason: '少开十个', items: [{ id: codes?.id, qty: 10 }] })
    expect(part.body).toMatchObject({ status: S.part, refunded: 1_200_00 })
    expect(await partnerRow(id)).toMatchObject({ code_quota: 90, pad_cnt: 10, sum: 0, balance: 0 })
    expect(await app.db.query(sql`select total, "left", cancelled from activation_code_group where partner_id = ${id}`)).toEqual([{ total: 100, left: 90, cancelled: 10 }])
  })

  test('a large one waits for a second person, and may be refused', async () => {
    const id = await newPartner()
    const order = await effective(id)
    const asked = await act(seller, order.id, 'refund', { amount: 21_000_00, way: 'transfer', reason: '合作终止' })
    expect(asked.body).toMatchObject({ status: S.refunding, refunded: 0 })
    expect((await partnerRow(id))?.code_quota, 'in force until it is decided').toBe(100)
    const refundOf = async () => (await seller.get<{ refunds: { id: number }[] }>(`${ITEM}/${order.id}/detail`)).body.refunds.at(-1)?.id
    const first = await refundOf()
    expectRefusal(await act(seller, order.id, `refund/${first}/approve`), 403)
    expectRefusal(await act(auditor, order.id, `refund/${Number(first) + 1000}/approve`), 404)
    expect((await act(auditor, order.id, `refund/${first}/refuse`, { reason: '合同未到期' })).body['status']).toBe(S.effective)
    expectRefusal(await act(auditor, order.id, `refund/${first}/approve`), 409)
    await act(seller, order.id, 'refund', { amount: 21_000_00, way: 'transfer', reason: '合作终止' })
    expect((await act(auditor, order.id, `refund/${await refundOf()}/approve`)).body).toMatchObject({ status: S.refunded, refunded: 21_000_00 })
    expect(await partnerRow(id)).toMatchObject({ code_quota: 0, pad_cnt: 0, sum: 0 })
  })

  test('as much as takes a second person takes a first one, and a second, who have just proved who they are', async () => {
    const order = await effective(await newPartner())
    const growOld = async () => {
      await app.db.query(sql`update session set verified_at = now() - interval '6 minutes'`)
      await app.kernel.sessions.changed()
    }
    const verifyFirst = { status: 403, body: { detail: '请先确认身份再继续', verify: true } }
    const stored = () => app.db.query<{ id: number; status: number }>(sql`select id, status from refund where order_id = ${order.id}`)
    await growOld()
    const large = { amount: 21_000_00, way: 'transfer', reason: '合作终止' }
    expect(await act(seller, order.id, 'refund', large)).toMatchObject(verifyFirst)
    expect(await stored(), 'nothing of it happens').toEqual([])
    expectSuccess(await act(seller, order.id, 'refund', { amount: 100_00, way: 'transfer', reason: '少收一点' }))
    expectSuccess(await seller.post('/daoyuan/api/end/verify', { pwd: 'Staff-pass1' }))
    expectSuccess(await act(seller, order.id, 'refund', { ...large, amount: 20_900_00 }))
    const waiting = (await stored()).at(-1)?.id
    expect(await act(auditor, order.id, `refund/${waiting}/approve`)).toMatchObject(verifyFirst)
    expectSuccess(await auditor.post('/daoyuan/api/end/verify', { pwd: 'Staff-pass1' }))
    expectSuccess(await act(auditor, order.id, `refund/${waiting}/approve`))
  })

  test('codes that are used are not taken back, and nothing of the refund happens', async () => {
    const id = await newPartner()
    const order = await effective(id)
    const used = await app.db.query<{ id: number }>(sql`update activation_code set status = 1, activated_at = now() where id in (select id from activation_code where partner_id = ${id} order by id limit 30) returning id`)
    expect(used).toHaveLength(30)
    await app.db.query(sql`update activation_code_group set used = 30, "left" = 70 where partner_id = ${id}`)
    await act(seller, order.id, 'refund', { amount: 21_000_00, way: 'transfer', reason: '合作终止' })
    const { body } = await seller.get<{ refunds: { id: number }[] }>(`${ITEM}/${order.id}/detail`)
    const answer = await act(auditor, order.id, `refund/${body.refunds[0]?.id}/approve`)
    expectRefusal(answer, 400)
    expect(answer.body['detail']).toBe('授权码已使用，最多还能收回 70 个')
    expect(await partnerRow(id)).toMatchObject({ code_quota: 100, pad_cnt: 10 })
    expect((await seller.get<WireRow>(`${ITEM}/${order.id}`)).body).toMatchObject({ status: S.refunding, refunded: 0 })
  })

  test('money of a cancelled order goes back as a whole', async () => {
    const id = await newPartner()
    const order = await place(id)
    await act(seller, order.id, 'pay', { amount: 5_000_00, channel: 'transfer' })
    await act(seller, order.id, 'cancel', { reason: '不要了' })
    expectRefusal(await seller.delete(`${ITEM}/${order.id}`), 400)
    expectFieldRefusal(await act(seller, order.id, 'refund', { amount: 1_000_00, way: 'original', reason: '退一部分' }), 400, 'amount')
    await act(seller, order.id, 'refund', { amount: 5_000_00, way: 'original', reason: '全部退回' })
    const { body } = await seller.get<{ refunds: { id: number }[] }>(`${ITEM}/${order.id}/detail`)
    expect((await act(auditor, order.id, `refund/${body.refunds[0]?.id}/approve`)).body).toMatchObject({ status: S.refunded })
    expectSuccess(await seller.delete(`${ITEM}/${order.id}`))
  })

  test('from which amount a second person is needed can be set', async () => {
    const order = await effective(await newPartner())
    expectRefusal(await (await app.staff([partnerOrder.grant])).put(`${LIST}/setting`, {}), 403)
    expectSuccess(await seller.put(`${LIST}/setting`, { refund_second_from: 100, approve_second_from: 0, unpaid_days: 30 }))
    expect((await act(seller, order.id, 'refund', { amount: 100, way: 'original', reason: '退一块钱' })).body['status']).toBe(S.refunding)
    expectSuccess(await seller.put(`${LIST}/setting`, { refund_second_from: 500_000, approve_second_from: 0, unpaid_days: 30 }))
  })
})

test('what is paid in advance pays for orders, and comes back to the balance', async () => {
  const id = await newPartner()
  await app.db.query(sql`update partner set balance = 0 where id = ${id}`)
  const order = await place(id)
  expectRefusal(await act(seller, order.id, 'pay', { amount: 21_000_00, channel: 'balance' }), 409)
  const other = await effective(id)
  await act(seller, other.id, 'refund', { amount: 4_000_00, way: 'balance', reason: '平板降价' })
  // Paid by transfer: as balance it goes another way, which a second person allows.
  expect(await partnerRow(id)).toMatchObject({ balance: 0, sum: 0 })
  const { body: { refunds } } = await seller.get<{ refunds: { id: number }[] }>(`${ITEM}/${other.id}/detail`)
  expectSuccess(await act(auditor, other.id, `refund/${refunds[0]?.id}/approve`))
  expect(await partnerRow(id)).toMatchObject({ balance: 4_000_00, sum: 4_000_00 })
  expect((await act(seller, order.id, 'pay', { amount: 4_000_00, channel: 'balance' })).body['paid']).toBe(4_000_00)
  expect(await partnerRow(id)).toMatchObject({ balance: 0, sum: 0 })
})

test('money is paid in advance by whoever may, and stands in the statement', async () => {
  const id = await newPartner()
  await app.db.query(sql`update partner set balance = 0 where id = ${id}`)
  const path = `${partner.api.item}/${id}/top_up`
  expectRefusal(await (await app.staff([partner.grant])).post(path, { amount: 100, channel: 'cash' }), 403)
  for (const [field, body] of [['amount', { amount: 0, channel: 'cash' }], ['channel', { amount: 100, channel: 'balance' }]] as const) expectFieldRefusal(await seller.post(path, body), 400, field)
  expect((await seller.post(path, { amount: 5_000_00, channel: 'transfer', note: '预付货款' })).body).toEqual({ balance: 5_000_00 })
  const order = await place(id)
  expectSuccess(await act(seller, order.id, 'pay', { amount: 5_000_00, channel: 'balance' }))
  const { body } = await seller.get<{ items: WireRow[] }>('/daoyuan/api/end/self_study_room/partner_ledgers', { account_id: id, sort: 'id' })
  expect(body.items.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([['top_up', 5_000_00, 5_000_00], ['order', -5_000_00, 0]])
  const stranger = await app.staff(app.servedGrants, { scopes: { partner: [await newPartner()] } })
  expectRefusal(await stranger.post(path, { amount: 100, channel: 'cash' }), 404)
  expect((await stranger.get<{ items: WireRow[] }>('/daoyuan/api/end/self_study_room/partner_ledgers', { account_id: id })).body.items).toEqual([])
})

test('a price is changed before it is paid, a virtual order costs nothing', async () => {
  const id = await newPartner()
  const order = await place(id)
  expectFieldRefusal(await act(seller, order.id, 'reprice', { discount: 22_000_00, reason: '打折' }), 400, 'discount')
  expect((await act(seller, order.id, 'reprice', { discount: 1_000_00, reason: '老客户优惠' })).body).toMatchObject({ amount: 20_000_00, discount: 1_000_00, status: S.unpaid })
  const virtual = await place(id, { order_info: { items: [{ kind: 'service', price: 100_00, qty: 1 }], virtual: true } })
  expect(virtual).toMatchObject({ amount: 0, virtual: 1, status: S.auditing, pay_channel: 'free' })
  expectSuccess(await act(auditor, virtual.id, 'approve'))
  expect((await act(seller, virtual.id, 'refund', { amount: 0, way: 'original', reason: '开错了' })).body['status']).toBe(S.refunded)
})

test('a renewal lengthens the contract', async () => {
  const id = await newPartner()
  const before = await partnerRow(id)
  await effective(id, { order_info: { items: [{ kind: 'service', price: 100_00, qty: 2 }], biz_type: 2 } })
  const years = ((await partnerRow(id))?.expire_at ?? 0) - (before?.expire_at ?? 0)
  expect(Math.round(years / 86_400 / 365)).toBe(2)
})

test('goods are sent once they are in force, one by one or by a sheet', async () => {
  const order = await place(await newPartner())
  const parcel = { company: '顺丰速运', no: 'SF1234567890' }
  expectRefusal(await act(seller, order.id, 'ship', parcel), 400)
  await act(seller, order.id, 'pay', { amount: 21_000_00, channel: 'transfer' })
  await act(auditor, order.id, 'approve')
  expectFieldRefusal(await act(seller, order.id, 'ship', { ...parcel, no: '12' }), 400, 'no')
  expect((await act(seller, order.id, 'ship', parcel)).body).toMatchObject({ status: S.effective, ship_status: 2, express: '顺丰速运 SF1234567890' })
  expectRefusal(await act(seller, order.id, 'ship', parcel), 400)
})

test('a manager of some partners sees and orders for no other', async () => {
  const [mine, theirs] = [await newPartner(), await newPartner()]
  const [own, foreign] = [await place(mine), await place(theirs)]
  const manager = await app.staff(app.servedGrants, { scopes: { partner: [mine] } })
  expect((await manager.get<{ items: WireRow[] }>(LIST)).body.items.map(({ id }) => id)).toEqual([own.id])
  for (const path of [`${ITEM}/${foreign.id}`, `${ITEM}/${foreign.id}/detail`]) expectRefusal(await manager.get(path), 404)
  for (const [action, body] of Object.entries({
    pay: { amount: 100, channel: 'cash' }, reprice: { discount: 0, reason: '看看' }, refund: { amount: 100, way: 'cash', reason: '看看' }, ship: { company: '顺丰速运', no: 'SF1234567' },
    approve: {}, cancel: { reason: '看看' }, resubmit: {}, 'refund/1/approve': {}, 'refund/1/refuse': { reason: '看看' }, 'receiver/reveal': {},
  })) expectRefusal(await act(manager, foreign.id, action, body), 404, action)
  expectRefusal(await manager.post(ITEM, bought(theirs)), 400)
  expectSuccess(await manager.post(ITEM, bought(mine)))
})

test('wrong input is named at its field', async () => {
  const id = await newPartner()
  const wrong: [string, Record<string, unknown>][] = [
    ['order_info.items', { order_info: { items: [] } }],
    ['order_info.items', { order_info: { items: [{ kind: 'boat', price: 1, qty: 1 }] } }],
    ['order_info.items', { order_info: { items: [{ kind: 'code', price: 1, qty: 1 }] } }],
    ['order_info.items.0.qty', { order_info: { items: [{ kind: 'service', price: 1, qty: 0 }] } }],
    ['receiving_info.name', { receiving_info: undefined }],
    ['receiving_info.mobile', { receiving_info: { ...RECEIVER, mobile: '123' } }],
    ['package_price.discount', { package_price: { discount: 99_000_00 } }],
    ['user_info.partner_id', { user_info: {} }],
    ['partner_id', { user_info: { partner_id: 999_999 } }],
    ['agent_id', { referrer_info: { agent_id: 999_999 } }],
  ]
  for (const [field, more] of wrong) expectFieldRefusal(await seller.post(ITEM, bought(id, more)), 400, field, JSON.stringify(more))
  expect(await app.db.query(sql`select 1 from orders where buyer_kind = 'partner' and buyer_ref_id = ${id}`)).toEqual([])
})

test('the batches of an order name it by its number, and its number leads to its screen, for whoever may open that', async () => {
  const order = await effective(await newPartner())
  const batches = (await seller.get<{ items: WireRow[] }>(activationCodeGroup.api.list, { order_id: order.id })).body.items
  expect(batches).toHaveLength(1)
  expect(batches[0]).toMatchObject({ order_id: order.id, order_name: order['order_no'], count: 100 })
  const where = async (who: Caller) => (await who.get('/daoyuan/api/end/order_screen', { order_no: order['order_no'] })).body
  expect(await where(seller)).toEqual({ order: { id: order.id, screen: partnerOrder.grant } })
  expect(await where(await app.staff([activationCodeGroup.grant]))).toEqual({ order: null })
  expect(await where(await app.staff([partnerOrder.grant], { scopes: { partner: [999_999] } }))).toEqual({ order: null })
})
