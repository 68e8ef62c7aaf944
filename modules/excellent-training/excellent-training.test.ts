import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import type { WaitingItem } from '../../core/inbox/waiting.ts'
import { dealProblem, spreadDeal, type DealOrder } from './deal.ts'
import { excellentPaper } from './excellent-paper.ts'
import { excellentLine, PART } from './line.ts'
import { excellentScore } from './score.ts'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
const { offers, orders, learners } = excellentLine
let app: TestApp
let writer: Caller
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

async function project(more: Record<string, unknown> = {}): Promise<WireRow> {
  const answer = await writer.post<WireRow>(offers.api.item, { title: `数学精英${++count}`, subject_id: 1, price: 6000_00, valid_days: 180, class_type: '提高班', deposit: 1000_00, instalments: 3, ...more })
  expectSuccess(answer)
  await app.db.query(sql`update offer set state = 3 where id = ${answer.body.id}`)
  return answer.body
}
const mobile = () => `139${String(30_000_000 + ++count)}`
const sign = (offer_id: number, parts: readonly object[], more: Record<string, unknown> = {}) =>
  writer.post<{ deal_no: string; ids: number[]; detail?: string }>(`${orders.api.list}/deals`, { offer_id, contract_no: `JY-${++count}`, mobile: mobile(), name: '林小满', parts, ...more })
const deal = async (id: number) => (await writer.get<{ deal_no: string; orders: DealOrder[] }>(`${orders.api.item}/${id}/deal`)).body
const pay = (id: number, amount: number) => writer.post(`${orders.api.item}/${id}/pay`, { amount, channel: 'wechat' })
const opened = async (offer_id: number) => (await writer.get<{ items: WireRow[] }>(learners.api.list, { offer_id })).body.items.map((row) => row['state'])

test('a deal is as many orders as it has payments under one number; the first opens, the balance opens nothing more', async () => {
  const { id } = await project()
  const due = NOW + 30 * DAY
  const { body } = await sign(id, [{ amount: 1000_00 }, { amount: 5000_00, due_at: due }])
  expect(body.ids).toHaveLength(2)
  const [first = 0, second = 0] = body.ids
  expect(await deal(second)).toMatchObject({ deal_no: body.deal_no, orders: [{ id: first, part: PART.deposit, amount: 1000_00, due_at: null }, { id: second, part: PART.balance, part_no: 2, amount: 5000_00, due_at: due }] })
  expect(await opened(id)).toEqual([])
  expectSuccess(await pay(first, 1000_00))
  expect(await opened(id)).toEqual(['生效中'])
  expectSuccess(await pay(second, 5000_00))
  expect(await opened(id)).toEqual(['生效中'])
  expect((await deal(first)).orders.map(({ paid }) => paid)).toEqual([1000_00, 5000_00])
  expectSuccess(await writer.post(`${orders.api.item}/${first}/refund`, { amount: 1000_00, way: 'original', reason: '不读了' }))
  expect(await opened(id)).toEqual(['已退款'])
})

test('payments that do not make up the price, that are too many or have no date are refused in one sentence; nothing is written', async () => {
  const { id } = await project()
  const before = await app.db.query<{ n: number }>(sql`select count(*)::int as n from orders`)
  expect((await sign(id, [{ amount: 1000_00 }, { amount: 4000_00, due_at: NOW + DAY }])).body.detail).toContain('各期合计 5000.00 元，应等于项目价格 6000.00 元')
  expect((await sign(id, [{ amount: 3000_00 }, { amount: 3000_00 }])).body.detail).toContain('请填写应付日期')
  expect((await sign(id, spreadDeal(6000_00, 4, NOW))).body.detail).toContain('最多分 3 期')
  expectFieldRefusal(await sign(999_999, [{ amount: 1 }]), 400, 'offer_id')
  expect(await app.db.query(sql`select count(*)::int as n from orders`)).toEqual(before)
})

test('two people who sign one contract at once: one is told the order that has it', async () => {
  const { id } = await project()
  const answers = await Promise.all([1, 2].map(() => sign(id, [{ amount: 6000_00 }], { contract_no: '同号' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(answers.find(({ status }) => status === 400)?.body.detail).toContain('合同号已用于订单')
})

test('a further payment comes with a deal alone, and waits for its date, not for the clock', async () => {
  const { id } = await project()
  expectRefusal(await writer.post(orders.api.item, { order_info: { items: [{ kind: 'part', ref_id: id, price: 6000_00, qty: 1 }] }, user_info: { mobile: mobile(), name: '甲' } }), 400)
  const { body } = await sign(id, [{ amount: 1000_00 }, { amount: 5000_00, due_at: NOW - DAY }])
  await app.db.query(sql`update orders set created_at = now() - interval '90 days' where id = any(${sql.param(body.ids)}::bigint[])`)
  for (const sweep of app.modules.flatMap((module) => module.sweeps?.(app.kernel) ?? [])) if (sweep.name === 'excellent_training_order_unpaid') await sweep.run()
  expect((await deal(body.ids[0] ?? 0)).orders.map(({ status }) => status)).toEqual([1, 1])
  const waiting = await writer.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting', { kind: 'excellent_training_order_overdue' })
  expect(waiting.body.items.map(({ record }) => record)).toEqual([body.ids[1]])
})

test('prices are spread to the fen', () => {
  expect(spreadDeal(100_00, 3, NOW).map(({ amount }) => amount)).toEqual([33_34, 33_33, 33_33])
  expect(spreadDeal(100_00, 2, NOW, 10_00).map(({ amount }) => amount)).toEqual([10_00, 90_00])
  expect(dealProblem(100_00, spreadDeal(100_00, 3, NOW), { instalments: 3 })).toBeUndefined()
  expect(dealProblem(100_00, spreadDeal(100_00, 2, NOW), { instalments: null })).toBeUndefined()
})

test('a score leads to a level and a class by the bands of its test, and a learner shows the last one', async () => {
  const paper = await writer.post<WireRow>(excellentPaper.api.item, { name: '入学测', subject_id: 1, assessment: 1, bands: [{ from: 0, level: 'C', class_type: '基础班' }, { from: 60, level: 'B', class_type: '提高班' }] })
  expectSuccess(paper)
  expectFieldRefusal(await writer.post(excellentPaper.api.item, { name: '错', subject_id: 1, bands: [{ from: 1, level: 'A', class_type: '甲' }, { from: 1, level: 'B', class_type: '乙' }] }), 400, 'bands')
  const number = mobile()
  const score = await writer.post<WireRow>(excellentScore.api.item, { paper_id: paper.body.id, student: '林小满', mobile: number, score: 59.5, taken_at: NOW - DAY })
  expect(score.body).toMatchObject({ level: 'C', class_type: '基础班' })
  expectSuccess(await writer.put(`${excellentScore.api.item}/${score.body.id}`, { score: 60 }))
  const { id } = await project()
  const { body } = await sign(id, [{ amount: 6000_00 }], { mobile: number })
  expectSuccess(await pay(body.ids[0] ?? 0, 6000_00))
  const [learner] = (await writer.get<{ items: WireRow[] }>(learners.api.list, { offer_id: id })).body.items
  expect(learner).toMatchObject({ assessed: 'B', class_name: null })
  expectSuccess(await writer.put(`${learners.api.item}/${learner?.id}`, { class_name: '精英 1 班', mentor_id: writer.staffId }))
})
