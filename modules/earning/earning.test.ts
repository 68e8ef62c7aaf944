import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { lockAnyOrder } from '../order/door.server.ts'
import { bookOrder } from './book.server.ts'
import type { Explained, OrderExplained, Settled, Trial } from './calls.ts'
import { baseOf, monthShare, shareOf } from './formula.ts'
import { wrongEarnings } from './invariants.server.ts'

const DAY = 86_400
const now = Math.floor(Date.now() / 1000)
const BASE = '/daoyuan/api/end/distribution'
const TEACHER = '/daoyuan/api/end/accompany/teacher'
const ORDERS = `${TEACHER}/orders`
const reason = '试一试'

let app: TestApp
let keeper: Caller
let second: Caller
let people = 0
/** Three agents, each below the one before. */
let tree: number[]

const mobile = () => `137${String(60_000_000 + ++people)}`
async function newAgent(parent?: number): Promise<{ id: number; mobile: string }> {
  const number = mobile()
  const made = await keeper.post<WireRow>('/daoyuan/api/end/proxy_users', { name: `代理${people}`, mobile: number, type: 1, level_id: 1, ...(parent && { parent_id: parent }) })
  expectSuccess(made)
  expectSuccess(await keeper.post(`/daoyuan/api/end/proxy_users/${made.body.id}/approve`, {}))
  return { id: made.body.id, mobile: number }
}
async function sell(agent_id: number | undefined, more: { qty?: number; price?: number; mobile?: string; virtual?: boolean } = {}): Promise<WireRow> {
  const made = await keeper.post<WireRow>(ORDERS, { order_info: { items: [{ kind: 'lessons', qty: more.qty ?? 10, price: more.price ?? 100_00 }], ...(more.virtual && { virtual: true }) }, user_info: { mobile: more.mobile ?? mobile(), name: '林小满' }, referrer_info: { ...(agent_id && { agent_id }) } })
  expectSuccess(made)
  if (more.virtual) return made.body
  const paid = await keeper.post<WireRow>(`${ORDERS}/${made.body.id}/pay`, { amount: made.body['amount'], channel: 'wechat' })
  expectSuccess(paid)
  return paid.body
}
const refund = async (order: WireRow, amount: number, qty?: number) => {
  const [item] = await app.db.query<{ id: number }>(sql`select id from order_item where order_id = ${order.id}`)
  expectSuccess(await keeper.post(`${ORDERS}/${order.id}/refund`, { amount, ...(qty && { items: [{ id: item?.id, qty }] }), way: 'original', reason }))
}
const sums = async (order: WireRow) => Object.fromEntries((await app.db.query<{ key: string; sum: number }>(sql`select account_id || ':' || tier as key, sum(amount)::float8 as sum from earning where source_kind = 'order' and source_id = ${order.id} group by 1`)).map(({ key, sum }) => [key, sum]))
const explained = async (order: WireRow) => (await keeper.get<OrderExplained>(`${BASE}/orders/of_order`, { order_no: order['order_no'] })).body
/** As if the days were over that sums wait. */
const ripen = () => app.db.script(`alter table earning disable trigger keep; update earning set due_at = now() - interval '1 hour', at = least(at, now() - interval '2 hours'); alter table earning enable trigger keep`)
const settle = async (account: number, base = BASE) => (await keeper.post<Settled>(`${base}/settlements/settle`, { until: now + 3600, account_ids: [account] })).body
const settlementOf = async (account: number) => (await app.db.query<{ id: number; amount: number; status: number }>(sql`select id, amount::float8 as amount, status from settlement where account_id = ${account} order by id desc limit 1`))[0]!
async function settled(account: number): Promise<{ id: number; amount: number }> {
  await ripen()
  await settle(account)
  const made = await settlementOf(account)
  expectSuccess(await keeper.post(`${BASE}/settlement/${made.id}/submit`, {}))
  expectSuccess(await second.post(`${BASE}/settlement/${made.id}/pass`, {}))
  return made
}
const agentRow = async (id: number) => (await app.db.query<{ balance: number; frozen: number; withdrawn: number }>(sql`select balance::float8 as balance, coalesce(frozen, 0)::float8 as frozen, coalesce(withdrawn, 0)::float8 as withdrawn from agent where id = ${id}`))[0]!
const payee = { holder: '王启航', bank: '中国银行苏州分行', card: '6217 0000 1111 2222 333' }
const ask = (agent_id: number, amount: number) => keeper.post<{ id: number }>(`${BASE}/withdrawals/ask`, { agent_id, amount, ...payee })

beforeAll(async () => {
  app = await openTestApp()
  keeper = await app.staff(app.servedGrants)
  second = await app.staff(app.servedGrants)
  expectSuccess(await keeper.put(`${ORDERS}/setting`, { refund_second_from: 10_000_000_00, approve_second_from: 0, unpaid_days: 30, prices: {} }))
  const [top] = [await newAgent()]
  const middle = await newAgent(top.id)
  tree = [top.id, middle.id, (await newAgent(middle.id)).id]
  expectSuccess(await keeper.post(`${BASE}/rate_plan`, { name: '2026-11 版', line: 'any', level: 1, first: 12, second: 5, hold_days: 7, valid_from: startOfDay(now - 30 * DAY) }))
})
afterAll(() => app.close())

describe('formula', () => {
  test('the base is the smaller of the money and the goods that stayed', () => {
    const items = [{ net: 100_01, qty: 3, refunded_qty: 0 }]
    const facts = { inForce: true, virtual: false, paid: 100_01, refunded: 0, items }
    expect(baseOf(facts)).toBe(100_01)
    expect(baseOf({ ...facts, refunded: 30_00 })).toBe(70_01)
    expect(baseOf({ ...facts, items: [{ net: 100_01, qty: 3, refunded_qty: 1 }] })).toBe(66_67)
    expect(baseOf({ ...facts, inForce: false })).toBe(0)
    expect(baseOf({ ...facts, virtual: true })).toBe(0)
    expect([shareOf(999, 1200), shareOf(0, 5000), monthShare(15_000, 10, 31)]).toEqual([119, 0, 4838])
  })
})

describe('rates', () => {
  test('both tiers together take at most half; a rate does not reach back behind orders that earned', async () => {
    expectFieldRefusal(await keeper.post(`${BASE}/rate_plan`, { name: '高', line: 'partner', level: 2, first: 40, second: 20, hold_days: 7, valid_from: startOfDay(now) }), 400, 'second')
    await sell(tree[0])
    const late = await keeper.post(`${BASE}/rate_plan`, { name: '旧', line: 'accompany', level: 1, first: 1, second: 1, hold_days: 7, valid_from: startOfDay(now - 10 * DAY) })
    expectFieldRefusal(late, 400, 'valid_from')
    expect(late.body['detail']).toContain('最早可从')
    const [plan] = (await keeper.get<{ items: WireRow[] }>(`${BASE}/rate_plans`)).body.items
    expect((await keeper.delete(`${BASE}/rate_plan/${plan?.id}`)).body['detail']).toMatch(/该费率已用于 \d+ 笔佣金/)
  })

  test('a rate is tried on what was sold before it is saved', async () => {
    const before = (await keeper.get<Trial>(`${BASE}/rate_plans/trial`, { line: 'accompany', level: 1, first: 24, second: 5 })).body
    expect(before.orders).toBeGreaterThan(0)
    expect(before.after.first).toBe(before.before.first * 2)
    expect(before.after.second).toBe(before.before.second)
    expect(before.agents.every(({ name }) => name.length > 0)).toBe(true)
    expectRefusal(await keeper.get(`${BASE}/rate_plans/trial`, { line: 'accompany', level: 1, first: 40, second: 20 }), 400)
  })
})

describe('commission', () => {
  test('two tiers earn although three stand above one another; each line says its formula', async () => {
    const [, middle, bottom] = tree as [number, number, number]
    const order = await sell(bottom)
    expect(await sums(order)).toEqual({ [`${bottom}:1`]: 120_00, [`${middle}:2`]: 50_00 })
    const { shares, lines } = await explained(order)
    expect(shares.map(({ tier, booked, target }) => [tier, booked, target])).toEqual([[1, 120_00, 120_00], [2, 50_00, 50_00]])
    expect(lines[0]?.words).toBe('实付 1,000.00 = 1,000.00 × 12%（一级·2026-11 版）= 120.00')
    await refund(order, 300_00, 3)
    expect(await sums(order)).toEqual({ [`${bottom}:1`]: 84_00, [`${middle}:2`]: 35_00 })
    const again = await explained(order)
    expect(again.lines.at(-2)?.words).toBe('实付 1,000.00 − 退款 300.00 = 700.00 × 12%（一级·2026-11 版）= 84.00，此前已计 120.00，本次 -36.00')
    const line = (await keeper.get<Explained>(`${BASE}/order/${again.lines[0]?.id}/explain`)).body
    expect(line).toMatchObject({ booked: 84_00, target: 84_00 })
    await refund(order, 700_00, 7)
    expect(await sums(order)).toEqual({ [`${bottom}:1`]: 0, [`${middle}:2`]: 0 })
  })

  test('whoever repeats an event books nothing; what waits for a refund is held back', async () => {
    const agent = await newAgent()
    const order = await sell(agent.id)
    const was = await sums(order)
    await app.kernel.db.transaction({ staff_id: null }, async (tx) => bookOrder(tx, await lockAnyOrder(tx, order.id), 'payment 1'))
    expect(await sums(order)).toEqual(was)
    await ripen()
    await app.db.query(sql`update orders set before_status = status, status = 11 where id = ${order.id}`)
    expect(await settle(agent.id)).toMatchObject({ made: 0, skipped: 1 })
    await app.db.query(sql`update orders set status = before_status, before_status = null where id = ${order.id}`)
  })

  test('a rate of later does not change what was paid before', async () => {
    const agent = await newAgent()
    const order = await sell(agent.id)
    await app.db.query(sql`insert into rate_plan (name, line, level, first, second, hold_days, valid_from) values ('新', 'accompany', 1, 30, 10, 7, now() - interval '1 minute')`)
    await refund(order, 500_00, 5)
    expect(await sums(order)).toEqual({ [`${agent.id}:1`]: 60_00 })
    await app.db.query(sql`delete from rate_plan where name = '新'`)
  })

  test('where nobody earns it is said why', async () => {
    const agent = await newAgent()
    expect((await explained(await sell(agent.id, { mobile: agent.mobile }))).why).toContain('自己购买，不计佣')
    expect((await explained(await sell(undefined))).why).toBe('订单和用户都没有归属代理')
    expect((await explained(await sell(agent.id, { virtual: true }))).why).toBe('虚拟单不计佣')
    expectSuccess(await keeper.post(`/daoyuan/api/end/proxy_users/${agent.id}/freeze`, { reason }))
    expect((await explained(await sell(agent.id))).why).toContain('不是启用状态')
    expect((await keeper.get<OrderExplained>(`${BASE}/orders/of_order`, { order_no: '20000101000001' })).body.order).toBeNull()
  })

  test('an order that is another agent’s goes over by two lines, until it is settled', async () => {
    const [from, to] = [await newAgent(), await newAgent()]
    const order = await sell(from.id)
    const move = (agent_id: number | null) => keeper.post(`${BASE}/orders/attribute`, { order_id: order.id, agent_id, reason })
    expectSuccess(await move(to.id))
    expect(await sums(order)).toEqual({ [`${from.id}:1`]: 0, [`${to.id}:1`]: 120_00 })
    expectSuccess(await move(null))
    expect(await sums(order)).toEqual({ [`${from.id}:1`]: 0, [`${to.id}:1`]: 0 })
    expectSuccess(await move(from.id))
    await settled(from.id)
    expect((await move(to.id)).body).toMatchObject({ detail: '该订单的佣金已进入结算单，不能改归属' })
  })
})

describe('settlements and withdrawals', () => {
  test('who made a settlement does not let it through; what comes back afterwards is a line of the next, and is owed', async () => {
    const agent = await newAgent()
    const order = await sell(agent.id)
    expect(await settle(agent.id)).toMatchObject({ made: 0 })
    await ripen()
    expect(await settle(agent.id)).toMatchObject({ made: 1, amount: 120_00 })
    const made = await settlementOf(agent.id)
    expectRefusal(await keeper.post(`${BASE}/settlement/${made.id}/pass`, {}), [400, 409])
    expectSuccess(await keeper.post(`${BASE}/settlement/${made.id}/submit`, {}))
    expect((await keeper.post(`${BASE}/settlement/${made.id}/pass`, {})).body['detail']).toContain('须由另一人审核')
    expectSuccess(await second.post(`${BASE}/settlement/${made.id}/pass`, {}))
    expect(await agentRow(agent.id)).toEqual({ balance: 120_00, frozen: 0, withdrawn: 0 })
    await refund(order, 1000_00, 10)
    expect(await agentRow(agent.id)).toMatchObject({ balance: 120_00 })
    const next = await settled(agent.id)
    expect(next.amount).toBe(-120_00)
    expect(await agentRow(agent.id)).toMatchObject({ balance: 0 })
  })

  test('lines of a settlement that is refused or dropped are free again; one whose lines changed is not let through', async () => {
    const agent = await newAgent()
    await sell(agent.id)
    await ripen()
    await settle(agent.id)
    const first = await settlementOf(agent.id)
    expectSuccess(await keeper.post(`${BASE}/settlement/${first.id}/drop`, { reason }))
    expect(await settle(agent.id)).toMatchObject({ made: 1, amount: 120_00 })
    const next = await settlementOf(agent.id)
    expectSuccess(await keeper.post(`${BASE}/settlement/${next.id}/submit`, {}))
    await app.db.query(sql`update settlement set amount = amount + 1 where id = ${next.id}`)
    expect((await second.post(`${BASE}/settlement/${next.id}/pass`, {})).body['detail']).toContain('不一致')
    await app.db.query(sql`update settlement set amount = amount - 1 where id = ${next.id}`)
    expectSuccess(await second.post(`${BASE}/settlement/${next.id}/refuse`, { reason }))
    expect(await settle(agent.id)).toMatchObject({ made: 1 })
  })

  test('two people who settle one account at once take no line twice', async () => {
    const agent = await newAgent()
    await sell(agent.id)
    await ripen()
    const both = await Promise.all([settle(agent.id), settle(agent.id)])
    expect(both.reduce((sum, { made }) => sum + made, 0)).toBe(1)
  })

  test('money is set aside when it is asked for, comes back when the payment fails, and is gone when it is paid', async () => {
    const agent = await newAgent()
    await sell(agent.id)
    await settled(agent.id)
    const both = await Promise.all([ask(agent.id, 100_00), ask(agent.id, 100_00)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(both.find(({ status }) => status === 400)?.body).toMatchObject({ fields: { amount: '可提现 20.00 元' } })
    const id = both.find(({ status }) => status === 200)?.body.id ?? 0
    expect(await agentRow(agent.id)).toEqual({ balance: 20_00, frozen: 100_00, withdrawn: 0 })
    expect((await keeper.post(`${BASE}/withdrawal/${id}/pass`, {})).body['detail']).toContain('须由另一人审核')
    expectSuccess(await second.post(`${BASE}/withdrawal/${id}/pass`, {}))
    expect((await second.post(`${BASE}/withdrawal/${id}/card`, {})).body).toEqual({ card: '6217000011112222333' })
    expectSuccess(await second.post(`${BASE}/withdrawal/${id}/fail`, { reason: '账号有误' }))
    expect(await agentRow(agent.id)).toEqual({ balance: 120_00, frozen: 0, withdrawn: 0 })
    const again = (await ask(agent.id, 120_00)).body.id
    expectSuccess(await second.post(`${BASE}/withdrawal/${again}/pass`, {}))
    const trade = { trade_no: 'ICBC20261125001', paid_at: now }
    expectSuccess(await keeper.post(`${BASE}/withdrawal/${again}/pay`, trade))
    expectRefusal(await keeper.post(`${BASE}/withdrawal/${again}/pay`, { ...trade, trade_no: 'ICBC20261125002' }), 400)
    expect(await agentRow(agent.id)).toEqual({ balance: 0, frozen: 0, withdrawn: 120_00 })
    const ledger = (await keeper.get<{ items: WireRow[] }>(`${BASE}/agent_ledgers`, { account_id: agent.id })).body.items
    expect(ledger.map((row) => [row['kind'], row['amount']])).toEqual([['withdraw', -120_00], ['withdraw_back', 100_00], ['withdraw', -100_00], ['commission', 120_00]])
  })

  test('who owes takes nothing out, and what comes next pays it first', async () => {
    const agent = await newAgent()
    const order = await sell(agent.id)
    await settled(agent.id)
    const { body: { id } } = await ask(agent.id, 120_00)
    expectSuccess(await second.post(`${BASE}/withdrawal/${id}/pass`, {}))
    expectSuccess(await keeper.post(`${BASE}/withdrawal/${id}/pay`, { trade_no: 'ICBC20261125777', paid_at: now }))
    await refund(order, 1000_00, 10)
    await settled(agent.id)
    expect(await agentRow(agent.id)).toMatchObject({ balance: -120_00 })
    expect((await ask(agent.id, 1_00)).body).toMatchObject({ detail: '该代理欠款 120.00 元，还清前不能提现' })
    await sell(agent.id, { qty: 20 })
    await settled(agent.id)
    expect(await agentRow(agent.id)).toMatchObject({ balance: 120_00 })
  })

  test('a bonus and a deduction are lines with their reason', async () => {
    const agent = await newAgent()
    expectSuccess(await keeper.post(`${BASE}/orders/adjust`, { account_id: agent.id, amount: 50_00, reason: '季度奖励' }))
    expectSuccess(await keeper.post(`${BASE}/orders/adjust`, { account_id: agent.id, amount: -20_00, reason: '客诉扣减' }))
    expect((await settled(agent.id)).amount).toBe(30_00)
    expect((await keeper.delete(`/daoyuan/api/end/proxy_users/${agent.id}`)).body['detail']).toContain('还有余额 30.00 元')
    expectRefusal(await keeper.post(`${BASE}/orders/adjust`, { account_id: agent.id, amount: 0, reason }), 400)
  })
})

describe('fees of teachers', () => {
  let teacher: Caller
  let id: number
  beforeAll(async () => {
    teacher = await app.staff(app.servedGrants)
    const made = await keeper.post<WireRow>('/daoyuan/api/end/accompany/manager/teachers', { staff_id: teacher.staffId, kinds: ['accompany'], level: 2, max_students: 25 })
    expectSuccess(made)
    id = made.body.id
    expectSuccess(await keeper.post(`/daoyuan/api/end/accompany/manager/teachers/${id}/pass`, {}))
    for (const [mode, rate] of [['lesson', 60_00], ['month', 310_00]] as const) expectSuccess(await keeper.post(`/daoyuan/api/end/accompany/manager/teachers/${id}/rates`, { mode, rate, valid_from: startOfDay(now - 90 * DAY), reason }))
  })
  const lines = () => app.db.query<{ amount: number; words: string; source_kind: string }>(sql`select amount::float8 as amount, words, source_kind from earning where account_kind = 'companion_teacher' and account_id = ${id} order by id`)

  test('a marked lesson is paid at the rate of the day; returned work takes it back; it is settled and paid', async () => {
    const number = mobile()
    const student = await keeper.post<WireRow>('/daoyuan/api/end/accompany/manager/students', { name: '林小满', mobile: number, grade: 8, teacher_id: id })
    expectSuccess(student)
    await sell(undefined, { mobile: number })
    const task = await teacher.post<WireRow>(`${TEACHER}/tasks`, { title: '全等三角形', task_kind: 'exercise', student_ids: [student.body.id], due_at: now + DAY, full: 100, lessons: 2, publish: true })
    expectSuccess(task)
    const put = (body: Record<string, unknown>) => teacher.put(`${TEACHER}/tasks/${task.body.id}`, { student_ids: [student.body.id], ...body })
    await app.db.query(sql`update task_student set status = 3, submitted_at = now() where task_id = ${task.body.id}`)
    expectSuccess(await put({ status: 4, score: 90 }))
    expect(await lines()).toEqual([{ amount: 120_00, words: '2 节 × 60.00 元/节 = 120.00', source_kind: 'lesson' }])
    expectSuccess(await put({ status: 5, reason: '步骤不全' }))
    expect((await lines()).map(({ amount }) => amount)).toEqual([120_00, -120_00])
    await app.db.query(sql`update task_student set status = 3, submitted_at = now() where task_id = ${task.body.id}`)
    expectSuccess(await put({ status: 4, score: 95 }))
    expect((await lines()).reduce((sum, { amount }) => sum + amount, 0)).toBe(120_00)
    expect((await keeper.get<{ owed: number }>(`${TEACHER}/amounts/sums`, { account_id: id })).body).toEqual({ owed: 120_00, settled: 0, auditing: 0, deducted: -120_00 })
    await ripen()
    expect(await settle(id, TEACHER)).toMatchObject({ made: 1, amount: 120_00 })
    const made = await settlementOf(id)
    expectSuccess(await keeper.post(`${TEACHER}/settlement/${made.id}/submit`, {}))
    expectSuccess(await second.post(`${TEACHER}/settlement/${made.id}/pass`, {}))
    expectSuccess(await keeper.post(`${TEACHER}/settlement/${made.id}/pay`, { trade_no: 'PAY20261125001', paid_at: now }))
    expectRefusal(await keeper.post(`${TEACHER}/settlement/${made.id}/pay`, { trade_no: 'PAY20261125001', paid_at: now }), 400)
    expect((await keeper.get<{ owed: number }>(`${TEACHER}/amounts/sums`, { account_id: id })).body).toMatchObject({ owed: 0, settled: 120_00 })
    const all = (await keeper.get<{ items: WireRow[] }>(`${TEACHER}/amounts`, { account_id: id, phase: 'settled' })).body.items
    expect(all.map((row) => row['state'])).toEqual(['已结算', '已结算', '已结算'])
  })

  test('whole months that were paid for are paid by the days, once; nothing is paid out that is less than nothing', async () => {
    const number = mobile()
    const student = await keeper.post<WireRow>('/daoyuan/api/end/accompany/manager/students', { name: '周小月', mobile: number, grade: 8, teacher_id: id })
    const made = await keeper.post<WireRow>(ORDERS, { order_info: { items: [{ kind: 'month', qty: 3, price: 1000_00 }] }, user_info: { mobile: number, name: '周小月' } })
    expectSuccess(await keeper.post(`${ORDERS}/${made.body.id}/pay`, { amount: made.body['amount'], channel: 'wechat' }))
    await app.db.query(sql`update companion_student set start_at = now() - interval '200 days' where id = ${student.body.id}`)
    await app.db.query(sql`update companion_assign set from_at = now() - interval '200 days' where student_id = ${student.body.id}`)
    await settle(id, TEACHER)
    await settle(id, TEACHER)
    const months = (await lines()).filter(({ source_kind }) => source_kind === 'month')
    expect(months.map(({ amount }) => amount)).toEqual([310_00, 310_00, 310_00])
    expectSuccess(await keeper.post(`${TEACHER}/amounts/adjust`, { account_id: id, amount: -2000_00, reason: '多付的课酬' }))
    expect(await settle(id, TEACHER)).toMatchObject({ made: 0, skipped: 1 })
  })
})

test('the books of those who earn agree with their sources, whatever has happened', async () => {
  expect(await wrongEarnings(app.db)).toEqual([])
})
