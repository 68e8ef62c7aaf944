import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { makeAppKey, openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { courseLines } from '../course-line/lines.ts'
import { spread } from '../order/module.ts'
import { activity, ACTIVITY_TYPE, COUPON_STATE as C, MEMBER_STATE as M } from './activity.ts'
import type { ActivityEffect, CheckoutDone, FlashOrders, LinkOverview, OfferedSuite, Rehearsal } from './calls.ts'
import { keptBack } from './coupon.server.ts'
import { flashSale, phaseOf } from './flash.ts'
import { shareOut } from './good.ts'
import { groupSweep } from './group.server.ts'
import { linkSweep } from './link.server.ts'
import { activityLink } from './link.ts'
import { EVIDENCE, REWARD_STATE, userShare } from './share.ts'
import { clashWords } from './stacking.ts'
import { lostSweep } from './watch.server.ts'
import { wrongPromotion } from './invariants.server.ts'

const [sync, junior] = courseLines
if (!sync || !junior) throw new Error('there are two lines of courses')
const DEVICE = '/daoyuan/api/device/promotion'
const NOW = Math.floor(Date.now() / 1000)
const HOUR = 3600
const reason = '按规则处理'

let app: TestApp
let keeper: Caller
let key: string
/** Courses of two lines, with their price; the first must not cost less than 80. */
let course: number
let other: number
let n = 0
const mobile = () => `138${String(30_000_000 + ++n)}`

beforeAll(async () => {
  app = await openTestApp()
  keeper = await app.staff(app.servedGrants)
  key = await makeAppKey(app, ['promotion'], { per_minute: 100_000 })
  const add = (line: typeof sync, level: number, price: number, floor: number | null) => seedTransaction(app.kernel.db, async (tx) => {
    const [subject] = await tx.query<{ id: number }>(sql`select id from subject where level = ${level} order by id limit 1`)
    const [id = 0] = await insertMany(tx, line!.offers, [{ title: `课程${++n}`, subject_id: subject?.id ?? 0, price, floor_price: floor, valid_mode: 1, valid_days: 30, state: 3 }])
    return id
  })
  ;[course, other] = [await add(sync, 0, 100_00, 80_00), await add(junior, 1, 60_00, null)]
})
afterAll(async () => {
  expect(await wrongPromotion(app.db)).toEqual([])
  await app.close()
})

const device = <Body = Record<string, unknown>>(method: 'GET' | 'POST', path: string, body: Record<string, unknown> = {}) => app.nobody().call<Body>(method, `${DEVICE}/${path}`, body, { authorization: `Bearer ${key}`, 'idempotency-key': `promo-${++n}` })
const goodOf = (line: NonNullable<typeof sync>, id: number, more: object = {}) => ({ line: line.orders.name, kind: 'offer', ref_id: id, name: '课程', ...more })
const both = (price = 128_00, more: object = {}) => [{ name: '联报', price, goods: [goodOf(sync, course, { qty: 1 }), goodOf(junior, other, { qty: 1 })], ...more }]
async function newLink(more: Record<string, unknown> = {}): Promise<WireRow<typeof activityLink>> {
  const made = await keeper.post<WireRow<typeof activityLink>>(activityLink.api.item, { name: `链接${++n}`, suites: both(), ...more })
  expectSuccess(made)
  return (await keeper.get<WireRow<typeof activityLink>>(`${activityLink.api.item}/${made.body.id}`)).body
}
const buy = (body: Record<string, unknown>, number = mobile()) => device<CheckoutDone & Record<string, unknown>>('POST', 'checkouts', { mobile: number, name: '林小满', ...body })
const pay = (done: Pick<CheckoutDone, 'checkout_no' | 'amount'>, more: Record<string, unknown> = {}) => device('POST', `checkouts/${done.checkout_no}/payments`, { channel: 'wechat', amount: done.amount, trade_no: `T${++n}`, ...more })
const ordersOf = (no: string) => app.db.query<{ id: number; line: string; amount: number; discount: number; paid: number; agent_id: number | null; status: number; order_no: string }>(sql`select id, line, amount::float8 as amount, discount::float8 as discount, paid::float8 as paid, agent_id, status, order_no from orders where checkout_no = ${no} order by id`)
const lapse = async (no: string) => {
  await app.db.query(sql`update orders set close_at = now() - interval '1 minute' where checkout_no = ${no}`)
  for (const sweep of app.modules.flatMap((module) => module.sweeps?.(app.kernel) ?? []).filter(({ name }) => name.endsWith('_unpaid'))) await sweep.run()
}
async function newActivity(type: number, more: Record<string, unknown> = {}): Promise<number> {
  const rules = type === ACTIVITY_TYPE.flash ? {} : type === ACTIVITY_TYPE.group ? { good: goodOf(sync!, course), price: 85_00, need: 2, hours: 24 } : { amount: 10_00, threshold: 50_00, valid_days: 7, per_user: 5 }
  const made = await keeper.post<WireRow>(activity.api.item, { name: `活动${++n}`, type, start_at: NOW - HOUR, end_at: NOW + 24 * HOUR, ...rules, ...more })
  expectSuccess(made)
  expectSuccess(await keeper.post(`${activity.api.item}/${made.body.id}/publish`, {}))
  return made.body.id
}
const activityRow = async (id: number) => (await keeper.get<WireRow<typeof activity>>(`${activity.api.item}/${id}`)).body

describe('a link over two lines', () => {
  test('its price is shared out in whole fen; one purchase is an order for each line', async () => {
    const { short, id, suites } = await newLink({ suites: both(128_01) })
    expect(suites?.[0]?.goods.map(({ share }) => share)).toEqual(spread(128_01 - 2, [100_00, 60_00]).map((part) => part + 1))
    const listed = await keeper.get<{ suites: OfferedSuite[] }>(`/daoyuan/api/end/activity_links/${id}/suites`)
    expect(listed.body.suites).toMatchObject([{ id: 1, name: '联报', price: 128_01, list: 160_00 }])
    const done = await buy({ link: short, suite_id: 1 })
    expectSuccess(done)
    const orders = await ordersOf(done.body.checkout_no)
    expect(orders.map(({ line }) => line).toSorted()).toEqual(['junior_sync_course', 'sync_course'])
    expect(orders.reduce((sum, { amount }) => sum + amount, 0)).toBe(128_01)
    expect(orders.reduce((sum, { discount }) => sum + discount, 0)).toBe(31_99)
    expectFieldRefusal(await pay({ ...done.body, amount: 100 }) , 400, 'amount')
    const trade = { trade_no: 'WX-ONCE' }
    expectSuccess(await pay(done.body, trade))
    // A payment that is reported again, with another key, is taken once.
    expectSuccess(await pay(done.body, trade))
    expect((await ordersOf(done.body.checkout_no)).map(({ amount, paid }) => amount === paid)).toEqual([true, true])
    expectRefusal(await pay(done.body), 409)
  })

  test('journey 8: its agent earns of both orders, less of what goes back', async () => {
    await seedTransaction(app.kernel.db, (tx) => tx.query(sql`insert into rate_plan (name, line, level, first, second, hold_days, valid_from) values ('测试', 'any', 1, 10, 5, 7, now() - interval '9 days')`))
    const agent = async (parent?: number) => {
      const made = await keeper.post<WireRow>('/daoyuan/api/end/proxy_users', { name: `代理${++n}`, mobile: mobile(), type: 1, level_id: 1, ...(parent && { parent_id: parent }) })
      expectSuccess(await keeper.post(`/daoyuan/api/end/proxy_users/${made.body.id}/approve`, {}))
      return made.body.id
    }
    const top = await agent()
    const seller = await agent(top)
    const { short } = await newLink({ agent_id: seller })
    const done = await buy({ link: short, suite_id: 1 })
    expectSuccess(await pay(done.body))
    const orders = await ordersOf(done.body.checkout_no)
    const sums = async () => app.db.query<{ account_id: number; tier: number; sum: number }>(sql`select account_id, tier, sum(amount)::float8 as sum from earning where source_kind = 'order' and source_id = any(${sql.param(orders.map(({ id }) => id))}::bigint[]) group by 1, 2 order by tier`)
    expect(await sums()).toEqual([{ account_id: seller, tier: 1, sum: 12_80 }, { account_id: top, tier: 2, sum: 6_40 }])
    const part = orders.find(({ line }) => line === 'junior_sync_course')
    const [item] = await app.db.query<{ id: number }>(sql`select id from order_item where order_id = ${part?.id}`)
    expectSuccess(await keeper.post(`${junior.orders.api.item}/${part?.id}/refund`, { amount: part?.amount, items: [{ id: item?.id, qty: 1 }], way: 'original', reason }))
    const [first] = await sums()
    expect(first?.sum).toBe(Math.floor((128_00 - (part?.amount ?? 0)) / 10))
  })

  test('it ends by its clock, its number, its switch; what a package lacks is said', async () => {
    expectFieldRefusal(await keeper.post(activityLink.api.item, { name: '贵', suites: both(170_00) }), 400, 'suites')
    const cheap = await keeper.post(activityLink.api.item, { name: '便宜', suites: both(100_00) })
    expect(String(cheap.body['detail'])).toContain('低于底价')
    expectFieldRefusal(await keeper.post(activityLink.api.item, { name: '过期', suites: both(), expire_at: NOW - 5 }), 400, 'expire_at')
    expectFieldRefusal(await keeper.post(activityLink.api.item, { name: '没有', suites: [{ name: '空', price: 5, goods: [goodOf(sync, 999_999, { qty: 1 })] }] }), 400, 'suites')
    const once = await newLink({ max_uses: 1 })
    const raced = await Promise.all([1, 2, 3].map(() => buy({ link: once.short, suite_id: 1 })))
    expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    const won = raced.find(({ status }) => status === 200)
    await lapse(String(won?.body.checkout_no))
    expectRefusal(await pay(won!.body), 409)
    expectSuccess(await buy({ link: once.short, suite_id: 1 }))
    const few = await newLink({ suites: both(128_00, { stock: 2 }) })
    expect((await Promise.all([1, 2, 3, 4].map(() => buy({ link: few.short, suite_id: 1 })))).filter(({ status }) => status === 200)).toHaveLength(2)
    const asks = await newLink({ need_receiver: 1, need_referrer: 1 })
    expectFieldRefusal(await buy({ link: asks.short, suite_id: 1 }), 400, 'receiver')
    expectFieldRefusal(await buy({ link: asks.short, suite_id: 1, receiver: { name: '林', mobile: mobile(), region: '江苏省苏州市', address: '人民路 1 号' } }), 400, 'referrer')
    expectSuccess(await keeper.post(`${activityLink.api.item}/${asks.id}/stop`, {}))
    expectRefusal(await buy({ link: asks.short, suite_id: 1 }), 400)
  })

  test('strangers order on its page; visits, orders and payments make its funnel', async () => {
    const { id, short } = await newLink()
    const page = `/daoyuan/api/public/pages/${short}`
    const open = await app.nobody().get<{ title: string; blocks: { kind: string; options?: string[] }[] }>(page)
    expectSuccess(open)
    const [option] = open.body.blocks.find(({ kind }) => kind === 'choose')?.options ?? []
    expectFieldRefusal(await app.nobody().post(page, { answers: { suite: option, name: '林小满', mobile: '123' } }), 400, 'mobile')
    const sent = await app.nobody().post<{ message: string }>(page, { answers: { suite: option, name: '林小满', mobile: mobile() } })
    expectSuccess(sent)
    expect(sent.body.message).toContain('应付 ¥128.00')
    const { body } = await keeper.get<LinkOverview>(`${activityLink.api.item}/${id}/overview`)
    expect(body.funnel).toEqual({ visits: 1, ordered: 1, paid: 0, refunded: 0 })
    const [bought] = body.checkouts
    // Whoever may take money for the link but not for its lines takes none.
    const clerk = await app.staff([activityLink.grant, activityLink.rights.id('pay')])
    expectRefusal(await clerk.post(`${activityLink.api.item}/${id}/checkouts/${bought?.no}/payments`, { channel: 'wechat', amount: 128_00 }), 403)
    expectSuccess(await keeper.post(`${activityLink.api.item}/${id}/checkouts/${bought?.no}/payments`, { channel: 'wechat', amount: 128_00 }))
    expect((await keeper.get<LinkOverview>(`${activityLink.api.item}/${id}/overview`)).body).toMatchObject({ funnel: { paid: 1 }, checkouts: [{ state: 'paid', paid: 128_00 }] })
    expectSuccess(await keeper.post(`${activityLink.api.item}/${id}/stop`, {}))
    expectRefusal(await app.nobody().get(page), 404)
  })

  test('each night it is looked at; open orders keep their price; many sellers get copies', async () => {
    const { id, short } = await newLink()
    const done = await buy({ link: short, suite_id: 1 })
    await app.db.query(sql`update offer set state = 4 where id = ${other}`)
    await app.db.query(sql`update activity_link set checked_at = now() - interval '2 days' where id = ${id}`)
    await linkSweep(app.kernel.db).run()
    expect(String((await keeper.get<WireRow<typeof activityLink>>(`${activityLink.api.item}/${id}`)).body.problems)).toContain('已下架')
    expect((await keeper.get<{ total: number }>(activityLink.api.list, { health: 'ill' })).body.total).toBeGreaterThan(0)
    expectRefusal(await buy({ link: short, suite_id: 1 }), 400)
    expectSuccess(await pay(done.body))
    await app.db.query(sql`update offer set state = 3 where id = ${other}`)
    const agents = await app.db.query<{ id: number }>(sql`select id from agent where status = 1 limit 2`)
    const copies = await keeper.post<{ items: { id: number; path: string }[] }>(`${activityLink.api.item}/${id}/copies`, { agent_ids: agents.map((one) => one.id) })
    expect(new Set(copies.body.items.map(({ path }) => path)).size).toBe(agents.length)
    expectFieldRefusal(await keeper.post(`${activityLink.api.item}/${id}/copies`, { agent_ids: agents.map((one) => one.id) }), 400, 'agent_ids')
    expectFieldRefusal(await keeper.post(`${activityLink.api.item}/${id}/copies`, { agent_ids: [999_999] }), 400, 'agent_ids')
    const narrow = await app.staff(app.servedGrants, { scopes: { agent: [agents[0]?.id ?? 0] } })
    expectRefusal(await narrow.get(`${activityLink.api.item}/${id}/overview`), 404)
  })

  test('the floor price holds for every way: the form, bulk repricing, an order repriced by hand', async () => {
    expectFieldRefusal(await keeper.put(`${sync.offers.api.item}/${course}`, { price: 70_00 }), 400, 'price')
    const { body: row } = await keeper.get<WireRow>(`${sync.offers.api.item}/${course}`)
    expectRefusal(await keeper.put(`${sync.offers.api.list}/prices`, { items: [{ id: course, rev: row.rev, price: 79_99 }], reason }), 400)
    const order = await keeper.post<WireRow>(sync.orders.api.item, { order_info: { items: [{ kind: 'offer', ref_id: course, qty: 1 }] }, user_info: { mobile: mobile(), name: '林小满' } })
    expectFieldRefusal(await keeper.post(`${sync.orders.api.item}/${order.body.id}/reprice`, { discount: 20_01, reason }), 400, 'discount')
    expectSuccess(await keeper.post(`${sync.orders.api.item}/${order.body.id}/reprice`, { discount: 20_00, reason }))
  })
})

describe('flash sales', () => {
  const sale = async (more: Record<string, unknown> = {}) => {
    // Sales of the same goods must not overlap: those of the tests before are over.
    await app.db.query(sql`update flash_sale set state = 2`)
    const made = await keeper.post<WireRow<typeof flashSale>>(flashSale.api.item, { name: `抢购${++n}`, good: goodOf(sync, course), price: 88_00, stock: 12, per_user: 1, start_at: NOW - HOUR, end_at: NOW + HOUR, show: 1, ...more })
    expectSuccess(made)
    return made.body
  }
  const saleRow = async (id: number) => (await keeper.get<WireRow<typeof flashSale>>(`${flashSale.api.item}/${id}`)).body

  test('60 buyers for 12 pieces: exactly 12 orders', async () => {
    const { id } = await sale()
    const answers = await Promise.all(Array.from({ length: 60 }, () => buy({ flash_id: id })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => String(body['detail'])))).toEqual(new Set(['已抢完，可稍后再看是否有人未付款']))
    expect(await saleRow(id)).toMatchObject({ held: 12, sold: 0, left: 0 })
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => body)
    for (const one of won.slice(0, 5)) expectSuccess(await pay(one))
    expect(await saleRow(id)).toMatchObject({ held: 7, sold: 5 })
    const [lapsed] = won.slice(5)
    await lapse(lapsed!.checkout_no)
    await lapse(lapsed!.checkout_no)
    expect(await saleRow(id)).toMatchObject({ held: 6, sold: 5, left: 1 })
    expectRefusal(await pay(lapsed!), 409)
    expectSuccess(await buy({ flash_id: id }))
  }, 60_000)

  test('journey 10: three pieces, ten buyers; one lapses and is sold again; a removed order lets go', async () => {
    const { id } = await sale({ stock: 3 })
    const won = (await Promise.all(Array.from({ length: 10 }, () => buy({ flash_id: id })))).filter(({ status }) => status === 200)
    expect(won).toHaveLength(3)
    await lapse(won[0]!.body.checkout_no)
    expectSuccess(await buy({ flash_id: id }))
    const [order] = await ordersOf(won[1]!.body.checkout_no)
    expectSuccess(await keeper.delete(`${sync.orders.api.item}/${order?.id}`))
    await lostSweep(app.kernel.db).run()
    expect(await saleRow(id)).toMatchObject({ left: 1 })
    expect((await keeper.get<FlashOrders>(`${flashSale.api.item}/${id}/orders`)).body).toMatchObject({ stock: 3, held: 2, sold: 0 })
  }, 60_000)

  test('each person has a limit, the sale a plan; coupons and sales do not go together', async () => {
    const { id, list_price } = await sale({ per_user: 2 })
    expect(list_price).toBe(100_00)
    const number = mobile()
    expectSuccess(await buy({ flash_id: id }, number))
    const second = await buy({ flash_id: id, qty: 2 }, number)
    expect(String(second.body['detail'])).toBe('每人限购 2 份，已抢 1 份')
    expectFieldRefusal(await buy({ flash_id: id, coupon_no: 'Y1' }), 400, 'coupon_no')
    for (const [field, body] of Object.entries({
      price: { price: 100_00 }, start_at: {}, end_at: { end_at: NOW - HOUR - 1 }, warm_at: { warm_at: NOW },
    })) expectFieldRefusal(await keeper.post(flashSale.api.item, { name: '重叠', good: goodOf(sync, course), price: 88_00, stock: 1, per_user: 1, start_at: NOW - HOUR, end_at: NOW + HOUR, show: 1, ...body }), 400, field)
    expect(String((await keeper.post(flashSale.api.item, { name: '底价', good: goodOf(sync, course), price: 79_99, stock: 1, per_user: 1, start_at: NOW, end_at: NOW + HOUR, show: 1 })).body['detail'])).toContain('底价 80.00')
    expect(String((await keeper.put(`${flashSale.api.item}/${id}`, { good: goodOf(junior, other) })).body['detail'])).toContain('不能换商品')
    await app.db.query(sql`update flash_sale set sold = 3, stock = 9 where id = ${id}`)
    expect(String((await keeper.put(`${flashSale.api.item}/${id}`, { stock: 2 })).body['detail'])).toContain('已售 3 件')
    await app.db.query(sql`update flash_sale set sold = 0 where id = ${id}`)
    expectSuccess(await keeper.post(`${flashSale.api.item}/${id}/stop`, { reason }))
    expectRefusal(await buy({ flash_id: id }), 400)
  })

  test('a rehearsal sells what there is to nobody', async () => {
    const { id } = await sale({ stock: 20, per_user: 2 })
    const { body } = await keeper.post<Rehearsal>(`${flashSale.api.item}/${id}/rehearsal`, { buyers: 200 })
    expect(body).toMatchObject({ pieces: 20, left: 0, money: 20 * 88_00 })
    expect(await saleRow(id)).toMatchObject({ held: 0, sold: 0, left: 20 })
    expect((await app.db.query(sql`select 1 from flash_sale where name = '演练'`)).length).toBe(0)
  })

  test('a phase follows from clock and stock', () => {
    const at = { state: 1, start_at: 100, end_at: 200, warm_at: 50, stock: 2, held: 0, sold: 0 }
    expect([10, 60, 150, 200].map((now) => phaseOf(at, now))).toEqual(['before', 'warm', 'running', 'over'])
    expect(phaseOf({ ...at, sold: 2 }, 150)).toBe('out')
    expect(phaseOf({ ...at, state: 2 }, 150)).toBe('stopped')
  })
})

describe('activities', () => {
  const claim = (id: number, number: string) => device<{ days: number; coupon: { no: string; amount: number } | null } & Record<string, unknown>>('POST', `activities/${id}/join`, { mobile: number, name: '林小满' })
  const couponRow = async (no: string) => (await app.db.query<{ id: number; status: number }>(sql`select id, status from coupon_user where no = ${no}`))[0]

  test('a coupon is locked by an order, used when it is paid, back when it is closed or all of it given back', async () => {
    const id = await newActivity(ACTIVITY_TYPE.coupon)
    const number = mobile()
    const { body: { coupon } } = await claim(id, number)
    const no = String(coupon?.no)
    const { short } = await newLink({ suites: both(150_00) })
    expectFieldRefusal(await buy({ link: short, suite_id: 1, coupon_no: no }), 400, 'coupon_no')
    const twice = await Promise.all([1, 2].map(() => buy({ link: short, suite_id: 1, coupon_no: no }, number)))
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const done = twice.find(({ status }) => status === 200)!.body
    expect(done.amount).toBe(140_00)
    expect((await couponRow(no))?.status).toBe(C.locked)
    await lapse(done.checkout_no)
    expect((await couponRow(no))?.status).toBe(C.free)
    const again = await buy({ link: short, suite_id: 1, coupon_no: no }, number)
    expectSuccess(await pay(again.body))
    expect((await couponRow(no))?.status).toBe(C.used)
    const orders = await ordersOf(again.body.checkout_no)
    const back = async (line: typeof sync) => expectSuccess(await keeper.post(`${line!.orders.api.item}/${orders.find((one) => one.line === line!.line.code)?.id}/refund`, { way: 'original', reason }))
    await back(sync)
    expect((await couponRow(no))?.status, 'a part keeps it').toBe(C.used)
    await back(junior)
    expect((await couponRow(no))?.status, 'all of it brings it back').toBe(C.free)
    expectSuccess(await keeper.post(`${activity.api.item}/${id}/coupons/${(await couponRow(no))?.id}/void`, { reason }))
    expect(await activityRow(id)).toMatchObject({ spent: 0 })
  })

  test('the budget stops at 100 %, whoever is how quick', async () => {
    const id = await newActivity(ACTIVITY_TYPE.coupon, { budget: 35_00 })
    const got = await Promise.all(Array.from({ length: 8 }, () => claim(id, mobile())))
    expect(got.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(String(got.find(({ status }) => status !== 200)?.body['detail'])).toBe('活动预算已用完')
    expect(await activityRow(id)).toMatchObject({ spent: 30_00 })
    const sold = await newActivity(ACTIVITY_TYPE.flash, { budget: 40_00 })
    const { short } = await newLink({ activity_id: sold })
    const first = await buy({ link: short, suite_id: 1 })
    expectSuccess(first)
    expect(String((await buy({ link: short, suite_id: 1 })).body['detail'])).toBe('活动预算已用完')
    await lapse(first.body.checkout_no)
    expect(await activityRow(sold)).toMatchObject({ spent: 0 })
    expectSuccess(await buy({ link: short, suite_id: 1 }))
  })

  test('staff issue coupons once a person and within the rules; who is not registered is said', async () => {
    const id = await newActivity(ACTIVITY_TYPE.coupon, { per_user: 1 })
    const known = mobile()
    expectSuccess(await buy({ link: (await newLink()).short, suite_id: 1 }, known))
    const paid = (await buy({ link: (await newLink()).short, suite_id: 1 }, known)).body
    expectSuccess(await pay(paid))
    const answer = await keeper.post<{ issued: number; left_alone: { why: string }[] }>(`${activity.api.item}/${id}/coupons`, { mobiles: [known, known, mobile()] })
    expect(answer.body).toMatchObject({ issued: 1, left_alone: [{ why: '没有注册' }] })
    expect((await keeper.post<{ left_alone: { why: string }[] }>(`${activity.api.item}/${id}/coupons`, { mobiles: [known] })).body.left_alone[0]?.why).toContain('每人最多 1 张')
    expect((await keeper.get<ActivityEffect>(`${activity.api.item}/${id}/effect`)).body).toMatchObject({ coupons: [{ cause: '运营发放', status: C.free }], coupon_sums: [{ status: 1, n: 1, amount: 10_00 }] })
    expectRefusal(await (await app.staff([activity.grant])).post(`${activity.api.item}/${id}/coupons`, { mobiles: [known] }), 403)
  })

  test('signing in counts days without a gap; checking in counts times', async () => {
    const id = await newActivity(ACTIVITY_TYPE.signin, { need: 3 })
    const number = mobile()
    expect((await claim(id, number)).body).toMatchObject({ days: 1, coupon: null })
    expect(String((await claim(id, number)).body['detail'])).toBe('今天已签到')
    await app.db.query(sql`update activity_event set day = to_char(now() at time zone 'Asia/Shanghai' - interval '1 day', 'YYYYMMDD')::int where activity_id = ${id}`)
    await app.db.query(sql`insert into activity_event (activity_id, user_id, day) select activity_id, user_id, to_char(now() at time zone 'Asia/Shanghai' - interval '2 days', 'YYYYMMDD')::int from activity_event where activity_id = ${id}`)
    const third = await claim(id, number)
    expect(third.body).toMatchObject({ days: 3, coupon: { amount: 10_00 } })
  })

  test('a group is one when enough have paid; one that fails gives everybody the money back, once', async () => {
    const id = await newActivity(ACTIVITY_TYPE.group)
    const first = await buy({ activity_id: id })
    expectSuccess(first)
    const groupOf = async (no: string) => (await app.db.query<{ id: number; state: number }>(sql`select g.id, g.state from group_buy g join group_member m on m.group_id = g.id join orders o on o.id = m.order_id where o.checkout_no = ${no}`))[0]!
    const { id: group } = await groupOf(first.body.checkout_no)
    const joiners = await Promise.all([1, 2, 3].map(() => buy({ activity_id: id, group_id: group })))
    expect(joiners.filter(({ status }) => status === 200)).toHaveLength(1)
    expectSuccess(await pay(first.body))
    expectSuccess(await pay(joiners.find(({ status }) => status === 200)!.body))
    expect((await groupOf(first.body.checkout_no)).state).toBe(2)
    const lonely = await buy({ activity_id: id })
    expectSuccess(await pay(lonely.body))
    await app.db.query(sql`update group_buy set until = now() - interval '1 minute' where id = ${(await groupOf(lonely.body.checkout_no)).id}`)
    await groupSweep(app.kernel.db).run()
    await groupSweep(app.kernel.db).run()
    const [order] = await ordersOf(lonely.body.checkout_no)
    expect(await app.db.query(sql`select amount::float8 as amount, status from refund where order_id = ${order?.id}`)).toEqual([{ amount: 85_00, status: 2 }])
    expect(await app.db.query(sql`select state from group_member where order_id = ${order?.id}`)).toEqual([{ state: M.back }])
  })

  test('rules that contradict each other are refused; what is on cannot be changed', async () => {
    const base = { name: '错', type: ACTIVITY_TYPE.coupon, start_at: NOW, end_at: NOW + HOUR }
    expectFieldRefusal(await keeper.post(activity.api.item, { ...base, end_at: NOW }), 400, 'end_at')
    expectFieldRefusal(await keeper.post(activity.api.item, { ...base, amount: 10_00, threshold: 10_00 }), 400, 'threshold')
    expectFieldRefusal(await keeper.post(activity.api.item, { ...base, hours: 3 }), 400, 'hours')
    expectFieldRefusal(await keeper.post(activity.api.item, { ...base, type: ACTIVITY_TYPE.group, good: goodOf(sync, course), price: 79_00 }), 400, 'price')
    const draft = await keeper.post<WireRow>(activity.api.item, base)
    expectFieldRefusal(await keeper.post(`${activity.api.item}/${draft.body.id}/publish`, {}), 400, 'amount')
    const id = await newActivity(ACTIVITY_TYPE.coupon)
    expectFieldRefusal(await keeper.put(`${activity.api.item}/${id}`, { amount: 5_00 }), 400, 'amount')
    expectSuccess(await keeper.post(`${activity.api.item}/${id}/pause`, { reason }))
    expect(String((await claim(id, mobile())).body['detail'])).toBe('活动已暂停')
  })
})

describe('shares', () => {
  const share = async (activity_id: number, number = mobile(), phone?: string) => (await device<{ token: string }>('POST', 'shares', { mobile: number, name: '林小满', activity_id, channel: 1, ...(phone && { device: phone }) })).body.token
  const newcomer = async () => {
    const number = mobile()
    await app.db.query(sql`insert into app_user (user_no, mobile, nickname, role, register_at, wechat_bound, status) values (${`N${n}`}, ${number}, '新同学', 1, now(), 0, 1)`)
    return number
  }
  const register = async (token: string, number: string, more: Record<string, unknown> = {}) => device<{ counted: boolean }>('POST', `shares/${token}/events`, { kind: 'register', visitor: `visitor-${number}`, mobile: number, ...more })
  const row = async (token: string) => (await keeper.get<{ items: WireRow<typeof userShare>[] }>(userShare.api.list, { keyword: token })).body.items[0]!

  test('one reward a newcomer, whoever shared with them; an old account is none', async () => {
    const id = await newActivity(ACTIVITY_TYPE.invite, { per_user: 99 })
    const [one, two] = [await share(id), await share(id)]
    const number = await newcomer()
    expect((await Promise.all([register(one, number), register(two, number)])).map(({ body }) => body.counted).toSorted()).toEqual([false, true])
    const old = await newcomer()
    await app.db.query(sql`update app_user set register_at = now() - interval '9 days' where mobile = ${old}`)
    expect((await register(one, old)).body.counted).toBe(false)
    expect(Number((await row(one)).reward) + Number((await row(two)).reward)).toBe(10_00)
    for (let times = 0; times < 3; times++) await device('POST', `shares/${one}/events`, { kind: 'visit', visitor: 'the same visitor' })
    expect(await row(one)).toMatchObject({ visits: 1 })
  })

  test('what looks like cheating is held; a person releases it or freezes the share', async () => {
    const id = await newActivity(ACTIVITY_TYPE.invite, { per_user: 99 })
    const number = mobile()
    const token = await share(id, number, 'phone-of-sharer')
    await register(token, await newcomer(), { device: 'phone-of-sharer' })
    await register(token, number)
    expect(await row(token)).toMatchObject({ state: 2, reward: 0, held: 20_00, evidence: [EVIDENCE.device, EVIDENCE.self].toSorted() })
    const { id: shareId } = await row(token)
    expectRefusal(await (await app.staff([userShare.grant])).post(`${userShare.api.item}/${shareId}/release`, { reason }), 403)
    expectSuccess(await keeper.post(`${userShare.api.item}/${shareId}/release`, { reason }))
    // A family's phone is let through; whoever invited themselves is not.
    expect(await row(token)).toMatchObject({ state: 1, reward: 10_00, held: 0 })
    expectSuccess(await keeper.post(`${userShare.api.item}/${shareId}/freeze`, { reason }))
    await register(token, await newcomer())
    expect(await row(token)).toMatchObject({ state: 3, reward: 10_00 })
    const states = await app.db.query<{ state: number }>(sql`select state from share_newcomer where share_id = ${shareId} order by at, user_id`)
    expect(states.map(({ state }) => state).toSorted()).toEqual([REWARD_STATE.given, REWARD_STATE.refused, REWARD_STATE.refused])
  })

  test('what those buy who came by it is counted', async () => {
    const id = await newActivity(ACTIVITY_TYPE.invite)
    const token = await share(id)
    const done = await buy({ link: (await newLink()).short, suite_id: 1, share: token })
    expectSuccess(await pay(done.body))
    expect(await row(token)).toMatchObject({ order_cnt: 2, paid: 128_00 })
  })
})

test('prices are shared out to the fen; what goes together stands in a table; what a coupon asks is kept back', () => {
  const goods = [1, 2, 3].map((ref_id) => ({ line: 'a', kind: 'offer', ref_id, name: '', qty: 1 }))
  for (const price of [3, 100, 9999]) expect(shareOut({ price, goods }, [1, 100, 33], spread)?.reduce((sum, { share }) => sum + share, 0)).toBe(price)
  expect(shareOut({ price: 2, goods }, [1, 1, 1], spread)).toBeUndefined()
  expect(shareOut({ price: 10, goods: goods.map((good) => ({ ...good, share: 4 })) }, [1, 1, 1], spread)).toBeUndefined()
  expect(clashWords(['suite', 'coupon'])).toBeUndefined()
  expect(clashWords(['flash', 'coupon'])).toBe('限时抢购和优惠券不能同时使用')
  expect(clashWords(['group', 'flash'])).toBe('拼团和限时抢购不能同时使用')
  expect(keptBack({ amount: 10, threshold: 50 }, 60, 40)).toBe(10)
  expect([keptBack({ amount: 10, threshold: 50 }, 60, 50), keptBack({ amount: 10, threshold: 50 }, 60, 0)]).toEqual([0, 0])
})

