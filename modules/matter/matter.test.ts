import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { book } from '../book/module.ts'
import { partnerOrder } from '../study-room/partner-order.ts'
import { PARTNER_STATUS, partner } from '../study-room/partner.ts'
import { appUser } from '../user/module.ts'
import { findScanned, moveMatters, readStory } from './calls.ts'
import { matterCheck } from './check.ts'
import { matter } from './matter.ts'
import { matterMove } from './move.ts'
import { MATTER_RIGHTS } from './rights.ts'
import { warehouse } from './warehouse.ts'

const MOVES = moveMatters.path
let app: TestApp
let [ann, ben]: Caller[] = []
let n = 0
let [main, branch] = [0, 0]
beforeAll(async () => {
  app = await openTestApp()
  ;[ann, ben] = [await app.staff(app.servedGrants), await app.staff(app.servedGrants)]
  ;[main, branch] = [await place('总仓'), await place('分仓')]
  expectSuccess(await a().post(`${warehouse.api.item}/${main}/ship_here`))
})
afterAll(() => app.close())

const a = () => ann as Caller
const b = () => ben as Caller
async function place(name: string): Promise<number> {
  const made = await a().post<WireRow>(warehouse.api.item, { name })
  expectSuccess(made)
  return made.body.id
}
async function thing(more: Record<string, unknown> = {}): Promise<number> {
  const made = await a().post<WireRow>(matter.api.item, { name: `物料${++n}`, sku: `T-${1000 + n}`, kind: 'gift', unit: '个', lead_days: 10, floor: 0, cost: 500, ...more })
  expectSuccess(made)
  return made.body.id
}
const line = (matter_id: number, qty: number, more: Record<string, unknown> = {}) => ({ matter_id, qty, ...more })
const bring = (id: number, qty: number, to = main) => a().post<{ doc: string }>(MOVES, { kind: 'in', warehouse_id: to, lines: [line(id, qty)] })
const give = (id: number, qty: number, who = a(), more: Record<string, unknown> = {}) => who.post<{ doc: string; detail: string }>(MOVES, { kind: 'out', warehouse_id: main, purpose: 'sample', receiver: '苏州一中', lines: [line(id, qty)], ...more })
const row = async (id: number) => (await a().get<WireRow<typeof matter>>(`${matter.api.item}/${id}`)).body
const book_ = (id: number) => app.db.query<{ id: number; kind: string; qty: number; balance: number; doc: string }>(sql`select id, kind, qty, balance, doc from matter_move where matter_id = ${id} order by id`)

/** What must hold of the book whatever was done: stock is the sum of its lines, each balance that of the lines up to it, and nothing is below nothing. */
async function broken(): Promise<unknown[]> {
  return app.db.query(sql`select 'stock' as what, s.matter_id from matter_stock s where s.qty < 0 or s.qty <> (select coalesce(sum(m.qty), 0) from matter_move m where m.matter_id = s.matter_id and m.warehouse_id = s.warehouse_id)
    union all select 'moves', m.matter_id from matter_move m where not exists (select 1 from matter_stock s where s.matter_id = m.matter_id and s.warehouse_id = m.warehouse_id)
    union all select 'matter', t.id from matter t where t.stock <> (select coalesce(sum(s.qty), 0) from matter_stock s where s.matter_id = t.id)
    union all select 'balance', x.matter_id from (select matter_id, balance, sum(qty) over (partition by matter_id, warehouse_id order by id) as run from matter_move) x where x.balance <> x.run or x.run < 0`)
}

test('what comes and goes is a line each; a transfer is two; nothing goes that is not there', async () => {
  const id = await thing()
  expectSuccess(await bring(id, 100))
  expectSuccess(await give(id, 30))
  expectSuccess(await a().post(MOVES, { kind: 'transfer', warehouse_id: main, peer_id: branch, lines: [line(id, 20)] }))
  expect((await book_(id)).map(({ kind, qty, balance }) => [kind, qty, balance])).toEqual([['in', 100, 100], ['out', -30, 70], ['transfer', -20, 50], ['transfer', 20, 20]])
  expect(await row(id)).toMatchObject({ stock: 70, places: '总仓 50、分仓 20', value: 35_000 })
  const much = await give(id, 51)
  expectRefusal(much, 400)
  expect(much.body.detail).toBe(`总仓库存不足：「物料${n}」只有 50 个，要出 51 个`)
  // The same matter twice in one document counts together.
  expectRefusal(await give(id, 0, a(), { lines: [line(id, 30), line(id, 30)] }), 400)
  expectSuccess(await give(id, 0, a(), { lines: [line(id, 20), line(id, 30)] }))
  expect((await book_(id)).at(-1)).toMatchObject({ qty: -50, balance: 0 })
  expect(await broken()).toEqual([])
})

test('of two at once who take the last of it one is told how much there is', async () => {
  const id = await thing()
  await bring(id, 10)
  const both = await Promise.all([give(id, 7), give(id, 7, b())])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await row(id)).toMatchObject({ stock: 3 })
})

test('a document says what it lacks, and who may not write one is refused', async () => {
  const id = await thing()
  await bring(id, 5)
  expectFieldRefusal(await give(id, 1, a(), { purpose: undefined }), 400, 'purpose')
  expectFieldRefusal(await give(id, 1, a(), { receiver: undefined }), 400, 'receiver')
  expectFieldRefusal(await give(id, 1, a(), { order_no: '没有的订单' }), 400, 'order_no')
  expectFieldRefusal(await a().post(MOVES, { kind: 'transfer', warehouse_id: main, peer_id: main, lines: [line(id, 1)] }), 400, 'peer_id')
  expectRefusal(await a().post(MOVES, { kind: 'in', warehouse_id: main, lines: [] }), 400)
  expectRefusal(await give(id, 1, await app.staff([matter.grant, standardId(matter.grant, 'edit')])), 403)
  expectRefusal(await give(99_999, 1), 404)
  const off = await place('要停的仓')
  await bring(id, 1, off)
  const stop = await a().put(`${warehouse.api.item}/${off}`, { status: 0 })
  expect(stop.body['detail']).toContain('先调拨到别的仓库再停用')
  // One warehouse ships: another takes it over.
  expectSuccess(await a().post(`${warehouse.api.item}/${off}/ship_here`))
  expect(await app.db.query(sql`select id from warehouse where ships = 1`)).toEqual([{ id: off }])
  expectSuccess(await a().post(`${warehouse.api.item}/${main}/ship_here`))
  expectRefusal(await a().delete(`${matter.api.item}/${id}`), 409)
})

test('a wrong line is reversed once, with both sides of a transfer, and only while it is still there', async () => {
  const id = await thing()
  await bring(id, 10)
  await a().post(MOVES, { kind: 'transfer', warehouse_id: main, peer_id: branch, lines: [line(id, 4)] })
  const [came, , there] = await book_(id)
  const reverse = (moveId: number | undefined, who = a()) => who.post<{ doc: string; detail: string }>(`${matterMove.api.item}/${moveId}/reverse`, { reason: '数量写错' })
  const all = await reverse(came?.id)
  expect(all.body.detail).toContain('只有 6 个')
  const both = await Promise.all([reverse(there?.id), reverse(there?.id, b())])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expectSuccess(await reverse(came?.id))
  expect((await reverse((await book_(id)).at(-1)?.id)).body.detail).toBe('这一条就是冲销，不能再冲销')
  expect(await row(id)).toMatchObject({ stock: 0 })
  expect(await broken()).toEqual([])
})

test('a count is approved by somebody who neither counted nor submitted; only the difference of that moment is booked', async () => {
  const [id, other] = [await thing(), await thing()]
  await bring(id, 50)
  await bring(other, 8)
  const { body: sheet } = await a().post<WireRow>(matterCheck.api.item, { kind: 'count', warehouse_id: main, name: '月末盘点' })
  const path = `${matterCheck.api.item}/${sheet.id}`
  expect((await a().post(`${path}/submit`)).body['detail']).toBe('还没有清点任何物料')
  expectSuccess(await a().post(`${path}/lines`, { lines: [{ matter_id: id, counted: 47, seen: null }] }))
  // Two people count the same sheet: who did not see the other's number is told.
  expectRefusal(await b().post(`${path}/lines`, { lines: [{ matter_id: id, counted: 48, seen: null }] }), 409)
  expectSuccess(await b().post(`${path}/lines`, { lines: [{ matter_id: id, counted: 48, seen: 47 }] }))
  const { body: content } = await a().get<{ lines: unknown[]; left: { matter_id: number }[] }>(`${path}/lines`)
  expect(content.lines).toMatchObject([{ matter_id: id, expected: 50, counted: 48 }])
  expect(content.left.map(({ matter_id }) => matter_id)).toContain(other)
  expectSuccess(await a().post(`${path}/submit`))
  expectRefusal(await a().post(`${path}/lines`, { lines: [{ matter_id: id, counted: 40, seen: 48 }] }), 400)
  // In two sheets at once its difference would be booked twice.
  const { body: twin } = await b().post<WireRow>(matterCheck.api.item, { kind: 'count', warehouse_id: main, name: '又一张' })
  expect((await b().post(`${matterCheck.api.item}/${twin.id}/lines`, { lines: [{ matter_id: id, counted: 48, seen: null }] })).body['detail']).toContain('正在盘点单「月末盘点」里')
  // What goes out meanwhile stays gone.
  await give(id, 5)
  expectRefusal(await a().post(`${path}/approve`), [403, 409])
  const counted = await b().post(`${path}/approve`)
  expectRefusal(counted, [403, 409])
  expect(counted.body['detail']).toBe('清点过的人不能审核，请换一个人')
  expectRefusal(await (await app.staff([matter.grant, MATTER_RIGHTS.id('count')])).post(`${path}/approve`), 403)
  expectSuccess(await (await app.staff(app.servedGrants)).post(`${path}/approve`))
  expect(await row(id)).toMatchObject({ stock: 43 })
  const last = (await book_(id)).at(-1)
  expect(last).toMatchObject({ kind: 'count', qty: -2 })
  expect((await a().post(`${matterMove.api.item}/${last?.id}/reverse`, { reason: '不认盘点' })).body['detail']).toContain('经过审核，不能冲销')
  expect(await broken()).toEqual([])
})

test('what is spoilt goes out of stock by a second person\'s word, and never more than there is', async () => {
  const id = await thing()
  await bring(id, 6)
  const { body: sheet } = await a().post<WireRow>(matterCheck.api.item, { kind: 'loss', warehouse_id: main, name: '受潮' })
  const path = `${matterCheck.api.item}/${sheet.id}`
  expectRefusal(await a().post(`${path}/lines`, { lines: [{ matter_id: id, counted: 7, seen: null }] }), 400)
  expectSuccess(await a().post(`${path}/lines`, { lines: [{ matter_id: id, counted: 4, seen: null, note: '底层箱进水' }] }))
  expectSuccess(await a().post(`${path}/submit`))
  await give(id, 5)
  const short = await b().post(`${path}/approve`)
  expectRefusal(short, 400)
  expect(short.body['detail']).toContain('库存不足')
  await bring(id, 5)
  expectSuccess(await b().post(`${path}/approve`))
  expect((await book_(id)).at(-1)).toMatchObject({ kind: 'loss', qty: -4, balance: 2 })
})

test('a print of the book is on its way until it came, piece by piece and never more of it', async () => {
  const isbn = `97871000${String(10_000 + ++n)}`
  const [bookId = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, book as never, [{ name: '练习册', isbn, level: 0, subject_id: 1, state: 3, print_no: 1 }] as never))
  const id = await thing({ kind: 'book', unit: '册', book_id: bookId })
  await app.db.query(sql`insert into book_print (book_id, no, copies, fresh, at) values (${bookId}, 1, 1000, 0, now() + interval '1 second')`)
  expect(await row(id)).toMatchObject({ transit: 1000, stock: 0 })
  const receive = (qty: number, who = a(), no = 1) => who.post<{ detail: string }>(MOVES, { kind: 'in', warehouse_id: main, lines: [line(id, qty, { print_no: no })] })
  const both = await Promise.all([receive(600), receive(600, b())])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect((await receive(401)).body.detail).toContain('还有 400 册未入库')
  expectSuccess(await receive(400))
  expectRefusal(await receive(1, a(), 2), 400)
  expect(await row(id)).toMatchObject({ transit: 0, stock: 1000 })
  const { body: found } = await a().get<{ items: { id: number; places: { qty: number }[]; prints: unknown[] }[] }>(findScanned.path, { codes: isbn })
  expect(found.items).toMatchObject([{ id, places: [{ qty: 1000 }], prints: [] }])
})

test('a parcel of an order takes its sets out of the shipping warehouse, once, and not what is not there', async () => {
  const id = await thing({ kit_qty: 3 })
  const now = Math.floor(Date.now() / 1000)
  const [partnerId = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, partner, [{ name: '启航', contact: '王启航', mobile: '13900130009', region_code: '320508', level: 4, type_id: 1, sign_at: now - 86_400, expire_at: now + 8_640_000, status: PARTNER_STATUS.signed }]))
  const { api: { item } } = partnerOrder
  const sold = await a().post<WireRow>(item, { order_info: { items: [{ kind: 'material', price: 0, qty: 2 }, { kind: 'service', price: 100_00, qty: 1 }] }, receiving_info: { name: '李收', mobile: '15800001111', region_code: '320508', address: '观前街 1 号' }, user_info: { partner_id: partnerId }, package_price: { paid: 100_00, pay_channel: 'transfer' } })
  expectSuccess(sold)
  expectSuccess(await b().post(`${item}/${sold.body.id}/approve`))
  const ship = (no: string) => a().post<{ detail: string }>(`${item}/${sold.body.id}/ship`, { company: '顺丰速运', no })
  const short = await ship('SF1000001')
  expectRefusal(short, 400)
  expect(short.body.detail).toContain('要出 6 个')
  expect(await app.db.query(sql`select 1 from shipment where order_id = ${sold.body.id}`)).toEqual([])
  await bring(id, 10)
  expectSuccess(await ship('SF1000001'))
  expectSuccess(await ship('SF1000002'))
  expect(await app.db.query(sql`select qty, purpose, receiver, mobile, order_no from matter_move where matter_id = ${id} and kind = 'out'`)).toEqual([{ qty: -6, purpose: 'order', receiver: '李收', mobile: '15800001111', order_no: sold.body['order_no'] }])
  await a().put(`${matter.api.item}/${id}`, { kit_qty: null })
})

test('what runs out soon waits for somebody; who got something has it in their view', async () => {
  const id = await thing({ floor: 20 })
  await bring(id, 30)
  const list = async () => (await a().get<{ items: { id: number }[] }>(matter.api.list, { needs: 'reorder' })).body.items.map((one) => one.id)
  expect(await list()).not.toContain(id)
  const [user = 0] = await seedTransaction(app.kernel.db, (tx) => insertMany(tx, appUser as never, [{ mobile: '13655550001', nickname: '小林', role: 1, status: 1, user_no: 'U-MATTER-1', register_at: Math.floor(Date.now() / 1000) }] as never))
  expectSuccess(await give(id, 12, a(), { purpose: 'gift', receiver: '小林', mobile: '13655550001' }))
  expect(await list()).toContain(id)
  const known = await row(id)
  expect(known).toMatchObject({ stock: 18 })
  // A first day is one of two weeks.
  expect(known.daily).toBeGreaterThan(0)
  expect(known.daily).toBeLessThan(3)
  expect((await a().get<{ forecast: { suggest: number } }>(readStory.path.replace('{id}', String(id)))).body.forecast.suggest).toBeGreaterThan(0)
  const { body: waiting } = await a().get<{ items: { kind: string; record: number }[] }>('/daoyuan/api/end/waiting', { kind: 'matter_reorder' })
  expect(waiting.items.map(({ record }) => record)).toContain(id)
  expect(await app.db.query(sql`select user_id from matter_move where matter_id = ${id} and kind = 'out'`)).toEqual([{ user_id: user }])
})

test('whatever is done in whatever order, stock is the sum of the book and never below nothing', async () => {
  const things = [await thing(), await thing()]
  const places = [main, branch]
  const pick = (from: readonly number[]) => fc.constantFrom(...from)
  const document = fc.record({ kind: fc.constantFrom('in', 'out', 'transfer', 'back'), at: pick([0, 1]), lines: fc.array(fc.record({ matter_id: pick(things), qty: fc.integer({ min: 1, max: 40 }) }), { minLength: 1, maxLength: 4 }) })
  const undo = fc.record({ kind: fc.constant('reverse'), nth: fc.nat(20) })
  await fc.assert(fc.asyncProperty(fc.array(fc.array(fc.oneof({ weight: 4, arbitrary: document }, { weight: 1, arbitrary: undo }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }), async (rounds) => {
    // What stands in one round is sent at once.
    for (const round of rounds) {
      const answers = await Promise.all(round.map(async (step, nth) => {
        const who = nth % 2 === 0 ? a() : b()
        if (!('lines' in step)) {
          const [one] = await app.db.query<{ id: number }>(sql`select id from matter_move where matter_id = any(${sql.param(things)}::bigint[]) order by id desc offset ${step.nth} limit 1`)
          return one ? who.post(`${matterMove.api.item}/${one.id}/reverse`, { reason: '写错了' }) : undefined
        }
        const { kind, at, lines } = step
        return who.post(MOVES, { kind, warehouse_id: places[at], lines, ...(kind === 'transfer' && { peer_id: places[1 - at] }), ...(kind === 'out' && { purpose: 'own', receiver: '前台' }) })
      }))
      for (const answer of answers) if (answer) expect([200, 400, 409], JSON.stringify(answer.body)).toContain(answer.status)
      expect(await broken()).toEqual([])
    }
  }), { numRuns: 15 })
}, 120_000)
