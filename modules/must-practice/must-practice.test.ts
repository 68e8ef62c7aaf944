import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { screenId } from '../screens.ts'
import type { PackPlan } from './calls.ts'
import { mustLine } from './line.ts'
import { mustPaper } from './must-paper.ts'

const { offers: { api: { item: PACK } }, orders, learners } = mustLine
let app: TestApp
let writer: Caller
let papers: number[]
beforeAll(async () => {
  app = await openTestApp()
  writer = await app.staff(app.servedGrants)
  papers = []
  for (const [name, count] of [['函数 20 题', 20], ['数列 25 题', 25]] as const) {
    const answer = await writer.post<WireRow>(mustPaper.api.item, { name, subject_id: 1, modes: [1, 4] })
    expectSuccess(answer)
    await app.db.query(sql`update paper set question_count = ${count} where id = ${answer.body.id}`)
    papers.push(answer.body.id)
  }
})
afterAll(() => app.close())

async function pack(more: Record<string, unknown> = {}): Promise<WireRow> {
  const answer = await writer.post<WireRow>(PACK, { title: '数学必刷包', subject_id: 1, price: 59_00, valid_days: 180, paper_ids: papers, plan_days: 10, ...more })
  expectSuccess(answer)
  return answer.body
}
const plan = async (id: number) => (await writer.get<PackPlan>(`${PACK}/${id}/plan`)).body

test('a pack is planned evenly over its days until somebody says otherwise, and its sum is that of its papers', async () => {
  const { id } = await pack()
  expect(await plan(id)).toMatchObject({ counts: [5, 5, 5, 5, 5, 4, 4, 4, 4, 4], stale: false, papers: [{ name: '函数 20 题', count: 20 }, { name: '数列 25 题', count: 25 }] })
  const short = await writer.put(`${PACK}/${id}/plan`, { counts: [20, 20] })
  expect(short.body['detail']).toContain('各天合计 40 题，题包共 45 题')
  expectSuccess(await writer.put(`${PACK}/${id}/plan`, { counts: [20, 0, 25] }))
  expect(await plan(id)).toMatchObject({ counts: [20, 0, 25], stale: false })
  expect((await writer.get<WireRow>(`${PACK}/${id}`)).body['plan_days']).toBe(3)
})

test('a plan whose papers have another number of questions by now says so; one that gets other papers is even again', async () => {
  const { id } = await pack()
  expectSuccess(await writer.put(`${PACK}/${id}/plan`, { counts: [45] }))
  await app.db.query(sql`update paper set question_count = 21 where id = ${papers[0]}`)
  expect(await plan(id)).toMatchObject({ counts: [46], stale: true })
  await app.db.query(sql`update paper set question_count = 20 where id = ${papers[0]}`)
  expectSuccess(await writer.put(`${PACK}/${id}`, { paper_ids: [papers[0]], plan_days: 4 }))
  expect(await plan(id)).toMatchObject({ counts: [5, 5, 5, 5], stale: false })
})

test('whoever sees no packs sees no plan, and a paper that a pack has is not removed', async () => {
  const { id } = await pack()
  expectRefusal(await (await app.staff([screenId('/mustPractice/order')])).get(`${PACK}/${id}/plan`), 403)
  expectRefusal(await (await app.staff(app.servedGrants, { scopes: { subject: [3] } })).get(`${PACK}/${id}/plan`), 404)
  expectRefusal(await writer.delete(`${mustPaper.api.item}/${papers[0]}`), 409)
})

test('a pack that is bought opens an account, and a refund takes it back', async () => {
  const { id } = await pack()
  await app.db.query(sql`update offer set state = 3 where id = ${id}`)
  const placed = await writer.post<WireRow>(orders.api.item, { order_info: { items: [{ kind: 'offer', ref_id: id, qty: 1 }] }, user_info: { mobile: '13911112222', name: '林小满' } })
  expectSuccess(placed)
  expectSuccess(await writer.post(`${orders.api.item}/${placed.body.id}/pay`, { amount: 59_00, channel: 'wechat' }))
  const read = async () => (await writer.get<{ items: WireRow[] }>(learners.api.list, { offer_id: id })).body.items.map((row) => row['state'])
  expect(await read()).toEqual(['生效中'])
  const refunded = await writer.post(`${orders.api.item}/${placed.body.id}/refund`, { amount: 59_00, way: 'original', reason: '买错了' })
  expectSuccess(refunded)
  expect(await read()).toEqual(['已退款'])
})
