import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { selfSchool } from '../study-room/module.ts'
import { closeDay, dayClosing, openDay, type OpenDay } from './closing.ts'
import { selfRoomOrder } from './orders.ts'
import { selfRoom } from './room.ts'

let app: TestApp
let clerk: Caller
let rooms: number[]
let schools: number[]
beforeAll(async () => {
  app = await openTestApp()
  clerk = await app.staff(app.servedGrants)
  await seedTransaction(app.kernel.db, async (tx) => {
    schools = await insertMany(tx, selfSchool, ['自营一校', '自营二校'].map((name, n) => ({ name, type_id: 1, region_code: '320508', address: '观前街', manager: '李', mobile: `1390015000${n}`, status: 1 as const })))
    rooms = await insertMany(tx, selfRoom, schools.map((school_id) => ({ name: '一号室', school_id, type_id: 1, status: 1 })))
  })
})
afterAll(() => app.close())

const take = async (amount: number, pay_channel: string) => expectSuccess(await clerk.post(selfRoomOrder.api.item, {
  order_info: { items: [{ kind: 'service', price: amount, qty: 1 }] }, package_price: { paid: amount, pay_channel }, user_info: { room_id: rooms[0] },
}))
const open = async () => (await clerk.get<OpenDay>(openDay.path, { room_id: rooms[0] })).body.lines
/** Counts exactly what is expected, but for one channel. */
const counting = async (off: Record<string, { by: number; reason?: string }> = {}) =>
  (await open()).map(({ channel, expected }) => ({ channel, expected, counted: expected + (off[channel]?.by ?? 0), ...(off[channel]?.reason && { reason: off[channel].reason }) }))
const close = (lines: unknown, caller = clerk) => caller.post<WireRow>(closeDay.path, { room_id: rooms[0], shift: 4, lines })

test('each closing holds what came in since the last, and a difference has its reason', async () => {
  await take(100_00, 'cash')
  await take(250_00, 'wechat')
  await take(50_00, 'cash')
  expect((await open()).filter(({ entries }) => entries > 0)).toEqual([{ channel: 'wechat', expected: 250_00, entries: 1 }, { channel: 'cash', expected: 150_00, entries: 2 }])
  expectRefusal(await close(await counting({ cash: { by: -5_00 } })), 400)
  expect((await close(await counting({ cash: { by: -5_00, reason: '找零差错' } }))).body).toMatchObject({ expected: 400_00, counted: 395_00, difference: -5_00 })
  expect((await open()).every(({ entries }) => entries === 0)).toBe(true)
  await take(30_00, 'alipay')
  expect((await close(await counting())).body).toMatchObject({ expected: 30_00, difference: 0 })
})

test('what came in while somebody counted is not lost', async () => {
  const lines = await counting()
  await take(10_00, 'cash')
  expectRefusal(await close(lines), 409)
  expect((await close(await counting())).body['expected']).toBe(10_00)
})

test('of two who close at once one does, and every entry is closed once', async () => {
  await take(70_00, 'cash')
  const lines = await counting()
  const answers = await Promise.all(Array.from({ length: 6 }, () => close(lines)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const [sums] = await app.db.query<{ closed: number; booked: number }>(sql`select (select sum(expected)::float8 from day_closing where room_id = ${rooms[0]}) as closed, (select sum(amount)::float8 from ledger where account_kind = 'room' and account_id = ${rooms[0]}) as booked`)
  expect(sums?.closed).toBeGreaterThanOrEqual(70_00)
  expect(sums?.closed).toBe(sums?.booked)
})

test('a closed day is never changed', async () => {
  const { body } = await clerk.get<{ items: WireRow[] }>(dayClosing.api.list)
  const path = `${dayClosing.api.item}/${body.items[0]?.id}`
  expectRefusal(await clerk.put(path, { counted: 1 }), 404)
  expectRefusal(await clerk.delete(path), 404)
  await expect(app.db.query(sql`update day_closing set counted = 1`)).rejects.toThrow(/never changed/)
  await expect(app.db.query(sql`delete from day_closing`)).rejects.toThrow(/never changed/)
})

test('only with the right, and only rooms that one sees', async () => {
  expectRefusal(await app.nobody().post(closeDay.path, {}), 401)
  expectRefusal(await close([], await app.staff([dayClosing.grant])), 403)
  const elsewhere = await app.staff(app.servedGrants, { scopes: { school: [schools[1] ?? 0] } })
  expectRefusal(await close(await counting(), elsewhere), 404)
  expectRefusal(await elsewhere.get(openDay.path, { room_id: rooms[0] }), 404)
  expectFieldRefusal(await clerk.post(closeDay.path, { room_id: rooms[0], shift: 9, lines: [] }), 400, 'shift')
})
