import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import type { BoardColumn, ClueStory } from './calls.ts'
import { clueSweep } from './clue.server.ts'
import { clue } from './clue.ts'
import { lengthened, POOL, STAGE as S } from './stage.ts'

const { api: { list: LIST, item: ITEM } } = clue
const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
type Row = WireRow<typeof clue>
let app: TestApp
let [ann, ben]: Caller[] = []
let channel: number
let n = 0
beforeAll(async () => {
  app = await openTestApp()
  ;[ann, ben] = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  channel = Number((await a().post<WireRow>('/daoyuan/api/end/channels', { name: '地推', kind: 4 })).body.id)
})
afterAll(() => app.close())

const a = () => ann as Caller
const b = () => ben as Caller
const mobile = () => `137${String(50_000_000 + ++n)}`
async function made(number = mobile()): Promise<Row> {
  const answer = await a().post<Row>(ITEM, { name: '林女士', mobile: number, channel_id: channel })
  expectSuccess(answer)
  return answer.body
}
const read = async (id: number) => (await a().get<Row>(`${ITEM}/${id}`)).body
const follow = (id: number, who = a(), more: Record<string, unknown> = {}) => who.post<{ protect_until: number }>(`${ITEM}/${id}/follows`, { way: 'call', body: '约周六来测评', ...more })
const story = async (id: number) => (await a().get<ClueStory>(`${ITEM}/${id}/story`)).body

test('a number is one clue: whose it is is said, also to the second of two at once', async () => {
  const number = mobile()
  const row = await made(number)
  expect(row).toMatchObject({ owner_id: a().staffId, stage: S.fresh })
  const second = await b().post(ITEM, { name: '林女士', mobile: number, channel_id: channel })
  expectFieldRefusal(second, 400, 'mobile')
  expect(second.body['detail']).toContain('该手机号已有线索')
  const raced = mobile()
  const both = await Promise.all([a(), b()].map((who) => who.post(ITEM, { name: '周先生', mobile: raced, channel_id: channel })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

test('follow-ups lengthen the protection up to a most; what nobody follows falls into the pool, where the last one waits', async () => {
  const { id } = await made()
  expectRefusal(await follow(id, a(), { body: '嗯' }), 400)
  expectFieldRefusal(await follow(id, a(), { next_follow_at: NOW - 60 }), 400, 'next_follow_at')
  for (let times = 0; times < 12; times++) expectSuccess(await follow(id))
  const held = await read(id)
  expect(held).toMatchObject({ stage: S.spoken, follow_cnt: 12 })
  expect(Number(held.protect_until)).toBe(Number(held.max_until))
  expect(Number(held.protect_until)).toBeLessThanOrEqual(NOW + POOL.most * DAY + 60)
  await app.db.query(sql`update clue set protect_until = now() - interval '1 minute' where id = ${id}`)
  await clueSweep(app.kernel.db).run()
  expect(await read(id)).toMatchObject({ owner_id: null, last_owner_id: a().staffId })
  expect((await a().post(`${ITEM}/${id}/claim`)).body['detail']).toContain('24 小时内不能自己领取')
  const claims = await Promise.all([b().post(`${ITEM}/${id}/claim`), (await app.staff(app.servedGrants)).post(`${ITEM}/${id}/claim`)])
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(String(claims.find(({ status }) => status === 409)?.body['detail'])).toContain('已被')
  // Its owners neither overlap nor is one lost.
  const { owners } = await story(id)
  expect(owners.map(({ cause, to_at }) => [cause, to_at === null])).toEqual([['claim', true], ['own', false]])
})

test('no protection moves earlier, whatever is followed up when', () => {
  for (const until of [NOW - DAY, NOW + DAY, NOW + 29 * DAY, NOW + 40 * DAY]) expect(lengthened(until, NOW + 30 * DAY, NOW)).toBeGreaterThanOrEqual(until)
})

test('clues are assigned within what somebody may hold; only one who has a clue gives it back', async () => {
  const [one, two] = [await made(), await made()]
  expectSuccess(await a().post(`${ITEM}/${two.id}/void`, { reason: '空号无人接听' }))
  const answer = await a().post<{ assigned: number; left_alone: { id: number }[]; undo: number }>(`${LIST}/assign`, { ids: [one.id, two.id], owner_id: b().staffId, reason: '按区域分配' })
  expect(answer.body).toMatchObject({ assigned: 1, left_alone: [{ id: two.id }], undo: expect.any(Number) })
  const ownerOf = async () => (await a().get<{ owner_id: number | null }>(`${ITEM}/${one.id}`)).body.owner_id
  const before = a().staffId
  expect(await ownerOf()).toBe(b().staffId)
  expectSuccess(await a().post(`/daoyuan/api/end/undo/${answer.body.undo}`))
  expect(await ownerOf()).toBe(before)
  expect(await app.db.query(sql`select 1 from clue_owner_log where clue_id = ${one.id} and to_at is null`)).toHaveLength(1)
  expectSuccess(await a().post(`${LIST}/assign`, { ids: [one.id], owner_id: b().staffId, reason: '按区域分配' }))
  expect((await a().post(`${ITEM}/${one.id}/release`, { reason: '跟不动了' })).body['detail']).toContain('只能放回自己的线索')
  expectSuccess(await b().post(`${ITEM}/${one.id}/release`, { reason: '跟不动了' }))
  await app.db.query(sql`insert into clue (name, mobile, channel_id, owner_id, stage) select '多' || g, '136' || (10000000 + g), ${channel}, ${b().staffId}, 1 from generate_series(1, ${POOL.held}) g`)
  expect((await a().post(`${LIST}/assign`, { ids: [one.id], owner_id: b().staffId, reason: '再给他' })).body['detail']).toContain(`最多 ${POOL.held} 条`)
  expect((await (await app.staff([clue.grant])).post(`${LIST}/assign`, { ids: [one.id], owner_id: a().staffId, reason: '没有权限' })).status).toBe(403)
})

test('the board counts what the list shows; enrolled is set by a paid order alone, and lost again with its refund', async () => {
  const number = mobile()
  const { id } = await made(number)
  expectSuccess(await a().post(`${ITEM}/${id}/try_lesson`, {}))
  const { columns } = (await a().get<{ columns: BoardColumn[] }>(`${LIST}/board`)).body
  for (const { stage, total } of columns) expect((await a().get<{ total: number }>(LIST, { stage })).body.total).toBe(total)
  expect(clue.transitions.some(({ to }) => to === S.enrolled)).toBe(false)
  const { offers, orders } = await camp()
  const project = await a().post<WireRow>(offers, { title: '冲刺营', subject_id: 101, price: 3000_00, valid_days: 200 })
  expectSuccess(project)
  await app.db.query(sql`update offer set state = 3 where id = ${project.body.id}`)
  const order = await a().post<WireRow>(orders, { order_info: { items: [{ kind: 'offer', ref_id: project.body.id, qty: 1 }] }, user_info: { mobile: number, name: '林小满' } })
  expectSuccess(order)
  expectSuccess(await a().post(`${orders}/${order.body.id}/pay`, { amount: 3000_00, channel: 'wechat' }))
  expect(await read(id)).toMatchObject({ stage: S.enrolled, order_no: order.body['order_no'] })
  expectRefusal(await a().put(`${ITEM}/${id}`, { remark: '改' }), [400, 403, 409])
  expectSuccess(await a().post(`${orders}/${order.body.id}/refund`, { amount: 3000_00, way: 'original', reason: '不来了' }))
  expect(await read(id)).toMatchObject({ stage: S.tried, order_no: null })
})

/** Where projects and orders of the camp are written. */
async function camp(): Promise<{ offers: string; orders: string }> {
  const of = (name: string) => app.kernel.registry.get(name)?.resource.api.item ?? ''
  return { offers: of('excellent_training_offer'), orders: of('excellent_training_order') }
}
